"""Whatever the project fetches, it fetches by hash. Debian's packages are the exception: apt checks signatures."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = ("tools/*requirements.txt", "tests/**/requirements.txt", "tests/bench/peers/*.txt")
LISTS = sorted(path for place in PLACES for path in ROOT.glob(place))
SCRIPTS = [path for part in ("test", "tools/*", "tests/**/*.py") for path in ROOT.glob(part) if path.is_file()]


def requirements(text: str) -> list[str]:
    lines = text.replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith(("#", "-r "))]


@pytest.mark.parametrize("path", LISTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_requirement_has_one_version_and_hashes(path: Path) -> None:
    for line in requirements(path.read_text()):
        assert re.fullmatch(r"[\w.-]+==[\w.+]+(\s+--hash=sha256:[0-9a-f]{64})+", line), line


def test_pip_is_always_told_to_require_hashes() -> None:
    for path in SCRIPTS:
        text = path.read_text()
        for call in re.finditer("--disable-pip-version-check", text):
            if path != Path(__file__):
                assert "--require-hashes" in text[call.start() - 160 : call.end() + 160], path


def test_the_build_back_end_is_the_one_with_hashes() -> None:
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    hashed = requirements((ROOT / "tools/build_requirements.txt").read_text())
    assert {re.sub("_", "-", name) for name in named} == {re.sub("_", "-", line.split()[0]) for line in hashed}


def test_every_package_of_the_page_has_a_hash() -> None:
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    fetched = {name: package for name, package in packages.items() if name and not package.get("link")}
    assert fetched and all(package["integrity"].startswith("sha512-") for package in fetched.values())


def test_the_wheel_has_every_library_that_layers_use() -> None:
    """cmake/bundled.cmake stands in for cmake/dependencies.cmake, target by target."""
    used = {
        name for path in ROOT.glob("src/*/CMakeLists.txt") for name in re.findall(r"\b\w+::\w+\b", path.read_text())
    }
    bundled = set(re.findall(r"\b\w+::\w+\b", (ROOT / "cmake/bundled.cmake").read_text()))
    assert used - {"GTest::gtest_main"} <= bundled
