"""Records an unchanged script: `skyline run [OPTIONS] script.py ARGS…` or `-m module ARGS…`.

The script runs as it would under `python`: same sys.argv, sys.path, __main__ and exit code. The recording is a bounded
window of steps, which opens once they have settled; it ends with the window or with the script, however that ends, and
the report follows the script's last word.
"""

import argparse
import atexit
import os
import runpy
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from ._error import Error
from ._trace_place import TracePlace
from ._voice import Voice
from ._window import Window

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
    stem = options.program.rpartition(".")[2] if options.module else Path(options.program).stem
    window = Window(options, TracePlace(options.output, stem, os.environ), Voice())
    atexit.register(window.finish)
    os.register_at_fork(after_in_child=window.forget_in_child)
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
