"""The suites of ./test: what each needs, and how it runs. One line per suite that is more than a folder of tests/."""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from suites import runners
from suites.results import Case
from suites.runners import CORES, ROOT, Place

Steps = Callable[[Place], list[Case]]
Again = Callable[[Place, Case], list[Case]]  # one test of it, alone


@dataclass(frozen=True)
class Suite:
    name: str
    run: Steps
    again: Again
    preset: str = "release"  # what must be built; empty: nothing
    needs: tuple[str, ...] = ()  # names in prepare.INSTALLS
    by_default: bool = True


# Folders whose tests share something that two processes would fight for: the launcher's tests build the checkout's own
# release preset, those of the package its wheel.
ONE_AT_A_TIME = {"launcher", "package", "docs"}
NEEDS = {
    "training": ("torch", "collector"),
    "browser": ("torch", "browser", "collector"),
    "docs": ("torch", "collector"),
}


# What tests/training's conftest.py needs to record with the instrumented collector, and the few tests that do.
SANITIZED = {
    "SKYLINE_SANITIZED_CACHE": str(ROOT / "build/collector-asan/cache"),
    "PYTEST_ADDOPTS": "-m sanitized",
}


def has_python_tests(folder: Path) -> bool:
    return any(folder.glob("*_test.py")) or any(folder.glob("test_*.py"))


def python_suite(
    folder: str,
    name: str,
    preset: str = "release",
    needs: tuple[str, ...] = (),
    settings: dict[str, str] | None = None,
) -> Suite:
    binary = ROOT / "build" / (preset or "release") / "bin/skyline"
    environment = {"SKYLINE_BINARY": str(binary)} | (settings or {})
    workers = 1 if name in ONE_AT_A_TIME else CORES
    return Suite(
        name,
        lambda place: runners.run_pytest(place, folder, workers, environment),
        lambda place, case: runners.run_pytest_again(place, case, environment),
        preset,
        needs,
    )


def compiled_suite(name: str, preset: str, labels: set[str], goldens: str, prefix: list[str]) -> Suite:
    """gtest programs of a preset and, under a sanitizer, the goldens in the two configurations that tell it most."""
    golden = python_suite("tests/golden", "golden", preset)
    few = {"SKYLINE_GOLDEN_CONFIGS": goldens}

    def run(place: Place) -> list[Case]:
        cases = runners.run_programs(place, preset, labels, prefix)
        return cases + (golden.run(replace(place, environment=place.environment | few)) if goldens else [])

    def again(place: Place, case: Case) -> list[Case]:
        if case.again[0].endswith("_test"):
            return runners.run_program_again(place, prefix, case)
        return golden.again(place, case)

    return Suite(name, run, again, preset, by_default=name != "unit")


def without_address_randomization() -> list[str]:
    """g++ 12's ThreadSanitizer does not know the address layout of newer kernels, hence setarch where it works."""
    return ["setarch", "-R"] if subprocess.call(["setarch", "-R", "true"], stderr=subprocess.DEVNULL) == 0 else []


def all_suites() -> list[Suite]:
    """In the order of their start; the longest and those that need least come first."""
    folders = sorted(path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and has_python_tests(path))
    of_folders = [python_suite(f"tests/{name}", name, needs=NEEDS.get(name, ())) for name in folders]
    return [
        python_suite("python/tests", "python", preset="", needs=("torch",)),
        Suite("web", runners.run_web, lambda place, case: [], preset="release"),
        *of_folders,
        python_suite("tests/training", "collector", needs=("torch", "sanitized collector"), settings=SANITIZED),
        # The unit tests run under sanitizers; `./test unit` is for whoever has the dev build at hand.
        compiled_suite("unit", "dev", {"unit"}, goldens="", prefix=[]),
        compiled_suite(
            "asan", "asan", {"unit", "fuzz", "memory"}, goldens="as a user would,one-byte chunks", prefix=[]
        ),
        compiled_suite(
            "tsan", "tsan", {"threads"}, goldens="four threads,one-byte chunks", prefix=without_address_randomization()
        ),
    ]
