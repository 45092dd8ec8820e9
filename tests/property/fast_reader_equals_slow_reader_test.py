"""One differential test: the fast reader's model equals the slow reader's, on generated traces of every kind."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path

import pytest

from conformance import product
from oracle.dump import dump
from oracle.figures import figures_of
from oracle.slow_reader import trace_of
from property.eras import ERAS, Era
from property.generate import clean, generate

SEEDS = range(200)
WAYS = [
    ("--threads", "1"),
    ("--threads", "4"),
    ("--chunk-bytes", "1"),
    ("--chunk-bytes", "7"),
    ("--threads", "4", "--chunk-bytes", "4096"),
]


@pytest.mark.parametrize("seed", SEEDS)
def test_nasty_trace_is_read_the_same_by_both(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    raw = generate(seed)
    file = packed(raw, tmp_path / "trace.json", seed)
    slow = list(dump(trace_of(raw)))
    assert product.first_differences(product.dump(skyline_binary, file), slow) == ""
    for way in WAYS:
        assert product.first_differences(product.dump(skyline_binary, file, *way), slow) == "", way


@pytest.mark.parametrize("seed", SEEDS)
def test_nasty_trace_has_the_same_figures_by_both(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    raw = generate(seed)
    (rank,) = product.report(skyline_binary, packed(raw, tmp_path / "trace.json", seed))
    assert {name: product.values(rank)[name] for name in figures_of(trace_of(raw))} == figures_of(trace_of(raw))


@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
@pytest.mark.parametrize("seed", range(3))
def test_every_era_is_read_the_same_by_both(era: Era, seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    raw = clean(era, seed)
    file = tmp_path / "trace.json"
    file.write_bytes(raw)
    trace = trace_of(raw)
    assert product.first_differences(product.dump(skyline_binary, file), dump(trace)) == ""
    (rank,) = product.report(skyline_binary, file)
    assert {name: product.values(rank)[name] for name in figures_of(trace)} == figures_of(trace)


def packed(raw: bytes, file: Path, seed: int) -> Path:
    """Plain, gzip, gzip of two members, or zstd, in turn."""
    if seed % 4 == 1:
        raw = gzip.compress(raw)
    elif seed % 4 == 2:
        raw = gzip.compress(raw[:1000]) + gzip.compress(raw[1000:])
    elif seed % 4 == 3 and shutil.which("zstd"):
        raw = subprocess.run(["zstd", "-q"], input=raw, stdout=subprocess.PIPE, check=True).stdout
    file.write_bytes(raw)
    return file
