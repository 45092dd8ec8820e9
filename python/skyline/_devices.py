"""What Kineto and the device's allocator record of the devices, beside our collector, which records the host.

torch.profiler runs with device activities only: calls, kernels and copies with their correlation numbers, none of the
host's operators. What it exports goes into the recording's file as it is, and the reader joins the two by time.

Nothing here has run on a device yet: tests simulate one, and the joining is proven on traces of real devices.
"""

import json
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from . import _private
from ._trouble import is_users, say_once, sentence_of

MOST_ALLOCATIONS = 1_000_000
BASE_TIME = re.compile(rb'"baseTimeNanoseconds"\s*:\s*(\d+)')
TAIL_BYTES = 1 << 16
EVENTS_BEGIN = b'"traceEvents"'


def device_activities() -> list[Any]:
    """What torch.profiler can watch here besides the host; empty without a device."""
    import torch
    from torch.profiler import ProfilerActivity, supported_activities

    def is_there(name: str) -> bool:
        module = getattr(torch, name, None)
        return module is not None and bool(module.is_available())

    names = {"CUDA": "cuda", "XPU": "xpu", "MTIA": "mtia", "HPU": "hpu"}
    wanted = [getattr(ProfilerActivity, word, None) for word, name in names.items() if is_there(name)]
    wanted.append(own_backend_activity())
    supported = supported_activities()
    return [activity for activity in wanted if activity is not None and activity in supported]


def own_backend_activity() -> Any:
    """Of a backend that is registered as PrivateUse1, if it says that it is there."""
    from torch.profiler import ProfilerActivity

    backend = _private.own_backend()
    is_there = backend is not None and bool(getattr(backend, "is_available", lambda: False)())
    return getattr(ProfilerActivity, "PrivateUse1", None) if is_there else None


class DeviceRecorder:
    """start(), then stop(), which gives the file with what was recorded, or None. Never raises for a reason of ours."""

    def __init__(self, activities: list[Any]) -> None:
        self.activities = activities
        self.profiler: Any = None
        self.memory = AllocatorTrace()

    def start(self, memory: bool) -> bool:
        from torch.profiler import profile

        try:
            self.profiler = profile(activities=self.activities, acc_events=True)
            self.profiler.start()
        except Exception as error:
            if is_users(error):
                raise
            self.profiler = None
            say_once(f"devices are not recorded: torch.profiler cannot watch them ({sentence_of(error)})")
            return False
        if memory:
            self.memory.start()
        return True

    def stop(self) -> Path | None:
        """The file is the caller's to remove."""
        profiler, self.profiler = self.profiler, None
        if profiler is None:
            return None
        allocations = self.memory.stop()
        path = Path(tempfile.mkstemp(prefix="skyline-device-", suffix=".json")[1])
        try:
            profiler.stop()
            profiler.export_chrome_trace(str(path))
            if allocations:
                insert_events(path, memory_events(allocations, base_time_ns(path)))
            return path
        except Exception as error:
            path.unlink(missing_ok=True)
            if is_users(error):
                raise
            say_once(f"what was recorded of the devices is lost: {sentence_of(error)}")
            return None

    def give_up(self) -> None:
        path = self.stop()
        if path is not None:
            path.unlink(missing_ok=True)


class AllocatorTrace:
    """The device's allocations. A program that lists them itself goes on doing so; then there is no list for us."""

    def __init__(self) -> None:
        self.history: _private.DeviceHistory | None = None

    def start(self) -> None:
        import torch

        if not torch.cuda.is_available():
            return
        try:
            history = _private.DeviceHistory()
            if history.is_used():
                say_once("the program lists its device allocations itself; they are left to it")
                return
            history.start(MOST_ALLOCATIONS)
            self.history = history
        except Exception as error:
            if is_users(error):
                raise
            say_once(f"device allocations are not recorded: {sentence_of(error)}")

    def stop(self) -> list[tuple[int, dict[str, Any]]]:
        history, self.history = self.history, None
        if history is None:
            return []
        try:
            return history.stop()
        except Exception as error:
            if is_users(error):
                raise
            say_once(f"device allocations are lost: {sentence_of(error)}")
            return []


def memory_events(allocations: Iterable[tuple[int, dict[str, Any]]], base_ns: int) -> Iterator[dict[str, Any]]:
    """As torch.profiler writes allocations. A block is free when the allocator has it back (free_completed)."""
    for device, entry in allocations:
        sign = {"alloc": 1, "free_completed": -1}.get(entry.get("action", ""), 0)
        if sign == 0 or "time_us" not in entry:
            continue
        yield {
            "ph": "i",
            "s": "t",
            "cat": "cpu_instant_event",
            "name": "[memory]",
            "pid": os.getpid(),
            "tid": os.getpid(),
            "ts": (entry["time_us"] * 1000 - base_ns) / 1000,
            "args": {
                "Device Type": 1,
                "Device Id": device,
                "Addr": entry["addr"],
                "Bytes": sign * entry["size"],
            },
        }


def base_time_ns(path: Path) -> int:
    """What times in a file of Kineto count from; stands behind the events."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL_BYTES))
        found = BASE_TIME.search(file.read())
    return int(found[1]) if found else 0


def insert_events(path: Path, events: Iterable[dict[str, Any]]) -> None:
    """Before the first event of a file of Kineto."""
    written = path.with_suffix(".next")
    is_inserted = False
    with path.open("rb") as source, written.open("wb") as target:
        for line in source:
            at = -1 if is_inserted else line.find(EVENTS_BEGIN)
            opening = line.find(b"[", at) if at >= 0 else -1
            if opening < 0:
                target.write(line)
                continue
            is_inserted = True
            target.write(line[: opening + 1])
            for event in events:
                target.write(json.dumps(event).encode() + b",\n")
            target.write(line[opening + 1 :])
    written.replace(path)
