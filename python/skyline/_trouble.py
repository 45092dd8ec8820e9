"""What goes wrong with recording is said on standard error and does not reach training."""

import functools
import signal
import sys
import traceback
from collections.abc import Callable
from types import CodeType
from typing import Any

from ._printable import printable


def say(text: str, end: str = "\n") -> None:
    """Never raises by itself: standard error may be closed, broken or missing, and no words are worth a training."""
    try:
        if sys.stderr is not None:  # print() would take standard output instead
            print(text, end=end, file=sys.stderr, flush=True)
    except Exception as error:
        if is_users(error):
            raise


def is_terminal() -> bool:
    """Whether what is said can be written over."""
    try:
        return sys.stderr.isatty()
    except (AttributeError, ValueError):  # it is None, or closed
        return False


@functools.cache
def say_once(sentence: str) -> None:
    say(f"skyline: {printable(sentence)}")


def sentence_of(error: BaseException) -> str:
    """What it says, in one line."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


def harmless(consequence: str, function: Callable[..., Any], *arguments: Any) -> None:
    """Calls what is ours in the middle of the program's own work, which goes on whatever that raises."""
    try:
        function(*arguments)
    except Exception as error:
        if is_users(error):
            raise
        say_once(f"{consequence}: {sentence_of(error)}; training goes on")


def valid_text(value: object) -> str:
    """What UTF-8 can say of it: names of files and variables may hold any bytes."""
    return str(value).encode(errors="replace").decode()


def is_users(error: BaseException) -> bool:
    """Whether it is for the user though it comes out of our work: Ctrl-C, or what a signal's handler has raised."""
    if not isinstance(error, Exception):
        return True
    handlers = {code_of(signal.getsignal(number)) for number in signal.valid_signals()}
    return any(frame.f_code in handlers for frame, _ in traceback.walk_tb(error.__traceback__))


def code_of(handler: Any) -> CodeType | None:
    """Of a function, a method, a functools.partial or an object that can be called."""
    function = getattr(handler, "func", handler)
    function = getattr(function, "__func__", function)
    if callable(function) and not hasattr(function, "__code__"):
        function = type(function).__call__
    return getattr(function, "__code__", None)
