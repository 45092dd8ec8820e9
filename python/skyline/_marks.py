"""Watches an unchanged training loop from outside: which optimizers step, which batches come, when it evaluates.

What it sees is marked in the recording as ranges without length, whose names src/trace/marks.schema lists; the engine
makes steps (docs/glossary.md) and figures of them. Modules' forward and backward stay untouched, so torch.compile sees
an unchanged program.
"""

import functools
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from . import _mark_names, _optimizer_steps, _private
from ._evaluation import Evaluation
from ._model_calls import ModelCalls
from ._trouble import harmless, say_once

Stepped = Callable[[bool], None]

# After so many steps of others a round no longer waits for an optimizer.
PATIENCE_STEPS = 16
# Lists in lists; tensors of a batch are not deeper down.
MOST_NESTING = 8


class Rounds:
    """Tells rounds (docs/glossary.md, "step") while they go on; the engine looks back at all of them."""

    def __init__(self) -> None:
        self.members: set[int] = set()
        self.seen: set[int] = set()
        self.steps = 0  # in this round

    def stepped(self, optimizer: int) -> bool:
        """Whether this step ends a round."""
        is_second = optimizer in self.seen
        self.seen.add(optimizer)
        self.steps += 1
        if self.members & self.seen:
            self.members |= self.seen
        elif is_second:  # a round of strangers is over: a loop has begun, at first or anew, and these take part
            self.members, self.seen, self.steps = self.seen, {optimizer}, 1
        if self.steps > PATIENCE_STEPS * len(self.seen):
            self.members &= self.seen
        if not self.members or not self.seen >= self.members:
            return False
        self.seen, self.steps = set(), 0
        return True

    def keep(self, living: set[int]) -> None:
        """Forgets all other optimizers."""
        self.members &= living
        self.seen &= living


class Numbers:
    """Tells optimizers apart. A new one takes the number of one that is gone, and its place in the round: so a loop
    that makes a new optimizer now and then is one loop."""

    def __init__(self) -> None:
        self.numbers: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()

    def __len__(self) -> int:
        return len(self.numbers)

    def of(self, optimizer: Any) -> int:
        number = self.numbers.get(optimizer)
        if number is None:
            number = min(set(range(len(self.numbers) + 1)) - self.living())
            self.numbers[optimizer] = number
        return number

    def living(self) -> set[int]:
        return set(self.numbers.values())


def leading_dimension(batch: Any) -> int | None:
    """How many samples a batch holds, by its first tensor; None if there is none. A batch may be anything: parts that
    answer in their own way are passed over, and what holds itself is looked into once."""
    return dimension_within(batch, MOST_NESTING, set())


def dimension_within(batch: Any, nesting: int, met: set[int]) -> int | None:
    try:
        if not isinstance(batch, (Mapping, list, tuple)):
            shape = getattr(batch, "shape", None)
            return int(shape[0]) if shape is not None and len(shape) > 0 else None
        if nesting == 0 or id(batch) in met:
            return None
        met.add(id(batch))
        parts = batch.values() if isinstance(batch, Mapping) else batch
        sizes = (dimension_within(part, nesting - 1, met) for part in parts)
        return next((size for size in sizes if size is not None), None)
    except Exception:
        return None


class Listener(Protocol):
    """Hears what is marked as it happens, whether it is recorded or not."""

    def evaluation(self, *, begins: bool) -> None: ...

    def fetched(self, iterator: Any, batch: Any, began_ns: int) -> None:
        """A DataLoader has handed over a batch of a training loop, for which it was asked at that time."""

    def called(self, arguments: Any) -> None:
        """The model has been called in a training loop without a DataLoader."""


class Watcher:
    """Calls `stepped(is_round_end)` after each optimizer step; leaves marks while `marking` is set."""

    def __init__(self, stepped: Stepped, listener: Listener | None = None) -> None:
        self.stepped = stepped
        self.listener = listener
        self.is_on = False
        self.marking = False
        self.rounds = Rounds()
        self.numbers = Numbers()
        self.living = 0  # optimizers
        self.evaluation = Evaluation(self.mark)
        self.calls = ModelCalls(self._model_called)
        self.has_loader = False  # has given a batch
        self.own = threading.local()  # `depth` of nn.Module.train(), which calls itself for children
        self.undo: list[Callable[[], None]] = []
        self.lock = threading.Lock()

    def start(self) -> None:
        from torch.nn import Module

        self.is_on = True
        self.undo.append(_optimizer_steps.listen(after_each=self._optimizer_stepped))
        self._wrap(_private.data_loader_iterator(), "__next__", self._wrapped_next)
        self._wrap(Module, "train", self._wrapped_train)

    def stop(self) -> None:
        """May be called from within what it undoes, on any thread."""
        self._undo_until(0)

    def only_steps(self) -> None:
        """From now on nothing but optimizer steps is told."""
        self._undo_until(1)

    def _undo_until(self, left: int) -> None:
        self.is_on = self.marking = False
        self.calls.stop()
        while len(self.undo) > left:
            self.undo.pop()()

    def mark(self, name: str) -> None:
        if self.listener is not None and name in (_mark_names.EVALUATION_BEGIN, _mark_names.EVALUATION_END):
            self.listener.evaluation(begins=name == _mark_names.EVALUATION_BEGIN)
        if self.marking:
            from torch.profiler import record_function

            with record_function(_mark_names.PREFIX + name):
                pass

    def begin_marking(self, *, settled: bool = False) -> None:
        """`settled`: the loop has shown by now whether it has a DataLoader."""
        self.marking = True
        self.mark("begin")
        if settled and not self.has_loader:
            harmless("samples are not counted", self.calls.start)
        if self.evaluation.why:
            self.mark(_mark_names.EVALUATION_BEGIN)

    def end_marking(self) -> None:
        self.marking = False
        self.calls.stop()

    def _wrap(self, owner: Any, name: str, wrapper: Callable[[Any], Any]) -> None:
        usual = getattr(owner, name, None)
        if usual is None:
            say_once(f"this torch has no {name}() where it is looked for: some batches or evaluations are not seen")
            return
        ours = functools.wraps(usual)(wrapper(usual))
        setattr(owner, name, ours)

        def restore() -> None:
            if getattr(owner, name) is ours:  # else somebody has wrapped it after us
                setattr(owner, name, usual)

        self.undo.append(restore)

    def _optimizer_stepped(self, optimizer: Any) -> None:
        with self.lock:  # optimizers in the backward pass may step on several threads
            self.evaluation.stepped()
            number = self.numbers.of(optimizer)
            if len(self.numbers) != self.living:
                self.living = len(self.numbers)
                self.rounds.keep(self.numbers.living())
            is_round_end = self.rounds.stepped(number)
            self.calls.stepped()
        self.mark(f"{_mark_names.OPTIMIZER}{number}")
        self.stepped(is_round_end)

    def _wrapped_next(self, usual: Any) -> Any:
        def fetch(iterator: Any) -> Any:
            if self.is_on:
                harmless("evaluation may be taken for training", self._fetching, iterator)
            began_ns = time.perf_counter_ns()
            batch = usual(iterator)
            if self.is_on and self.listener is not None and not self.evaluation.why:
                harmless("samples are not counted", self.listener.fetched, iterator, batch, began_ns)
            if not self.has_loader:
                self.has_loader = True
                self.calls.stop()
            if self.marking:
                harmless("samples are not counted", self._fetched, batch)
            return batch

        return fetch

    def _fetching(self, iterator: Any) -> None:
        import torch

        self.evaluation.fetching(iterator, torch.is_grad_enabled())

    def _fetched(self, batch: Any) -> None:
        if (samples := leading_dimension(batch)) is not None:
            self.mark(f"{_mark_names.SAMPLES}{samples}")

    def _model_called(self, arguments: Any) -> None:
        if self.listener is not None and not self.evaluation.why:
            self.listener.called(arguments)
        if self.marking and not self.evaluation.why and (samples := leading_dimension(arguments)) is not None:
            self.mark(f"{_mark_names.MODEL_SAMPLES}{samples}")

    def watch_compiled_models(self) -> None:
        """Their calls are heard of, too, without a hook, because of which they would be compiled anew."""
        if (kind := _private.compiled_wrapper()) is not None:
            self._wrap(kind, "__call__", self._wrapped_call)

    def _wrapped_call(self, usual: Any) -> Any:
        def call(model: Any, *arguments: Any, **named: Any) -> Any:
            if self.is_on and self.listener is not None and not self.evaluation.why and model.training:
                harmless("samples are not counted", self.listener.called, [*arguments, *named.values()])
            return usual(model, *arguments, **named)

        return call

    def _wrapped_train(self, usual: Any) -> Any:
        def train(module: Any, mode: bool = True) -> Any:
            depth = getattr(self.own, "depth", 0)
            if depth == 0 and self.is_on:
                harmless("evaluation may be taken for training", self.evaluation.mode_set, module, mode)
            self.own.depth = depth + 1
            try:
                return usual(module, mode)
            finally:
                self.own.depth = depth

        return train
