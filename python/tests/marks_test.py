"""What is seen of a training loop from outside; with torch in tests/training/run_test.py."""

import threading
from types import SimpleNamespace
from typing import Any

import pytest

from skyline._marks import PATIENCE_STEPS, Numbers, Rounds, Watcher, leading_dimension
from skyline._window import Settling


def round_ends(optimizers: str) -> str:
    """Which steps end a round, as |."""
    rounds = Rounds()
    return "".join(name + ("|" if rounds.stepped(ord(name)) else "") for name in optimizers)


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ("aaaa", "aa|a|a|"),
        ("dgdgdg", "dgdg|dg|"),
        ("dddgdddgdddg", "dd|d|gd|ddg|dddg|"),  # once it is known that there are two
        ("abcabcabc", "abcabc|abc|"),
        ("aaaabbbb", "aa|a|a|bb|b|b|"),  # a new loop
        ("dgdgdghhhh", "dgdg|dg|hh|h|h|"),
    ],
)
def test_a_round_ends_when_all_optimizers_have_stepped(steps: str, expected: str) -> None:
    assert round_ends(steps) == expected


def test_an_optimizer_that_steps_no_more_is_not_waited_for() -> None:
    ends = round_ends("aba" + "a" * (3 * PATIENCE_STEPS))
    assert ends.endswith("a|a|a|")


def test_a_new_optimizer_takes_the_place_of_one_that_is_gone() -> None:
    class Optimizer:
        pass

    numbers, rounds = Numbers(), Rounds()
    first, second = Optimizer(), Optimizer()
    assert [numbers.of(one) for one in (first, second, first)] == [0, 1, 0]
    assert [rounds.stepped(number) for number in (0, 1, 0, 1)] == [False, False, False, True]
    del first
    third = Optimizer()
    assert numbers.of(third) == 0
    assert [rounds.stepped(number) for number in (0, 1)] == [False, True]
    del third
    rounds.keep(numbers.living())
    assert rounds.stepped(numbers.of(second))


def test_samples_are_counted_by_the_first_tensor_of_a_batch() -> None:
    batch, scalar = SimpleNamespace(shape=(32, 3)), SimpleNamespace(shape=())
    assert leading_dimension(batch) == 32
    assert leading_dimension(["a name", scalar, {"x": None, "y": (batch,)}]) == 32
    assert leading_dimension({"text": "no tensor"}) is None


class Jagged:
    @property
    def shape(self) -> tuple[int, ...]:
        raise RuntimeError("has no shape")


class Method:
    def shape(self) -> tuple[int, ...]:
        return (32,)


def holds_itself() -> list[Any]:
    batch: list[Any] = []
    batch += [batch] * 1000
    return batch


def nested(depth: int) -> Any:
    return SimpleNamespace(shape=(32,)) if depth == 0 else [nested(depth - 1)]


@pytest.mark.parametrize(
    "batch",
    [Jagged(), Method(), SimpleNamespace(shape=(None, 3)), SimpleNamespace(shape=3), holds_itself(), nested(500)],
)
def test_a_batch_that_answers_in_its_own_way_has_no_known_size(batch: Any) -> None:
    assert leading_dimension(batch) is None
    assert leading_dimension([batch, SimpleNamespace(shape=(16,))]) == 16


def test_an_interrupt_is_no_answer_of_a_batch() -> None:
    class Interrupted:
        @property
        def shape(self) -> tuple[int, ...]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        leading_dimension([Interrupted()])


def test_a_model_that_changes_its_mode_on_another_thread_hides_no_evaluation() -> None:
    watcher = Watcher(lambda is_round_end: None)
    watcher.is_on = True
    entered, may_end = threading.Event(), threading.Event()

    class Model:
        pass

    slow, outer, child = Model(), Model(), Model()

    def usual(module: Model, mode: bool) -> None:
        if module is slow:
            entered.set()
            may_end.wait(240)
        if module is outer:
            train(child, not mode)  # of children it says nothing

    train = watcher._wrapped_train(usual)
    other = threading.Thread(target=train, args=(slow,))
    other.start()
    assert entered.wait(240)
    train(outer, False)
    assert watcher.evaluation.why == "mode"
    train(outer, True)
    assert watcher.evaluation.why == ""
    may_end.set()
    other.join()


def steps_until_settled(durations: list[float], after_steps: int | None = None, after_s: float = 0) -> int | None:
    settling, now = Settling(after_steps, after_s, 0.0), 0.0
    for number, duration in enumerate(durations, 1):
        now += duration
        if settling.step_ended(now):
            return number
    return None


def test_steps_have_settled_when_the_last_ones_are_alike() -> None:
    assert steps_until_settled([5, 1, 1, 1, 1]) == 3
    assert steps_until_settled([0.1, 3, 0.2, 0.1, 0.1, 0.1]) == 5


def test_settling_has_an_end() -> None:
    assert steps_until_settled([0.1, 0.2] * 20) == Settling.MOST_STEPS
    assert steps_until_settled([1, 8, 4, 1]) == 3


def test_what_was_asked_for_counts_instead() -> None:
    assert steps_until_settled([1, 9, 1, 9], after_steps=2) == 2
    assert steps_until_settled([1] * 9, after_steps=1, after_s=4.5) == 5
    assert steps_until_settled([1, 1]) is None
