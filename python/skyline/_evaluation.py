"""Tells evaluation from training in a loop that is only seen from outside.

Two things begin an evaluation: a batch that is fetched without gradients, and eval(). The first ends with a batch that
is fetched with gradients. The second ends with train(), which frameworks call late or not at all:

    Lightning              eval()  fetch …  .training = True  fetch            the module is seen to train again
    ignite, skorch, HF     eval()  fetch …  fetch  train()                     the batch comes before train()

So in evaluation mode a batch from an iterator that was trained with ends the evaluation. One from a new iterator over
data that was trained on is taken for training, too; otherwise the wait for it would be lost to the step. But if what
follows it is neither train() nor an optimizer's step but another batch or eval(), the model is evaluated on its
training data: the evaluation goes on, and this iterator is not believed again.
"""

import weakref
from collections.abc import Callable
from typing import Any

from . import _mark_names, _private


class Evaluation:
    """Calls `mark` with evaluation_begin and evaluation_end."""

    def __init__(self, mark: Callable[[str], None]) -> None:
        self.mark = mark
        self.why = ""  # we think that it evaluates: "fetch", "mode"; empty: it trains
        self.module: Callable[[], Any] = lambda: None  # whose eval() it was
        self.resumed: Callable[[], Any] | None = None  # the iterator that made us think that training goes on
        self.evaluated: Callable[[], Any] = lambda: None  # the iterator that was not to be believed
        # Data sets, by id: to keep them alive would cost memory, and a new one at an old address does little harm.
        self.trained_on: set[int] = set()
        self.trained_with: weakref.WeakSet[Any] = weakref.WeakSet()  # iterators
        self.fetched: list[tuple[int, Callable[[], Any]]] = []  # both, since the last step, while training

    def fetching(self, iterator: Any, with_gradients: bool) -> None:
        """Before a DataLoader's iterator gives a batch."""
        data = id(_private.data_of(iterator))
        if self.resumed is not None:
            self._was_evaluation_still()
        if not with_gradients:
            self._begin("fetch")
        elif self.why == "fetch" or (self.why == "mode" and self._trains_again(iterator)):
            self._end()
        elif self.why == "mode" and data in self.trained_on and self.evaluated() is not iterator:
            self._end()
            self.resumed = weakref.ref(iterator)
        if not self.why and all(known() is not iterator for _, known in self.fetched):
            self.fetched.append((data, weakref.ref(iterator)))

    def mode_set(self, module: Any, training: bool) -> None:
        """Before train() and eval() of a module."""
        if training:
            self.resumed = None
            if self.why == "mode":
                self._end()
        elif self.resumed is not None:
            self._was_evaluation_still()
        elif not self.why:
            self._begin("mode")
            self.module = weakref.ref(module)

    def stepped(self) -> None:
        """After an optimizer's step. The engine knows that what it ends was no evaluation."""
        self.why, self.resumed = "", None
        for data, iterator in self.fetched:
            self.trained_on.add(data)
            if (living := iterator()) is not None:
                self.trained_with.add(living)
        self.fetched.clear()

    def _trains_again(self, iterator: Any) -> bool:
        return iterator in self.trained_with or getattr(self.module(), "training", False)

    def _was_evaluation_still(self) -> None:
        assert self.resumed is not None
        self.evaluated, self.resumed = self.resumed, None
        self._begin("mode")

    def _begin(self, why: str) -> None:
        if not self.why:
            self.why = why
            self.fetched.clear()  # ignite fetches a batch before it calls eval()
            self.mark(_mark_names.EVALUATION_BEGIN)

    def _end(self) -> None:
        self.why = ""
        self.mark(_mark_names.EVALUATION_END)
