"""Where the trace of an unchanged script's run goes."""

import itertools
import os
import time
from collections.abc import Mapping
from pathlib import Path

from ._error import Error

# Of the recorders: ours and torch.profiler's.
SUFFIXES = (".skyline", ".pt.trace.json")

# How their files begin: src/tracefile/layout.h, and Kineto's first key.
MAGIC, KINETO = b"\x89SKY\r\n\x1a\n", b'"schemaVersion"'


def rank_of(environment: Mapping[str, str]) -> str | None:
    """What tells this process from its like under torchrun; None if it is alone."""
    world = environment.get("WORLD_SIZE", "")
    if not world.isdecimal() or int(world) < 2:
        return None
    return environment.get("RANK") or f"-{os.getpid()}"


def before_suffix(path: Path, word: str) -> Path:
    return path.with_name(f"{path.name.removesuffix(path.suffix)}{word}{path.suffix}")


class TracePlace:
    """Chosen at the script's start, as the script may change its folder and its environment."""

    def __init__(self, output: Path | None, stem: str, environment: Mapping[str, str]) -> None:
        rank = rank_of(environment)
        self.is_ours_to_name = output is None
        path = (output or Path(f"{stem}.{time.strftime('%Y%m%d-%H%M%S')}.skyline")).absolute()
        self.path = path if rank is None else before_suffix(path, f".rank{rank}")
        self.owns_start = False  # the file of the start is ours to remove
        # One report is enough for the ranks of a machine.
        self.wants_report = rank is None or environment.get("LOCAL_RANK", "0") == "0"

    @property
    def start(self) -> Path:
        """Of the recording before the window."""
        return self.path.with_name(f"{self.path.name.removesuffix('.skyline')}.start.skyline")

    def refuse_to_overwrite(self) -> None:
        """A trace of an earlier run may be replaced, but nothing else."""
        if self.path.is_dir():
            raise Error(f"the trace cannot be written to {self.path}, which is a folder")
        if not self.path.is_file():
            return
        try:
            with self.path.open("rb") as file:
                head = file.read(64)
        except OSError as error:
            raise Error(f"the trace cannot be written to {self.path}: {error.strerror}") from None
        if head and not head.startswith(MAGIC) and KINETO not in head:
            raise Error(f"{self.path} is there already and is no trace; name another file with -o, or remove it")

    def claim(self) -> None:
        """Finds a name that no other process has, not even one that started in the same second.

        Who makes the file of the start has the name. It stays until the window's file is there, so one of the two
        always keeps others off.
        """
        if not self.is_ours_to_name:
            return
        wanted = self.path
        for number in itertools.count(2):
            try:
                os.close(os.open(self.start, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
                self.owns_start = True
                if not self._has_trace():
                    return
                self.release()
            except FileExistsError:
                pass
            except OSError:  # the recording will say what is wrong with the folder
                return
            self.path = before_suffix(wanted, f"-{number}")

    def release(self) -> None:
        if self.owns_start:
            self.owns_start = False
            self.start.unlink(missing_ok=True)

    def _has_trace(self) -> bool:
        stem = self.path.name.removesuffix(".skyline")
        return any(self.path.with_name(stem + suffix).exists() for suffix in SUFFIXES)
