"""Learns when the script imports a module."""

import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType


class AfterImport:
    """Calls `imported` once, when the module has been imported; at once if it is there already."""

    def __init__(self, name: str, imported: Callable[[], None]) -> None:
        self.name, self.imported = name, imported
        if name in sys.modules:
            imported()
        else:
            sys.meta_path.insert(0, self)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self.name:
            return None
        others = (finder for finder in sys.meta_path if finder is not self)
        found = (finder.find_spec(name, path, target) for finder in others if hasattr(finder, "find_spec"))
        spec = next((spec for spec in found if spec is not None), None)
        if spec is not None and spec.loader is not None:
            self._follow(spec.loader)
        return spec

    def _follow(self, loader: object) -> None:
        """The loader stays what it is, as programs look at it; only this one call passes through here."""
        usual = loader.exec_module  # type: ignore[attr-defined]

        def exec_module(module: ModuleType) -> None:
            usual(module)
            loader.__dict__.pop("exec_module", None)
            if self in sys.meta_path:
                # A new list: a finder that imports the module, or another thread, may be going through the old one.
                sys.meta_path = [finder for finder in sys.meta_path if finder is not self]
                self.imported()

        loader.exec_module = exec_module  # type: ignore[attr-defined]
