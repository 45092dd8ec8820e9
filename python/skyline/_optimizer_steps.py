"""Tells of every optimizer step, through torch's global hooks.

torch goes through all hooks of a step while it calls them: one that is set or removed meanwhile, from within a hook or
on another thread, ends the training of a program that has a global hook, too. So ours are set once, before the program
runs, and stay; who no longer listens is no longer called.
"""

import functools
from collections.abc import Callable
from typing import Any

from . import _private
from ._trouble import harmless, say_once, sentence_of

Listener = Callable[[Any], None]  # takes the optimizer


def never() -> bool:
    return False


is_compiling: Callable[[], bool] = never  # torch's, once hooks are set
before: tuple[Listener, ...] = ()  # replaced and never changed, as somebody may be going through it
after: tuple[Listener, ...] = ()


@functools.cache
def set_hooks() -> None:
    """At most once in a process."""
    global is_compiling
    import torch

    is_compiling = getattr(getattr(torch, "compiler", None), "is_compiling", never)
    try:
        hook_before, hook_after = _private.optimizer_step_hooks()
        hook_before(before_step)
        hook_after(after_step)
    except (ImportError, AttributeError, TypeError) as error:
        say_once(f"this torch does not tell when an optimizer steps: {sentence_of(error)}")


def before_step(optimizer: Any, *_arguments: Any) -> None:
    if not is_compiling():
        for listener in before:
            harmless("what an optimizer uses is not noted", listener, optimizer)


def after_step(optimizer: Any, *_arguments: Any) -> None:
    if not is_compiling():
        for listener in after:
            harmless("an optimizer's step is not noted", listener, optimizer)


def listen(*, before_each: Listener | None = None, after_each: Listener | None = None) -> Callable[[], None]:
    """Gives what ends it."""
    global before, after
    set_hooks()
    before += (before_each,) if before_each is not None else ()
    after += (after_each,) if after_each is not None else ()

    def end() -> None:
        global before, after
        before = tuple(listener for listener in before if listener is not before_each)
        after = tuple(listener for listener in after if listener is not after_each)

    return end
