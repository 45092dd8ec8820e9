"""Rows and table of key_averages(), from an engine's answer written by hand."""

import pytest

from skyline._averages import OpAverages, format_memory, format_time, row_from_engine


def row(name: str, calls: int, total: int, self_: int, device: int = 0, shapes: str = "") -> dict:
    times = {"host_total": total, "host_self": self_, "device_total": device, "device_self": device}
    return {"name": name, "kind": "operator", "calls": calls, "input_shapes": shapes, **times}


@pytest.fixture
def averages() -> OpAverages:
    rows = [row("aten::conv2d", 2, 4_000_000, 1_000_000), row("aten::relu", 4, 3_000_000, 3_000_000)]
    return OpAverages(map(row_from_engine, rows))


def test_times_are_microseconds_as_in_torch(averages: OpAverages) -> None:
    first = averages[0]
    assert (first.key, first.count, first.cpu_time_total, first.self_cpu_time_total) == ("aten::conv2d", 2, 4e3, 1e3)
    assert first.cpu_time == 2e3
    assert first.cuda_time_total == first.device_time_total == 0


def test_a_row_without_such_an_attribute_says_so(averages: OpAverages) -> None:
    with pytest.raises(AttributeError, match="no sorcery"):
        _ = averages[0].sorcery


def test_the_table_is_torchs(averages: OpAverages) -> None:
    lines = averages.table(sort_by="self_cpu_time_total").splitlines()
    assert lines[1].split("  ")[-1] == ""
    assert lines[1].split() == (
        ["Name", "Self", "CPU", "%", "Self", "CPU", "CPU", "total", "%", "CPU", "total"]
        + ["CPU", "time", "avg", "#", "of", "Calls"]
    )
    assert [line.split() for line in lines[3:5]] == [
        ["aten::relu", "75.00%", "3.000ms", "75.00%", "3.000ms", "750.000us", "4"],
        ["aten::conv2d", "25.00%", "1.000ms", "100.00%", "4.000ms", "2.000ms", "2"],
    ]
    assert lines[-1] == "Self CPU time total: 4.000ms"
    assert len({len(line) for line in lines[:-1]}) == 1


def test_the_table_can_be_sorted_by_a_devices_old_name(averages: OpAverages) -> None:
    assert "aten::relu" in averages.table(sort_by="self_cuda_time_total", row_limit=10)


def test_rows_are_limited(averages: OpAverages) -> None:
    assert "aten::relu" not in averages.table(row_limit=1)
    assert "aten::relu" in averages.table(row_limit=-1)


def test_shapes_and_memory_have_columns_only_when_known() -> None:
    table = OpAverages([row_from_engine(row("a", 1, 1, 1, shapes="[[1,3]]"))], profile_memory=True).table()
    assert "Input Shapes" in table and "[[1, 3]]" in table and "CPU Mem" in table


def test_memory_outside_of_operators_is_torchs_row() -> None:
    nothing = {"calls": None, "host_total": None, "host_self": None, "device_total": 0, "device_self": 0}
    memory = {"host_memory_total": 96, "host_memory_self": 96, "memory_events": 3}
    outside = row_from_engine({"name": "(no operator)", "kind": "", **nothing, **memory})
    assert (outside.key, outside.count, outside.cpu_memory_usage, outside.cpu_time_total) == ("[memory]", 3, 96, 0)
    assert OpAverages([outside, outside]).total_average().self_cpu_memory_usage == 192


def test_no_rows_are_no_table() -> None:
    assert OpAverages([]).table() == ""


def test_units() -> None:
    assert [format_time(us) for us in (1.5, 1500, 1.5e6)] == ["1.500us", "1.500ms", "1.500s"]
    assert format_time(1500, "s") == "0.002s"
    assert [format_memory(size) for size in (0, -2048, 3 << 20)] == ["0 B", "-2.00 KB", "3.00 MB"]
