"""Every folder beside this file is one test; runner.py says what a case consists of."""

import re
from pathlib import Path

import pytest

from golden.runner import failures, find_cases


@pytest.mark.parametrize("case", find_cases(), ids=lambda case: case.name)
def test_prints_what_is_expected(case: Path, skyline_binary: Path) -> None:
    found = failures(case, skyline_binary)
    assert not found, "\n\n".join(found) + "\n\nIf the new output is right: tools/bless " + case.name


@pytest.mark.parametrize("case", find_cases(), ids=lambda case: case.name)
def test_name_is_a_sentence(case: Path) -> None:
    assert re.fullmatch(r"[a-z0-9]+(_[a-z0-9]+){2,}", case.name), "name it by what it shows, at least three words"
