"""The real traces, one after the other, each read once by the oracle for all tests about it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from oracle.slow_reader import Trace, read_trace

ROOT = Path(__file__).resolve().parents[2]


def trace_names() -> list[str]:
    """Every Kineto trace of the shared folder, relative to it."""
    folder = Path(os.environ.get("SKYLINE_TRACES", ROOT.parent / "shared/traces"))
    files = [*folder.glob("kineto/*.json*"), *folder.glob("ranks/**/*.json*")]
    return sorted(str(path.relative_to(folder)) for path in files)


@pytest.fixture(scope="session", params=trace_names() or ["no traces"])
def trace_file(request: pytest.FixtureRequest, traces: Path) -> Path:
    """`traces` skips, and says so, when the folder is not there."""
    return traces / request.param


@pytest.fixture(scope="session")
def slow_trace(trace_file: Path) -> Trace:
    return read_trace(trace_file)
