# Made by tools/gen_worker_messages.py from protocol/worker.protocol; change that.
"""What Python processes of a session send, and what they can be told."""

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class BatchLiteral:
    """Where the batch size stands in the source, as python/skyline/_batch_literal.py finds it."""

    path: str
    value: int
    begin_byte: int  # from the file's start
    end_byte: int
    line: int  # from 1
    begin_column: int  # from 0, in UTF-16 units, as editors count
    end_column: int
    file_hash: str  # SHA-256 of the whole file


@dataclass(frozen=True)
class SourceFileHash:
    path: str
    sha256: str


@dataclass(frozen=True)
class Loaded:
    batch_size: int
    literal: BatchLiteral | None
    no_literal: str  # why there is none
    device: str  # "cpu", "cuda:0"
    device_memory_bytes: int  # of the device, less what others and its context use; 0 on the CPU
    files: list[SourceFileHash]
    modules: list[str]  # packages that the project imports and that are not its own
    is_script: bool  # no entry point
    script_workers: int  # of its DataLoader, which take turns; -1: it has none
    samples: int  # of an iteration: those of several batches, where gradients are accumulated
    other_sizes: str  # how a script is given another batch size: "edit", "argument", "loaders"; empty: not at all
    argument: int  # with "argument": which, from 0,
    argument_prefix: str  # and what stands before the number in it


@dataclass(frozen=True)
class InputTensor:
    dtype: str  # empty: not a tensor
    shape: list[int]


@dataclass(frozen=True)
class Iterated:
    durations_ns: list[int]
    compile_ns: list[int]  # of these, by torch.compile
    data_ns: list[int]  # of these, waiting for DataLoaders; empty: not known
    samples: list[int]  # of each; empty: the same in all
    is_over: bool  # the script has ended: there may be fewer than were asked for, or none
    inputs: list[InputTensor]
    resident_peak_bytes: int
    page_faults: int  # in all of them


@dataclass(frozen=True)
class MemoryKept:
    is_kept: bool


@dataclass(frozen=True)
class Recording:
    """The file that is written from now on; which kind of file depends on the recorder."""

    path: str


@dataclass(frozen=True)
class Recorded:
    """The file that is complete."""

    path: str


@dataclass(frozen=True)
class WorkerError:
    path: str  # of the user's line; empty: not known
    line: int
    sentence: str


@dataclass(frozen=True)
class ZygoteReady:
    python: str  # version
    torch: str  # version; empty: there is none


@dataclass(frozen=True)
class ZygoteImporting:
    module: str


@dataclass(frozen=True)
class ZygoteTainted:
    module: str
    why: str


@dataclass(frozen=True)
class TaskStarted:
    number: int
    pid: int


@dataclass(frozen=True)
class TaskEnded:
    number: int
    code: int | None = None
    signal: str | None = None  # "SIGSEGV"; else it ended by itself, with `code`


@dataclass(frozen=True)
class ZygoteGone:
    code: int | None = None
    signal: str | None = None


@dataclass(frozen=True)
class WritesFile:
    path: str  # about to be written, renamed or removed


@dataclass(frozen=True)
class StartsPrograms:
    pass


@dataclass(frozen=True)
class KillsParent:
    signal: str
    path: str  # the user's line; empty: not known
    line: int


# Commands and their fields.
COMMANDS: dict[str, tuple[str, ...]] = {
    "load": (
        "entry_point",
        "project_root",
        "recording",
        "endings",
        "arguments",
        "module",
        "edit_path",
        "edit_begin",
        "edit_end",
        "edit_text",
        "loaders_from",
        "loaders_to",
    ),
    "iterate": ("batch_size", "count", "limit_ns"),
    "keep_memory": (),
    "record": ("recording", "what"),
    "stop_recording": (),
}

# The same of what a zygote can be told.
CALLS: dict[str, tuple[str, ...]] = {
    "start_task": ("number", "task", "arguments", "threads"),
    "stop_task": ("number",),
}

KEYS: dict[type, str] = {
    Loaded: "loaded",
    Iterated: "iterated",
    MemoryKept: "memory_kept",
    Recording: "recording",
    Recorded: "recorded",
    WorkerError: "error",
    ZygoteReady: "ready",
    ZygoteImporting: "importing",
    ZygoteTainted: "tainted",
    TaskStarted: "started",
    TaskEnded: "ended",
    ZygoteGone: "gone",
    WritesFile: "writes",
    StartsPrograms: "starts",
    KillsParent: "kills",
}


Event = (
    ZygoteReady
    | ZygoteImporting
    | ZygoteTainted
    | TaskStarted
    | TaskEnded
    | ZygoteGone
    | WritesFile
    | StartsPrograms
    | KillsParent
)


def as_event(message: Event) -> dict[str, Any]:
    """As it is sent; what is not known is left out."""
    known = {name: value for name, value in asdict(message).items() if value is not None}
    return {KEYS[type(message)]: known}


def as_answer(message: Loaded | Iterated | MemoryKept | Recording | Recorded | WorkerError) -> dict[str, Any]:
    """As it is sent."""
    return {KEYS[type(message)]: asdict(message)}
