"""skyline.schedule against the rules of torch.profiler.schedule, written here once more and otherwise."""

import itertools

import pytest

from skyline import ProfilerAction, schedule
from skyline._schedule import Change

NONE, WARMUP, RECORD, SAVE = ProfilerAction


def written_out(wait, warmup, active, repeat, skip_first, skip_first_wait, steps):
    """The actions as a list: skip, then cycle after cycle."""
    cycle = [NONE] * wait + [WARMUP] * warmup + [RECORD] * (active - 1) + [SAVE]
    cycles = list(itertools.islice(itertools.cycle(cycle), steps + wait))
    if repeat > 0:
        cycles = (cycle * repeat + [NONE] * (steps + wait))[: steps + wait]
    if skip_first_wait:
        cycles = cycles[wait:]
    return ([NONE] * skip_first + cycles)[:steps]


@pytest.mark.filterwarnings("ignore:schedule")
def test_every_small_schedule_is_torchs() -> None:
    for numbers in itertools.product((0, 1, 3), (0, 1, 2), (1, 2), (0, 1, 2), (0, 2), (0, 1)):
        wait, warmup, active, repeat, skip_first, skip_first_wait = numbers
        action_of = schedule(
            wait=wait,
            warmup=warmup,
            active=active,
            repeat=repeat,
            skip_first=skip_first,
            skip_first_wait=skip_first_wait,
        )
        assert [action_of(step) for step in range(24)] == written_out(*numbers, 24), numbers


@pytest.mark.parametrize("wrong", [{"wait": -1}, {"warmup": -1}, {"active": 0}, {"repeat": -1}, {"skip_first": -1}])
def test_impossible_numbers_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="schedule"):
        schedule(**{"wait": 1, "warmup": 1, "active": 1} | wrong)


def test_no_warmup_is_warned_about() -> None:
    with pytest.warns(UserWarning, match="warmup"):
        schedule(wait=1, warmup=0, active=1)


# before, after: stop, save, start
@pytest.mark.parametrize(
    ("before", "after", "stop", "save", "start"),
    [
        (NONE, NONE, False, False, False),
        (NONE, WARMUP, False, False, False),
        (NONE, RECORD, False, False, True),
        (NONE, SAVE, False, False, True),
        (WARMUP, WARMUP, False, False, False),
        (WARMUP, RECORD, False, False, True),
        (WARMUP, SAVE, False, False, True),
        (RECORD, RECORD, False, False, False),
        (RECORD, SAVE, False, False, False),
        (SAVE, NONE, True, True, False),
        (SAVE, WARMUP, True, True, False),
        (SAVE, RECORD, True, True, True),
        (SAVE, SAVE, True, True, True),
        (NONE, None, False, False, False),
        (WARMUP, None, False, False, False),
        (RECORD, None, True, True, False),
        (SAVE, None, True, True, False),
    ],
)
def test_transitions_are_torchs(before, after, stop, save, start) -> None:
    change = Change(before, after)
    assert (change.stop, change.save, change.start, change.loses) == (stop, save, start, False)


@pytest.mark.parametrize(("before", "after"), [(WARMUP, NONE), (RECORD, NONE), (RECORD, WARMUP)])
def test_a_schedule_that_saves_nothing_loses_its_trace(before, after) -> None:
    change = Change(before, after)
    assert change.loses and not change.save and not change.start
