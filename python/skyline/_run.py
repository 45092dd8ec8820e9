"""Records an unchanged script: `skyline run [OPTIONS] script.py ARGS…` or `-m module ARGS…`.

The script runs as it would under `python`: same sys.argv, sys.path, __main__ and exit code. The recording is a bounded
window of steps, which opens once they have settled; it ends with the window or with the script, however that ends, and
the report follows the script's last word.
"""

import argparse
import atexit
import os
import runpy
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from . import _binary
from ._error import Error
from ._marks import Watcher
from ._profile import profile
from ._trouble import is_users, say, say_once, sentence_of

OWN_FILES = (__file__, runpy.__file__, str(Path(__file__).with_name("__main__.py")), "<frozen runpy>")


def count(word: str) -> int:
    if int(word) < 0:
        raise ValueError
    return int(word)


def seconds(word: str) -> float:
    if not 0 <= float(word) < threading.TIMEOUT_MAX:
        raise ValueError
    return float(word)


class Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Error(f"{message}; see skyline run --help")


def parser() -> argparse.ArgumentParser:
    options = Parser(
        prog="skyline run",
        usage="skyline run [OPTIONS] (script.py | -m MODULE) [ARGS…]",
        description="Runs a training script and records it; ends with the report.",
        allow_abbrev=False,
    )
    options.add_argument("-o", "--output", type=Path, metavar="FILE", help="the trace (default: SCRIPT.TIME.skyline)")
    options.add_argument("--steps", type=count, default=20, metavar="N", help="record so many steps at most")
    options.add_argument("--max-seconds", type=seconds, default=60, metavar="S", help="record so long at most")
    options.add_argument("--after-steps", type=count, metavar="N", help="begin after so many steps")
    options.add_argument("--after-seconds", type=seconds, default=0, metavar="S", help="begin so long after the start")
    for name, what in (("shapes", "input shapes"), ("stack", "Python stacks and modules"), ("memory", "allocations")):
        options.add_argument(
            f"--{name}", action=argparse.BooleanOptionalAction, default=True, help=f"record {what} (default: yes)"
        )
    options.add_argument("--report", action=argparse.BooleanOptionalAction, default=True, help="print the report")
    options.add_argument("-m", dest="module", action="store_true", help="run a module, as `python -m` does")
    options.add_argument("program", metavar="script.py", help="what to run")
    options.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="its arguments")
    return options


class Settling:
    """Decides when the loop has settled: its steps take about the same time, or it has gone on for long enough."""

    LEAST_STEPS, MOST_STEPS, MOST_S = 3, 10, 10.0
    ALIKE = 1.25  # the longest of the last steps by the shortest

    def __init__(self, after_steps: int | None, after_s: float, now_s: float) -> None:
        self.after_steps, self.after_s = after_steps, after_s
        self.begin_s = now_s
        self.ends_s: list[float] = []

    def step_ended(self, now_s: float) -> bool:
        """Whether the window may open with the next step."""
        self.ends_s.append(now_s)
        if now_s - self.begin_s < self.after_s:
            return False
        if self.after_steps is not None:
            return len(self.ends_s) >= self.after_steps
        return len(self.ends_s) >= self.LEAST_STEPS and self._is_steady()

    def _is_steady(self) -> bool:
        if len(self.ends_s) >= self.MOST_STEPS or self.ends_s[-1] - self.ends_s[0] > self.MOST_S:
            return True
        last = self.ends_s[-self.LEAST_STEPS :]
        durations = [end - start for start, end in zip(last, last[1:])]
        return max(durations) <= self.ALIKE * min(durations)


class Window:
    """The recorded part of the run: some steps, once they have settled. Until then the beginning is recorded, and kept
    if the script ends before that."""

    def __init__(self, options: argparse.Namespace) -> None:
        stem = options.program.rpartition(".")[2] if options.module else Path(options.program).stem
        path = options.output or Path(f"{stem}.{time.strftime('%Y%m%d-%H%M%S')}.skyline")
        path = path.absolute()  # the script may change its folder
        switches = {"record_shapes": options.shapes, "with_stack": options.stack, "profile_memory": options.memory}
        self.beginning = profile(path.with_name(f"{path.name.removesuffix('.skyline')}.start.skyline"), **switches)
        self.window = profile(path, **switches)
        # torch.profiler does not survive one recording being replaced by another inside a range, and hooks are called
        # inside one: where it records, there is no recording before the window, which opens at once unless told not to.
        through_torch = self.window.records_through_torch()
        asked_to_wait = bool(options.after_steps) or options.after_seconds > 0
        self.settles = asked_to_wait or (options.after_steps is None and not through_torch)
        self.has_beginning = self.settles and not through_torch
        self.recording: profile | None = None
        self.settling = Settling(options.after_steps, options.after_seconds, time.monotonic())
        self.watcher = Watcher(self._stepped)
        self.steps_left, self.length_s = options.steps, options.max_seconds
        self.steps = 0  # in the window
        self.wants_report = options.report
        self.lock = threading.RLock()
        self.owner = os.getpid()  # children leave the trace alone
        self.is_over = False
        self.timer: threading.Timer | None = None

    def open(self) -> None:
        with self.lock:
            self.watcher.start()
            if self.has_beginning:
                self._record(self.beginning)
            elif not self.settles:
                self._record(self.window)

    def _record(self, part: profile) -> None:
        self._stop()
        self.recording = part  # before it is so: Ctrl-C may come in between
        try:
            part.start()
        except Error as error:  # the script records by itself
            self.recording = None
            say_once(f"{error}; training goes on unrecorded")
            return
        self.watcher.begin_marking()
        if self.length_s > 0:
            self._end_in_time(self._stop if part is self.beginning else self.close)

    def _end_in_time(self, end: Callable[[], None]) -> None:
        self.timer = threading.Timer(self.length_s, end)
        self.timer.daemon = True
        try:
            self.timer.start()
        except RuntimeError as error:
            say_once(f"--max-seconds has no effect: {error}")

    def _stop(self) -> None:
        with self.lock:
            self.watcher.marking = False
            timer, self.timer = self.timer, None
            if timer is not None:
                timer.cancel()
            if self.recording is not None:
                self.recording.stop()
                self.recording = None  # only now: who is interrupted may stop again

    def _stepped(self, is_round_end: bool) -> None:
        if not is_round_end or self.is_over:
            return
        with self.lock:
            if self.is_over:
                return
            if self.settles and self.recording is not self.window:
                if self.settling.step_ended(time.monotonic()):
                    self._record(self.window)
                return
            self.steps += 1
            if self.steps == self.steps_left:
                self.close()

    def close(self) -> None:
        with self.lock:
            if not self.is_over:
                self.is_over = True
                self.watcher.stop()
            self._stop()

    def _finished_trace(self) -> Path | None:
        """The window's; the beginning's if the script has ended before a step of the window."""
        beginning, window = self.beginning.trace_path, self.window.trace_path
        if beginning is None or not beginning.exists():
            return window
        if window is not None and self.steps > 0:
            beginning.unlink()
            return window
        stem, _, ending = beginning.name.rpartition(".start.")
        return beginning.replace(beginning.with_name(f"{stem}.{ending}"))

    def forget_in_child(self) -> None:
        self.is_over, self.owner = True, 0
        self.watcher.marking = False

    def finish(self) -> None:
        """At the end of the interpreter, after the script's threads and its traceback."""
        if self.owner != os.getpid():
            return
        self.close()
        trace = self._finished_trace()
        if trace is None:
            say("skyline: nothing was recorded")
            return
        if sys.stdout is not None:
            sys.stdout.flush()
        say(f"skyline: the trace is {display(trace)}")
        if self.settles and self.steps == 0:
            say("skyline: it holds the script's start, as no steps have settled")
        if not self.wants_report or sys.stderr is None:
            return
        try:
            # On standard error: the script's own output may be read by a program.
            subprocess.run([_binary.find_binary(), "report", trace], stdout=sys.stderr.fileno(), check=False)
        except (Error, OSError, ValueError) as error:
            say(f"skyline: {error}")


def display(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except (OSError, ValueError):  # the folder is gone, or another
        return path


def hide_own_frames() -> None:
    """A script's traceback begins with the script."""
    usual = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        while traceback is not None and traceback.tb_frame.f_code.co_filename in OWN_FILES:
            traceback = traceback.tb_next
        usual(kind, error.with_traceback(traceback), traceback)

    sys.excepthook = hook


def watch(options: argparse.Namespace) -> None:
    """From here to the end of the interpreter."""
    try:
        window = Window(options)
        atexit.register(window.finish)
        os.register_at_fork(after_in_child=window.forget_in_child)
        window.open()
    except Exception as error:
        if is_users(error):
            raise
        say_once(f"{sentence_of(error)}; training goes on unrecorded")


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    if not options.module and not Path(options.program).exists():
        raise Error(f"there is no script {options.program}")
    try:
        import torch  # noqa: F401 (before the window, as its import is no training)
    except ImportError:
        raise Error(f"torch is not installed for {sys.executable}") from None
    hide_own_frames()
    sys.argv = [options.program, *options.arguments]
    # `python -m skyline` has put the current folder there.
    sys.path[0] = "" if options.module else str(Path(options.program).resolve().parent)
    watch(options)
    if options.module:
        runpy.run_module(options.program, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(options.program, run_name="__main__")
    return 0
