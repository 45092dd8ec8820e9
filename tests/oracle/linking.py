"""Who caused whom: device activity -> launch call, launch call -> operator, backward operator -> forward operator."""

from __future__ import annotations

from collections import Counter, defaultdict

from oracle.categories import DEVICE_ACTIVITIES, LAUNCHES
from oracle.nesting import Place, nesting_order
from oracle.slow_reader import Slice, Trace

Link = dict[int, Slice]  # ordinal -> what it is linked to; no entry, no link


def link_launches(slices: list[Slice]) -> Link:
    """Device activity to the host call with the same correlation."""
    calls: dict[int, list[Slice]] = defaultdict(list)
    for s in slices:
        if s.category in LAUNCHES and s.correlation is not None:
            calls[s.correlation].append(s)
    activities = [s for s in slices if s.category in DEVICE_ACTIVITIES and s.correlation in calls]

    home = home_processes(activities, calls)
    link: Link = {}
    for activity in activities:
        candidates = calls[activity.correlation]
        at_home = [call for call in candidates if call.pid == home.get(activity.track)]
        link[activity.ordinal] = latest_at_or_before(activity.start_ns, at_home or candidates)
    return link


def home_processes(activities: list[Slice], calls: dict[int, list[Slice]]) -> dict[tuple[str, str], str]:
    """For each device track the process that most of its unambiguous correlations point to."""
    votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for activity in activities:
        if len(calls[activity.correlation]) == 1:
            votes[activity.track][calls[activity.correlation][0].pid] += 1
    return {track: min(count, key=lambda pid: (-count[pid], len(pid), pid)) for track, count in votes.items()}


def latest_at_or_before(time_ns: int, candidates: list[Slice]) -> Slice:
    """The latest start at or before this time, else the earliest after it; on a tie the first in the file."""
    before = [c for c in candidates if c.start_ns <= time_ns]
    if before:
        return max(before, key=lambda c: (c.start_ns, -c.ordinal))
    return min(candidates, key=lambda c: (c.start_ns, c.ordinal))


def link_operators(slices: list[Slice], places: list[Place]) -> Link:
    """Launch call to the innermost operator around it on its thread."""
    link: Link = {}
    for s in slices:
        if s.category not in LAUNCHES:
            continue
        around = places[s.ordinal].parent
        while around and around.category != "cpu_op":
            around = places[around.ordinal].parent
        if around:
            link[s.ordinal] = around
    return link


def is_backward(s: Slice) -> bool:
    """Of an operator that has a sequence number: whether it runs for another one's gradient."""
    return (s.integer("Fwd thread id") or 0) > 0


def sequence_number(s: Slice) -> int | None:
    return s.integer("Sequence number")


def link_forward(trace: Trace) -> Link:
    """Backward operator to its forward operator: by flow if there is one, else by sequence number."""
    numbered = [
        s
        for s in trace.slices
        if s.category == "cpu_op" and (sequence_number(s) or 0) >= 0 and sequence_number(s) is not None
    ]
    backward = [s for s in numbered if is_backward(s)]
    link = link_by_flow(trace, backward)
    without_flow = [b for b in backward if b.ordinal not in link]
    forward = [s for s in numbered if not is_backward(s)]
    return link | link_by_sequence(without_flow, forward)


def link_by_flow(trace: Trace, backward: list[Slice]) -> Link:
    """A flow's ends name a thread and a time; the operator that starts there is meant."""
    starting: dict[tuple[str, str, int], list[Slice]] = defaultdict(list)
    for s in trace.slices:
        if s.category == "cpu_op":
            starting[s.pid, s.tid, s.start_ns].append(s)
    sources = {flow.flow_id: flow for flow in trace.flows if flow.phase == "s"}
    arriving = {
        (flow.pid, flow.tid, flow.ts_ns): sources[flow.flow_id]
        for flow in trace.flows
        if flow.phase == "f" and flow.flow_id in sources
    }
    link: Link = {}
    for b in backward:
        source = arriving.get((b.pid, b.tid, b.start_ns))
        origins = sorted(starting[source.pid, source.tid, source.ts_ns], key=nesting_order) if source else []
        same_number = [o for o in origins if sequence_number(o) == sequence_number(b)]
        if origins:
            link[b.ordinal] = (same_number or origins)[0]
    return link


def link_by_sequence(backward: list[Slice], forward: list[Slice]) -> Link:
    """The latest forward operator with that number; where threads compete, the one other links point to."""
    numbered: dict[tuple[str, int | None], list[Slice]] = defaultdict(list)
    for f in forward:
        numbered[f.pid, sequence_number(f)].append(f)
    candidates = {
        b.ordinal: [f for f in numbered[b.pid, sequence_number(b)] if f.start_ns <= b.start_ns] for b in backward
    }

    votes: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
    for b in backward:
        threads = {f.tid for f in candidates[b.ordinal]}
        if len(threads) == 1:
            votes[b.pid, b.integer("Fwd thread id")].update(threads)

    link: Link = {}
    for b in backward:
        count = votes[b.pid, b.integer("Fwd thread id")]
        threads = {f.tid for f in candidates[b.ordinal]}
        if threads:
            thread = min(threads, key=lambda tid: (-count[tid], tid))
            link[b.ordinal] = max((f for f in candidates[b.ordinal] if f.tid == thread), key=nesting_order)
    return link
