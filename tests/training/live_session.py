"""Drives `skyline interactive` as a user does: writes files, reads what is printed after each save."""

import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

ENTRY_POINT = "entry_point.py"
BLOCK = re.compile(r"^\S+ · save (\d+) · .*?\nsave \1 is done\n", re.DOTALL | re.MULTILINE)

GOOD = """\
import torch
from torch import nn


def skyline_model_provider():
    return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))


def skyline_input_provider(batch_size=32):
    return (torch.randn(batch_size, 16),)


def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def iteration(x):
        optimizer.zero_grad()
        model(x).sum().backward()
        optimizer.step()

    return iteration
"""


# Three blocks of 24 MiB live at once: as soon as they are free glibc gives them back. Pages of 2 MiB would hide it.
WASTEFUL = """\
import ctypes
import torch

PR_SET_THP_DISABLE = 41
ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)

def skyline_model_provider():
    return torch.nn.Linear(2, 2)

def skyline_input_provider(batch_size=8):
    return (torch.zeros(batch_size, 2),)

def skyline_iteration_provider(model):
    def iteration(inputs):
        blocks = [torch.ones(6 << 20) for _ in range(3)]
        model(inputs).sum().backward()
    return iteration
"""


def replaced(old: str, new: str, text: str = GOOD) -> str:
    """The good program with one thing changed."""
    assert text.count(old) == 1
    return text.replace(old, new)


def has_ended(pid: int, patience_s: float = 240.0) -> bool:
    """Whether a process is gone, or goes soon."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        try:
            if "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


class LiveSession:
    """One running `skyline interactive`; every profile prints one block when it is over."""

    def __init__(self, binary: Path, folder: Path, environment: dict[str, str], *options: str) -> None:
        self.folder = folder
        self.text = ""
        self.save = 0
        command = [str(binary), "interactive", str(folder / ENTRY_POINT), "--budget", "1", "--no-open", *options]
        self.process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=folder.parent
        )

    def write(self, text: str | bytes, name: str = ENTRY_POINT) -> None:
        """Saves as editors do: the new file takes the old one's place in one step."""
        data = text.encode() if isinstance(text, str) else text
        (self.folder / f".{name}.part").write_bytes(data)
        os.replace(self.folder / f".{name}.part", self.folder / name)

    def block_of(self, wanted: Callable[[str], bool], timeout: float = 240.0) -> str:
        """The next block for which `wanted` holds; earlier ones are forgotten."""
        until = time.monotonic() + timeout
        while True:
            begin = 0
            for block in re.finditer(
                r"^\S+ · save (\d+) · .*?\nsave \1 is done\n", self.text, re.DOTALL | re.MULTILINE
            ):
                begin = block.end()
                if wanted(block[0]):
                    self.text = self.text[begin:]
                    return block[0]
            self.text = self.text[begin:]
            self.read_more(until)

    def read_more(self, until: float) -> None:
        assert self.process.stdout is not None
        left = until - time.monotonic()
        readable, _, _ = select.select([self.process.stdout], [], [], max(left, 0))
        chunk = os.read(self.process.stdout.fileno(), 1 << 16) if readable else b""
        if not chunk:
            raise AssertionError(f"no such block; exit code {self.process.poll()}; seen:\n{self.text}")
        self.text += chunk.decode(errors="replace")

    def good_result(self) -> str:
        return self.block_of(lambda block: "samples/s" in block and "Below is what" not in block)

    def error(self, wanted: str) -> str:
        """The block that tells of the trouble."""
        return self.block_of(lambda block: wanted in block)

    def end(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=240)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
