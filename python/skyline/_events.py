"""events() and export_stacks(): the engine's calls under torch's names, and its stacks as flame graphs want them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from . import _binary, _torch_names
from ._averages import OpAverages, cpu_device, device_name_free, format_time, shapes_from_engine

Nothing = TypeVar("Nothing")


@dataclass(frozen=True)
class Interval:
    """Microseconds since the recording's start."""

    start: float
    end: float

    def elapsed_us(self) -> float:
        return self.end - self.start


@dataclass(eq=False)
class Event:
    """One call of an operator, or a range; times in microseconds, as torch has them."""

    id: int
    name: str
    time_range: Interval
    thread: int | str
    self_cpu_time_total: float
    sequence_nr: int
    fwd_thread: int
    input_shapes: Any
    cpu_memory_usage: int
    self_cpu_memory_usage: int
    stack: list[str]  # the innermost frame first
    is_user_annotation: bool
    input_dtypes: list[str] = field(default_factory=list)
    concrete_inputs: list[Any] = field(default_factory=list)
    flops: int = 0  # 0: no formula, or not recorded, as with torch
    cpu_parent: "Event | None" = None
    cpu_children: list["Event"] = field(default_factory=list)
    count: int = 1
    node_id: int = -1
    overload_name: str = ""
    is_async: bool = False
    is_legacy: bool = False
    is_python_function: bool = False
    is_remote: bool = False
    device_index: int = 0
    use_device: str | None = None
    has_device: bool = False  # the trace has device work, whose times are not known by call

    @property
    def key(self) -> str:
        return self.name

    @property
    def cpu_time_total(self) -> float:
        return self.time_range.elapsed_us()

    cpu_time = cpu_time_total

    @property
    def trace_name(self) -> str:
        return self.name

    @property
    def structured_input_shapes(self) -> Any:
        return self.input_shapes

    @property
    def device_resource_id(self) -> int | str:
        return self.thread

    @property
    def device_type(self) -> Any:
        return cpu_device()

    @property
    def kernels(self) -> list[Any]:
        return self._of_device([])

    @property
    def device_time_total(self) -> float:
        return self._of_device(0.0)

    device_time = self_device_time_total = device_time_total

    @property
    def device_memory_usage(self) -> int:
        return self._of_device(0)

    self_device_memory_usage = device_memory_usage

    def _of_device(self, nothing: Nothing) -> Nothing:
        if self.has_device:
            raise _torch_names.RefusedNameError("events() has no device times; key_averages() has them")
        return nothing

    def __getattr__(self, name: str) -> Any:
        if (general := device_name_free(name)) != name:
            return getattr(self, general)
        if name.endswith("_str") and "time" in name:
            return format_time(getattr(self, name.removesuffix("_str")))
        raise _torch_names.refuse("FunctionEvent", name)

    def __repr__(self) -> str:
        return f"<Event {self.id} {self.name} thread={self.thread} cpu_time={self.cpu_time_total:.3f}us>"


class Events(list[Event]):
    """What events() gives, in order of time."""

    def __init__(self, trace: Path, averages: OpAverages) -> None:
        self._averages = averages
        super().__init__(read_events(trace, any(row.self_device_time_total > 0 for row in averages)))

    @property
    def self_cpu_time_total(self) -> float:
        return self._averages.self_cpu_time_total

    def __getattr__(self, name: str) -> Any:
        """All that is reckoned or written: as of the averages, which know the trace."""
        if name in _torch_names.works("EventList"):
            return getattr(self._averages, name)
        raise AttributeError(f"skyline's EventList has no {name}")

    def __str__(self) -> str:
        return self._averages.table()


def read_events(trace: Path, has_device: bool) -> list[Event]:
    calls = _binary.ask_json("show", "calls", trace, "--ranges", "--top", "0")
    (rows,) = (rank["rows"] for rank in calls["ranks"])
    events = list(events_of(rows, read_stacks(trace)))
    for event in events:
        event.has_device = has_device
    events.sort(key=lambda event: (event.time_range.start, -event.time_range.end))
    return events


def read_stacks(trace: Path) -> dict[int | None, list[str]]:
    """By number, the innermost frame first."""
    answer = _binary.ask_json("show", "stacks", trace, "--top", "0")
    rows = [row for rank in answer["ranks"] for row in rank["rows"] if row["number"] is not None]
    return {row["number"]: row["stack"].split(";")[::-1] for row in rows}


def events_of(rows: list[dict[str, Any]], stacks: dict[int | None, list[str]]) -> Iterator[Event]:
    """A call comes after the one around it."""
    by_number: dict[int, Event] = {}
    for row in rows:
        event = event_from_engine(row, stacks.get(row["stack"], []))
        by_number[row["call"]] = event
        if row["parent"] is not None:
            event.cpu_parent = by_number[row["parent"]]
            event.cpu_parent.cpu_children.append(event)
        yield event


def event_from_engine(row: dict[str, Any], stack: list[str]) -> Event:
    start_ns, end_ns = row["start"], row["start"] + row["duration"]
    thread = row["thread"]
    return Event(
        id=row["call"],
        name=row["name"],
        time_range=Interval(start_ns / 1000, end_ns / 1000),
        thread=int(thread) if thread.isdigit() else thread,
        self_cpu_time_total=row["host_self"] / 1000,
        sequence_nr=-1 if row["sequence"] is None else row["sequence"],
        fwd_thread=row["forward_thread"],
        input_shapes=shapes_from_engine(row["input_shapes"]) or [],
        cpu_memory_usage=row["host_memory_total"],
        self_cpu_memory_usage=row["host_memory_self"],
        stack=stack,
        is_user_annotation=row["kind"] == "range",
        input_dtypes=shapes_from_engine(row.get("input_types")) or [],
        concrete_inputs=values_from_engine(row.get("concrete_inputs")),
        flops=row.get("flops") or 0,
    )


def values_from_engine(text: str | None) -> list[Any]:
    """A list of texts such as "[1, 1]", "True" and ""; tensors have no value."""
    return [literal(value) for value in shapes_from_engine(text) or []]


def literal(text: str) -> Any:
    try:
        return ast.literal_eval(text) if text else None
    except (ValueError, SyntaxError):
        return text
