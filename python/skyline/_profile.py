"""skyline.profile: torch.profiler.profile's shape around our recorder."""

import atexit
import os
import shutil
import socket
import tempfile
import time
import traceback
import uuid
import warnings
import weakref
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from . import _averages, _events, _exports, _private, _torch_names
from ._error import Error
from ._fallback import TorchRecorder
from ._recorders import Options, Recorder, choose_recorder
from ._schedule import Change, ProfilerAction, Schedule, always
from ._trouble import is_users, say_once, sentence_of, valid_text
from ._with_block import WithBlock, block_around

HERE = os.path.dirname(__file__)


@dataclass
class Current:
    """The one recording in this process; its profile may be gone before it was stopped."""

    recorder: Recorder
    path: Path
    owner: "weakref.ref[profile]"
    folder: Any  # lives as long as it is written to
    block: WithBlock | None

    def is_abandoned(self) -> bool:
        return self.owner() is None or (self.block is not None and self.block.is_left())

    def end(self) -> None:
        global current
        owner = self.owner()
        if owner is not None:
            owner._finish()
        if current is not self:
            return
        current = None
        try:
            self.recorder.stop()
        except BaseException as error:
            self.recorder.give_up()
            if is_users(error):
                raise
            say_once(f"the recording to {self.path} was not finished: {sentence_of(error)}; training goes on")


current: Current | None = None


class profile:  # noqa: N801 (torch's name)
    """Records training; use it as a context manager or through start(), step() and stop().

    Arguments are torch.profiler.profile's. `path` names the trace file (`.skyline`; later cycles of a schedule put
    their number before the ending); without it, and without a trace_handler, the trace lives as long as the profile.
    `ops=False` records only ranges: steps, optimizer, data loading; `ranges=False` none of these. `sources=False`
    leaves out the text of the files that stacks go through. `direct=True` records operators without torch's observers
    in between, in builds of torch that were tried. `concrete_inputs` records the values of inputs that are no tensors,
    which FLOPs of convolutions need; with_flops switches it on. `samples_hz=100` samples so many Python stacks a
    second, of every thread and of DataLoader workers, with pauses of the garbage collector, counters and settings.
    """

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        activities: Iterable[Any] | None = None,
        schedule: Callable[[int], Any] | None = None,
        on_trace_ready: Callable[..., Any] | None = None,
        record_shapes: bool = False,
        profile_memory: bool = False,
        with_stack: bool = False,
        with_flops: bool = False,
        with_modules: bool | None = None,
        experimental_config: Any = None,
        execution_trace_observer: Any = None,
        acc_events: bool = False,
        use_cuda: bool | None = None,
        custom_trace_id_callback: Callable[[], str] | None = None,
        post_processing_timeout_s: float | None = None,
        ops: bool = True,
        ranges: bool = True,
        sources: bool = True,
        buffer_bytes: int = Options.buffer_bytes,
        max_file_bytes: int = Options.max_file_bytes,
        direct: bool = Options.direct,
        concrete_inputs: bool | None = None,
        samples_hz: int = Options.samples_hz,
    ) -> None:
        # Accepted for torch's sake; they configure Kineto, which we do not use.
        del experimental_config, acc_events, post_processing_timeout_s
        self.activities = set(activity_groups(activities or ()))
        self.record_shapes, self.profile_memory, self.with_stack = record_shapes, profile_memory, with_stack
        self.with_flops, self.with_modules = with_flops, bool(with_modules)
        self.execution_trace_observer = execution_trace_observer
        self.custom_trace_id_callback = custom_trace_id_callback
        self.use_device: str | None = None
        self.options = Options(
            ops=ops,
            ranges=ranges,
            shapes=record_shapes or with_flops or bool(concrete_inputs),
            values=with_flops if concrete_inputs is None else concrete_inputs,
            memory=profile_memory,
            stacks=with_stack,
            modules=with_stack if with_modules is None else with_modules,
            sources=sources,
            devices=wants_devices(activities) and use_cuda is not False,
            buffer_bytes=buffer_bytes,
            max_file_bytes=max_file_bytes,
            direct=direct,
            samples_hz=samples_hz,
        )
        self.schedule: Schedule = schedule or always
        self.record_steps = schedule is not None
        self.on_trace_ready = on_trace_ready
        self.step_num = 0
        self.current_action = self._action()
        self.trace_path: Path | None = None  # of the last finished recording
        self.outcome: dict[str, Any] = {}  # what it kept, lost and cost
        self._path = Path(path) if path is not None else None
        self._cycle = 0
        self._meta: dict[str, str] = {}
        self._trace_id: str | None = None
        self._recorder: Recorder | None = None
        self._recording_to: Path | None = None
        self._step_range: Any = None
        self._folder: Any = None
        self._block: WithBlock | None = None

    def __enter__(self) -> "profile":
        self._block = block_around(_private.frame_of_caller(1))
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.stop()

    def records_through_torch(self) -> bool:
        """Whether torch.profiler does the recording, as our collector cannot be had or does not see the device."""
        return isinstance(self._choose_recorder(), TorchRecorder)

    def _choose_recorder(self) -> Recorder | None:
        try:
            if self._recorder is None:
                self._recorder = choose_recorder(self.options)
        except Exception as error:
            if is_users(error):
                raise
            say_once(f"{sentence_of(error)}; training goes on unrecorded")
        return self._recorder

    def start(self) -> None:
        was_recording = self._recording_to is not None
        try:
            self._choose_recorder()
            self._apply(Change(ProfilerAction.NONE, self.current_action))
            self._open_step()
        except BaseException:
            # Who is interrupted in here will not call stop(), and `with` does not, either.
            if not was_recording:
                self._finish()
            raise

    def step(self) -> None:
        """The end of a training step and the beginning of the next."""
        self._close_step()
        before = self.current_action
        self.step_num += 1
        self.current_action = self._action()
        self._apply(Change(before, self.current_action))
        self._open_step()

    def stop(self) -> None:
        try:
            self._close_step()
            self._apply(Change(self.current_action, None))
        finally:
            self._finish()  # Ctrl-C may have come before; else there is nothing left to do

    def add_metadata(self, key: str, value: str) -> None:
        """A text for the next recording's file."""
        self._meta[valid_text(key)] = valid_text(value)

    add_metadata_json = preset_metadata_json = add_metadata

    @property
    def preset_metadata(self) -> dict[str, str]:
        return dict(self._meta)

    def set_custom_trace_id_callback(self, callback: Callable[[], str] | None) -> None:
        """What names the next recordings; without one each gets a name of its own."""
        self.custom_trace_id_callback = callback

    def get_trace_id(self) -> str | None:
        """Of the running recording, or the last one; it is also in the file (`skyline info`)."""
        return self._trace_id

    def prepare_trace(self) -> None:
        """Together with start_trace() and stop_trace(): recording past the schedule."""
        self._choose_recorder()

    def start_trace(self) -> None:
        self._choose_recorder()
        self._begin()

    def stop_trace(self) -> None:
        self._finish()

    def __getattr__(self, name: str) -> Any:
        raise _torch_names.refuse("profile", name)

    def key_averages(
        self, group_by_input_shape: bool = False, group_by_stack_n: int = 0, group_by_overload_name: bool = False
    ) -> _averages.OpAverages:
        """The engine's table of operators with torch's attribute names."""
        _averages.refuse_groups(group_by_stack_n, group_by_overload_name)
        return _averages.key_averages(
            self._finished_trace(), group_by_input_shape, self.options.memory, self.with_flops
        )

    def events(self) -> _events.Events:
        """The engine's table of calls with torch's attribute names; one object per call."""
        return _events.Events(self._finished_trace(), self.key_averages())

    def export_stacks(self, path: str | os.PathLike[str], metric: str = "self_cpu_time_total") -> None:
        """Writes what flamegraph.pl and speedscope read; needs with_stack."""
        _exports.export_stacks(self._finished_trace(), os.fspath(path), metric)

    def export_chrome_trace(self, path: str | os.PathLike[str], **_of_torch: Any) -> None:
        """Writes the last recording as Kineto's JSON, gzipped if `path` ends in .gz; replaces what is there. Options of
        torch, as its handlers pass them, say how Kineto is to do it, and are taken without effect."""
        _exports.export_chrome_trace(self._finished_trace(), os.fspath(path))

    def _finished_trace(self) -> Path:
        if self.trace_path is None:
            raise Error("there is no finished recording yet; stop the profile first")
        return self.trace_path

    def _action(self) -> ProfilerAction:
        # By name, so that torch.profiler.schedule's answers are understood as well.
        return ProfilerAction[self.schedule(self.step_num).name]

    def _open_step(self) -> None:
        if not self.record_steps:
            return
        from torch.profiler import record_function

        step_range = record_function(f"ProfilerStep#{self.step_num}")
        step_range.__enter__()
        self._step_range = step_range  # only now: one that was not entered cannot be left

    def _close_step(self) -> None:
        step_range, self._step_range = self._step_range, None
        if step_range is not None:
            step_range.__exit__(None, None, None)

    def _apply(self, change: Change) -> None:
        if change.loses:
            warnings.warn("the schedule ends a cycle without RECORD_AND_SAVE; its trace is lost", stacklevel=3)
        if change.stop and self._finish() and change.save and self.on_trace_ready is not None:
            self._hand_over(self.on_trace_ready)
        if change.start:
            self._begin()

    def _hand_over(self, handler: Callable[..., Any]) -> None:
        """As with torch, what the handler raises is the user's to see; what we raise when it calls us is not."""
        try:
            handler(self)
        except Exception as error:
            if is_users(error) or not comes_through_us(error):
                raise
            say_once(f"on_trace_ready was not finished: {sentence_of(error)}; training goes on")

    def _begin(self) -> None:
        global current
        if current is not None:
            if not current.is_abandoned():
                raise Error("another skyline.profile is recording in this process; stop it first")
            say_once(f"the recording to {current.path} was never stopped; it ends here, as another one begins")
            current.end()
        if self._recorder is None:  # which was said
            return
        self._cycle += 1
        try:
            path = self._next_path(self._recorder.suffix)
            make_folder(path.parent)
            about = Current(self._recorder, path, weakref.ref(self), self._folder, self._block)
            # Before it is so: then stop() and the end of the process know of it, wherever Ctrl-C strikes.
            self._recording_to, current = path, about
            self._trace_id = self._new_trace_id()
            if self.execution_trace_observer is not None:
                self.execution_trace_observer.start()
            self._recorder.start(path, self.options, self._meta | {"trace.id": self._trace_id})
        except BaseException as error:
            if self._recording_to is not None:
                if self.execution_trace_observer is not None:
                    self.execution_trace_observer.stop()
                self._recorder.give_up()
                self._recording_to = current = None
            if is_users(error):
                raise
            say_once(f"{sentence_of(error)}; training goes on unrecorded")

    def _finish(self) -> bool:
        """Whether there is a new trace."""
        global current
        if self._recording_to is None or self._recorder is None:
            return False
        try:
            if self.execution_trace_observer is not None:
                self.execution_trace_observer.stop()
            self.outcome = self._recorder.stop()
        except BaseException as error:
            # Ctrl-C, perhaps while names were asked for: it reaches the user when nothing is switched on any more.
            path, can_be_read = self._recording_to, self._recorder.give_up()
            if can_be_read:
                self.trace_path = path
            self.outcome, self._recording_to, current = {}, None, None
            if is_users(error):
                raise
            say_once(f"the recording to {path} was not finished: {sentence_of(error)}; training goes on")
            return can_be_read
        # Only now: who is interrupted twice may stop a second time.
        self.trace_path, self._recording_to, current = self._recording_to, None, None
        return True

    def _new_trace_id(self) -> str:
        callback = self.custom_trace_id_callback
        return valid_text(str(callback())) if callback is not None else uuid.uuid4().hex.upper()

    def _next_path(self, suffix: str) -> Path:
        if self._path is not None:
            number = f".{self._cycle}" if self._cycle > 1 else ""
            if not self._path.name or "\0" in str(self._path):
                raise Error(f"{str(self._path)!r} cannot be a trace's name; give the profile another path")
            stem = self._path.name.removesuffix(".skyline")
            named = self._path.suffix == ".skyline" or suffix != ".skyline"
            return self._path.with_name(f"{stem}{number}{suffix if named else ''}")
        if isinstance(self.on_trace_ready, TraceHandler) and self.on_trace_ready.keeps(suffix):
            return self.on_trace_ready.new_path(suffix)
        if self._folder is None:
            try:
                self._folder = tempfile.TemporaryDirectory(prefix="skyline-")
            except OSError as error:
                cure = "set TMPDIR to another, or give the profile a path"
                raise Error(f"there is no folder for temporary files: {error.strerror}; {cure}") from None
        return Path(self._folder.name) / f"trace{self._cycle}{suffix}"

    def _forget_in_child(self) -> None:
        self._recording_to = None
        self.schedule, self.current_action = always_idle, ProfilerAction.NONE
        if self._folder is not None:
            leave_to_parent(self._folder)


def leave_to_parent(folder: Any) -> None:
    """A temporary folder; whoever made it deletes it."""
    _private.leave_folder(folder)


def always_idle(_step: int) -> ProfilerAction:
    return ProfilerAction.NONE


def comes_through_us(error: BaseException) -> bool:
    """Whether the handler had called us when it was raised."""
    files = [frame.f_code.co_filename for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(os.path.dirname(file) == HERE for file in files[1:])  # the first is the call of the handler


def make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Error(f"the folder {folder} cannot be made: {error.strerror}") from None


def wants_devices(activities: Iterable[Any] | None) -> bool:
    """Whether something else than the CPU is to be watched."""
    if activities is None:
        return True
    return any(getattr(group, "name", str(group)) != "CPU" for group in activity_groups(activities))


def activity_groups(activities: Iterable[Any]) -> list[Any]:
    """torch also takes {group: [kinds of activities]}."""
    return [group for item in activities for group in (item if isinstance(item, dict) else [item])]


class TraceHandler:
    """For on_trace_ready: keeps each trace in a folder, as WORKER.TIME.skyline or, with `json`, as Kineto's JSON."""

    def __init__(self, folder: str | os.PathLike[str], worker_name: str | None, json: str | None) -> None:
        self.folder = Path(folder)
        self.worker_name = worker_name
        self.json = json

    def keeps(self, suffix: str) -> bool:
        """Whether a recording may be written into the folder at once."""
        return self.json is None or suffix == self.json

    def new_path(self, suffix: str) -> Path:
        worker = self.worker_name or f"{socket.gethostname()}_{os.getpid()}"
        return self.folder / f"{worker}.{time.time_ns()}{suffix}"

    def __call__(self, finished: profile) -> None:
        try:
            trace = finished._finished_trace()
            if trace.parent == self.folder:
                return
            make_folder(self.folder)
            if self.json is not None:
                finished.export_chrome_trace(self.new_path(self.json))
            else:
                shutil.copyfile(trace, self.new_path(".skyline" if trace.suffix == ".skyline" else ".pt.trace.json"))
        except Exception as error:
            if is_users(error):
                raise
            say_once(f"a trace could not be kept in {self.folder}: {sentence_of(error)}; training goes on")


def trace_handler(dir_name: str | os.PathLike[str], worker_name: str | None = None) -> TraceHandler:
    """For on_trace_ready: keeps each trace in `dir_name`."""
    return TraceHandler(dir_name, worker_name, None)


def tensorboard_trace_handler(
    dir_name: str | os.PathLike[str], worker_name: str | None = None, use_gzip: bool = False
) -> TraceHandler:
    """The same as JSON that the TensorBoard plugin opens."""
    return TraceHandler(dir_name, worker_name, ".pt.trace.json.gz" if use_gzip else ".pt.trace.json")


def stop_at_exit() -> None:
    if current is not None:
        current.end()


def forget_in_child() -> None:
    global current
    if current is not None:
        owner = current.owner()
        if owner is not None:
            owner._forget_in_child()
        elif current.folder is not None:
            leave_to_parent(current.folder)
        current = None


atexit.register(stop_at_exit)
os.register_at_fork(after_in_child=forget_in_child)
