"""Who caused whom: device activity -> launch call, launch call -> operator, backward operator -> forward operator.

Where several candidates are equally good, the one written later in the file wins (earlier, when the choice is
"the earliest after").
"""

from __future__ import annotations

from collections import Counter, defaultdict

from categories import DEVICE_ACTIVITIES, LAUNCHES
from nesting import Place
from slow_reader import Slice, Trace

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
        processes = {call.pid for call in calls[activity.correlation]}
        if len(processes) == 1:
            votes[activity.track].update(processes)
    return {track: winner(counter) for track, counter in votes.items()}


def winner(votes: Counter[str]) -> str:
    return min(votes, key=lambda name: (-votes[name], name))


def latest_at_or_before(time_ns: int, candidates: list[Slice]) -> Slice:
    before = [c for c in candidates if c.start_ns <= time_ns]
    if before:
        return max(before, key=lambda c: (c.start_ns, c.ordinal))
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
    forward: dict[tuple[str, int], list[Slice]] = defaultdict(list)
    starting: dict[tuple[str, str, int], list[Slice]] = defaultdict(list)
    backward: list[Slice] = []
    for s in trace.slices:
        number = sequence_number(s)
        if s.category != "cpu_op":
            continue
        starting[s.pid, s.tid, s.start_ns].append(s)
        if number is None or number < 0:
            continue
        if is_backward(s):
            backward.append(s)
        else:
            forward[s.pid, number].append(s)

    candidates = {b.ordinal: [f for f in forward[b.pid, sequence_number(b)] if f.start_ns <= b.start_ns]
                  for b in backward}
    link = link_by_sequence(backward, candidates)
    link.update(link_by_flow(trace, backward, starting))
    return link


def link_by_sequence(backward: list[Slice], candidates: dict[int, list[Slice]]) -> Link:
    votes: dict[tuple[str, int | None], Counter[str]] = defaultdict(Counter)
    for b in backward:
        threads = {f.tid for f in candidates[b.ordinal]}
        if len(threads) == 1:
            votes[b.pid, b.integer("Fwd thread id")].update(threads)
    link: Link = {}
    for b in backward:
        possible = candidates[b.ordinal]
        if not possible:
            continue
        for_this_thread = votes[b.pid, b.integer("Fwd thread id")]
        thread = winner(Counter({f.tid: for_this_thread[f.tid] for f in possible}))
        link[b.ordinal] = max((f for f in possible if f.tid == thread), key=lambda f: (f.start_ns, f.ordinal))
    return link


def link_by_flow(trace: Trace, backward: list[Slice], starting: dict[tuple[str, str, int], list[Slice]]) -> Link:
    sources = {flow.flow_id: flow for flow in trace.flows if flow.phase == "s"}
    arriving: dict[tuple[str, str, int], list[str]] = defaultdict(list)
    for flow in trace.flows:
        if flow.phase == "f" and flow.flow_id in sources:
            arriving[flow.pid, flow.tid, flow.ts_ns].append(flow.flow_id)
    link: Link = {}
    for b in backward:
        origins: list[Slice] = []
        for flow_id in arriving[b.pid, b.tid, b.start_ns]:
            source = sources[flow_id]
            origins += starting[source.pid, source.tid, source.ts_ns]
        same_number = [o for o in origins if sequence_number(o) == sequence_number(b)]
        best = max(same_number or origins, key=lambda o: o.ordinal, default=None)
        if best and best is not b:
            link[b.ordinal] = best
    return link
