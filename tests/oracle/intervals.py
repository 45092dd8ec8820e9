"""Sets of time, as sorted lists of disjoint (start, end) pairs with start < end."""

from __future__ import annotations

from collections.abc import Iterable

Interval = tuple[int, int]


def union(intervals: Iterable[Interval]) -> list[Interval]:
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if start >= end:
            continue
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def intersection(a: list[Interval], b: list[Interval]) -> list[Interval]:
    both: list[Interval] = []
    i = j = 0
    while i < len(a) and j < len(b):
        start, end = max(a[i][0], b[j][0]), min(a[i][1], b[j][1])
        if start < end:
            both.append((start, end))
        if a[i][1] <= b[j][1]:
            i += 1
        else:
            j += 1
    return both


def length(intervals: Iterable[Interval]) -> int:
    return sum(end - start for start, end in intervals)


def length_outside(a: list[Interval], b: list[Interval]) -> int:
    """How much of a is not covered by b."""
    return length(a) - length(intersection(a, b))


def window(intervals: Iterable[Interval]) -> int:
    """First start to last end; zero-length intervals count, since they were seen."""
    seen = list(intervals)
    return max(end for _, end in seen) - min(start for start, _ in seen) if seen else 0
