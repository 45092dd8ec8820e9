"""Runs a user's entry point, step by step as a session tells it, in a process of its own.

    _start.py … skyline._keeper:main CONTROL DUMP      both are descriptors; a copy of the zygote calls main() instead

CONTROL is a stream socket with one JSON object per line: a command comes, one answer goes back. What they hold is
defined in protocol/worker.protocol; whatever the user's code does wrong is answered with {"error": {…}}.

DUMP takes the Python
stack when the process crashes, and on SIGUSR1, so that somebody else can see where it stands. A third descriptor, if
there is one, tells of files with these endings that the code writes (_doings.py). Nothing is judged here: times are
handed on as they were measured, all else is in the recordings.
"""

import ctypes
import faulthandler
import hashlib
import importlib
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from . import (
    _contract,
    _doings,
    _mark_names,
    _optimizer_steps,
    _private,
    _python_path,
    _recorders,
    _tensors,
    _worker_messages,
)
from ._batch_literal import NoLiteral, find_batch_literal
from ._contract import ContractError, EntryPoint
from ._error import Error
from ._script_run import Change, ScriptRun, Wanted, tensors_in
from ._worker_messages import (
    BatchLiteral,
    InputTensor,
    Iterated,
    Loaded,
    MemoryKept,
    Recorded,
    Recording,
    SourceFileHash,
    WorkerError,
    as_answer,
)

Answer = dict[str, Any]

EVERYTHING = {"shapes": True, "memory": True, "stacks": True, "modules": True}
KINDS: dict[str, dict[str, bool]] = {
    "all": EVERYTHING,
    "memory": {"ops": False, "memory": True, "sources": False},
}


SAMPLES_HZ = 500  # a recording lasts for a tenth of a second

# Of glibc's malloc.h; the second is the most it takes.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
LARGEST_ON_HEAP = 32 << 20


class CompileClock:
    """How long torch.compile has compiled so far."""

    def __init__(self) -> None:
        self.total_ns = 0
        self.began_ns = 0
        _private.watch_compilation(self._began, self._ended)

    def _began(self, *_about: Any, **_more: Any) -> None:
        self.began_ns = time.perf_counter_ns()

    def _ended(self, *_about: Any, **_more: Any) -> None:
        self.total_ns += time.perf_counter_ns() - self.began_ns


class Worker:
    def __init__(self, control: socket.socket, doings: int = -1) -> None:
        self.control = control
        self.doings = doings
        self.project_root = ""
        self.entry: EntryPoint | None = None
        self.model: Any = None
        self.iteration: Callable[..., Any] | None = None
        self.inputs: tuple[Any, ...] = ()
        self.batch_size = 0
        self.steps = 0
        self.synchronize: Callable[[], None] | None = None
        self.known: set[str] = set()  # modules, before the user's
        self.faults_before = 0
        self.compile_clock = CompileClock()
        self.recorder: _recorders.Recorder | None = None
        self.recording_to: Path | None = None
        self.watch: _tensors.Watch | None = None  # while all is recorded
        self.script: ScriptRun | None = None
        self.commands = control.makefile("r", encoding="utf-8")

    def serve(self) -> int:
        for line in self.commands:
            self.say(self.answer(json.loads(line)))
        return 0

    def say(self, answer: Answer) -> None:
        self.control.sendall(json.dumps(answer).encode() + b"\n")

    def answer(self, command: dict[str, Any]) -> Answer:
        try:
            return COMMANDS[command.pop("do")](self, **command)
        except ContractError as error:
            return as_answer(WorkerError(str(error.path), error.line, error.sentence))
        except Error as error:
            return as_answer(WorkerError(path="", line=0, sentence=str(error)))

    def load(
        self,
        entry_point: str,
        project_root: str,
        recording: str | None = None,
        endings: Sequence[str] = (),
        arguments: Sequence[str] = (),
        module: str = "",
        edit_path: str = "",
        edit_begin: int = 0,
        edit_end: int = 0,
        edit_text: str = "",
        loaders_from: int = 0,
        loaders_to: int = 0,
    ) -> Answer:
        """Recording begins before the user's first line runs, as memory counts from there."""
        self.known = known = set(sys.modules)
        self.project_root = project_root
        change = Change(edit_path, edit_begin, edit_end, edit_text, loaders_from, loaders_to)
        read_sources_afresh(Path(project_root), change)
        _python_path.put_back()
        _optimizer_steps.set_hooks()  # while no thread of the user's can be going through its own
        is_script = module != "" or not _contract.has_providers(Path(entry_point))
        if is_script:
            self.script = ScriptRun(Path(entry_point), Path(project_root), arguments, module, change, self)
            self.script.watch()
        if recording is not None:
            self.record(recording, "all")
        if self.doings >= 0:
            _doings.tell(self.doings, project_root, list(endings))
        if self.script is not None:
            return self.run_script(self.script)
        self.entry = entry = _contract.load(Path(entry_point), Path(project_root))
        self.model = entry.model()
        self.iteration = entry.iteration(self.model)
        device = device_of(self.model)
        self.synchronize = synchronizer(device)
        try:
            found = asdict(find_batch_literal(entry.providers["input_provider"], entry.path))
            literal, reason = BatchLiteral(**found | {"path": str(found["path"])}), ""
        except NoLiteral as why:
            literal, reason = None, str(why)
        imported = sorted(set(sys.modules) - known)
        loaded = Loaded(
            batch_size=entry.batch_size,
            literal=literal,
            no_literal=reason,
            device=device,
            device_memory_bytes=device_memory_bytes(device),
            files=project_files(entry.path, entry.project_root, imported),
            modules=foreign_modules(entry.project_root, imported),
            is_script=False,
            script_workers=0,
            samples=entry.batch_size,
            other_sizes="",
            argument=0,
            argument_prefix="",
        )
        return as_answer(loaded)

    # A script is led from within its own steps (_script_run.py).

    def run_script(self, script: ScriptRun) -> Answer:
        script.run()
        assert script.wanted is not None
        return self.iterated_by(script, script.wanted)

    def stands_still(self, script: ScriptRun, done: Wanted | None) -> Wanted:
        """After the last step that was wanted; gives the next wish."""
        try:
            answer = self.loaded_script(script) if done is None else self.iterated_by(script, done)
        except Exception as error:  # in a hook of the user's program it would be lost
            sentence = f"the worker cannot tell what it has seen: {type(error).__name__}: {error}"
            answer = as_answer(WorkerError(path="", line=0, sentence=sentence))
        self.say(answer)
        for line in self.commands:
            command = json.loads(line)
            if command["do"] == "iterate":
                return self.wanted_by(command)
            self.say(self.answer(command))
        os._exit(0)  # nobody listens any more

    def compiled_ns(self) -> int:
        return self.compile_clock.total_ns

    def before_step(self, script: ScriptRun) -> None:
        if self.watch is not None:
            self.watch.model = script.models

    def step_ended(self, script: ScriptRun) -> None:
        if self.watch is not None:
            self.watch.model, self.watch.inputs = script.models, tensors_in(script.inputs)
            self.watch.note_now()

    def wanted_by(self, command: dict[str, Any]) -> Wanted:
        forget_resident_peak()
        self.faults_before = page_faults()
        return Wanted(command["count"], time.perf_counter_ns() + command["limit_ns"])

    def loaded_script(self, script: ScriptRun) -> Answer:
        imported = sorted(set(sys.modules) - self.known)
        files = project_files(script.path, script.root, imported)
        source = script.source_of_batch([Path(file.path) for file in files])
        script.synchronize = self.synchronize = synchronizer(script.device)
        literal = source.literal
        way = "edit" if literal is not None else "argument" if source.argument is not None else ""
        loaded = Loaded(
            batch_size=max(script.batch_size, 1),
            literal=BatchLiteral(**asdict(literal) | {"path": str(literal.path)}) if literal is not None else None,
            no_literal=source.reason,
            device=script.device,
            device_memory_bytes=device_memory_bytes(script.device),
            files=files,
            modules=foreign_modules(script.root, imported),
            is_script=True,
            script_workers=script.workers if script.loader_size else -1,
            samples=max(script.samples, 1),
            other_sizes=way or ("loaders" if script.loader_size else ""),
            argument=source.argument.index if source.argument is not None else 0,
            argument_prefix=source.argument.prefix if source.argument is not None else "",
        )
        return as_answer(loaded)

    def iterated_by(self, script: ScriptRun, done: Wanted) -> Answer:
        steps = done.steps
        iterated = Iterated(
            durations_ns=[step.duration_ns for step in steps],
            compile_ns=[step.compile_ns for step in steps],
            data_ns=[step.data_ns for step in steps],
            samples=[step.samples for step in steps] if script.watcher.has_loader else [],
            is_over=script.is_over,
            inputs=[describe_tensor(one) for one in tensors_in(script.inputs)],
            resident_peak_bytes=resident_peak_bytes(),
            page_faults=page_faults() - self.faults_before,
        )
        return as_answer(iterated)

    def iterate(self, batch_size: int, count: int, limit_ns: int) -> Answer:
        """Up to `count` iterations, none after `limit_ns` have gone by."""
        if self.script is not None:  # else it would have been asked while it stood still
            return self.iterated_by(self.script, self.wanted_by({"count": count, "limit_ns": limit_ns}))
        assert self.entry is not None
        self.take_inputs(batch_size)
        forget_resident_peak()
        durations: list[int] = []
        compiled_ns: list[int] = []
        faults_before = page_faults()
        until = time.perf_counter_ns() + limit_ns
        while len(durations) < count and (not durations or time.perf_counter_ns() < until):
            before = self.compile_clock.total_ns
            durations.append(self.iterate_once())
            compiled_ns.append(self.compile_clock.total_ns - before)
        iterated = Iterated(
            durations_ns=durations,
            compile_ns=compiled_ns,
            data_ns=[],
            samples=[],
            is_over=False,
            inputs=[describe_tensor(one) for one in self.inputs],
            resident_peak_bytes=resident_peak_bytes(),
            page_faults=page_faults() - faults_before,
        )
        return as_answer(iterated)

    def take_inputs(self, batch_size: int) -> None:
        assert self.entry is not None
        if batch_size != self.batch_size:
            self.inputs = ()  # free the old ones first
            if self.recording_to is not None:  # else it is time that counts, and pages that must come anew take it
                release_free_memory()
            self.inputs = self.entry.inputs(batch_size)
            self.batch_size = batch_size

    def iterate_once(self) -> int:
        assert self.entry is not None and self.iteration is not None
        if self.recording_to is None:
            return self.entry.run("the iteration", self.timed_iteration)  # type: ignore[no-any-return]
        from torch.profiler import record_function

        self.steps += 1
        self.note_tensors()
        with record_function(f"{_mark_names.PROFILER_STEP}{self.steps}"):
            duration: int = self.entry.run("the iteration", self.timed_iteration)
        self.note_tensors()
        return duration

    def note_tensors(self) -> None:
        if self.watch is not None:
            self.watch.model, self.watch.inputs = self.model, self.inputs
            self.watch.note_now()

    def timed_iteration(self) -> int:
        assert self.iteration is not None
        began = time.perf_counter_ns()
        self.iteration(*self.inputs)
        if self.synchronize is not None:
            self.synchronize()
        return time.perf_counter_ns() - began

    def keep_memory(self) -> Answer:
        return as_answer(MemoryKept(keep_free_memory()))

    def record(self, recording: str, what: str) -> Answer:
        on_device = self.synchronize is not None
        hz = SAMPLES_HZ if what == "all" else 0
        options = _recorders.Options(devices=on_device, project_root=self.project_root, samples_hz=hz, **KINDS[what])
        self.recorder = _recorders.choose_recorder(options)
        self.recording_to = Path(recording).with_suffix(self.recorder.suffix)
        self.recorder.start(self.recording_to, options, {})
        if what == "all":
            self.watch = _tensors.Watch(self.recorder.note_tensors, self.model)
            self.watch.start()
        if self.script is not None:
            if self.watch is not None:
                self.watch.model = self.script.models
            self.script.watcher.begin_marking(settled=self.script.rounds > 0)
        return as_answer(Recording(str(self.recording_to)))

    def stop_recording(self) -> Answer:
        if self.recorder is None or self.recording_to is None:
            raise Error("nothing is being recorded")
        path, self.recording_to = self.recording_to, None
        if self.script is not None:
            self.script.watcher.end_marking()
        if self.watch is not None:
            self.watch.stop()
            self.watch = None
        self.recorder.stop()
        return as_answer(Recorded(str(path)))


# A command of the protocol is the method of that name.
COMMANDS: dict[str, Callable[..., Answer]] = {name: getattr(Worker, name) for name in _worker_messages.COMMANDS}


def read_sources_afresh(project_root: Path, change: Change) -> None:
    """Python takes a compiled file for current if the source has the same size and was written in the same second: two
    quick saves that differ in a digit. So compiled files of the project are not looked at."""
    usual = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        path = loader.get_filename(name)
        if not _contract.is_project_file(Path(path), project_root):
            return usual(loader, name)
        return loader.source_to_code(change.bytes_of(path, loader.get_data(path)), path)

    SourceFileLoader.get_code = get_code  # type: ignore[method-assign,assignment]


def device_of(model: Any) -> str:
    """Where the model's first parameter or buffer lies."""
    for list_name in ("parameters", "buffers"):
        listing = getattr(model, list_name, None)
        first = next(iter(listing()), None) if callable(listing) else None
        if first is not None:
            return str(first.device)
    return "cpu"


def synchronizer(device: str) -> Callable[[], None] | None:
    """What waits for the device to finish; None on the CPU, which does."""
    import torch

    kind = device.partition(":")[0]
    module = getattr(torch, kind, None)
    return getattr(module, "synchronize", None) if kind not in ("cpu", "meta") else None


def device_memory_bytes(device: str) -> int:
    """What this process may use of the device: what is free, and what torch holds already. 0 where nobody tells."""
    import torch

    module = getattr(torch, device.partition(":")[0], None)
    try:
        return int(module.mem_get_info(device)[0] + module.memory_reserved(device))  # type: ignore[union-attr]
    except (AttributeError, RuntimeError, ValueError):
        return 0


def describe_tensor(value: Any) -> InputTensor:
    if not _contract.is_tensor(value):
        return InputTensor(dtype="", shape=[])
    return InputTensor(str(value.dtype).removeprefix("torch."), list(value.shape))


def project_files(path: Path, root: Path, imported: list[str]) -> list[SourceFileHash]:
    """The project's files that were run, with the hash of what they hold now."""
    paths = {path} | {
        Path(file)
        for name in imported
        if isinstance(file := getattr(sys.modules.get(name), "__file__", None), str)
        and _contract.is_project_file(Path(file), root)
    }
    return [SourceFileHash(str(path), sha256_of(path)) for path in sorted(paths)]


def sha256_of(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def foreign_modules(root: Path, imported: list[str]) -> list[str]:
    """Outermost packages that the project imported and that are not its own: what the next zygote may import."""
    tops = {name.partition(".")[0] for name in imported}
    foreign = []
    for name in sorted(tops - sys.stdlib_module_names - {_contract.MODULE_NAME}):
        file = getattr(sys.modules.get(name), "__file__", None)
        if isinstance(file, str) and not _contract.is_project_file(Path(file), root):
            foreign.append(name)
    return foreign


def release_free_memory() -> None:
    """What an earlier batch size needed and has freed must not count as resident for the next one."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc's
    if trim is not None:
        trim(0)


def keep_free_memory() -> bool:
    """From now on freed memory stays with the process, as with MALLOC_TRIM_THRESHOLD_ and MALLOC_MMAP_THRESHOLD_.
    False where that cannot be, or is not ours to say."""
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "gnu_get_libc_version") or has_chosen_malloc(os.environ):
        return False
    return bool(libc.mallopt(M_MMAP_THRESHOLD, LARGEST_ON_HEAP)) and bool(libc.mallopt(M_TRIM_THRESHOLD, -1))


def has_chosen_malloc(environment: Mapping[str, str]) -> bool:
    """Whether the user has said how glibc is to do it, or that another allocator is to do it."""
    if "malloc" in environment.get("LD_PRELOAD", ""):
        return True
    return "glibc.malloc" in environment.get("GLIBC_TUNABLES", "") or any(
        name in environment for name in ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_")
    )


def page_faults() -> int:
    """Of all threads so far, those that needed no disk."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt


def forget_resident_peak() -> None:
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass  # then the peak is that of the whole life


def resident_peak_bytes() -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024
    return 0


def prepare() -> None:
    """For the zygote: what every copy needs. Compiles the collector if need be; starts nothing."""
    importlib.import_module("torch.profiler")
    _recorders.find_collector()


def main(control: int, dump: int, doings: int = -1) -> int:
    faulthandler.enable(file=dump, all_threads=False)
    faulthandler.register(signal.SIGUSR1, file=dump, all_threads=False)
    # What the user's code starts must not hold these open.
    for descriptor in (control, dump, doings):
        if descriptor >= 0:
            os.set_inheritable(descriptor, False)
    return Worker(socket.socket(fileno=control), doings).serve()


if __name__ == "__main__":
    prepare()
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
