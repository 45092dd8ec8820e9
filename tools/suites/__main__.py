"""python -m suites [SUITE...]: builds, runs the suites, and ends with one line "N passed, N failed, N skipped".

Three things go on at once: presets are built one after another, large Python packages are installed, and suites run as
soon as what they need is there. A failing suite does not stop the others. At the very end, when nothing else goes on,
tests that failed get their second try. Called by ./test.
"""

import sys
import time

from suites.clock import Clock
from suites.prepare import Preparations
from suites.results import Case, Kind, Sum
from suites.retry import second_try, verdict
from suites.runners import ROOT, Place
from suites.table import Suite, all_suites

RESULTS = ROOT / "build/test-results"
LINES_SHOWN_PER_FAILURE = 40
FAILURES_SHOWN = 20


def main(words: list[str]) -> int:
    suites = chosen(words)
    if suites is None:
        return 2
    clock = Clock()
    preparations = Preparations(suites, RESULTS, clock)
    preparations.start()
    first: list[tuple[Suite, Sum]] = []
    waiting = list(suites)
    while waiting:
        suite = preparations.next_ready(waiting)
        waiting.remove(suite)
        first.append((suite, run_suite(suite, preparations, clock)))
    preparations.join()
    total = Sum()
    for suite, once in first:
        total += try_again(suite, once)
    return close(verdict(total), clock)


def chosen(words: list[str]) -> list[Suite] | None:
    suites = all_suites()
    names = {suite.name for suite in suites}
    for word in words:
        if word not in names:
            print(f"test: no suite '{word}'; see ./test --list", file=sys.stderr)
            return None
    return [suite for suite in suites if suite.name in words or (not words and suite.by_default)]


def run_suite(suite: Suite, preparations: Preparations, clock: Clock) -> Sum:
    started = time.monotonic()
    total = Sum()
    cases = [Case(f"{what} failed", Kind.FAILED, text) for what, text in preparations.missing(suite)]
    cases = cases or suite.run(Place(RESULTS, suite.name))
    for case in cases or [Case("no test was run", Kind.FAILED)]:
        total.add(case)
    seconds = time.monotonic() - started
    clock.ran(suite.name, seconds, cases)
    for failure in total.failures[:FAILURES_SHOWN]:
        tell(f"FAILED {suite.name}: {failure.name}{what_kind(failure)}", failure)
    for failure in total.failures[FAILURES_SHOWN:]:
        print(f"FAILED {suite.name}: {failure.name}")
    for reason, count in total.skips.items():
        print(f"  skipped {count} in {suite.name}: {reason}")
    print(f"{suite.name:<12} {total}  ({seconds:.0f} s)", flush=True)
    return total


def try_again(suite: Suite, once: Sum) -> Sum:
    """After everything else, when no compiler and no other suite is in the way."""
    total = second_try(once, lambda case: suite.again(Place(RESULTS, suite.name), case))
    for case in total.flaky:
        print(f"FLAKY {suite.name}: {case.name}: failed, then passed alone", flush=True)
    for case in total.failed_twice:
        tell(f"FAILED again, alone, {suite.name}: {case.name}{what_kind(case)}", case)
    return total


def what_kind(case: Case) -> str:
    return "" if case.kind is Kind.FAILED else f" ({case.kind.value})"


def tell(headline: str, case: Case) -> None:
    print(headline)
    for line in case.text.splitlines()[-LINES_SHOWN_PER_FAILURE:]:
        print(f"    {line}")
    sys.stdout.flush()


def close(total: Sum, clock: Clock) -> int:
    print(clock.table())
    for case in total.flaky:
        print(f"flaky: {case.name}")
    print(total, flush=True)
    return 1 if total.failures or total.passed == 0 else 0


if __name__ == "__main__":
    if "--list" in sys.argv:
        print("\n".join(suite.name for suite in all_suites()))
        sys.exit()
    sys.exit(main(sys.argv[1:]))
