"""How a DataLoader worker that is spawned begins. It unpickles what it is to run (SpawnedLoop in _workers.py), and that
loads this file by its path: the package need not be in the worker's sys.path, nor stay out of it.
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from typing import Any


def worker_loop(module: str, name: str, page: str, library: str) -> Any:
    """torch's own loop, of that module and name; followed where that can be."""
    usual = getattr(importlib.import_module(module), name)
    try:
        if "skyline" not in sys.modules:
            load_package()
        return importlib.import_module("skyline._workers").follow_spawned(usual, page, library)
    except Exception as error:
        print(f"skyline: this worker is not sampled: {error}", file=sys.stderr)
        return usual


def load_package() -> None:
    spec = importlib.util.spec_from_file_location("skyline", Path(__file__).with_name("__init__.py"))
    assert spec is not None and spec.loader is not None
    package = sys.modules["skyline"] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(package)
    except BaseException:
        del sys.modules["skyline"]
        raise
