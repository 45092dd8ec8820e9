#!/usr/bin/env python3
"""Measures what recording costs, against torch.profiler and an empty callback in the same run.

    bench_collect.py                     added time per operator, on two cores and on one
    bench_collect.py --steps             recording steps only
    bench_collect.py --ends              stop, file size, the table of operators
    bench_collect.py --endurance 600     a tight loop for so many seconds
    bench_collect.py --markdown docs/performance.md   also writes the tables there

Needs a Python with torch (default: build/venv, which `./test training` makes). Exit code 1 when a goal is missed,
unless --no-goals.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

from measure import cores
from tables import Goal, Table, at_least, at_most, show_all
from torch_bench import add_options, versions_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLOOR, FLOOR_WITH_INPUTS = "empty callback", "empty callback with inputs"
OPERATORS, EVERYTHING, TORCH = "skyline, operators", "skyline, everything", "torch.profiler, everything"
WITH_VALUES = "skyline, everything and values"
DIRECT_OPERATORS, DIRECT_EVERYTHING = "skyline directly, operators", "skyline directly, everything"
MB = 1_000_000


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.versions = versions_of(options.python)

    def ask(self, question: str, *arguments: str, on: int = 1) -> Any:
        """The answer of collect_loops.py in a process of its own, on so many cores."""
        cache = ROOT / "build/bench-data/cache"
        cache.mkdir(parents=True, exist_ok=True)
        own = {
            "PYTHONPATH": str(ROOT / "python"),
            "SKYLINE_BIN": str(self.options.binary.resolve()),
            "XDG_CACHE_HOME": str(cache),
            "OMP_NUM_THREADS": "1",
        }
        pinned = ["taskset", "-c", ",".join(map(str, cores(on)))]
        command = [*pinned, self.options.python, str(HERE / "collect_loops.py"), question, *arguments]
        done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{question} ended with code {done.returncode}: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout)

    def loops(self, on: int) -> Table:
        answer = self.ask("loops", f"--rounds={self.options.rounds}", on=on)
        rows, goals = [], []
        for loop, measured in answer.items():
            best, median = (added_us(measured, of) for of in (min, statistics.median))
            rows += [(loop, way, f"{best[way]:.3f} µs", f"{median[way]:.3f} µs") for way in best]
            goals += [
                at_most(f"{loop}: everything against torch.profiler", best[EVERYTHING] / best[TORCH], 0.45),
                at_most(f"{loop}: with values of inputs, the same", best[WITH_VALUES] / best[TORCH], 0.5),
                over_floor(f"{loop}: everything", best[EVERYTHING] - best[FLOOR_WITH_INPUTS], 0.2),
                at_most(f"{loop}: everything, directly", best[DIRECT_EVERYTHING] / best[TORCH], 1 / 3),
                over_floor(f"{loop}: everything, directly", best[DIRECT_EVERYTHING] - best[FLOOR_WITH_INPUTS], 0.15),
                over_floor(f"{loop}: operators, directly", best[DIRECT_OPERATORS] - best[FLOOR], 0.05),
            ]
        where = "one core, the writer's thread included" if on == 1 else f"{on} cores"
        return Table(
            f"recording-{on}",
            f"Time added per operator, {where}",
            ("loop", "recorded by", "best", "median"),
            rows,
            goals,
            self.versions,
        )

    def steps(self) -> Table:
        answer = self.ask("steps_only", f"--rounds={self.options.rounds}")
        seconds = {way: min(values) / answer["steps"] * 1e6 for way, values in answer["seconds"].items()}
        added = seconds["skyline, steps"] - seconds["nothing"]
        rows = [(way, f"{value:.1f} µs") for way, value in seconds.items()]
        goals = [at_most("share of a step of 10 ms, in percent", added / 100, 0.5)]
        title = f"A step that does almost nothing: {added:.1f} µs are added by recording steps only"
        return Table("recording-steps", title, ("", "per step (best)"), rows, goals, self.versions)

    def ends(self) -> Table:
        stopped = self.ask("endings", f"--rounds={self.options.rounds}", "--ops=100000", on=2)
        shown = self.ask("tables", "--ops=175000", on=2)
        ours, theirs = stopped["skyline"], stopped["torch.profiler"]
        rows = [
            (f"stop to a file, {stopped['ops']} records", *seconds(min(ours["stop"]), min(theirs["stop"]))),
            ("the file", f"{ours['bytes'][0] / MB:.2f} MB", f"{theirs['bytes'][0] / MB:.2f} MB"),
            (f"key_averages().table(), {shown['ops']} records", *seconds(shown["skyline"], shown["torch.profiler"])),
        ]
        goals = [
            at_least("stop", min(theirs["stop"]) / min(ours["stop"]), 20),
            at_least("file, before gzip", theirs["bytes"][0] / ours["bytes"][0], 10),
            at_least("table", shown["torch.profiler"] / shown["skyline"], 100),
        ]
        title = "The end of a recording, a transformer with everything on"
        head = ("", "skyline", "torch.profiler")
        return Table("recording-ends", title, head, rows, goals, self.versions)

    def endurance(self, duration_s: float) -> Table:
        answer = self.ask("endurance", f"--seconds={duration_s}", on=2)
        capped = self.ask("endurance", "--seconds=20", f"--max-file-bytes={8 << 20}", on=2)
        rate = answer["ops"] / answer["seconds"]
        rows = [
            ("operators", f"{answer['ops']}"),
            ("per second", f"{rate:.0f}"),
            ("dropped", f"{answer['dropped']}"),
            ("memory growth", f"{answer['growth_bytes'] / MB:.0f} MB"),
            ("file", f"{answer['file_bytes'] / MB:.0f} MB"),
        ]
        goals = [
            Goal(f"operators per second: {rate:.0f}, goal at least 500000", rate >= 500_000),
            at_most("dropped, in percent", 100 * answer["dropped"] / answer["ops"], 0.1),
            at_most("memory growth in MB", answer["growth_bytes"] / MB, 300),
            Goal(f"a file at its limit says: {capped['trouble'] or 'nothing'}", "limit" in capped["trouble"]),
        ]
        title = f"A tight loop for {answer['seconds']:.0f} s, two cores"
        return Table("recording-endurance", title, ("", ""), rows, goals, self.versions)


def added_us(measured: dict[str, Any], of: Any) -> dict[str, float]:
    """Per operator, over the unrecorded loop."""
    base = of(measured["seconds"]["nothing"])
    others = {way: values for way, values in measured["seconds"].items() if way != "nothing"}
    return {way: (of(values) - base) / measured["ops"] * 1e6 for way, values in others.items()}


def over_floor(what: str, value_us: float, limit_us: float) -> Goal:
    return Goal(f"{what} over the empty callback: {value_us:.3f} µs, goal at most {limit_us:g}", value_us <= limit_us)


def seconds(ours: float, theirs: float) -> tuple[str, str]:
    return f"{ours:.3f} s", f"{theirs:.2f} s"


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--loops", action="store_true", help="time per operator; the default")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("--ends", action="store_true")
    parser.add_argument("--endurance", type=float, metavar="SECONDS")
    add_options(parser)
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    bench = Bench(options)
    asked = []
    if options.steps:
        asked.append(bench.steps)
    if options.ends:
        asked.append(bench.ends)
    if options.endurance:
        asked.append(lambda: bench.endurance(options.endurance))
    if options.loops or not asked:
        asked += [lambda: bench.loops(2), lambda: bench.loops(1)]
    return 0 if show_all(asked, options.markdown) or options.no_goals else 1


if __name__ == "__main__":
    sys.exit(main())
