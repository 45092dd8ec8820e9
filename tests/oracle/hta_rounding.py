"""HTA's own figures to the microsecond, with its rounding. For conformance only: the product is exact.

HTA reads times as doubles and, if any is fractional, rounds every event inwards: ceil(ts) to floor(ts + dur). An
event shorter than a microsecond can so end before it starts, and HTA's merging then subtracts it.
"""

from __future__ import annotations

import math

from oracle.figures import without_last_step
from oracle.kernel_classes import hta_class
from oracle.linking import link_launches
from oracle.slow_reader import Slice, Trace

Span = tuple[int, int]


def hta_microseconds(trace: Trace) -> dict[str, float | None]:
    rounded = [round_inwards(s) for s in trace.slices]
    kept = without_last_step(rounded, link_launches(rounded))
    spans = [(a.start_ns, a.end_ns) for a in kept]
    merged = merge(spans)
    compute = merge([span for span, a in zip(spans, kept) if hta_class(a.name) == "computation"])
    communication = merge([span for span, a in zip(spans, kept) if hta_class(a.name) == "communication"])
    kernel_time = merged[-1][1] - merged[0][0]
    idle = kernel_time - total(merged)
    overlap = sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a in communication for b in compute)
    return {
        "kernels": len(kept),
        "kernel_time": kernel_time,
        "idle": idle,
        "compute": total(compute),
        "non_compute": kernel_time - total(compute) - idle,
        "overlap_percent": round(100 * overlap / total(communication), 2) if communication else None,
    }


def round_inwards(s: Slice) -> Slice:
    """The slice with whole microseconds in the places of nanoseconds."""
    start, end = math.ceil(float(s.ts_text)), math.floor(float(s.ts_text) + float(s.dur_text))
    return Slice(s.ordinal, s.category, s.pid, s.tid, start, end - start, s.name, s.args, s.ts_text, s.dur_text)


def merge(spans: list[Span]) -> list[Span]:
    """HTA's: a start beyond every end so far opens a new interval."""
    merged: list[Span] = []
    last_end = -math.inf
    for start, end in sorted(spans, key=lambda span: span[0]):
        if start > last_end:
            merged.append((start, end))
        else:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        last_end = max(last_end, end)
    return merged


def total(spans: list[Span]) -> int:
    return sum(end - start for start, end in spans)
