"""On every real trace the product says exactly what the oracle says: each figure, each link, each nesting."""

from __future__ import annotations

from pathlib import Path

from conformance import product, reference_figures
from conformance.reading import read_trace
from oracle.dump import dump
from oracle.figures import figures_of
from oracle.slow_reader import Trace, integer_of

COUNTS = {
    "trace.events",
    "trace.threads",
    "trace.streams",
    "trace.operators",
    "trace.launches",
    "device.activities",
    "device.unlinked",
    "hta.kernels",
}


def test_every_figure_is_exact(trace_file: Path, slow_trace: Trace, skyline_binary: Path) -> None:
    (rank,) = product.report(skyline_binary, trace_file)
    expected = figures_of(slow_trace)
    got = product.values(rank)
    assert {name: got.get(name, "no such figure") for name in expected} == expected


def test_no_category_of_a_real_trace_is_called_unknown(trace_file: Path, skyline_binary: Path) -> None:
    (rank,) = product.report(skyline_binary, trace_file)
    assert "event.unknown_category" not in {loss["name"] for loss in rank["losses"]}


def test_every_slice_and_link_is_exact(trace_file: Path, slow_trace: Trace, skyline_binary: Path) -> None:
    assert product.first_differences(product.dump(skyline_binary, trace_file), dump(slow_trace)) == ""


def test_a_folder_of_ranks_is_reported_in_the_order_of_ranks(traces: Path, skyline_binary: Path) -> None:
    folder = traces / reference_figures.DLRM8
    slow = {
        integer_of(trace.envelope["distributedInfo"]["rank"]): figures_of(trace)
        for trace in map(read_trace, folder.rglob("*.json"))
    }
    ranks = product.report(skyline_binary, folder)
    assert [rank["rank"] for rank in ranks] == sorted(slow)
    for rank in ranks:
        got = product.values(rank)
        assert {name: got.get(name, "no such figure") for name in slow[rank["rank"]]} == slow[rank["rank"]]


def test_units_are_the_documented_ones(traces: Path, skyline_binary: Path) -> None:
    (rank,) = product.report(skyline_binary, traces / "kineto/a100_diff_control.json.gz")
    units = {name: figure["unit"] for name, figure in rank["figures"].items()}
    times = {name for name in figures_of(Trace({})) if name not in COUNTS and not name.endswith("_share")}
    assert {units.get(name) for name in COUNTS} == {"count"}
    assert {units.get(name) for name in times} == {"ns"}
    assert {unit for name, unit in units.items() if name.endswith("_share")} == {"share"}
