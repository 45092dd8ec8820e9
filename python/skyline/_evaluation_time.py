"""How much of a step was evaluation, which is in no step's time."""

import time


class EvaluationTime:
    def __init__(self) -> None:
        self.begin()
        self.began_ns: int | None = None

    def begin(self) -> None:
        """A step begins. What a step ends without saying so was no evaluation, as _evaluation.py has it."""
        self.sum_ns = 0
        self.began_ns = None

    def told(self, *, begins: bool) -> None:
        now_ns = time.perf_counter_ns()
        if begins:
            self.began_ns = now_ns
        elif self.began_ns is not None:
            self.sum_ns += now_ns - self.began_ns
            self.began_ns = None

    def taken_ns(self) -> int:
        return self.sum_ns
