"""`python -m skyline run|init|doctor`; every other command is the program's own."""

import os
import sys
from collections.abc import Callable

from . import _binary, _environment, _init, _run
from ._error import Error
from ._printable import printable

COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "run": _run.main,
    "init": _init.main,
    "doctor": lambda _arguments: _environment.doctor(),
}


def main(arguments: list[str]) -> int:
    command = COMMANDS.get(arguments[0]) if arguments else None
    try:
        # Another interpreter is the program's to start.
        if command is not None and arguments[1:2] != ["--python"]:
            return command(arguments[1:])
        binary = str(_binary.find_binary())
    except Error as error:
        print(f"skyline: {printable(error)}", file=sys.stderr)
        return 2
    os.execv(binary, [binary, *arguments])


def console() -> None:
    """The command `skyline` of an installed package."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    console()
