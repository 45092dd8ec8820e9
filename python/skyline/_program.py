"""Runs a script or a module as `python` does: with its __main__, sys.argv, sys.path, environment and tracebacks."""

import builtins
import os
import runpy
import sys
import zipfile
from collections.abc import MutableMapping
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType, TracebackType

PACKAGE = Path(__file__).resolve().parent
OWN_FILES = {str(Path(__file__).with_name(f"{name}.py")) for name in ("__main__", "_run", "_program")}
OWN_FILES |= {runpy.__file__, "<frozen runpy>"}


def hide_launcher(environment: MutableMapping[str, str], package: Path = PACKAGE) -> None:
    """Takes out of the environment what the program `skyline` has put there to start us: our folder before the user's
    PYTHONPATH, and itself. Who has set SKYLINE_BIN to another program keeps both."""
    folder = str(package.parent)
    program = Path(environment.get("SKYLINE_BIN", ""))
    homes = (package / "bin", package.parent.parent / "build")  # of an installed package and of a checkout
    first, _, rest = environment.get("PYTHONPATH", "").partition(os.pathsep)
    if first != folder or not any(program.is_relative_to(home) for home in homes):
        return
    del environment["SKYLINE_BIN"]
    if rest:
        environment["PYTHONPATH"] = rest
    else:
        del environment["PYTHONPATH"]


def hide_own_frames() -> None:
    """A script's traceback begins with the script."""
    usual = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        while traceback is not None and traceback.tb_frame.f_code.co_filename in OWN_FILES:
            traceback = traceback.tb_next
        usual(kind, error.with_traceback(traceback), traceback)

    sys.excepthook = hook


def set_first_path(folder: str) -> None:
    # `python -m skyline` has put the current folder there, unless it was told not to.
    if not sys.flags.safe_path:
        sys.path[0] = folder


def run_module(name: str, arguments: list[str]) -> None:
    set_first_path(os.getcwd())
    sys.argv = [name, *arguments]
    sys.modules["__main__"] = new_main()
    runpy._run_module_as_main(name)  # type: ignore[attr-defined] (what `python -m` calls)


def run_script(name: str, arguments: list[str]) -> None:
    set_first_path(str(Path(name).resolve().parent))
    sys.argv = [name, *arguments]
    if Path(name).is_dir() or zipfile.is_zipfile(name) or name.endswith(".pyc"):
        runpy.run_path(name, run_name="__main__")
        return
    path = os.path.join(os.getcwd(), name)
    code = compile(Path(path).read_bytes(), path, "exec", dont_inherit=True)
    main = sys.modules["__main__"] = new_main()
    main.__file__, main.__loader__ = path, SourceFileLoader("__main__", path)
    exec(code, main.__dict__)


def new_main() -> ModuleType:
    """With the names that this Python gives its __main__ before it runs anything."""
    ours, main = sys.modules["__main__"].__dict__, ModuleType("__main__")
    main.__dict__["__builtins__"] = builtins
    main.__package__ = None
    for name, value in (("__annotations__", {}), ("__cached__", None)):
        if name in ours:
            setattr(main, name, value)
    return main
