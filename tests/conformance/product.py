"""Runs the product's programs and compares what they print with the oracle."""

from __future__ import annotations

import itertools
import json
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT_S = 300


def report(binary: Path, *paths: Path) -> list[dict[str, Any]]:
    """The ranks of `skyline report --format json`."""
    document = json.loads(run(binary, "report", *paths, "--format", "json"))
    assert (document["schema"], document["command"]) == (1, "report")
    return document["ranks"]


def values(rank: dict[str, Any]) -> dict[str, Any]:
    return {name: figure["value"] for name, figure in rank["figures"].items()}


def dump(binary: Path, path: Path, *options: str) -> list[str]:
    """The lines of trace_dump, without what the oracle does not know. It is a test tool: if it does not stand beside
    the product, the one of the dev build is meant."""
    beside = binary.with_name("trace_dump")
    program = beside if beside.exists() else ROOT / "build/dev/bin/trace_dump"
    lines = run(program, *options, path).splitlines()
    return [line for line in lines if not line.startswith("loss\t")]


def run(program: Path, *arguments: str | Path) -> str:
    assert program.exists(), f"{program} is not built; ./test builds it"
    done = subprocess.run([program, *arguments], capture_output=True, timeout=TIMEOUT_S)
    assert done.returncode == 0, f"{program.name} exits with {done.returncode}: {done.stderr.decode()[:2000]}"
    return done.stdout.decode()


def first_differences(fast: Iterable[str], slow: Iterable[str], count: int = 5) -> str:
    """Empty when the lines are the same; else the first few that differ, for the failure's text."""
    pairs = enumerate(itertools.zip_longest(fast, slow, fillvalue="(no line)"), start=1)
    different = ((number, a, b) for number, (a, b) in pairs if a != b)
    return "".join(
        f"\nline {number}\n  product {a[:500]}\n  oracle  {b[:500]}"
        for number, a, b in itertools.islice(different, count)
    )
