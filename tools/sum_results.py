"""Adds up the JUnit files that ./test collected.

    sum_results.py DIR                          the totals of all suites; the last line of ./test
    sum_results.py DIR --suite S --seconds N    one line about a suite, plus its failures and reasons for skips

A suite leaves DIR/<suite>.*.xml, DIR/<suite>.log and DIR/<suite>.status (its exit code). A suite that ended
badly without naming a failed test (a build error, a crash of the runner) counts as one failure, so that it
can not vanish from the sum. Exit code 1 if anything failed.
"""

import argparse
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

LINES_SHOWN_PER_FAILURE = 40
FAILURES_SHOWN = 20
FORBIDDEN_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass
class Failure:
    name: str
    text: str  # what the test said about it


@dataclass
class Sum:
    passed: int = 0
    failures: list[Failure] = field(default_factory=list)
    skips: Counter[str] = field(default_factory=Counter)  # reason -> how many

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.failures)} failed, {self.skips.total()} skipped"


def add_file(total: Sum, path: Path) -> None:
    # Tests about broken input print broken bytes; neither runner escapes all of them.
    text = FORBIDDEN_IN_XML.sub("?", path.read_text(encoding="utf-8", errors="replace"))
    for case in ElementTree.fromstring(text).iter("testcase"):
        if case.get("status") == "fail" or case.find("failure") is not None or case.find("error") is not None:
            total.failures.append(failure_of(case))
        elif (skipped := case.find("skipped")) is not None:
            total.skips[skip_reason(case, skipped)] += 1
        else:
            total.passed += 1


def failure_of(case: ElementTree.Element) -> Failure:
    """pytest writes the story into the failure, ctest into the program's output."""
    texts = [case.findtext(place) for place in ("failure", "error", "system-out")]
    return Failure(case.get("name", "?"), next((text.strip() for text in texts if text and text.strip()), ""))


def skip_reason(case: ElementTree.Element, skipped: ElementTree.Element) -> str:
    """pytest gives the reason as message; ctest only says that gtest's output looked skipped."""
    in_output = re.search(r": Skipped\n(.*)", case.findtext("system-out", ""))
    return in_output.group(1) if in_output else skipped.get("message", "no reason given")


def sum_suite(results: Path, suite: str) -> Sum:
    total = Sum()
    for path in sorted(results.glob(f"{suite}.*.xml")):
        try:
            add_file(total, path)
        except ElementTree.ParseError as error:
            total.failures.append(Failure(f"{path.name} is unreadable", str(error)))
    status = (results / f"{suite}.status").read_text().strip()
    if status != "0" and not total.failures:
        log = (results / f"{suite}.log").read_text(encoding="utf-8", errors="replace")
        total.failures.append(Failure(f"the suite itself ended with exit code {status}", log))
    return total


def show_suite(results: Path, suite: str, seconds: int) -> None:
    total = sum_suite(results, suite)
    for failure in total.failures[:FAILURES_SHOWN]:
        print(f"FAILED {suite}: {failure.name}")
        for line in failure.text.splitlines()[-LINES_SHOWN_PER_FAILURE:]:
            print(f"    {line}")
    for failure in total.failures[FAILURES_SHOWN:]:
        print(f"FAILED {suite}: {failure.name}")
    for reason, count in total.skips.items():
        print(f"  skipped {count} in {suite}: {reason}")
    print(f"{suite:<12} {total}  ({seconds} s)", flush=True)


def show_all(results: Path) -> int:
    total = Sum()
    for path in sorted(results.glob("*.status")):
        part = sum_suite(results, path.stem)
        total.passed += part.passed
        total.failures += part.failures
        total.skips += part.skips
    print(total)
    return 1 if total.failures or total.passed == 0 else 0


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("results", type=Path)
    parser.add_argument("--suite")
    parser.add_argument("--seconds", type=int, default=0)
    args = parser.parse_args()
    if args.suite is None:
        return show_all(args.results)
    show_suite(args.results, args.suite, args.seconds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
