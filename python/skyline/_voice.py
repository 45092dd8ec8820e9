"""Says on standard error what is ours to say, whatever the script has made of sys.stderr."""

import os
import subprocess
import sys
from pathlib import Path

from . import _binary
from ._error import Error
from ._printable import printable


class Voice:
    """The standard error that the script was started with."""

    def __init__(self) -> None:
        try:
            self.fd = os.dup(2)
            self.file = self._identity(self.fd)
        except OSError:  # closed from the start: there is nobody to talk to
            self.fd = -1

    @staticmethod
    def _identity(fd: int) -> tuple[int, int]:
        about = os.fstat(fd)
        return about.st_dev, about.st_ino

    def _is_ours(self) -> bool:
        """Scripts that become daemons close all files; ours may be one of theirs by now."""
        try:
            return self.fd >= 0 and self._identity(self.fd) == self.file
        except OSError:
            return False

    def say(self, sentence: str) -> None:
        if not self._is_ours():
            return
        try:
            os.write(self.fd, f"skyline: {printable(sentence)}\n".encode())
        except OSError:  # a pipe that nobody reads any more
            pass

    def report(self, trace: Path) -> None:
        if not self._is_ours():
            return
        try:
            # On standard error: the script's own output may be read by a program.
            subprocess.run([_binary.find_binary(), "report", trace], stdout=self.fd, stderr=self.fd, check=False)
        except (Error, OSError, ValueError) as error:
            self.say(str(error))

    def forget_in_child(self) -> None:
        """A child that outlives the script must not keep its standard error open."""
        if self._is_ours():
            os.close(self.fd)
        self.fd = -1


def flush_output() -> None:
    """So that ours comes after the script's last word. Its files may be anything."""
    for file in (sys.stdout, sys.stderr):
        try:
            file.flush()
        except Exception:  # noqa: BLE001
            pass
