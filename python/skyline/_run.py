"""Records an unchanged script: `skyline run [OPTIONS] script.py ARGS…` or `-m module ARGS…`.

The script runs as it would under `python`: same sys.argv, sys.path, __main__ and exit code. The recording is a bounded
window; it ends with the window or with the script, however that ends, and the report follows the script's last word.
"""

import argparse
import atexit
import runpy
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType

from . import _binary
from ._error import Error
from ._profile import profile

OWN_FILES = (__file__, runpy.__file__, str(Path(__file__).with_name("__main__.py")), "<frozen runpy>")


def parser() -> argparse.ArgumentParser:
    options = argparse.ArgumentParser(
        prog="skyline run",
        usage="skyline run [OPTIONS] (script.py | -m MODULE) [ARGS…]",
        description="Runs a training script and records it; ends with the report.",
        allow_abbrev=False,
    )
    options.add_argument("-o", "--output", type=Path, metavar="FILE", help="the trace (default: SCRIPT.TIME.skyline)")
    options.add_argument(
        "--after-seconds",
        type=float,
        default=0,
        metavar="S",
        help="begin so long after the script's start (default: 0)",
    )
    options.add_argument(
        "--max-seconds", type=float, default=60, metavar="S", help="record so long at most, 0: to the end (default: 60)"
    )
    for name, what in (("shapes", "input shapes"), ("stack", "Python stacks and modules"), ("memory", "allocations")):
        options.add_argument(
            f"--{name}", action=argparse.BooleanOptionalAction, default=True, help=f"record {what} (default: yes)"
        )
    options.add_argument("--report", action=argparse.BooleanOptionalAction, default=True, help="print the report")
    options.add_argument("-m", dest="module", action="store_true", help="run a module, as `python -m` does")
    options.add_argument("program", metavar="script.py", help="what to run")
    options.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="its arguments")
    return options


class Window:
    """The recorded part of the run."""

    def __init__(self, options: argparse.Namespace) -> None:
        stem = options.program.rpartition(".")[2] if options.module else Path(options.program).stem
        path = options.output or Path(f"{stem}.{time.strftime('%Y%m%d-%H%M%S')}.skyline")
        self.profile = profile(
            path.absolute(),  # the script may change its folder
            record_shapes=options.shapes,
            with_stack=options.stack,
            profile_memory=options.memory,
        )
        self.after_s, self.length_s = options.after_seconds, options.max_seconds
        self.wants_report = options.report
        self.lock = threading.Lock()
        self.is_over = False
        self.timers: list[threading.Timer] = []

    def open(self) -> None:
        if self.after_s > 0:
            self._later(self.after_s, self._begin)
        else:
            self._begin()

    def _later(self, seconds: float, what: object) -> None:
        timer = threading.Timer(seconds, what)  # type: ignore[arg-type]
        timer.daemon = True
        timer.start()
        self.timers.append(timer)

    def _begin(self) -> None:
        with self.lock:
            if self.is_over:
                return
            self.profile.start()
            if self.length_s > 0:
                self._later(self.length_s, self.close)

    def close(self) -> None:
        with self.lock:
            if not self.is_over:
                self.is_over = True
                for timer in self.timers:
                    timer.cancel()
                self.profile.stop()

    def finish(self) -> None:
        """At the end of the interpreter, after the script's threads and its traceback."""
        self.close()
        trace = self.profile.trace_path
        if trace is None:
            print("skyline: nothing was recorded", file=sys.stderr)
            return
        sys.stdout.flush()
        print(f"skyline: the trace is {display(trace)}", file=sys.stderr, flush=True)
        if not self.wants_report:
            return
        try:
            # On standard error: the script's own output may be read by a program.
            subprocess.run([_binary.find_binary(), "report", trace], stdout=sys.stderr.fileno(), check=False)
        except (Error, OSError, ValueError) as error:
            print(f"skyline: {error}", file=sys.stderr)


def display(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def hide_own_frames() -> None:
    """A script's traceback begins with the script."""
    usual = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        while traceback is not None and traceback.tb_frame.f_code.co_filename in OWN_FILES:
            traceback = traceback.tb_next
        usual(kind, error.with_traceback(traceback), traceback)

    sys.excepthook = hook


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    if not options.module and not Path(options.program).exists():
        raise Error(f"there is no script {options.program}")
    try:
        import torch  # noqa: F401 (before the window, as its import is no training)
    except ImportError:
        raise Error(f"torch is not installed for {sys.executable}") from None
    window = Window(options)
    atexit.register(window.finish)
    hide_own_frames()
    sys.argv = [options.program, *options.arguments]
    # `python -m skyline` has put the current folder there.
    sys.path[0] = "" if options.module else str(Path(options.program).resolve().parent)
    window.open()
    if options.module:
        runpy.run_module(options.program, run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(options.program, run_name="__main__")
    return 0
