"""Parts of PYTHONPATH that are empty or relative mean the current folder, which may be a stranger's while it is we who
import. The program takes them out (src/cli/setup/python.cpp) and says in SKYLINE_PYTHONPATH what was there."""

import os
import sys

WHOLE = "SKYLINE_PYTHONPATH"


def put_back() -> None:
    """Before the user's own code runs: environment and sys.path become as if Python had been started with all parts."""
    whole = os.environ.pop(WHOLE, None)
    if whole is None:
        return
    kept = {os.path.abspath(part) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part}
    os.environ["PYTHONPATH"] = whole
    folders = [os.path.abspath(part) for part in whole.split(os.pathsep)]
    others = [folder for folder in sys.path if folder not in kept]
    sys.path[:] = dict.fromkeys(folders + others)
