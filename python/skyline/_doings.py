"""Tells the session what the user's code does to files that are watched, and to its own parent.

The system tells of a change, never whose it was. Python's audit events (PEP 578) tell before a file is opened for
writing, renamed or removed; one message goes out for each, so that the session never sees the change first.
Forked processes inherit the hook. Programs that are started do not, and what C++ code opens is not seen; for those
the session has other ways.

What is sent is declared in protocol/worker.protocol.
"""

import json
import os
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

from . import _private
from ._worker_messages import Event, KillsParent, StartsPrograms, WritesFile, as_event

PATIENCE_S = 2.0  # with a session that does not take our messages; then it does without
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
STARTS_PYTHONS = ("multiprocessing.popen_spawn_posix", "multiprocessing.popen_forkserver")


class Doings:
    def __init__(self, control: int, project_root: str, endings: list[str]) -> None:
        self.control = socket.socket(fileno=control)
        self.control.settimeout(PATIENCE_S)
        self.root = os.path.join(os.path.realpath(project_root), "")
        self.endings = tuple(endings)
        self.parent = os.getppid()
        self.has_told_of_programs = False

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """For sys.addaudithook: called for everything, whatever happens here is not the user's trouble."""
        handler = HANDLERS.get(event)
        if handler is not None:
            try:
                handler(self, *arguments)
            except Exception:
                pass

    def send(self, event: Event) -> None:
        self.control.send(json.dumps(as_event(event)).encode())

    def opens(self, path: Any, _mode: Any, flags: int) -> None:
        if flags & WRITING and not isinstance(path, int):
            self.writes(os.path.realpath(os.fsdecode(path)))

    def renames(self, old: Any, new: Any, old_folder: int, new_folder: int) -> None:
        for path, folder in ((old, old_folder), (new, new_folder)):
            self.writes(place(path, folder), may_be_folder=True)

    def links(self, _old: Any, new: Any, *folders: int) -> None:
        self.writes(place(new, folders[-1]))

    def removes(self, path: Any, folder: int) -> None:
        self.writes(place(path, folder))

    def truncates(self, path: Any, _length: int) -> None:
        if not isinstance(path, int):
            self.writes(os.path.realpath(os.fsdecode(path)))

    def writes(self, path: str, may_be_folder: bool = False) -> None:
        is_watched = path.endswith(self.endings) or (may_be_folder and not os.path.splitext(path)[1])
        if is_watched and path.startswith(self.root):
            self.send(WritesFile(path))

    def starts_program(self, *_about: Any) -> None:
        if not self.has_told_of_programs:
            self.has_told_of_programs = True
            self.send(StartsPrograms())

    def imports(self, module: str, *_about: Any) -> None:
        if module in STARTS_PYTHONS:
            self.starts_program()

    def kills(self, pid: int, number: int) -> None:
        if pid == self.parent and number != 0:
            self.tell_of_kill(number)

    def kills_group(self, group: int, number: int) -> None:
        if number != 0 and group == os.getpgid(self.parent):
            self.tell_of_kill(number)

    def tell_of_kill(self, number: int) -> None:
        path, line = self.place_of_caller()
        self.send(KillsParent(signal.Signals(number).name, path, line))

    def place_of_caller(self) -> tuple[str, int]:
        """The user's innermost line."""
        frame = _private.frame_of_caller(0)
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(self.root) and "/site-packages/" not in path:
                return path, frame.f_lineno
            frame = frame.f_back
        return "", 0


HANDLERS: dict[str, Callable[..., None]] = {
    "open": Doings.opens,
    "os.rename": Doings.renames,
    "os.link": Doings.links,
    "os.symlink": Doings.links,
    "os.remove": Doings.removes,
    "os.truncate": Doings.truncates,
    "os.kill": Doings.kills,
    "os.killpg": Doings.kills_group,
    "import": Doings.imports,
    **dict.fromkeys(
        ("subprocess.Popen", "os.system", "os.posix_spawn", "os.exec", "os.spawn", "pty.spawn"), Doings.starts_program
    ),
}


def place(path: Any, folder: int) -> str:
    """Of a name in a folder, which may be named by a descriptor; a link is itself."""
    name = os.fsdecode(path)
    if folder >= 0 and not os.path.isabs(name):
        name = os.path.join(os.readlink(f"/proc/self/fd/{folder}"), name)
    parent, last = os.path.split(os.path.abspath(name))
    return os.path.join(os.path.realpath(parent), last)


def tell(control: int, project_root: str, endings: list[str]) -> None:
    """From now on, for ever: a hook cannot be taken away."""
    sys.addaudithook(Doings(control, project_root, endings).hear)
