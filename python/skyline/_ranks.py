"""A session runs one process: a script that starts several is told so, where it does."""

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _contract, _private
from ._contract import ContractError

SENTENCE = (
    "starts {what}, but a session runs one process; let the script train in this process when the environment variable "
    "SKYLINE is set, or record every rank with `torchrun … -m skyline run script.py`"
)


def refuse(script: Path, root: Path) -> None:
    """From now on several ranks are an error at the user's line."""
    import torch.distributed
    import torch.multiprocessing

    def at_users_line(what: str) -> ContractError:
        frame = _private.frame_of_caller(2)
        while frame is not None and not _contract.is_project_file(Path(frame.f_code.co_filename), root):
            frame = frame.f_back
        path, line = (Path(frame.f_code.co_filename), frame.f_lineno) if frame is not None else (script, 1)
        return ContractError(path, line, f"{script.name} {SENTENCE.format(what=what)}")

    def wrapped_spawn(usual: Callable[..., Any], first: int) -> Callable[..., Any]:
        @functools.wraps(usual)
        def spawn(*arguments: Any, **named: Any) -> Any:
            count = named.get("nprocs", arguments[first] if len(arguments) > first else 1)
            raise at_users_line(f"{count} ranks" if count != 1 else "a rank")

        return spawn

    def wrapped_group(usual: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(usual)
        def init_process_group(*arguments: Any, **named: Any) -> Any:
            size = named.get("world_size", -1)
            size = int(os.environ.get("WORLD_SIZE", "1")) if not isinstance(size, int) or size < 1 else size
            if size > 1:
                raise at_users_line(f"as one of {size} ranks")
            return usual(*arguments, **named)

        return init_process_group

    torch.multiprocessing.spawn = wrapped_spawn(torch.multiprocessing.spawn, 2)
    if hasattr(torch.multiprocessing, "start_processes"):
        torch.multiprocessing.start_processes = wrapped_spawn(torch.multiprocessing.start_processes, 2)
    if torch.distributed.is_available():
        torch.distributed.init_process_group = wrapped_group(torch.distributed.init_process_group)
