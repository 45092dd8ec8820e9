"""The oracle, given HTA's and TraceLens' arithmetic, prints what they print: so the definitions are theirs."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance import reference_figures as reference
from conformance.reading import read_trace
from oracle.figures import figures_of
from oracle.hta_rounding import hta_microseconds
from oracle.nesting import nest
from oracle.slow_reader import integer_of
from oracle.tracelens_doubles import tracelens_milliseconds


@pytest.mark.parametrize("name", reference.HTA)
def test_hta_figures_come_out_to_the_microsecond(name: str, traces: Path) -> None:
    assert hta_row(traces / name) == reference.HTA[name]


@pytest.mark.parametrize("rank", reference.HTA_DLRM8)
def test_hta_figures_of_each_rank_come_out_to_the_microsecond(rank: int, traces: Path) -> None:
    (file,) = (traces / reference.DLRM8).rglob(f"worker{rank}_*.json")
    assert hta_row(file) == reference.HTA_DLRM8[rank]


def hta_row(path: Path) -> tuple[float | None, ...]:
    ours = hta_microseconds(read_trace(path))
    return tuple(ours[column] for column in reference.HTA_COLUMNS)


def test_without_rounding_the_idle_time_of_a_nanosecond_trace_is_a_third_less(traces: Path) -> None:
    figures = figures_of(read_trace(traces / "kineto/v100_ddp_resnet_ns.json.gz"))
    assert figures["hta.idle"] == 6_452_701


@pytest.mark.parametrize("name", reference.TRACELENS)
def test_tracelens_figures_come_out_to_the_nanosecond_in_its_doubles(name: str, traces: Path) -> None:
    ours = tracelens_milliseconds(read_trace(traces / name))
    assert tuple(ours[column] for column in reference.TRACELENS_COLUMNS) == reference.TRACELENS[name]


@pytest.mark.parametrize("name", reference.TRACELENS)
def test_exact_tracelens_figures_differ_by_the_noise_of_doubles_only(name: str, traces: Path) -> None:
    exact = figures_of(read_trace(traces / name))
    for column, printed_ms in zip(reference.TRACELENS_COLUMNS, reference.TRACELENS[name]):
        assert abs(exact[f"tracelens.{column}"] - round(printed_ms * 1e6)) <= 10


@pytest.mark.parametrize("name", reference.ACTIVITIES)
def test_activities_without_a_launch_are_counted_not_dropped(name: str, traces: Path) -> None:
    figures = figures_of(read_trace(traces / name))
    assert (figures["device.activities"], figures["device.unlinked"]) == reference.ACTIVITIES[name]


def test_times_are_exact_where_a_double_is_not(traces: Path) -> None:
    trace = read_trace(traces / "kineto/a100_triton_example.json.gz")
    first = min(s.start_ns for s in trace.slices if s.category != "trace_span")
    assert (integer_of(trace.envelope["baseTimeNanoseconds"]), first) == (1727743122000000000, 2413669096090100)


def test_profiler_ranges_are_the_kernels_of_a_counter_trace(traces: Path) -> None:
    trace = read_trace(traces / "kineto/a100_cupti_counters.json.gz")
    assert sum(s.category == "profiler_range" for s in trace.slices) == 77


def test_overlapping_kernels_of_one_stream_get_lanes_of_their_own(traces: Path) -> None:
    trace = read_trace(traces / "kineto/b200_eager.json.gz")
    places = nest(trace.slices)
    assert sum(places[s.ordinal].lane > 0 for s in trace.slices if s.category == "kernel") == 38
