"""Drives `skyline interactive` from outside: saves a file and hears when what is known. And the same user code in the
two kinds of process that a session may use: a copy of the zygote, or a fresh one."""

import json
import os
import select
import shutil
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 300
Line = dict[str, Any]


def environment(binary: Path) -> dict[str, str]:
    """One cache for all benches, unless another is set: the collector is compiled once."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or ROOT / "build/bench-data/cache")
    cache.mkdir(parents=True, exist_ok=True)
    own = {"PYTHONPATH": str(ROOT / "python"), "SKYLINE_BIN": str(binary.resolve()), "XDG_CACHE_HOME": str(cache)}
    return os.environ | own


class Project:
    """A copy of an entry point's folder, in which files may be saved."""

    def __init__(self, original: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="skyline-bench-"))
        shutil.copytree(original, self.folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        self.entry_point = self.folder / "entry_point.py"

    def save(self) -> int:
        """When it was saved, in nanoseconds of the clock that all processes share."""
        with self.entry_point.open("a") as file:
            file.write("# saved\n")
            now = time.monotonic_ns()
        return now  # the file is closed, and so written, after the clock was read

    def remove(self) -> None:
        shutil.rmtree(self.folder)


@dataclass(frozen=True)
class Round:
    """One profile: when its file was saved and all that the session said."""

    saved_ns: int
    lines: list[Line]

    def first(self, phase: str = "", known: str = "") -> Line:
        """The first line of a phase, or the first by which something was known."""
        for line in self.lines:
            if line["phase"] == phase or known in line.get("known", ()):
                return line
        raise SystemExit(f"the session never came to '{phase or known}': {self.lines[-1]}")

    def over_iterations_s(self, known: str) -> float:
        """From the save until something was known, less the iterations that ran meanwhile."""
        line = self.first(known=known)
        return (line["now_ns"] - self.saved_ns - line["spent_ns"]) / 1e9

    def breakdown_s(self) -> float:
        """What both breakdowns cost: recording an iteration more and reckoning, and what recording adds to the first
        two iterations, which would have run anyway."""
        recording, done = self.first(phase="recording"), self.first(known="time")
        begin, end = self.first(phase="first iterations"), self.first(phase="warming up")
        first_ns = end["now_ns"] - begin["now_ns"] - sum(done["warm_up_ns"][:2])
        return (done["now_ns"] - recording["now_ns"] + first_ns) / 1e9

    def iteration_s(self) -> float:
        return float(self.first(known="time")["median_ns"]) / 1e9


class LiveSession:
    def __init__(self, binary: Path, python: Path, project: Project, budget_s: int) -> None:
        self.project = project
        command = [binary, "interactive", project.entry_point, "--python", python, f"--budget={budget_s}"]
        self.process = subprocess.Popen(
            command,
            env=environment(binary) | {"SKYLINE_TIMINGS": "1"},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        self.unread = b""
        self.saves = 1
        self.hear_until_idle()

    def save(self) -> Round:
        """Saves, and listens until the profile is complete."""
        self.saves += 1
        saved_ns = self.project.save()
        return Round(saved_ns, self.hear_until_idle())

    def hear_until_idle(self) -> list[Line]:
        lines: list[Line] = []
        while not lines or lines[-1]["phase"] != "idle":
            line = self.hear()
            if line.get("trouble"):
                raise SystemExit(f"the session is in trouble: {line['trouble']}")
            if line["save"] == self.saves:
                lines.append(line)
        return lines

    def hear(self) -> Line:
        while True:
            text, newline, rest = self.unread.partition(b"\n")
            if newline:
                self.unread = rest
                if text.startswith(b"{"):
                    return json.loads(text)
                continue
            assert self.process.stderr is not None
            ready, _, _ = select.select([self.process.stderr], [], [], PATIENCE_S)
            more = os.read(self.process.stderr.fileno(), 1 << 16) if ready else b""
            if not more:
                raise SystemExit(f"the session ended or says nothing any more; its last words: {self.unread.decode()}")
            self.unread += more

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=30)


class Starter:
    """Runs a project's first iteration in a new process, either way."""

    def __init__(self, binary: Path, python: Path, project: Project) -> None:
        self.python, self.project, self.environment = python, project, environment(binary)
        self.zygote, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.zygote.settimeout(PATIENCE_S)
        command = [python, "-m", "skyline._zygote", str(theirs.fileno())]
        self.process = subprocess.Popen(command, env=self.environment, pass_fds=[theirs.fileno()])
        theirs.close()
        self.hear("ready")
        self.number = 0

    def hear(self, wanted: str) -> None:
        while wanted not in json.loads(self.zygote.recv(1 << 20) or b'{"": "it has ended"}'):
            pass

    def in_copy(self) -> float:
        began = time.perf_counter()
        ours, theirs = socket.socketpair()
        self.number += 1
        message = {"do": "start_task", "number": self.number, "task": "skyline.worker:main"}
        with tempfile.TemporaryFile() as output, theirs:
            files = [output.fileno(), output.fileno(), theirs.fileno(), output.fileno()]
            socket.send_fds(self.zygote, [json.dumps(message).encode()], files)
        with ours:
            self.iterate(ours)
            seconds = time.perf_counter() - began
        self.hear("ended")
        return seconds

    def in_fresh_process(self) -> float:
        began = time.perf_counter()
        ours, theirs = socket.socketpair()
        with tempfile.TemporaryFile() as output, theirs:
            files = [theirs.fileno(), output.fileno()]
            command = [self.python, "-m", "skyline.worker", *map(str, files)]
            process = subprocess.Popen(command, env=self.environment, pass_fds=files, stdout=output, stderr=output)
        with ours:
            self.iterate(ours)
            seconds = time.perf_counter() - began
        process.wait(timeout=PATIENCE_S)
        return seconds

    def iterate(self, control: socket.socket) -> None:
        """As a session does: recorded from the first line on."""
        control.settimeout(PATIENCE_S)
        load = {"do": "load", "entry_point": str(self.project.entry_point), "project_root": str(self.project.folder)}
        load["recording"] = str(self.project.folder.with_suffix(".recording"))
        iterate = {"do": "iterate", "batch_size": 32, "count": 1, "limit_ns": 10**12}
        with control.makefile("rw", encoding="utf-8") as stream:
            for command in (load, iterate):
                stream.write(json.dumps(command) + "\n")
                stream.flush()
                answer = json.loads(stream.readline() or '{"error": "it has ended"}')
                if "error" in answer:
                    raise SystemExit(f"the entry point does not run: {answer['error']}")

    def end(self) -> None:
        self.zygote.close()
        self.process.wait(timeout=30)
        for left in self.project.folder.parent.glob(f"{self.project.folder.name}.*"):
            shutil.rmtree(left) if left.is_dir() else left.unlink()
