"""The real traces, one after the other, so that the oracle reads each once for all tests about it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from conformance.reading import read_trace
from conformance.reference_figures import DLRM8
from oracle.slow_reader import Trace

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


def trace_of(item: pytest.Item) -> str:
    """The trace that a test is about, by what its name ends with; "" if it is about none or several."""
    params = item.callspec.params if hasattr(item, "callspec") else {}
    if "rank" in params:
        return f"{DLRM8}, {params['rank']}"
    return str(params.get("trace_file", params.get("name", ""))).removeprefix("kineto/").removesuffix(".json.gz")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=trace_of)
