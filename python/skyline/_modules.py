"""Names of nn.Modules for the collector, which knows them only as addresses."""

import functools
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from types import CodeType, ModuleType
from typing import Any

from . import _private
from ._error import Error
from ._sources import Sources
from ._trouble import is_users, say_once, sentence_of

Reference = weakref.ref[Any]
FIRST_LOOK_S, LAST_LOOK_S = 0.05, 1.0
LOOKING_SHARE = 0.01  # of the time, for walks through all objects


def module_call() -> CodeType | None:
    """The code of nn.Module.__call__, whose first local variable is the module."""
    from torch.nn import Module

    return getattr(Module.__call__, "__code__", None)


class ModuleNames:
    """Answers the collector's question what the modules at some addresses are called.

    An address may be stale, so it is never followed: it is looked up among the modules that live now. A module that
    is freed is reported, as the next one at its address is another one.
    """

    def __init__(
        self, watch: Callable[[dict[int, Reference | None], Any], None], instances_of: Callable[[type], list[Any]]
    ) -> None:
        self.instances_of = instances_of
        self.living: dict[int, Reference | None] = {}  # None: it has lived
        # Also called by the collector, in the middle of training, with modules that call operators there.
        self.note = functools.partial(watch, self.living)
        self.last_look: tuple[float, float] | None = None  # when it ended, and how long it took

    def look_around(self) -> None:
        """Notes all living modules; training stands still meanwhile, some ten milliseconds per 100 000 objects."""
        from torch.nn import Module

        begun = time.monotonic()
        for module in self.instances_of(Module):
            self.note(module)
        ended = time.monotonic()
        self.last_look = ended, ended - begun

    def may_look_around(self) -> bool:
        """A program that makes and drops modules has ever new ones that are not found."""
        if self.last_look is None:
            return True
        ended, took = self.last_look
        return time.monotonic() - ended > took / LOOKING_SHARE

    def find(self, address: int) -> Any:
        reference = self.living.get(address)
        return reference() if reference is not None else None

    def __call__(self, addresses: Iterable[tuple[int, int, int]]) -> list[tuple[str, str] | None]:
        """Addresses of (the outermost module, the one around it or 0, the module) -> (name in the outermost one,
        class), or None if it is a part of the one around it. The outermost module's own name is empty, as in
        named_modules()."""
        wanted = list(addresses)
        is_missed = any(address not in self.living for row in wanted for address in row if address != 0)
        if is_missed and self.may_look_around():
            self.look_around()
        names: dict[int, dict[int, str]] = {}  # by root, then by module
        answers: list[tuple[str, str] | None] = []
        for root, around, module in wanted:
            try:
                if root not in names:
                    names[root] = names_in(self.find(root))
                answers.append(describe(self.find(module), self.find(around), names[root].get(module)))
            except Exception:  # of a module that answers in its own way; the others have their names
                answers.append(("", "?"))
        return answers


def names_in(root: Any) -> dict[int, str]:
    return {id(part): name for name, part in root.named_modules()} if root is not None else {}


def describe(module: Any, around: Any, name: str | None) -> tuple[str, str] | None:
    """As above; `name` is None for modules that the outermost one does not hold. A compiled region is one module that
    says so, whatever the compiler puts into it."""
    if module is None:
        return "", "?"
    original = _private.original_of(module)
    if _private.is_compiled_wrapper(module) and original is not None:
        return without_wrappers(name), f"{type(original).__qualname__} (compiled)"
    if around is not None and _private.original_of(around) is module:
        return None
    if around is not None and name is None and is_a(module, "torch.fx.graph_module", "GraphModule"):
        return None
    compiled = " (compiled)" if _private.has_compiled_call(module) else ""
    return without_wrappers(name), type(module).__qualname__ + compiled


def is_a(thing: Any, module: str, class_name: str) -> bool:
    """isinstance() without the import: what is not imported has no instances."""
    found = getattr(sys.modules.get(module), class_name, None)
    return found is not None and issubclass(type(thing), found)


def without_wrappers(name: str | None) -> str:
    """The name that the module would have if it were not compiled."""
    return ".".join(part for part in (name or "").split(".") if part != _private.ORIGINAL)


@functools.cache
def names_for(collector: ModuleType) -> ModuleNames:
    """One for all recordings, as the collector remembers modules from one to the next."""
    return ModuleNames(collector.watch_module, collector.instances_of)


class Namer:
    """Asks for names, and for source files, while training runs: at the end, the model may be gone, and a run that is
    killed has no end."""

    def __init__(self, collector: ModuleType, *, modules: bool, sources: Sources | None) -> None:
        self.collector = collector
        self.names = names_for(collector) if modules else None
        self.sources = sources
        # Held until the end. No threading.Event: Ctrl-C in its set() can leave that locked for ever.
        self.until_end = threading.Lock()
        self.until_end.acquire()
        self.thread = threading.Thread(target=self.run, name="skyline-names", daemon=True)

    def start(self) -> None:
        handled = sys.exc_info()[1]
        try:
            self.thread.start()
        except RuntimeError as error:
            # Ctrl-C that strikes in the middle of Python's own locks comes out as their complaint.
            interrupt = error.__context__
            if interrupt is not None and interrupt is not handled:
                raise interrupt from None
            cure = "allow more threads (ulimit -u) or record without with_stack"
            raise Error(f"no thread can be started to take names: {error}; {cure}") from None

    def run(self) -> None:
        pause = FIRST_LOOK_S
        while not self.until_end.acquire(timeout=pause):
            self.resolve()
            pause = min(2 * pause, LAST_LOOK_S)

    def resolve(self) -> None:
        try:
            self.collector.resolve(self.names)
            if self.sources is not None:
                self.sources.take(self.collector.files())
        except Exception as error:
            if is_users(error):
                raise
            say_once(f"some names or source files are missing in the trace: {sentence_of(error)}")

    def end(self) -> None:
        """Without waiting for it."""
        if self.until_end.locked():
            self.until_end.release()

    def stop(self) -> None:
        self.end()
        if self.thread.is_alive():
            self.thread.join()
        self.resolve()
