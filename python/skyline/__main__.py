"""`python -m skyline run|init|doctor`; every other command is the program's own."""

import os
import sys

from . import _binary, _environment, _init, _run
from ._error import Error


def main(arguments: list[str]) -> int:
    try:
        # Another interpreter is the program's to start.
        if arguments[1:2] == ["--python"] and arguments[0] in ("run", "init", "doctor"):
            pass
        elif arguments[:1] == ["run"]:
            return _run.main(arguments[1:])
        elif arguments[:1] == ["init"]:
            return _init.main(arguments[1:])
        elif arguments[:1] == ["doctor"]:
            return _environment.doctor()
        binary = str(_binary.find_binary())
    except Error as error:
        print(f"skyline: {error}", file=sys.stderr)
        return 2
    os.execv(binary, [binary, *arguments])


def console() -> None:
    """The command `skyline` of an installed package."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    console()
