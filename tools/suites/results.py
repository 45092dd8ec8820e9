"""What the tests of one suite did, read from the JUnit files that gtest, ctest, pytest and vitest leave."""

import enum
import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

FORBIDDEN_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

# Failures that no second try excuses, by what they leave in a test's output.
SANITIZER = re.compile(r"(Address|Leak|Thread|UndefinedBehavior)Sanitizer|\bruntime error: ")
CRASH = re.compile(
    r"SIG(SEGV|ABRT|BUS|ILL|FPE)\b|Segmentation fault|terminate called|CHECK failed"
    r"|crashed while running|\b(returncode|exit_code|exit code|assert) ?=?-(4|6|7|8|11)\b"
)
# Not Playwright's "Timeout 240000ms exceeded": what the page never came to show is a failure like any other.
HANG = re.compile(r"TimeoutExpired|Timeout \(>\d|Timeout after")


class Kind(enum.Enum):
    PASSED = "passed"
    SKIPPED = "skipped"
    FAILED = "failed"
    SANITIZER = "sanitizer report"
    CRASH = "crash"
    HANG = "hang"

    @property
    def is_bad(self) -> bool:
        return self not in (Kind.PASSED, Kind.SKIPPED)


@dataclass(frozen=True)
class Case:
    name: str
    kind: Kind
    text: str = ""  # what the test said about its failure, or why it was skipped
    seconds: float = 0.0
    again: tuple[str, ...] = ()  # the words that name it to its runner, to run it alone; empty: it cannot be


@dataclass
class Sum:
    passed: int = 0
    failures: list[Case] = field(default_factory=list)
    flaky: list[Case] = field(default_factory=list)  # failed, then passed alone
    skips: Counter[str] = field(default_factory=Counter)  # reason -> how many
    failed_twice: list[Case] = field(default_factory=list)  # of the failures, as they were when they ran alone

    def add(self, case: Case) -> None:
        if case.kind is Kind.PASSED:
            self.passed += 1
        elif case.kind is Kind.SKIPPED:
            self.skips[case.text] += 1
        else:
            self.failures.append(case)

    def __iadd__(self, other: "Sum") -> "Sum":
        self.passed += other.passed
        self.failures += other.failures
        self.flaky += other.flaky
        self.skips += other.skips
        return self

    def __str__(self) -> str:
        return f"{self.passed} passed, {len(self.failures)} failed, {self.skips.total()} skipped"


def kind_of_failure(text: str) -> Kind:
    for kind, pattern in ((Kind.SANITIZER, SANITIZER), (Kind.CRASH, CRASH), (Kind.HANG, HANG)):
        if pattern.search(text):
            return kind
    return Kind.FAILED


def parse(path: Path) -> ElementTree.Element:
    # Tests about broken input print broken bytes; no runner escapes all of them.
    return ElementTree.fromstring(FORBIDDEN_IN_XML.sub("?", path.read_text(encoding="utf-8", errors="replace")))


def seconds_of(element: ElementTree.Element) -> float:
    return float(element.get("time") or 0)


def failure_text(element: ElementTree.Element) -> str:
    """pytest and vitest write the story into the failure, gtest into its message, ctest into the program's output."""
    found = [*element.iter("failure"), *element.iter("error")]
    texts = [text for part in found if (text := (part.text or part.get("message") or "").strip())]
    return "\n".join(texts) or element.findtext("system-out", "").strip()


def has_failed(element: ElementTree.Element) -> bool:
    return element.get("status") == "fail" or element.find("failure") is not None or element.find("error") is not None


def gtest_cases(path: Path, program: Path) -> list[Case]:
    """One program's tests. `program` is what runs one of them again."""
    cases = []
    for element in parse(path).iter("testcase"):
        name = f"{element.get('classname')}.{element.get('name')}"
        if has_failed(element):
            text = failure_text(element)
            again = (str(program), f"--gtest_filter={name}")
            cases.append(Case(name, kind_of_failure(text), text, seconds_of(element), again))
        elif (skipped := element.find("skipped")) is not None:
            reason = (skipped.get("message") or "no reason given").strip().splitlines()[-1]
            cases.append(Case(name, Kind.SKIPPED, reason))
        elif element.get("status") != "notrun":
            cases.append(Case(name, Kind.PASSED, "", seconds_of(element)))
    return cases


def pytest_cases(path: Path, root: Path) -> list[Case]:
    """`root` is pytest's rootdir, to which the files of node ids are relative."""
    cases = []
    for element in parse(path).iter("testcase"):
        file, name = element.get("file"), element.get("name", "?")
        within = [part for part in element.get("classname", "").split(".") if part.startswith("Test")]
        node = "::".join([str(root / file), *within, name]) if file else ""
        shown = f"{Path(file).stem}::{name}" if file else name
        if has_failed(element):
            text = failure_text(element)
            cases.append(Case(shown, kind_of_failure(text), text, seconds_of(element), (node,) if node else ()))
        elif (skipped := element.find("skipped")) is not None:
            cases.append(Case(shown, Kind.SKIPPED, skipped.get("message", "no reason given")))
        else:
            cases.append(Case(shown, Kind.PASSED, "", seconds_of(element)))
    return cases


def other_cases(path: Path) -> list[Case]:
    """Of runners whose tests are not run again: vitest, and ctest's programs without tests of their own."""
    cases = []
    for element in parse(path).iter("testcase"):
        kind, text = Kind.PASSED, ""
        if has_failed(element):
            text = failure_text(element)
            kind = kind_of_failure(text)
        elif (skipped := element.find("skipped")) is not None:
            kind, text = Kind.SKIPPED, skipped.get("message", "no reason given")
        cases.append(Case(element.get("name", "?"), kind, text, seconds_of(element)))
    return cases
