"""Runs a script or a module as `python` does: with its __main__, sys.argv, sys.path, environment and tracebacks."""

import builtins
import os
import runpy
import sys
import zipfile
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType, TracebackType

from . import _binary, _private

OWN_FILES = {
    str(Path(__file__).with_name(f"{name}.py")) for name in ("__main__", "_run", "_program", "_private", "_start")
}
OWN_FILES |= {runpy.__file__, "<frozen runpy>"}


def hide_own_frames() -> None:
    """A script's traceback begins with the script."""
    usual = sys.excepthook

    def hook(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        while traceback is not None and traceback.tb_frame.f_code.co_filename in OWN_FILES:
            traceback = traceback.tb_next
        usual(kind, error.with_traceback(traceback), traceback)

    sys.excepthook = hook


def set_first_path(folder: str) -> None:
    if sys.flags.safe_path:
        return
    if _binary.started_by is None:  # `python -m skyline` has put the current folder there
        del sys.path[0]
    sys.path.insert(0, folder)


def run_module(name: str, arguments: list[str]) -> None:
    set_first_path(os.getcwd())
    sys.argv = [name, *arguments]
    sys.modules["__main__"] = new_main()
    _private.run_as_main(name)


def run_script(name: str, arguments: list[str]) -> None:
    set_first_path(str(Path(name).resolve().parent))
    sys.argv = [name, *arguments]
    if Path(name).is_dir() or zipfile.is_zipfile(name) or name.endswith(".pyc"):
        runpy.run_path(name, run_name="__main__")
        return
    path = os.path.join(os.getcwd(), name)
    run_code(compile(Path(path).read_bytes(), path, "exec", dont_inherit=True), path)


def run_code(code: CodeType, path: str) -> None:
    """As __main__."""
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
