"""The two ways to record: our collector, or torch.profiler where it cannot be had."""

import functools
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from . import _build, _direct, _environment, _modules
from ._devices import DeviceRecorder, device_activities
from ._error import Error
from ._sampling import Sampling
from ._sources import Sources
from ._trouble import is_users, say_once, sentence_of


@dataclass(frozen=True)
class Options:
    """What is recorded."""

    ops: bool = True
    ranges: bool = True  # steps, optimizer, data loading, the user's own
    shapes: bool = False
    values: bool = False  # with shapes: of inputs that are no tensors, too
    memory: bool = False
    stacks: bool = False
    modules: bool = False
    sources: bool = True  # text of the files that stacks go through
    project_root: str = ""  # only of files below; empty: of all that are not installed
    devices: bool = True
    buffer_bytes: int = 256 << 20
    max_file_bytes: int = 4 << 30
    samples_hz: int = 0  # of Python stacks, with what else _sampling.py records; 0: nothing of it
    direct: bool = False  # operators without torch's observers in between (_direct.py)


class Recorder(Protocol):
    suffix: str

    def start(self, path: Path, options: Options, meta: dict[str, str]) -> None:
        """Raises Error when nothing can be recorded; whatever it raises, nothing is switched on then."""

    def note_tensors(self, rows: list[Any]) -> None:
        """What _tensors found; lost where the file has no place for it."""

    def stop(self) -> dict[str, Any]:
        """What was kept and lost; the file is complete."""

    def give_up(self) -> bool:
        """Ends what start() or stop() could not finish, if there is anything. Whether the file can be read."""


class NativeRecorder:
    suffix = ".skyline"

    def __init__(self, collector: ModuleType, devices: DeviceRecorder | None = None) -> None:
        self.collector = collector
        self.devices = devices  # beside the collector, for what happens on devices
        self.namer: _modules.Namer | None = None
        self.sampling = Sampling(collector)
        self.is_on = False  # as far as we know: True from just before it is

    def start(self, path: Path, options: Options, meta: dict[str, str]) -> None:
        # Known before anything is started: what is switched on later is ours to switch off.
        if self.collector.is_active():
            raise Error("a recording is already running in this process; stop it first")
        modules = options.modules
        not_direct = _direct.why_not() if options.direct else ""
        if not_direct:
            say_once(f"{not_direct}; operators are recorded through torch's observers")
            meta = meta | {"collector.not_direct": not_direct}
        self.namer = None
        if options.stacks or modules:
            wants_sources = options.sources and options.stacks
            sources = Sources(self.collector.add_source, options.project_root) if wants_sources else None
            self.namer = _modules.Namer(self.collector, modules=modules, sources=sources)
        try:
            # First, as it takes long: what it does is not the program's.
            if self.devices is not None and self.devices.start(memory=options.memory):
                meta = meta | {"device.recorder": "kineto"}
            self.is_on = True
            has_stacks = self.collector.start(
                path,
                ops=options.ops,
                ranges=options.ranges,
                shapes=options.shapes,
                stacks=options.stacks,
                modules=modules,
                memory=options.memory,
                buffer_bytes=options.buffer_bytes,
                max_file_bytes=options.max_file_bytes,
                module_call=_modules.module_call() if modules else None,
                note_module=self.namer.names.note if self.namer is not None and self.namer.names is not None else None,
                meta=_environment.describe() | meta | self.sampling.new_recording(),
                direct=options.direct and not not_direct,
                values=options.values,
            )
            if self.namer is not None and not has_stacks:
                say_once("this Python does not show its stacks, or other tools watch its code; none are recorded")
                self.namer = None
            if self.namer is not None:
                self.namer.start()
            if options.samples_hz > 0:
                self.sampling.begin(path, options.samples_hz)
        except BaseException as error:
            self.give_up()
            if isinstance(error, RuntimeError) and not is_users(error):
                raise Error(str(error)) from None
            raise

    def note_tensors(self, rows: list[Any]) -> None:
        self.collector.note_tensors(rows)

    def stop(self) -> dict[str, Any]:
        self.sampling.end(self.namer.sources if self.namer is not None else None)
        if self.namer is not None:
            self.namer.stop()
        of_devices = self.devices.stop() if self.devices is not None else None
        try:
            if of_devices is not None:
                self.collector.note_device_text(of_devices)
            outcome: dict[str, Any] = self.collector.stop(None)
        finally:
            if of_devices is not None:
                of_devices.unlink(missing_ok=True)
        self.is_on = False
        if outcome["not_direct"]:
            say_once(f"operators were not recorded directly but through torch's observers: {outcome['not_direct']}")
        if not outcome["trouble"]:
            self.sampling.clean_up()
        return outcome

    def give_up(self) -> bool:
        if self.devices is not None:
            self.devices.give_up()
        if self.is_on:
            self.sampling.end(None)
            if self.namer is not None:
                self.namer.end()
            self.collector.stop(None)
            self.is_on = False
        return True


@functools.cache
def find_collector() -> ModuleType | Error:
    """Also remembers that there is none: what cannot be compiled is not tried again at every recording."""
    try:
        return _build.load_collector()
    except Error as error:
        return error
    except Exception as error:
        if is_users(error):
            raise
        return Error(f"the collector cannot be had: {sentence_of(error)}")


def choose_recorder(options: Options) -> Recorder:
    """The collector, with Kineto beside it for devices; torch.profiler for all of it where there is no collector."""
    from ._fallback import TorchRecorder

    collector = find_collector()
    if isinstance(collector, Error):
        say_once(f"{collector}; recording goes through torch.profiler instead")
        return TorchRecorder()
    activities = device_activities() if options.devices else []
    return NativeRecorder(collector, DeviceRecorder(activities) if activities else None)
