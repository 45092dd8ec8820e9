"""docs/tutorial.md is true: each mistake of examples/slow_on_purpose is where it says, and fixed.py has none."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/slow_on_purpose"


@pytest.fixture
def record(environment: dict[str, str], skyline_binary: Path, tmp_path: Path) -> Callable[[str], Path]:
    def run(script: str) -> Path:
        trace = tmp_path / f"{script}.skyline"
        command = [skyline_binary, "run", "--python", sys.executable, "-o", trace, "--no-report", EXAMPLE / script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        return trace

    return run


def line_with(script: str, text: str) -> int:
    lines = (EXAMPLE / script).read_text().splitlines()
    return 1 + next(number for number, line in enumerate(lines) if text in line)


def test_the_slow_one_waits_for_a_line_of_its_data_set(record: Callable[[str], Path], ask: Callable[..., Any]) -> None:
    trace = record("slow.py")
    assert ask("report", trace)["ranks"][0]["verdict"]["waits_for"] == "input"
    rows = ask("show", "lines", trace)["ranks"][0]["rows"]
    own = {row["line"]: 0 for row in rows}
    for row in rows:
        own[row["line"]] += row["host_own"]
    assert max(own, key=own.__getitem__) == line_with("slow.py", "mistake 1")
    calls = sum(row["calls"] for row in rows if row["line"] == line_with("slow.py", "mistake 2") and row["host_own"])
    assert calls >= 80, "ten numbers of four pictures, each selected and taken"


def test_the_fixed_one_waits_for_the_model(record: Callable[[str], Path], ask: Callable[..., Any]) -> None:
    trace = record("fixed.py")
    assert ask("report", trace)["ranks"][0]["verdict"]["waits_for"] == "host"
    operators = {row["name"]: row["calls"] for row in ask("show", "ops", trace)["ranks"][0]["rows"]}
    assert "aten::item" not in operators
