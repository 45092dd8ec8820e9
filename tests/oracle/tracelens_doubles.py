"""TraceLens' own figures to the printed nanosecond: the exact definition, computed in doubles of microseconds.

At 2.4e12 us a double steps by half a nanosecond, and some thousand such ends add up to about ten nanoseconds of
noise. For conformance only: the product is exact.
"""

from __future__ import annotations

from oracle.categories import DEVICE_ACTIVITIES
from oracle.kernel_classes import tracelens_class
from oracle.linking import link_launches
from oracle.slow_reader import Slice, Trace

Span = tuple[float, float]


def tracelens_milliseconds(trace: Trace) -> dict[str, float]:
    launch = link_launches(trace.slices)
    linked = [s for s in trace.slices if s.category in DEVICE_ACTIVITIES and s.ordinal in launch]
    merged = merge(linked)
    window_us = merged[-1][1] - merged[0][0]
    in_us = {
        "compute": total([a for a in linked if tracelens_class(a) == "compute"]),
        "exposed_memcpy": total([a for a in linked if tracelens_class(a) == "memcpy"]),
        "busy": total(linked),
        "idle": window_us - total(linked),
        "window": window_us,
    }
    return {name: round(us / 1000, 6) for name, us in in_us.items()}


def merge(activities: list[Slice]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted((float(a.ts_text), float(a.ts_text) + float(a.dur_text)) for a in activities):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def total(activities: list[Slice]) -> float:
    return sum(end - start for start, end in merge(activities))
