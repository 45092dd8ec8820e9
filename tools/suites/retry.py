"""A second try for tests that failed: alone, at the end of the run, when the machine has nothing else to do. One that
passes then is flaky: named in the summary, but no failure.

What no second try excuses fails at once: a sanitizer's report, a crash, a hang, and a failure without a name to run it
by. So does a suite with many failures, which is broken rather than unlucky.
"""

from collections.abc import Callable

from suites.results import Case, Kind, Sum

MOST_FLAKY = 3  # in a whole run; more fail it
MOST_TRIED = 6  # in one suite

Rerun = Callable[[Case], list[Case]]  # runs one test alone


def may_be_tried(case: Case) -> bool:
    return case.kind is Kind.FAILED and bool(case.again)


def second_try(total: Sum, rerun: Rerun) -> Sum:
    """The sum after its failures were tried again."""
    candidates = [case for case in total.failures if may_be_tried(case)]
    if len(candidates) > MOST_TRIED:
        return total
    flaky, failed_twice = [], []
    for case in candidates:
        outcomes = rerun(case)
        if outcomes and all(outcome.kind is Kind.PASSED for outcome in outcomes):
            flaky.append(case)
        else:
            failed_twice += [outcome for outcome in outcomes if outcome.kind.is_bad]
    failures = [case for case in total.failures if case not in flaky]
    return Sum(total.passed + len(flaky), failures, [*total.flaky, *flaky], total.skips, failed_twice)


def verdict(total: Sum) -> Sum:
    """Too many flaky tests are failures after all."""
    if len(total.flaky) <= MOST_FLAKY:
        return total
    return Sum(total.passed - len(total.flaky), [*total.failures, *total.flaky], [], total.skips)
