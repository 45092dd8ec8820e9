"""The project's source files for the trace, so that a line can be shown as it was when it ran."""

import functools
import hashlib
import linecache
import os
import stat
import sysconfig
from collections.abc import Callable, Iterable
from pathlib import Path

MAX_FILE_BYTES = 1 << 20
MAX_TOTAL_BYTES = 32 << 20
GENERATED = "/torchinductor_"  # in the name of the folder where torch.compile keeps what it has generated


@functools.cache
def foreign_folders() -> tuple[str, ...]:
    """Where code lies that is not the user's: Python's own, installed packages, torch, ourselves."""
    import site

    import torch

    folders = [sysconfig.get_paths()[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")]
    folders += [*site.getsitepackages(), site.getusersitepackages()]
    folders += [os.path.dirname(torch.__file__), os.path.dirname(__file__)]
    return tuple({os.path.join(os.path.realpath(folder), "") for folder in folders})


def is_pythons(path: str) -> bool:
    """By its name, wherever links lead: Debian's sitecustomize.py lies in /etc. Installed packages are not meant, as
    a link among them may lead to the user's code."""
    paths = sysconfig.get_paths()
    place = os.path.abspath(path)
    if "/site-packages/" in place or "/dist-packages/" in place:
        return False
    return place.startswith(tuple(os.path.join(paths[key], "") for key in ("stdlib", "platstdlib")))


@functools.lru_cache(maxsize=4096)
def is_users(path: str, root: str) -> bool:
    """Whether a code object's file name is a file of the user's project: one below `root`, or, where that is not known,
    any that is not installed. Remembered, as links are costly to follow and the next recording meets the same files."""
    if path.startswith("<") or GENERATED in path or is_pythons(path):
        return False
    place = os.path.realpath(path)
    return not place.startswith(foreign_folders()) and place.startswith(root)


def read_source(path: str) -> bytes | None:
    """The file's bytes, empty if it is too large or no plain file, which may never end; None if there is no such file.
    Cells of notebooks have no file but are known to linecache."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MAX_FILE_BYTES:
            return b""
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return "".join(linecache.getlines(path)).encode(errors="replace") or None


def current_folder() -> str:
    """Nowhere if it was deleted: then relative names are those of files that are gone."""
    try:
        return os.getcwd()
    except OSError:
        return "/nowhere"


class Sources:
    """Hands each file of a recording to `add` once, as (path as the code names it, hash, bytes), when it is first met.

    Files beyond the limits are named without their text."""

    def __init__(self, add: Callable[[str, str, bytes], None], root: str = "") -> None:
        self.add = add
        self.root = os.path.join(os.path.realpath(root), "") if root else ""
        self.met: set[str] = set()
        self.folder = current_folder()  # for relative names; the program may go elsewhere
        self.total_bytes = 0

    def take(self, paths: Iterable[str]) -> None:
        for path in paths:
            if path in self.met:
                continue
            self.met.add(path)
            place = os.path.join(self.folder, path)
            text = read_source(place) if is_users(place, self.root) else None
            if text is None:
                continue
            digest = f"sha256:{hashlib.sha256(text).hexdigest()}" if text else ""
            if self.total_bytes + len(text) > MAX_TOTAL_BYTES:
                text = b""
            self.total_bytes += len(text)
            self.add(path, digest, text)
