"""Starts what prepares and tests, and adds up how much processor time each part of a run has used."""

import os
import subprocess
import threading
from collections import Counter
from typing import Any

spent_s: Counter[str] = Counter()  # what it was for -> processor time of its processes that have ended
lock = threading.Lock()


def run(purpose: str, command: list[Any], patience_s: float | None = None, **settings: Any) -> int | None:
    """The exit code, or nothing if the command had to be ended after `patience_s`."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **settings)
    is_late = threading.Event()

    def end() -> None:
        is_late.set()
        process.kill()

    timer = threading.Timer(patience_s or threading.TIMEOUT_MAX, end)
    timer.daemon = True
    timer.start()
    try:
        _, status, used = os.wait4(process.pid, 0)
    finally:
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    with lock:
        spent_s[purpose] += used.ru_utime + used.ru_stime
    return None if is_late.is_set() else process.returncode
