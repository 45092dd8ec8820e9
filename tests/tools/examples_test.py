"""The published trace must be small and tell nothing about the machine that recorded it."""

import gzip
import json
import re
from pathlib import Path

import pytest

TRACES = sorted((Path(__file__).resolve().parents[2] / "examples/traces").glob("*.json.gz"))
MAX_BYTES = 400_000
PRIVATE = re.compile(r'"(/[^"]*)"|/(?:home|root|tmp|usr|opt|Users)/[^"]*')


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_example_trace_is_small_and_anonymous(path: Path) -> None:
    assert path.stat().st_size < MAX_BYTES
    text = gzip.decompress(path.read_bytes()).decode()
    assert PRIVATE.findall(text) == []
    assert json.loads(text)["host_name"] == "example"


@pytest.mark.parametrize("path", TRACES, ids=lambda path: path.name)
def test_example_trace_has_steps(path: Path) -> None:
    events = json.loads(gzip.decompress(path.read_bytes()))["traceEvents"]
    assert len({event["name"] for event in events if event.get("name", "").startswith("ProfilerStep#")}) >= 3
