"""Every figure of `skyline report`, computed the obvious way: sort, merge, subtract sets of time."""

from __future__ import annotations

from typing import Any

from oracle.categories import DEVICE_ACTIVITIES, DEVICE_SIDE, LAUNCHES
from oracle.intervals import Interval, intersection, length, length_outside, union, window
from oracle.kernel_classes import device_class, hta_class, tracelens_class
from oracle.linking import Link, link_launches
from oracle.slow_reader import Slice, Trace
from oracle.steps import profiler_steps

Figures = dict[str, Any]

TORCH_RANGES = (
    "ProfilerStep#",
    "Optimizer.",
    "enumerate(DataLoader)#",
    "enumerate(DataPipe)#",
    "DataParallel.forward",
    "DistributedDataParallel.forward",
)
ON_THREADS = LAUNCHES | {"cpu_op", "user_annotation", "python_function"}
SHARES_OF_WINDOW = (
    "device.busy",
    "device.idle",
    "device.compute",
    "device.communication",
    "device.exposed_communication",
    "device.exposed_copy",
)


def figures_of(trace: Trace) -> Figures:
    activities = [s for s in trace.slices if s.category in DEVICE_ACTIVITIES]
    launch = link_launches(trace.slices)
    linked = [a for a in activities if a.ordinal in launch]
    return {
        **trace_figures(trace),
        "device.activities": len(activities),
        "device.unlinked": len(activities) - len(linked),
        **device_figures(activities),
        **tracelens_figures(linked),
        **hta_figures([(span(a), a.name) for a in without_last_step(trace.slices, launch)]),
    }


def trace_figures(trace: Trace) -> Figures:
    """How much of what is in the file. Steps only where the file names them: guessing is tested elsewhere."""
    steps = profiler_steps(trace.slices)
    figures = {
        "trace.events": trace.events,
        "trace.span": window(span(s) for s in trace.slices if counts_for_span(s)),
        "trace.threads": len({s.track for s in trace.slices if s.category in ON_THREADS}),
        "trace.streams": len({s.track for s in trace.slices if s.category in DEVICE_ACTIVITIES}),
        "trace.operators": sum(is_operator(s) for s in trace.slices),
        "trace.launches": sum(s.category in LAUNCHES for s in trace.slices),
    }
    if steps:
        figures["trace.steps"] = len(steps)
        figures["trace.step_time"] = sum(step.dur_ns for step in steps) // len(steps)
    return figures


def counts_for_span(s: Slice) -> bool:
    """Not the profiler's own marks, nor events that lost their time (some torch 2.12 files say 0 for it)."""
    return s.category not in ("trace_span", "overhead") and (s.start_ns, s.dur_ns) != (0, 0)


def is_operator(s: Slice) -> bool:
    """torch 1.8 to 1.11 wrote its own ranges as operators."""
    return s.category == "cpu_op" and not s.name.startswith(TORCH_RANGES)


def span(s: Slice) -> Interval:
    return s.start_ns, s.end_ns


def share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def device_figures(activities: list[Slice]) -> Figures:
    """Ours: all activities, linked or not."""
    busy = union(map(span, activities))
    compute, communication, copy, sets = (
        union(span(a) for a in activities if device_class(a) == kind)
        for kind in ("compute", "communication", "copy", "set")
    )
    figures = {
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
    return figures | {f"{name}_share": share(figures[name], figures["device.window"]) for name in SHARES_OF_WINDOW}


def tracelens_figures(linked: list[Slice]) -> Figures:
    """TraceLens' gpu_timeline: only activities whose launch is in the file."""
    busy = union(map(span, linked))
    compute, comm, memcpy = (
        union(span(a) for a in linked if tracelens_class(a) == kind) for kind in ("compute", "comm", "memcpy")
    )
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
        union(time for time, name in activities if hta_class(name) == kind) for kind in ("computation", "communication")
    )
    kernel_time = window(time for time, _ in activities)
    idle = kernel_time - length(union(time for time, _ in activities))
    overlap = length(intersection(communication, compute))
    return {
        "hta.kernels": len(activities),
        "hta.kernel_time": kernel_time,
        "hta.idle": idle,
        "hta.compute": length(compute),
        "hta.non_compute": kernel_time - length(compute) - idle,
        "hta.comm_comp_overlap": overlap,
        "hta.comm_comp_overlap_share": share(overlap, length(communication)),
    }


def without_last_step(slices: list[Slice], launch: Link) -> list[Slice]:
    """Device activities that HTA keeps: with more than one step, those launched before the last one began."""
    activities = [s for s in slices if s.category in DEVICE_ACTIVITIES]
    steps = [s for s in slices if "ProfilerStep" in s.name]
    host_starts = [s.start_ns for s in steps if s.category not in DEVICE_SIDE]
    if len({s.name for s in steps}) <= 1 or not host_starts:
        return activities
    return [a for a in activities if a.ordinal in launch and launch[a.ordinal].start_ns < max(host_starts)]
