"""Leads sessions' workers through scripts, each in a copy of one process that has imported torch. Prints what each
answers, as JSON."""

import json
import os
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

import torch  # noqa: F401
import torch._dynamo  # noqa: F401  (each copy would import it at its first step)

from skyline import worker


class Led:
    """A worker in a process of its own."""

    def __init__(self, folder: Path, script: str, arguments: list[str], **changes: Any) -> None:
        ours, theirs = socket.socketpair()
        self.pid = os.fork()
        if self.pid == 0:
            ours.close()
            serve(theirs)
        theirs.close()
        self.folder, self.socket, self.answers = folder, ours, ours.makefile("r")
        self.loaded = self.ask(
            "load",
            entry_point=str(folder / script),
            project_root=str(folder),
            recording=str(folder / f"start-{self.pid}"),
            arguments=arguments,
            **changes,
        )

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self.socket.sendall(json.dumps({"do": do, **fields}).encode() + b"\n")
        answer = json.loads(self.answers.readline())
        return next(iter(answer.values())) | {"is": next(iter(answer))}

    def iterate(self, count: int) -> dict[str, Any]:
        return self.ask("iterate", batch_size=0, count=count, limit_ns=10**11)

    def end(self) -> None:
        self.answers.close()
        self.socket.close()
        os.waitpid(self.pid, 0)


def serve(theirs: socket.socket) -> None:
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        worker.Worker(theirs).serve()
    except BaseException:
        traceback.print_exc()
    os._exit(0)


def all_of(folder: Path, script: str, arguments: list[str]) -> dict[str, Any]:
    led = Led(folder, script, arguments)
    found: dict[str, Any] = {"loaded": led.loaded}
    if led.loaded["is"] == "error":
        led.end()
        return found
    found["first"] = led.iterate(1)
    found["start"] = led.ask("stop_recording")
    found["timed"] = led.iterate(20)
    if not found["timed"]["is_over"]:
        found["recording"] = led.ask("record", recording=str(folder / f"steps-{led.pid}"), what="all")
        found["recorded"] = [led.iterate(1), led.iterate(1)]
        found["stopped"] = led.ask("stop_recording")
    led.end()
    change = change_to(24, led.loaded, arguments)
    if change is not None:
        other = Led(folder, script, **change)
        found["other"] = other.loaded
        other.end()
    return found


def change_to(size: int, loaded: dict[str, Any], arguments: list[str]) -> dict[str, Any] | None:
    """What src/session/profile/running_profile.cpp asks for."""
    literal = loaded["literal"]
    if loaded["other_sizes"] == "edit":
        place = {f"edit_{end}": literal[f"{end}_byte"] for end in ("begin", "end")}
        return {"arguments": arguments, "edit_path": literal["path"], "edit_text": str(size), **place}
    if loaded["other_sizes"] == "argument":
        words = list(arguments)
        words[loaded["argument"]] = f"{loaded['argument_prefix']}{size}"
        return {"arguments": words}
    if loaded["other_sizes"] == "loaders":
        return {"arguments": arguments, "loaders_from": loaded["batch_size"], "loaders_to": size}
    return None


if __name__ == "__main__":
    cases = json.loads(sys.argv[2])
    sys.path.insert(0, str(Path(sys.argv[1]).parent / "site"))
    sys.argv[3:] = []
    worker.prepare()
    print(json.dumps({name: all_of(Path(sys.argv[1]), *case) for name, case in cases.items()}))
