"""Where a script makes its DataLoaders, and other batch sizes for them, for a session."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from . import _contract, _private

MOST_CALLS = 16


@dataclass(frozen=True)
class Call:
    """A call in the user's code: where it stands (line from 1, columns in bytes of UTF-8), and in which function."""

    path: str
    place: tuple[int | None, int | None, int | None, int | None]  # line, end line, column, end column
    function: str


@dataclass(frozen=True)
class MadeLoader:
    batch_size: int
    data: int  # id of the data set
    calls: list[Call]  # the one that makes it, and those around it


class Loaders:
    """Watches DataLoaders being made; those that ask for batches of `of` samples get them of `to`."""

    def __init__(self, project_root: Path, of: int = 0, to: int = 0) -> None:
        self.project_root = project_root
        self.of, self.to = of, to
        self.made: list[MadeLoader] = []

    def start(self) -> None:
        from torch.utils.data import DataLoader

        DataLoader.__init__ = self._wrapped(DataLoader.__init__)

    def maker_of(self, iterator: Any, batch_size: int) -> list[Call]:
        """The calls that made the DataLoader of an iterator; none if they are not the user's."""
        data = id(_private.data_of(iterator))
        alike = [one for one in self.made if one.batch_size == batch_size and one.calls]
        same = [one for one in alike if one.data == data]
        found = same or (alike if len({one.calls[0] for one in alike}) == 1 else [])
        return found[-1].calls if found else []

    def _wrapped(self, usual: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(usual)
        def init(loader: Any, dataset: Any, batch_size: Any = 1, *arguments: Any, **named: Any) -> None:
            if self.to and batch_size == self.of:
                batch_size = self.to
            sampler: Any = named.get("batch_sampler")
            if self.to and getattr(sampler, "batch_size", None) == self.of:
                sampler.batch_size = self.to
            usual(loader, dataset, batch_size, *arguments, **named)
            size = getattr(sampler, "batch_size", batch_size)
            if type(size) is int:
                calls = calls_around(_private.frame_of_caller(1), self.project_root)
                self.made.append(MadeLoader(size, id(dataset), calls))

        return init


def calls_around(frame: FrameType | None, project_root: Path) -> list[Call]:
    """Those of the user's files, the innermost first."""
    calls: list[Call] = []
    while frame is not None and len(calls) < MOST_CALLS:
        code = frame.f_code
        if _contract.is_project_file(Path(code.co_filename), project_root):
            positions = list(code.co_positions())
            index = frame.f_lasti // 2
            if 0 <= index < len(positions):
                line, end_line, column, end_column = positions[index]
                calls.append(Call(code.co_filename, (line, end_line, column, end_column), code.co_name))
        frame = frame.f_back
    return calls
