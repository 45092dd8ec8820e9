"""Where a run's time went: the table before the last line of ./test."""

import resource
import time

from suites.children import spent_s
from suites.results import Case

SLOWEST_SHOWN = 8


class Clock:
    def __init__(self) -> None:
        self.started = time.monotonic()
        self.rows: list[tuple[str, float]] = []
        self.tests: list[tuple[float, str]] = []

    def prepared(self, name: str, seconds: float) -> None:
        self.rows.append((f"preparing {name}", seconds))

    def ran(self, suite: str, seconds: float, cases: list[Case]) -> None:
        self.rows.append((suite, seconds))
        self.tests += [(case.seconds, f"{suite}: {case.name}") for case in cases]

    def table(self) -> str:
        """Builds run beside suites, so the seconds add up to more than the whole; processor time does not."""
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        whole = time.monotonic() - self.started
        cpu = used.ru_utime + used.ru_stime
        lines = [f"\nWhere the time went: {minutes(whole)} in all, {minutes(cpu)} of processor time"]
        for name, seconds in sorted(self.rows, key=lambda row: -row[1]):
            lines.append(f"  {seconds:6.0f} s  {spent_s[name]:6.0f} s of processor time  {name}")
        lines.append("Slowest tests")
        lines += [f"  {seconds:6.1f} s  {name}" for seconds, name in sorted(self.tests, reverse=True)[:SLOWEST_SHOWN]]
        return "\n".join(lines) + "\n"


def minutes(seconds: float) -> str:
    return f"{seconds // 60:.0f} min {seconds % 60:02.0f} s"
