"""Training steps, where the file names them."""

from __future__ import annotations

import re
from typing import NamedTuple

from oracle.slow_reader import Slice

STEP_NAME = re.compile(r"ProfilerStep#([0-9]+)")


class Step(NamedTuple):
    start_ns: int
    ordinal: int
    number: int
    dur_ns: int


def profiler_steps(slices: list[Slice]) -> list[Step]:
    """In order of time. Copies of the ranges on device tracks are no steps."""
    found = []
    for s in slices:
        name = STEP_NAME.fullmatch(s.name)
        if name and s.category in ("user_annotation", "cpu_op"):
            found.append(Step(s.start_ns, s.ordinal, int(name[1]), s.dur_ns))
    return sorted(found)
