#!/usr/bin/env python3
"""Measures what sampled stacks cost and how many are usable, and samples a program in which everything comes and goes.

    bench_sampling.py --markdown docs/performance.md

Processor time of the sampler's thread counts, so that other programs on the machine change little. Exit code 1 when a
goal is missed, unless --no-goals.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tables import Goal, Table, at_most, show_all
from torch_bench import add_options, versions_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEPTHS = (5, 50, 200)
GOAL_DEPTH = 50


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options

    def ask(self, question: str, **arguments: object) -> Any:
        cache = ROOT / "build/bench-data/cache"
        cache.mkdir(parents=True, exist_ok=True)
        own = {"PYTHONPATH": str(ROOT / "python"), "XDG_CACHE_HOME": str(cache)}
        words = [f"--{name}={value}" for name, value in arguments.items()]
        command = [self.options.python, str(HERE / "sampling_loops.py"), question, *words]
        done = subprocess.run(command, env=os.environ | own, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{question} ended with code {done.returncode}: {done.stderr.strip()[-500:]}")
        return json.loads(done.stdout)

    def table(self) -> Table:
        rows, goals = [], []
        for depth in DEPTHS:
            answers = [self.ask("cost", depth=depth, seconds=self.options.seconds) for _ in range(self.options.rounds)]
            best = min(answers, key=lambda answer: float(answer["cost_ns"] / answer["samples"]))
            share = 100 * best["cost_ns"] / (best["wall_s"] * 1e9)
            rows.append(row(f"{depth} frames, 100 Hz", best))
            if depth == GOAL_DEPTH:
                goals.append(at_most(f"{depth} frames: percent of a processor", share, 1))
        churned = self.ask("churn", hz=5000, samples=self.options.samples)
        rows.append(row("everything comes and goes, 5000 Hz", churned))
        usable = 100 * (1 - churned["torn"] / churned["samples"])
        goals.append(Goal(f"usable while everything comes and goes: {usable:.2f} %, goal at least 99 %", usable >= 99))
        head = ("", "samples", "not usable", "per sample", "of a processor")
        title = f"Sampled stacks, two threads, best of {self.options.rounds}"
        return Table("sampling", title, head, rows, goals, versions_of(self.options.python))


def row(what: str, answer: dict[str, Any]) -> tuple[str, ...]:
    each_us = answer["cost_ns"] / answer["samples"] / 1000
    share = 100 * answer["cost_ns"] / (answer["wall_s"] * 1e9)
    return what, str(answer["samples"]), str(answer["torn"]), f"{each_us:.1f} µs", f"{share:.2f} %"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--samples", type=int, default=1_000_000)
    add_options(parser)
    options = parser.parse_args()
    return 0 if show_all([Bench(options).table], options.markdown) or options.no_goals else 1


if __name__ == "__main__":
    sys.exit(main())
