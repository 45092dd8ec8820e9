#!/usr/bin/env python3
"""Measures how long a live session takes from a save to its results, besides the iterations themselves.

    bench_interactive.py                 both questions
    bench_interactive.py --saves         from a save to the first throughput, the breakdowns, the whole result
    bench_interactive.py --starts        to the first iteration: a copy of the zygote and a fresh process, in turns
    bench_interactive.py --markdown docs/performance.md   also writes the tables there

Needs a Python with torch (default: build/venv, which `./test training` makes). Exit code 1 when a goal is missed,
unless --no-goals.
"""

import argparse
import statistics
import sys
from pathlib import Path

from live_session import LiveSession, Project, Round, Starter
from tables import Goal, Table, at_least, show_all
from torch_bench import add_options, versions_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PROJECTS = {"CNN": ROOT / "examples/cnn", "100 layers": HERE / "hundred_layers"}
FIRST, WHOLE, BREAKDOWNS = "first throughput, over its iterations", "whole result, over its iterations", "breakdowns"


class Bench:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.versions = versions_of(options.python)
        self.projects = {options.project.name: options.project} if options.project else PROJECTS

    def saves(self) -> Table:
        rows, goals = [], []
        for name, original in self.projects.items():
            rounds = self.rounds_of(original)
            measured = {
                "one iteration": [one.iteration_s() for one in rounds],
                FIRST: [one.over_iterations_s("throughput") for one in rounds],
                BREAKDOWNS: [one.breakdown_s() for one in rounds],
                WHOLE: [one.over_iterations_s("complete") for one in rounds],
            }
            rows += [
                (name, what, f"{min(values):.3f} s", f"{statistics.median(values):.3f} s")
                for what, values in measured.items()
            ]
            extra = statistics.median(one.breakdown_s() - 2 * one.iteration_s() for one in rounds)
            goals += [
                within(f"{name}: {FIRST}", statistics.median(measured[FIRST]), 0.3),
                within(f"{name}: breakdowns, over two iterations", extra, 0.2),
                within(f"{name}: {WHOLE}", statistics.median(measured[WHOLE]), 3),
            ]
        title = f"From a save to results, budget {self.options.budget} s"
        return Table("interactive-saves", title, ("model", "", "best", "median"), rows, goals, self.versions)

    def rounds_of(self, original: Path) -> list[Round]:
        project = Project(original)
        session = LiveSession(self.options.binary, self.options.python, project, self.options.budget)
        try:
            session.save()  # the zygote now has what the project imports
            return [session.save() for _ in range(self.options.rounds)]
        finally:
            session.end()
            project.remove()

    def starts(self) -> Table:
        rows, goals = [], []
        for name, original in self.projects.items():
            copies, fresh = self.starts_of(original)
            for what, values in (("copy of the zygote", copies), ("fresh process", fresh)):
                rows.append((name, what, f"{min(values):.3f} s", f"{statistics.median(values):.3f} s"))
            goals.append(at_least(f"{name}: copy", statistics.median(fresh) / statistics.median(copies), 10))
        title = "From a request to the end of the first iteration"
        return Table("interactive-starts", title, ("model", "in a", "best", "median"), rows, goals, self.versions)

    def starts_of(self, original: Path) -> tuple[list[float], list[float]]:
        project = Project(original)
        starter = Starter(self.options.binary, self.options.python, project)
        try:
            starter.in_copy()  # the files are in memory from here on
            starter.in_fresh_process()
            pairs = [(starter.in_copy(), starter.in_fresh_process()) for _ in range(self.options.rounds)]
        finally:
            starter.end()
            project.remove()
        return [copy for copy, _ in pairs], [fresh for _, fresh in pairs]


def within(what: str, value_s: float, limit_s: float) -> Goal:
    return Goal(f"{what}: {value_s:.3f} s, goal at most {limit_s:g} s", value_s <= limit_s)


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--project", type=Path, help="the folder of another entry point, instead of both models")
    parser.add_argument("--saves", action="store_true")
    parser.add_argument("--starts", action="store_true")
    parser.add_argument("--budget", type=int, default=10, help="seconds, as for `skyline interactive`")
    add_options(parser)
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    bench = Bench(options)
    asked = [bench.saves] if options.saves or not options.starts else []
    if options.starts or not options.saves:
        asked.append(bench.starts)
    return 0 if show_all(asked, options.markdown) or options.no_goals else 1


if __name__ == "__main__":
    sys.exit(main())
