"""Runs a command on chosen cores and says how long it took and how much memory it held at most."""

import ctypes
import os
import platform
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

PR_SET_CHILD_SUBREAPER = 36  # linux/prctl.h


@dataclass(frozen=True)
class Contender:
    """A command to be timed, the cores it may use, and what to set in its environment."""

    name: str
    command: list[str]
    cores: tuple[int, ...]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass
class Measured:
    """All rounds of one contender."""

    seconds: list[float] = field(default_factory=list)
    peak_bytes: int = 0
    output: str = ""

    @property
    def best(self) -> float:
        return min(self.seconds)

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


class CommandFailed(Exception):
    """A contender cannot be installed or does not end well; its text is for the reader."""


def cores(count: int) -> tuple[int, ...]:
    """The first cores that this process may use."""
    return tuple(sorted(os.sched_getaffinity(0))[:count])


def run_once(contender: Contender, measured: Measured) -> None:
    environment = {**os.environ, "SKYLINE_THREADS": str(len(contender.cores)), **contender.environment}
    pinned = ["taskset", "-c", ",".join(map(str, contender.cores)), *contender.command]
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        started = time.perf_counter()
        pid = start_orphan(pinned, output, errors, environment)
        _, status, usage = os.wait4(pid, 0)
        seconds = time.perf_counter() - started
        output.seek(0)
        errors.seek(0)
        measured.output = output.read().decode(errors="replace")
        code = os.waitstatus_to_exitcode(status)
        if code:
            message = errors.read().decode(errors="replace").strip().splitlines()[-1:] or ["no message"]
            raise CommandFailed(f"{contender.name} ended with code {code}: {message[0]:.200}")
    measured.seconds.append(seconds)
    measured.peak_bytes = max(measured.peak_bytes, usage.ru_maxrss * 1024)


def start_orphan(command: list[str], output: IO, errors: IO, environment: dict[str, str]) -> int:
    """Starts the command from a shell that ends at once, and adopts it.

    The kernel counts a process's peak memory from the fork on, so a child of this script would never show less
    than the script itself holds, some 20 MB. A child of a shell starts at one.
    """
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.NamedTemporaryFile() as pid_file:
        shell = ["sh", "-c", '"$@" & echo $! >"$0"', pid_file.name, *command]
        subprocess.run(shell, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=environment, check=True)
        return int(pid_file.read())


def interleaved(contenders: list[Contender], rounds: int, say=print) -> dict[str, Measured]:
    """Every round runs every contender once, so that a busy minute of the machine hits all of them."""
    results = {contender.name: Measured() for contender in contenders}
    for number in range(rounds):
        for contender in contenders:
            run_once(contender, results[contender.name])
            say(f"round {number + 1}/{rounds}  {contender.name}: {results[contender.name].seconds[-1]:.2f} s")
    return results


def machine() -> str:
    """One line that tells a reader what the figures were measured on."""
    cpu = next(
        (line.split(":")[1].strip() for line in read_lines("/proc/cpuinfo") if line.startswith("model name")),
        platform.processor() or platform.machine(),
    )
    kilobytes = next((int(line.split()[1]) for line in read_lines("/proc/meminfo") if line.startswith("MemTotal")), 0)
    date = datetime.now(UTC).date().isoformat()
    memory = f"{kilobytes / 1024**2:.0f} GiB memory"
    return f"{cpu}, {len(os.sched_getaffinity(0))} cores, {memory}, Linux {platform.release()}, {date}"


def read_lines(path: str) -> list[str]:
    return Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
