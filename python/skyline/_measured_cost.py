"""What recording costs a training, measured on its own steps: those of the window against those after it.

The recorder times its own callbacks, but not what torch does to call them, nor what both take from the processor's
caches; in a loop of many small operators that is as much again.
"""

import statistics

LEAST_STEPS, MOST_STEPS = 5, 20


class MeasuredCost:
    def __init__(self) -> None:
        self.recorded: list[float] = []  # when steps ended, in seconds
        self.unrecorded: list[float] = []

    def step_ended(self, now_s: float, is_recorded: bool) -> None:
        (self.recorded if is_recorded else self.unrecorded).append(now_s)

    def is_known(self) -> bool:
        """Whether further steps would not tell more."""
        return len(self.recorded) <= LEAST_STEPS or len(self.unrecorded) > MOST_STEPS

    def sentence(self) -> str | None:
        """None where too few steps were seen."""
        # The first end of each kind only begins a step: before it the recording was started, or written.
        recorded, unrecorded = durations(self.recorded), durations(self.unrecorded)
        if min(len(recorded), len(unrecorded)) < LEAST_STEPS:
            return None
        usual_s, longer_s = statistics.median(unrecorded), statistics.median(recorded)
        said = f"{milliseconds(longer_s)} while recorded, {milliseconds(usual_s)} in the {len(unrecorded)} steps after"
        if abs(longer_s - usual_s) <= max(spread(recorded), spread(unrecorded)):
            return f"a step took {said}: a difference within the spread of steps"
        return f"a step took {said}: {100 * (longer_s / usual_s - 1):+.0f} %"


def durations(ends_s: list[float]) -> list[float]:
    return [end - start for start, end in zip(ends_s, ends_s[1:])]


def spread(durations_s: list[float]) -> float:
    """Half of the distance between the quartiles."""
    low, _, high = statistics.quantiles(durations_s, n=4)
    return (high - low) / 2


def milliseconds(time_s: float) -> str:
    return f"{1000 * time_s:.4g} ms"
