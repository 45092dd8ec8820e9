"""events() and export_stacks(): the engine's calls under torch's names, and its stacks as flame graphs want them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _binary
from ._averages import OpAverages, shapes_from_engine
from ._error import Error

STACK_METRICS = {
    "self_cpu_time_total": "host_self",
    "self_cuda_time_total": "device_self",
    "self_xpu_time_total": "device_self",
    "self_privateuse1_time_total": "device_self",
}


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
    cpu_parent: "Event | None" = None
    cpu_children: list["Event"] = field(default_factory=list)
    count: int = 1

    @property
    def key(self) -> str:
        return self.name

    @property
    def cpu_time_total(self) -> float:
        return self.time_range.elapsed_us()

    cpu_time = cpu_time_total

    def __repr__(self) -> str:
        return f"<Event {self.id} {self.name} thread={self.thread} cpu_time={self.cpu_time_total:.3f}us>"


class Events(list[Event]):
    """What events() gives, in order of time."""

    def __init__(self, events: list[Event], averages: "OpAverages") -> None:
        super().__init__(events)
        self._averages = averages

    def key_averages(self) -> OpAverages:
        return self._averages

    def total_average(self) -> Any:
        return self._averages.total_average()

    def table(self, *arguments: Any, **options: Any) -> str:
        return self._averages.table(*arguments, **options)


def read_events(trace: Path) -> list[Event]:
    calls = _binary.ask_json("show", "calls", trace, "--ranges", "--top", "0")
    (rows,) = (rank["rows"] for rank in calls["ranks"])
    events = list(events_of(rows, read_stacks(trace)))
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
    )


def export_stacks(trace: Path, path: str, metric: str) -> None:
    """Lines `frame;frame;… microseconds`, the outermost frame first."""
    if metric not in STACK_METRICS:
        raise ValueError(f"metric should be one of: {sorted(STACK_METRICS)}")
    answer = _binary.ask_json("show", "stacks", trace, "--top", "0")
    rows = [row for rank in answer["ranks"] for row in rank["rows"] if row["number"] is not None]
    if not rows:
        raise Error("the recording has no Python stacks; pass with_stack=True to skyline.profile")
    blanks = str.maketrans(" \t\n", "___")
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            value_us = row[STACK_METRICS[metric]] // 1000
            if value_us > 0:
                file.write(f"{row['stack'].translate(blanks)} {value_us}\n")
