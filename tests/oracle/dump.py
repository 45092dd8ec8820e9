"""Prints the trace model of one file as canonical text, from the slow reader: `python3 -m oracle.dump FILE`.

The fast reader's `trace_dump FILE` must print the same bytes. One line per slice in file order, then memory
events, counters, steps, and the number of events.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

from oracle.categories import DEVICE_ACTIVITIES, LAUNCHES
from oracle.linking import Link, is_backward, link_forward, link_launches, link_operators, sequence_number
from oracle.nesting import Place, nest
from oracle.slow_reader import Instant, Number, Slice, Trace, decimal_of, integer_of, read_trace, text_of
from oracle.steps import profiler_steps


def dump(trace: Trace) -> Iterator[str]:
    places = nest(trace.slices)
    launch = link_launches(trace.slices)
    operator = link_operators(trace.slices, places)
    forward = link_forward(trace)
    for s in trace.slices:
        yield "\t".join(slice_fields(s, places[s.ordinal], launch, operator, forward))
    for event in trace.memory:
        yield "\t".join(memory_fields(event))
    for event in trace.counters:
        yield from counter_lines(event)
    for step in profiler_steps(trace.slices):
        yield f"step\t{step.number}\t{step.start_ns}\t{step.dur_ns}"
    yield f"events\t{trace.events}"


def slice_fields(s: Slice, place: Place, launch: Link, operator: Link, forward: Link) -> Iterator[str]:
    yield from ("slice", str(s.ordinal), s.category, quoted(s.pid), quoted(s.tid), str(s.start_ns), str(s.dur_ns))
    yield quoted(s.name)
    yield f"parent={place.parent.ordinal if place.parent else '-'}"
    yield f"depth={place.depth}"
    yield f"lane={place.lane}"
    if s.correlation is not None and s.category in DEVICE_ACTIVITIES | LAUNCHES:
        yield f"corr={s.correlation}"
        if s.category in DEVICE_ACTIVITIES:
            yield f"launch={linked(launch, s)}"
    if s.category in LAUNCHES:
        yield f"op={linked(operator, s)}"
    number = sequence_number(s)
    if s.category == "cpu_op" and number is not None and number >= 0:
        yield f"seq={number}"
        if is_backward(s):
            yield f"fwd={linked(forward, s)}"
    if s.category not in ("cpu_op", "user_annotation"):
        return
    if s.external_id:
        yield f"ext={s.external_id}"
    for label, keys in (("dims", ("Input Dims", "Input dims")), ("types", ("Input type",))):
        written = [s.args[key] for key in keys if key in s.args]
        if written:
            yield f"{label}={compact(written[0])}"


def linked(link: Link, s: Slice) -> str:
    return str(link[s.ordinal].ordinal) if s.ordinal in link else "-"


def memory_fields(event: Instant) -> Iterator[str]:
    yield from ("memory", quoted(event.pid), quoted(event.tid), str(event.ts_ns))
    missing = {"Addr": "0", "Device Type": "-1", "Device Id": "-1"}
    for key in ("Addr", "Bytes", "Total Allocated", "Total Reserved", "Device Type", "Device Id"):
        number = integer_of(event.args.get(key))
        yield missing.get(key, "-") if number is None else str(number)


def counter_lines(event: Instant) -> Iterator[str]:
    for key, value in event.args.items():
        if decimal_of(value) is not None:
            name = quoted(event.name), quoted(text_of(key))
            yield "\t".join(("counter", quoted(event.pid), str(event.ts_ns), *name, f"{float(value):.17g}"))


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=True)


def compact(value: Any) -> str:
    """JSON without insignificant white space, numbers as written in the file."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, list):
        return "[" + ",".join(map(compact, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{quoted(text_of(k))}:{compact(v)}" for k, v in value.items()) + "}"
    return quoted(text_of(value)) if isinstance(value, str) else json.dumps(value)


def main() -> None:
    for line in dump(read_trace(sys.argv[1])):
        print(line)


if __name__ == "__main__":
    main()
