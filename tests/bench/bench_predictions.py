#!/usr/bin/env python3
"""Measures how far predictions for other batch sizes are off: `skyline evaluate` on every example.

    bench_predictions.py                 all of examples/, some minutes each
    bench_predictions.py cnn gpt         only these, or folders elsewhere
    bench_predictions.py --markdown docs/performance.md   also writes the table there

Needs a Python with torch (default: build/venv, which `./test training` makes). Exit code 1 when a goal is missed,
unless --no-goals.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from tables import Goal, Table, show_all
from torch_bench import add_options, versions_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("cnn", "resnet50", "transformer", "gpt", "lstm_attention")
GOALS = {"throughput": 0.03, "memory": 0.01}


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.versions = versions_of(options.python)

    def evaluated(self, example: str) -> dict[str, Any]:
        entry_point = ROOT / "examples" / example / "entry_point.py"  # `example` alone, if it is a whole path
        command = [self.options.binary, "evaluate", entry_point, "--python", self.options.python, "--format", "json"]
        command += ["--budget", str(self.options.budget)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{example}: {done.stderr.strip()[-500:]}")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer

    def table(self) -> Table:
        rows, goals = [], []
        for example in self.options.examples or EXAMPLES:
            answer = self.evaluated(example)
            median = answer["median_error"]
            inside = sum(pair["is_inside"] for pair in answer["pairs"])
            errors = [f"{100 * median[what]:.1f} %" for what in GOALS]
            rows.append((Path(example).name, str(inside), *errors, f"{100 * answer['noise']:.1f} %"))
            goals += [within(f"{example}: {what}", median[what], limit) for what, limit in GOALS.items()]
        return Table(
            "predictions",
            "Median of the absolute errors inside the sampled range",
            ("example", "predictions", "throughput", "peak memory", "throughput measured twice"),
            rows,
            goals,
            self.versions,
        )


def within(what: str, value: float, limit: float) -> Goal:
    return Goal(f"{what}: {100 * value:.1f} %, goal at most {100 * limit:g} %", value <= limit)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", nargs="*", metavar="EXAMPLE", help="one of examples/, or the path of a folder")
    parser.add_argument("--budget", type=int, default=10, help="seconds, as for `skyline evaluate`")
    add_options(parser)
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    met = show_all([Bench(options).table], options.markdown)
    return 0 if met or options.no_goals else 1


if __name__ == "__main__":
    sys.exit(main())
