"""Finds and asks the `skyline` program, which does all reading and reckoning."""

import functools
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ._error import Error

HERE = Path(__file__).resolve().parent

# The program that has started this Python through _start.py.
started_by: str | None = None


@functools.cache
def find_binary() -> Path:
    """SKYLINE_BIN, else who has started us, else the package's own, the checkout's launcher, or the one in PATH."""
    chosen = os.environ.get("SKYLINE_BIN")
    if chosen:
        if not os.access(chosen, os.X_OK):
            raise Error(f"SKYLINE_BIN names {chosen}, which is not a program")
        return Path(chosen)
    if started_by is not None:
        return Path(started_by)
    for path in (HERE / "bin/skyline", HERE.parent.parent / "skyline"):
        if path.is_file() and os.access(path, os.X_OK):
            return path
    in_path = shutil.which("skyline")
    if in_path is None:
        raise Error("the program `skyline` is not found; install the package again or set SKYLINE_BIN to it")
    return Path(in_path)


def ask(*arguments: str | os.PathLike[str]) -> str:
    """The standard output of `skyline ARGUMENTS`; Error with its sentence when it fails."""
    command = [str(find_binary()), *(os.fspath(argument) for argument in arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        sentences = done.stderr.strip().splitlines()
        said = sentences[-1] if sentences else f"ended with {done.returncode}"
        raise Error(said.removeprefix("skyline: "))
    return done.stdout


def ask_json(*arguments: str | os.PathLike[str]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(ask(*arguments, "--format", "json"))
    return answer
