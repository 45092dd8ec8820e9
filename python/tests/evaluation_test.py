"""When a training loop that is seen from outside evaluates."""

from types import SimpleNamespace

import pytest

from skyline._evaluation import Evaluation


class Loop:
    """Plays a loop from words and writes down what it was taken for: t a training batch, e an evaluation's.

    fetch words: `t` from the training data, `v` from others, with a `-` behind without gradients, a `'` for a new
    iterator. `eval`, `train` call the model; `restore` sets its mode without a call; `step` is the optimizer's.
    """

    def __init__(self) -> None:
        self.evaluation = Evaluation(lambda _name: None)
        self.model = Thing()
        self.data = {"t": [0], "v": [0]}
        self.iterators = {name: self.iterator(name) for name in self.data}

    def iterator(self, name: str) -> "Thing":
        iterator = Thing()
        iterator._dataset = self.data[name]
        return iterator

    def play(self, words: str) -> str:
        taken_for = ""
        for word in words.split():
            if word == "step":
                self.evaluation.stepped()
            elif word == "restore":
                self.model.training = True
            elif word in ("eval", "train"):
                self.evaluation.mode_set(self.model, word == "train")
                self.model.training = word == "train"
            else:
                if "'" in word:
                    self.iterators[word[0]] = self.iterator(word[0])
                self.evaluation.fetching(self.iterators[word[0]], "-" not in word)
                taken_for += "e" if self.evaluation.why else "t"
        return taken_for


class Thing(SimpleNamespace):
    training = True
    __hash__ = object.__hash__  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("t step t step eval v- v- train t step", "tteet"),
        ("t step v- v- t step", "teet"),
        ("t step eval v v train t step", "teet"),
        ("t step eval v- v- restore t step", "teet"),  # Lightning
        ("t train step eval v v t train step", "teet"),  # HF Trainer, in the middle of an epoch
        ("t t train step eval v v t t train step", "tteett"),  # which fetches a step's batches at once
        ("t' train step eval v' v t' train step", "teet"),  # skorch
        ("t step eval v- v- v v train t", "teeeet"),  # evaluates on, with gradients off for the forward only
        ("v step v' t step", "ttt"),  # two loaders
        ("eval t step t step", "et"),  # never in training mode
    ],
)
def test_evaluation_is_told_from_training(words: str, expected: str) -> None:
    assert Loop().play(words) == expected


def test_ignite_fetches_before_it_sets_the_mode() -> None:
    loop = Loop()
    # The first batch of an evaluation comes before eval() and lies in no step; the others are an evaluation's.
    assert loop.play("t train step t train step v' eval v eval v eval t' train step") == "ttteet"


def test_evaluation_on_the_training_data_is_evaluation() -> None:
    assert Loop().play("t step eval t'- t- train t' step") == "teet"
    # With gradients, the first batch looks like one to train on.
    loop = Loop()
    assert loop.play("t step eval t' t t t") == "tteee"
    assert loop.evaluation.why == "mode"
    assert loop.play("train t' step") == "t"
    # The next epoch's batches are a new iterator's, and believed again.
    assert loop.play("eval t' t t' train t step") == "tett"
