"""A Python that has imported torch and waits to be copied: each task is a fork of it, ready in milliseconds.

    _start.py … skyline._zygote:main FD   FD: a SOCK_SEQPACKET socket to whoever started us; messages are JSON

What it is told and what it sends is declared in protocol/worker.protocol.

A fork inherits no threads, so whatever has started one, or has run an operator on several, would hang a copy of us: we
run no operator, never touch a device, and look after each import whether it kept to that. The first two descriptors
are the task's standard output and error; the others are open in it, and their numbers are its first arguments. A task
has a session of its own and dies with us. A keeper (_keeper.py) stands above us, so that whatever tasks have started
dies with us as well.
"""

import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import _keeper, _private, _processes, _worker_messages
from ._worker_messages import (
    Event,
    TaskEnded,
    TaskStarted,
    ZygoteGone,
    ZygoteImporting,
    ZygoteReady,
    ZygoteTainted,
    as_event,
)

MESSAGE_BYTES = 1 << 20
MAX_DESCRIPTORS = 8
TAINTED = 3  # exit code


class Tainted(Exception):
    def __init__(self, module: str, why: str) -> None:
        super().__init__(why)
        self.module, self.why = module, why


@dataclass
class Zygote:
    control: socket.socket
    selector: selectors.DefaultSelector = field(default_factory=selectors.DefaultSelector)
    tasks: dict[int, int] = field(default_factory=dict)  # process by number of the task

    def run(self, preload: list[str]) -> int:
        try:
            preload_modules(preload, lambda name: self.send(ZygoteImporting(name)))
        except Tainted as taint:
            self.send(ZygoteTainted(taint.module, taint.why))
            return TAINTED
        gc.collect()
        gc.freeze()  # a collection in a copy would touch, and so copy, every page
        _processes.adopt_orphans()
        self.selector.register(self.control, selectors.EVENT_READ, self.receive)
        torch_version = str(sys.modules["torch"].__version__) if "torch" in sys.modules else ""
        self.send(ZygoteReady(sys.version.split()[0], torch_version))
        while True:
            for key, _ in self.selector.select():
                key.data()

    def send(self, event: Event) -> None:
        try:
            self.control.send(encoded(event))
        except OSError:
            self.end()

    def receive(self) -> None:
        try:
            data, descriptors, _, _ = socket.recv_fds(self.control, MESSAGE_BYTES, MAX_DESCRIPTORS)
        except OSError:
            data, descriptors = b"", []
        if not data:
            return self.end()
        call = json.loads(data)
        CALLS[call.pop("do")](self, descriptors, **call)
        for descriptor in descriptors:
            os.close(descriptor)

    def start_task(
        self, descriptors: list[int], number: int, task: str, arguments: str = "{}", threads: int = 0
    ) -> None:
        zygote, pid = os.getpid(), os.fork()
        if pid == 0:
            become_task(zygote, self.control, task, json.loads(arguments), threads, descriptors)
        self.tasks[number] = pid
        watch = os.pidfd_open(pid)
        self.selector.register(watch, selectors.EVENT_READ, lambda: self.bury(number, watch))
        self.send(TaskStarted(number, pid))

    def stop_task(self, _descriptors: list[int], number: int) -> None:
        if number in self.tasks:
            _processes.kill_tree(self.tasks[number])

    def bury(self, number: int, watch: int) -> None:
        self.selector.unregister(watch)
        os.close(watch)
        pid = self.tasks.pop(number)
        _, status = os.waitpid(pid, 0)
        # What the task has left behind has come to us: we start nothing but tasks.
        _processes.end_children(but=set(self.tasks.values()))
        code = os.waitstatus_to_exitcode(status)
        self.send(TaskEnded(number, code) if code >= 0 else TaskEnded(number, signal=signal.Signals(-code).name))

    def end(self) -> None:
        """Nobody listens any more."""
        for pid in self.tasks.values():
            _processes.kill_tree(pid)
        os._exit(0)  # taking torch apart would take seconds


CALLS: dict[str, Callable[..., None]] = {name: getattr(Zygote, name) for name in _worker_messages.CALLS}


def encoded(event: Event) -> bytes:
    return json.dumps(as_event(event)).encode()


def task_count() -> int:
    return len(os.listdir("/proc/self/task"))


def preload_modules(names: list[str], tell: Callable[[str], None]) -> None:
    """Imports what tasks will want. A module that is not there is the task's business."""
    importlib.import_module("torch")
    try:
        importlib.import_module(_private.COMPILER)
    except Exception:  # a private name; each task imports what it needs
        pass
    from . import worker

    worker.prepare()
    if not can_count_operators():
        return
    before = task_count()
    for name in names:
        tell(name)
        operators = import_and_count(name)
        if operators > 0:
            raise Tainted(name, f"its import runs {operators} operators")
        if task_count() > before:
            raise Tainted(name, "its import starts a thread")


def can_count_operators() -> bool:
    """Where torch has none of what that takes, only tasks import strangers."""
    try:
        return import_and_count("sys") == 0
    except Exception:
        return False


def import_and_count(name: str) -> int:
    """How many operators the import of a module runs."""

    class Counter(_private.dispatch_mode()):  # type: ignore[misc]
        count = 0

        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            self.count += 1
            return function(*args, **(kwargs or {}))

    with Counter() as counter:
        try:
            importlib.import_module(name)
        except Exception:  # whatever a stranger's import does
            pass
    return int(counter.count)


def become_task(
    zygote: int, control: socket.socket, name: str, arguments: dict[str, Any], threads: int, descriptors: list[int]
) -> None:
    """In the copy; never returns."""
    code = 1
    try:
        os.setsid()
        _processes.die_with_parent(zygote)
        _processes.adopt_orphans()
        Path("/proc/self/oom_score_adj").write_text("1000")  # if memory runs out, it is us and not the user's editor
        control.close()
        outputs, others = descriptors[:2], descriptors[2:]
        for standard, output in zip((1, 2), outputs, strict=True):
            os.dup2(output, standard)
            os.close(output)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        if "torch" in sys.modules and threads:
            sys.modules["torch"].set_num_threads(threads)
        module, _, function = name.partition(":")
        task = getattr(importlib.import_module(module), function)
        code = task(*others, **arguments) or 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else int(ending.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except (OSError, ValueError):
                pass
        os._exit(code & 0xFF)  # the zygote's own endings are not the copy's


def main(arguments: list[str]) -> int:
    control = socket.socket(fileno=int(arguments[0]))
    control.set_inheritable(False)
    end = _keeper.keep(control.fileno())
    if end is not None:
        gone = ZygoteGone(signal=end.signal) if end.signal else ZygoteGone(end.code)
        try:
            control.send(encoded(gone))
        except OSError:
            pass  # nobody listens any more
        return _keeper.end_likewise(end)
    return Zygote(control).run(arguments[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
