"""A training script in a session's worker: it runs as under `python`, and stands still after a step of its loop
whenever the session wants no more of them.

What a step is, which batches belong to it and what is evaluation is found as `skyline run` finds it (_marks.py). While
the script stands still, the session's commands are answered from within the step's hook; what is asked last is answered
when the steps are done, or when the script has ended.
"""

import gc
import os
import sys
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from . import _batch_source, _contract, _optimizer_steps, _private, _program, _ranks
from ._batch_source import BatchSource
from ._contract import ContractError
from ._evaluation_time import EvaluationTime
from ._loaders import Call, Loaders
from ._marks import Watcher, leading_dimension
from ._tensors import parameters_of

# Services that a run which is repeated at every save should not reach; what the user has set stays.
QUIET = {
    "WANDB_MODE": "disabled",
    "NEPTUNE_MODE": "debug",
    "COMET_MODE": "disabled",
    "SWANLAB_MODE": "disabled",
}
SETTLED_ROUNDS = 2  # of all optimizers; in the first one it is not known yet how many there are
PAUSE_NS = 20_000_000  # after longer ones a loop finds batches that have been fetched ahead
MOST_INPUTS = 16
NO_STEP = (
    "has ended without a step of a torch.optim optimizer; name a script that trains, or an entry point with "
    "skyline_model_provider, skyline_input_provider and skyline_iteration_provider"
)


@dataclass(frozen=True)
class Change:
    """What makes another batch size of a script."""

    edit_path: str = ""
    edit_begin: int = 0
    edit_end: int = 0
    edit_text: str = ""
    loaders_from: int = 0
    loaders_to: int = 0

    def bytes_of(self, path: str, as_saved: bytes) -> bytes:
        if path != self.edit_path:
            return as_saved
        return as_saved[: self.edit_begin] + self.edit_text.encode() + as_saved[self.edit_end :]


@dataclass(frozen=True)
class Step:
    duration_ns: int
    compile_ns: int
    data_ns: int
    samples: int


@dataclass
class Wanted:
    """Steps that the session has asked for."""

    count: int
    until_ns: int
    passed_over: int = 0  # steps that do not count
    steps: list[Step] = field(default_factory=list)


class Leader(Protocol):
    """Leads a run, and looks after what is recorded of it."""

    def stands_still(self, script: "ScriptRun", done: Wanted | None) -> Wanted:
        """After the last step that was wanted; gives the next wish."""

    def before_step(self, script: "ScriptRun") -> None:
        """An optimizer steps for the first time."""

    def step_ended(self, script: "ScriptRun") -> None: ...

    def compiled_ns(self) -> int: ...


class ScriptRun:
    """One run of the script."""

    def __init__(
        self,
        path: Path,
        root: Path,
        arguments: Sequence[str],
        module: str,
        change: Change,
        leader: Leader,
    ) -> None:
        self.path, self.root, self.arguments, self.module = path, root, list(arguments), module
        self.change = change
        self.leader = leader
        self.owner = os.getpid()
        self.loaders = Loaders(root, change.loaders_from, change.loaders_to)
        self.watcher = Watcher(self._stepped, self)
        self.wanted: Wanted | None = None  # none: as many as make it known
        self.rounds = 0
        self.evaluating = EvaluationTime()
        self.optimizers: weakref.WeakSet[Any] = weakref.WeakSet()
        self.models = Models()
        self.device = "cpu"
        self.inputs: Any = None
        self.loader_size: int | None = None
        self.maker: list[Call] = []
        self.workers, self.ahead = 0, 0  # of the DataLoader, and batches that each has ready
        self.batches: deque[int] = deque(maxlen=4096)  # of the step that goes on: their samples
        self.data_ns = 0
        self.began_ns = time.perf_counter_ns()
        self.compiled_before_ns = 0
        self.samples = 0  # of a step that is like all others
        self.seen_size = 0  # of a batch
        self.synchronize: Callable[[], None] | None = None
        self.is_over = False

    # What the watcher tells.

    def evaluation(self, *, begins: bool) -> None:
        self.evaluating.told(begins=begins)

    def fetched(self, iterator: Any, batch: Any, began_ns: int) -> None:
        self.data_ns += time.perf_counter_ns() - began_ns
        self.inputs = batch
        size = leading_dimension(batch)
        if size is not None:
            self.batches.append(size)
        if self.rounds < SETTLED_ROUNDS:
            self.loader_size = _private.batch_size_of(iterator)
            self.maker = self.loaders.maker_of(iterator, self.loader_size or 0)
            self.workers, self.ahead = _private.workers_of(iterator)

    def called(self, arguments: Any) -> None:
        if not self.watcher.has_loader:
            self.inputs = arguments
            size = leading_dimension(arguments)
            if size is not None:
                self.batches.append(size)

    # Its steps.

    def watch(self) -> None:
        """Before anything else listens to optimizers' steps."""
        _optimizer_steps.listen(before_each=self._before_step)
        self.watcher.start()

    def _before_step(self, optimizer: Any) -> None:
        if optimizer not in self.optimizers:
            self.optimizers.add(optimizer)
            parameters = [one for each in self.optimizers for one in parameters_of(each)]
            self.models.roots = [weakref.ref(one) for one in modules_with({id(one) for one in parameters})]
            self.device = next((str(one.device) for one in parameters), "cpu")
            self.leader.before_step(self)

    def _stepped(self, is_round_end: bool) -> None:
        if os.getpid() != self.owner or not is_round_end:
            return
        if self.synchronize is not None:
            self.synchronize()
        now_ns, compiled_ns = time.perf_counter_ns(), self.leader.compiled_ns()
        step = Step(
            now_ns - self.began_ns - self.evaluating.taken_ns(),
            compiled_ns - self.compiled_before_ns,
            self.data_ns,
            sum(self.batches),
        )
        self.rounds += 1
        if self.batches:
            self.seen_size = max(set(self.batches), key=list(self.batches).count)
        if self.rounds == 1 and not self.watcher.has_loader:
            self.watcher.calls.start()  # until it is known how many samples a step has
        self.leader.step_ended(self)
        if self._is_enough(step):
            if self.wanted is None:
                self.samples = step.samples
            self.watcher.calls.stop()
            before_ns = time.perf_counter_ns()
            self.wanted = self.leader.stands_still(self, self.wanted)
            if self.wanted.count > 1 and time.perf_counter_ns() - before_ns > PAUSE_NS:
                per_step = max(len(self.batches), 1)
                self.wanted.passed_over = 1 + -(-self.workers * self.ahead // per_step)
        self.batches.clear()
        self.data_ns = 0
        self.evaluating.begin()
        self.compiled_before_ns = self.leader.compiled_ns()
        self.began_ns = time.perf_counter_ns()

    def _is_enough(self, step: Step) -> bool:
        """Whether this is the last step that is wanted."""
        wanted = self.wanted
        if wanted is None:
            return self.rounds >= SETTLED_ROUNDS
        if wanted.passed_over > 0:
            wanted.passed_over -= 1
            return False
        wanted.steps.append(step)
        return len(wanted.steps) >= wanted.count or time.perf_counter_ns() > wanted.until_ns

    # The program around them.

    def run(self) -> None:
        """Until the script has ended; what is wrong in it is raised as ContractError."""
        os.environ["SKYLINE"] = "1"
        for name, value in QUIET.items():
            os.environ.setdefault(name, value)
        self.loaders.start()
        self.watcher.watch_compiled_models()
        _ranks.refuse(self.path, self.root)
        name = self.path.name
        try:
            self._run_program()
        except SyntaxError as error:
            raise ContractError(
                Path(error.filename or self.path), error.lineno or 1, f"this is not Python: {error.msg}"
            ) from error
        except SystemExit as error:
            if error.code not in (None, 0):
                raise _contract.error_of(error, name, self.path, self.root) from error
        except Exception as error:
            raise _contract.error_of(error, name, self.path, self.root) from error
        finally:
            self.is_over = True
            self.watcher.stop()
            flush()
        if self.wanted is None:
            steps = "one step" if self.rounds else ""
            if self.rounds:
                raise ContractError(self.path, 1, f"{name} has ended after {steps}; give it more data, or more epochs")
            raise ContractError(self.path, 1, f"{name} {NO_STEP}")

    def _run_program(self) -> None:
        if self.module:
            _program.set_first_path(os.getcwd())
            sys.argv = [self.module, *self.arguments]
            sys.modules["__main__"] = _program.new_main()
            _private.run_as_main(self.module)
            return
        sys.path.insert(0, str(self.path.parent))
        sys.argv = [str(self.path), *self.arguments]
        text = self.change.bytes_of(str(self.path), self.path.read_bytes())
        code = compile(text, str(self.path), "exec", dont_inherit=True)
        _program.run_code(code, str(self.path))

    # What is known when it has begun.

    @property
    def batch_size(self) -> int:
        """0: not known."""
        return self.loader_size or self.seen_size

    def source_of_batch(self, files: Sequence[Path]) -> BatchSource:
        if self.batch_size == 0:
            return BatchSource(reason="how many samples a step has is not seen: there is no DataLoader")
        return _batch_source.find_batch_source(self.batch_size, self.maker, files, self.arguments, self.root)


class Models:
    """The modules that hold what is trained, and are in no other such module, as if they were one."""

    def __init__(self) -> None:
        self.roots: list[weakref.ref[Any]] = []

    def _named(self, kind: str, remove_duplicate: bool) -> list[tuple[str, Any]]:
        named = []
        for root in [one for reference in self.roots if (one := reference()) is not None]:
            named += getattr(root, kind)(remove_duplicate=remove_duplicate)
        return named

    def named_parameters(self, remove_duplicate: bool = True) -> list[tuple[str, Any]]:
        return self._named("named_parameters", remove_duplicate)

    def named_buffers(self, remove_duplicate: bool = True) -> list[tuple[str, Any]]:
        return self._named("named_buffers", remove_duplicate)


def modules_with(parameters: set[int]) -> list[Any]:
    from torch.nn import Module

    holders = []
    for thing in gc.get_objects():
        try:
            if issubclass(type(thing), Module) and any(id(one) in parameters for one in thing.parameters()):
                holders.append(thing)
        except Exception:  # a module that answers in its own way
            continue
    inner = {id(child) for holder in holders for child in holder.modules() if child is not holder}
    outer = [holder for holder in holders if id(holder) not in inner]
    return [part for holder in outer for part in called_parts(holder)]


def called_parts(module: Any) -> list[Any]:
    """As a recording names modules by the outermost one that is called: a LightningModule is not, but its children are,
    unless it says what its forward is."""
    classes = {each.__name__: each for each in type(module).__mro__}
    lightning: Any = classes.get("LightningModule")
    if lightning is None or type(module).forward is not lightning.forward:
        return [module]
    return list(module.children())


def tensors_in(batch: Any, most: int = MOST_INPUTS) -> list[Any]:
    """The tensors of a batch, in its order."""
    found: list[Any] = []
    pending, met = [batch], set()
    while pending and len(found) < most:
        part = pending.pop(0)
        if _contract.is_tensor(part):
            found.append(part)
        elif isinstance(part, (Mapping, list, tuple)) and id(part) not in met:
            met.add(id(part))
            pending = [*(part.values() if isinstance(part, Mapping) else part), *pending]
    return found


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):
            pass
