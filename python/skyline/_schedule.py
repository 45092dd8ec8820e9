"""When to record: torch.profiler's schedule, to the letter."""

import warnings
from collections.abc import Callable
from enum import Enum


class ProfilerAction(Enum):
    """What to do in a step."""

    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


Schedule = Callable[[int], ProfilerAction]


def schedule(
    *, wait: int, warmup: int, active: int, repeat: int = 0, skip_first: int = 0, skip_first_wait: int = 0
) -> Schedule:
    """Cycles of `wait` idle, `warmup` and `active` recorded steps after `skip_first` steps; `repeat` cycles, or for
    ever if it is 0. With `skip_first_wait` the first cycle does not wait."""
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise ValueError("schedule: wait, warmup, repeat and skip_first must not be negative, active must be positive")
    if warmup == 0:
        warnings.warn("schedule: without warmup the first recorded step may be slower than others", stacklevel=2)
    length = wait + warmup + active

    def action_of(step: int) -> ProfilerAction:
        if step < 0:
            raise ValueError(f"schedule: there is no step {step}")
        if step < skip_first:
            return ProfilerAction.NONE
        step -= skip_first
        if skip_first_wait != 0:
            step += wait
        if 0 < repeat <= step // length:
            return ProfilerAction.NONE
        place = step % length
        if place < wait:
            return ProfilerAction.NONE
        if place < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if place == length - 1 else ProfilerAction.RECORD

    return action_of


def always(_step: int) -> ProfilerAction:
    return ProfilerAction.RECORD


def is_recording(action: ProfilerAction | None) -> bool:
    return action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)


class Change:
    """What a profile has to do between two steps; `after` is None at the end."""

    def __init__(self, before: ProfilerAction, after: ProfilerAction | None) -> None:
        whole = before is ProfilerAction.RECORD_AND_SAVE
        self.stop = is_recording(before) and (whole or not is_recording(after))
        self.save = self.stop and (whole or after is None)
        self.start = is_recording(after) and (self.stop or not is_recording(before))
        # A schedule of the user's own that ends a recording without saving it.
        self.loses = self.stop and not self.save or (before is ProfilerAction.WARMUP and after is ProfilerAction.NONE)
