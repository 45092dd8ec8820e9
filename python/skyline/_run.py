"""Records an unchanged script: `skyline run [OPTIONS] script.py ARGS…` or `-m module ARGS…`.

The script runs as it would under `python` (_program.py). Recording begins when it has imported torch. What is kept is a
bounded window of steps, which opens once they have settled; it ends with the window or with the script, however that
ends, and the report follows the script's last word.
"""

import argparse
import atexit
import importlib.util
import os
import sys
import threading
import time
from pathlib import Path
from typing import NoReturn

from . import _binary, _python_path
from ._children import Children
from ._error import Error
from ._imports import AfterImport
from ._program import hide_own_frames, run_module, run_script
from ._trace_place import TracePlace
from ._trouble import is_users, sentence_of
from ._voice import Voice, flush_output
from ._window import Window


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
    switches = {
        "shapes": "input shapes",
        "stack": "Python stacks and modules",
        "memory": "allocations",
        "samples": "what Python does between operators, also in DataLoader workers",
    }
    for name, what in switches.items():
        options.add_argument(
            f"--{name}", action=argparse.BooleanOptionalAction, default=True, help=f"record {what} (default: yes)"
        )
    options.add_argument("--direct", action="store_true", help="without torch's observers in between, where tried")
    options.add_argument("--report", action=argparse.BooleanOptionalAction, default=True, help="print the report")
    options.add_argument("-m", dest="module", action="store_true", help="run a module, as `python -m` does")
    options.add_argument("program", metavar="script.py", help="what to run")
    options.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="its arguments")
    return options


class Recording:
    """Waits for the script to import torch: what the script sets before that is for torch to find."""

    def __init__(self, options: argparse.Namespace, place: TracePlace, voice: Voice) -> None:
        self.options, self.place, self.voice = options, place, voice
        self.window: Window | None = None
        self.owner = os.getpid()  # children leave the trace alone
        self.begin_s = time.monotonic()
        self.children = Children()

    def torch_imported(self) -> None:
        if self.owner != os.getpid():
            return
        try:
            self.window = Window(self.options, self.place, self.voice, self.begin_s)
            self.window.open()
        except Exception as error:
            if is_users(error):
                raise
            self.voice.say(f"{sentence_of(error)}; training goes on unrecorded")

    def forget_in_child(self) -> None:
        self.owner = 0
        if self.window is not None:
            self.window.forget_in_child()
        self.voice.forget_in_child()

    def finish(self) -> None:
        """At the end of the interpreter, after the script's threads and its traceback."""
        if self.owner != os.getpid():
            return
        if self.window is not None:
            self.window.finish()
        else:
            flush_output()
            self.voice.say("nothing was recorded, as the script has not imported torch")
            self.children.tell(self.voice)


def find_binary_early() -> None:
    """While the environment still tells where it is; what is wrong with it the report will say."""
    try:
        _binary.find_binary()
    except Error:
        pass


def main(arguments: list[str]) -> int:
    options = parser().parse_args(arguments)
    if not options.module and not Path(options.program).exists():
        raise Error(f"there is no script {options.program}")
    if importlib.util.find_spec("torch") is None:
        raise Error(f"torch is not installed for {sys.executable}")
    stem = options.program.rpartition(".")[2] if options.module else Path(options.program).stem
    place = TracePlace(options.output, stem, os.environ)
    place.refuse_to_overwrite()
    recording = Recording(options, place, Voice())
    atexit.register(recording.finish)
    os.register_at_fork(after_in_child=recording.forget_in_child)
    find_binary_early()
    _python_path.put_back()
    hide_own_frames()
    AfterImport("torch", recording.torch_imported)
    run = run_module if options.module else run_script
    run(options.program, options.arguments)
    return 0
