"""A trace keeps everything on its way into .skyline and back, and through the cache, however nasty it is."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from conformance import product
from property.eras import ERAS, Era
from property.fast_reader_equals_slow_reader_test import packed
from property.generate import clean, generate

SEEDS = range(60)


@pytest.mark.parametrize("seed", SEEDS)
def test_skyline_file_gives_the_same_model(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    raw = generate(seed)
    file = packed(raw, tmp_path / "trace.json", seed)
    kept = convert(skyline_binary, file, tmp_path / "kept.skyline")
    expected = product.dump(skyline_binary, file)
    assert product.first_differences(product.dump(skyline_binary, kept), expected) == ""
    again = convert(skyline_binary, kept, tmp_path / "again.skyline")
    assert product.first_differences(product.dump(skyline_binary, again), expected) == ""


@pytest.mark.parametrize("seed", SEEDS)
def test_copy_in_the_cache_changes_no_report(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    file = packed(generate(seed), tmp_path / "trace.json", seed)
    cache = {
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "SKYLINE_CACHE_BYTES": str(1 << 30),
        "SKYLINE_CACHE_MIN_BYTES": "0",
    }
    for command in (["info"], ["report", "--format", "json"], ["check"], ["show", "ops"]):
        line = [skyline_binary, *command, file]
        without = run([*line, "--no-cache"], cache)
        assert run(line, cache) == without
        assert run(line, cache) == without
    assert list((tmp_path / "cache/skyline").glob("*.skyline"))


@pytest.mark.parametrize("era", ERAS, ids=lambda era: era.name)
def test_good_json_comes_back_byte_for_byte(era: Era, tmp_path: Path, skyline_binary: Path) -> None:
    raw = clean(era, 1)
    file = tmp_path / "trace.json"
    file.write_bytes(raw)
    kept = convert(skyline_binary, file, tmp_path / "kept.skyline")
    assert convert(skyline_binary, kept, tmp_path / "back.json").read_bytes() == raw
    packed_back = convert(skyline_binary, kept, tmp_path / "back.json.gz")
    assert gzip.decompress(packed_back.read_bytes()) == raw


@pytest.mark.parametrize("seed", SEEDS)
def test_broken_json_becomes_json_with_the_same_slices(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    file = packed(generate(seed), tmp_path / "trace.json", seed)
    mended = convert(skyline_binary, file, tmp_path / "mended.json")
    try:
        json.loads(mended.read_bytes())
    except UnicodeDecodeError:
        pytest.fail("the mended file is not UTF-8")
    assert slices(product.dump(skyline_binary, mended)) == slices(product.dump(skyline_binary, file))


def slices(lines: list[str]) -> list[str]:
    """Arrows name a thread and a time, which two operators may share: which forward operator is linked may differ."""
    return [re.sub(r"\tfwd=[^\t]*", "", line) for line in lines if line.startswith("slice\t")]


def convert(binary: Path, source: Path, target: Path) -> Path:
    subprocess.run([binary, "convert", source, "-o", target], check=True, stdout=subprocess.DEVNULL)
    return target


def run(line: list[object], environment: dict[str, str]) -> tuple[int, str]:
    done = subprocess.run(
        [str(word) for word in line],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr
