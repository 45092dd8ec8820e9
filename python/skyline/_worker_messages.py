# Made by tools/gen_worker_messages.py from protocol/worker.protocol; change that.
"""What a worker answers, and what it can be told."""

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

KEYS: dict[type, str] = {
    Loaded: "loaded",
    Iterated: "iterated",
    MemoryKept: "memory_kept",
    Recording: "recording",
    Recorded: "recorded",
    WorkerError: "error",
}


def as_answer(message: Loaded | Iterated | MemoryKept | Recording | Recorded | WorkerError) -> dict[str, Any]:
    """As it is sent."""
    return {KEYS[type(message)]: asdict(message)}
