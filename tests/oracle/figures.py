"""Every figure of `skyline report`, computed the obvious way: sort, merge, subtract sets of time."""

from __future__ import annotations

from typing import Any

from oracle.categories import DEVICE_ACTIVITIES, DEVICE_SIDE, LAUNCHES
from oracle.intervals import Interval, intersection, length, length_outside, union, window
from oracle.kernel_classes import device_class, hta_class, tracelens_class
from oracle.linking import link_launches
from oracle.slow_reader import Slice, Trace

Figures = dict[str, Any]


def figures_of(trace: Trace) -> Figures:
    activities = [s for s in trace.slices if s.category in DEVICE_ACTIVITIES]
    launch = link_launches(trace.slices)
    linked = [a for a in activities if a.ordinal in launch]
    return {
        "trace.events": trace.events,
        "device.activities": len(activities),
        "device.unlinked": len(activities) - len(linked),
        **device_figures(activities),
        **tracelens_figures(linked),
        **hta_figures([(span(a), a.name) for a in without_last_step(trace.slices)]),
    }


def span(s: Slice) -> Interval:
    return s.start_ns, s.end_ns


def device_figures(activities: list[Slice]) -> Figures:
    """Ours: all activities, linked or not."""
    busy = union(map(span, activities))
    compute, communication, copy, sets = (
        union(span(a) for a in activities if device_class(a) == kind)
        for kind in ("compute", "communication", "copy", "set"))
    return {
        "device.window": window(map(span, activities)),
        "device.busy": length(busy),
        "device.idle": window(map(span, activities)) - length(busy),
        "device.compute": length(compute),
        "device.communication": length(communication),
        "device.copy": length(copy),
        "device.set": length(sets),
        "device.exposed_communication": length_outside(communication, compute),
        "device.exposed_copy": length_outside(copy, union(compute + communication)),
    }


def tracelens_figures(linked: list[Slice]) -> Figures:
    """TraceLens' gpu_timeline: only activities whose launch is in the file."""
    busy = union(map(span, linked))
    compute, comm, memcpy = (
        union(span(a) for a in linked if tracelens_class(a) == kind) for kind in ("compute", "comm", "memcpy"))
    return {
        "tracelens.window": window(map(span, linked)),
        "tracelens.busy": length(busy),
        "tracelens.idle": window(map(span, linked)) - length(busy),
        "tracelens.compute": length(compute),
        "tracelens.comm": length(comm),
        "tracelens.exposed_comm": length_outside(comm, compute),
        "tracelens.memcpy": length(memcpy),
        "tracelens.exposed_memcpy": length_outside(memcpy, union(compute + comm)),
    }


def hta_figures(activities: list[tuple[Interval, str]]) -> Figures:
    """HTA's temporal breakdown and overlap, in exact nanoseconds."""
    compute, communication = (
        union(time for time, name in activities if hta_class(name) == kind)
        for kind in ("computation", "communication"))
    kernel_time = window(time for time, _ in activities)
    idle = kernel_time - length(union(time for time, _ in activities))
    overlap = length(intersection(communication, compute))
    return {
        "hta.kernel_time": kernel_time,
        "hta.idle": idle,
        "hta.compute": length(compute),
        "hta.non_compute": kernel_time - length(compute) - idle,
        "hta.comm_comp_overlap": overlap,
        "hta.comm_comp_overlap_share": overlap / length(communication) if communication else None,
    }


def without_last_step(slices: list[Slice]) -> list[Slice]:
    """Device activities that HTA keeps: with more than one step, those launched before the last one began."""
    activities = [s for s in slices if s.category in DEVICE_ACTIVITIES]
    steps = [s for s in slices if "ProfilerStep" in s.name]
    host_starts = [s.start_ns for s in steps if s.category not in DEVICE_SIDE]
    if len({s.name for s in steps}) <= 1 or not host_starts:
        return activities
    staying = {s.correlation for s in slices if s.category in LAUNCHES and s.start_ns < max(host_starts)}
    return [a for a in activities if a.correlation is not None and a.correlation in staying]
