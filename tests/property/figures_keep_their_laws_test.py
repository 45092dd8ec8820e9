"""What must hold for any trace, whatever its figures are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from conformance import product
from property.generate import generate

SEEDS = range(1000, 1060)


def figures(raw: bytes, folder: Path, binary: Path) -> dict[str, Any]:
    file = folder / "trace.json"
    file.write_bytes(raw)
    (rank,) = product.report(binary, file)
    return product.values(rank)


@pytest.mark.parametrize("seed", SEEDS)
def test_busy_and_idle_add_up(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    got = figures(generate(seed), tmp_path, skyline_binary)
    assert got["device.busy"] + got["device.idle"] == got["device.window"]
    assert got["tracelens.busy"] + got["tracelens.idle"] == got["tracelens.window"]
    assert got["hta.compute"] + got["hta.non_compute"] + got["hta.idle"] == got["hta.kernel_time"]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_part_is_larger_than_its_whole(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    got = figures(generate(seed), tmp_path, skyline_binary)
    for part, whole in (
        ("device.unlinked", "device.activities"),
        ("device.activities", "trace.events"),
        ("device.exposed_communication", "device.communication"),
        ("device.exposed_copy", "device.copy"),
        ("tracelens.exposed_comm", "tracelens.comm"),
        ("tracelens.exposed_memcpy", "tracelens.memcpy"),
        ("tracelens.window", "device.window"),
        ("device.compute", "device.busy"),
        ("hta.idle", "hta.kernel_time"),
    ):
        assert 0 <= got[part] <= got[whole], part
    assert all(value is None or value >= 0 for value in got.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_time_of_day_changes_no_figure(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    now = figures(generate(seed), tmp_path, skyline_binary)
    assert figures(generate(seed, shift_us=86_400_000_017), tmp_path, skyline_binary) == now


@pytest.mark.parametrize("seed", SEEDS)
def test_the_time_of_day_changes_no_duration_and_no_nesting(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    file = tmp_path / "trace.json"
    lines = []
    for shift_us in (0, 977):
        file.write_bytes(generate(seed, shift_us=shift_us))
        slices = [line.split("\t") for line in product.dump(skyline_binary, file) if line.startswith("slice\t")]
        lines.append([(*fields[:5], int(fields[5]) - 1000 * shift_us, *fields[6:]) for fields in slices])
    assert lines[0] == lines[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_complete_events_changes_no_figure(seed: int, tmp_path: Path, skyline_binary: Path) -> None:
    in_order = figures(generate(seed), tmp_path, skyline_binary)
    shuffled = figures(generate(seed, shuffle=True), tmp_path, skyline_binary)
    for got in (in_order, shuffled):
        del got["trace.repairs"]  # which letters are escaped is thrown anew with the order
    assert shuffled == in_order
