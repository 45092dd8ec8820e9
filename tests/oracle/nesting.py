"""Which slice lies inside which, per (pid, tid) track.

A track's slices are laid out in order of start, longer first. Each goes into the first lane where it fits: where
nothing is open, or where it ends no later than the innermost open slice (plus a tolerance for clocks that cut).
Partly overlapping slices so stay, one lane further down.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from oracle.slow_reader import Slice

ORDER_OF_EQUAL_SPANS = {
    "user_annotation": 0,
    "gpu_user_annotation": 0,
    "python_function": 1,
    "cpu_op": 2,
    "runtime": 3,
    "driver": 3,
}


HAVE_EXTERNAL_ID = frozenset({"cpu_op", "user_annotation", "runtime", "driver"})


@dataclass(slots=True)
class Place:
    lane: int
    depth: int
    parent: Slice | None


def nest(slices: list[Slice]) -> list[Place]:
    """The place of every slice, by ordinal."""
    tolerance_ns = 1000 if all(s.start_ns % 1000 == 0 and s.dur_ns % 1000 == 0 for s in slices) else 1
    tracks: dict[tuple[str, str], list[Slice]] = defaultdict(list)
    for s in slices:
        tracks[s.track].append(s)
    places: dict[int, Place] = {}
    for track in tracks.values():
        nest_track(sorted(track, key=nesting_order), tolerance_ns, places)
    return [places[s.ordinal] for s in slices]


def nesting_order(s: Slice) -> tuple[int, ...]:
    """Outer before inner. torch 1.8 to 1.11 wrote children before parents; the parent has the smaller id."""
    external_id = s.external_id or 0 if s.category in HAVE_EXTERNAL_ID else 0
    return s.start_ns, -s.end_ns, ORDER_OF_EQUAL_SPANS.get(s.category, 4), external_id, s.ordinal


def nest_track(track: list[Slice], tolerance_ns: int, places: dict[int, Place]) -> None:
    lanes: list[list[Slice]] = []
    for s in track:
        for open_slices in lanes:
            while open_slices and open_slices[-1].end_ns <= s.start_ns:
                open_slices.pop()
        fitting = (
            k
            for k, open_slices in enumerate(lanes)
            if not open_slices or s.end_ns <= open_slices[-1].end_ns + tolerance_ns
        )
        lane = next(fitting, len(lanes))
        if lane == len(lanes):
            lanes.append([])
        parent = lanes[lane][-1] if lanes[lane] else None
        depth = places[parent.ordinal].depth + 1 if parent else 0
        places[s.ordinal] = Place(lane, depth, parent)
        lanes[lane].append(s)
