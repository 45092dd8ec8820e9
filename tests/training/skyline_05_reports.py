"""Reads reports as programs made for Skyline 0.5 do: by its tables alone, each entry with its most specific frame."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

WEIGHT, ACTIVATION = 1, 2


@dataclass(frozen=True)
class Place:
    file_path: str
    line_number: int


@dataclass(frozen=True)
class TimeEntry:
    operation_name: str
    forward_ms: float
    backward_ms: float | None
    place: Place | None


@dataclass(frozen=True)
class WeightEntry:
    name: str
    size_bytes: int
    grad_size_bytes: int
    place: Place | None


@dataclass(frozen=True)
class ActivationEntry:
    operation_name: str
    size_bytes: int
    place: Place | None


@dataclass(frozen=True)
class MemoryReport:
    weights: list[WeightEntry]
    activations: list[ActivationEntry]
    peak_usage_bytes: int


def connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    assert version == 1, f"{path} is of version {version}; Skyline 0.5 reads version 1"
    return connection


def most_specific(frames: list[tuple[int, str, int]]) -> Place | None:
    """Of (ordering, file, line) the one with the lowest ordering."""
    return Place(*min(frames)[1:]) if frames else None


def read_time_report(path: Path) -> list[TimeEntry]:
    with closing(connect(path)) as connection:
        frames: dict[int, list[tuple[int, str, int]]] = {}
        for entry, *frame in connection.execute("SELECT entry_id, ordering, file_path, line_number FROM stack_frames"):
            frames.setdefault(entry, []).append(tuple(frame))
        rows = connection.execute(
            "SELECT id, operation_name, forward_ms, backward_ms FROM run_time_entries ORDER BY id"
        )
        return [TimeEntry(*values, most_specific(frames.get(entry, []))) for entry, *values in rows]


def read_memory_report(path: Path) -> MemoryReport:
    with closing(connect(path)) as connection:
        types = dict(connection.execute("SELECT entry_type, name FROM entry_types"))
        assert types == {WEIGHT: "Weight", ACTIVATION: "Activation"}
        frames: dict[tuple[int, int], list[tuple[int, str, int]]] = {}
        for entry_type, entry, *frame in connection.execute(
            "SELECT entry_type, entry_id, ordering, file_path, line_number"
            " FROM stack_correlation JOIN stack_frames USING (correlation_id)"
        ):
            frames.setdefault((entry_type, entry), []).append(tuple(frame))
        weights = connection.execute("SELECT id, name, size_bytes, grad_size_bytes FROM weight_entries ORDER BY id")
        activations = connection.execute("SELECT id, operation_name, size_bytes FROM activation_entries ORDER BY id")
        sizes = dict(connection.execute("SELECT key, size_bytes FROM misc_sizes"))
        return MemoryReport(
            [WeightEntry(*values, most_specific(frames.get((WEIGHT, entry), []))) for entry, *values in weights],
            [
                ActivationEntry(*values, most_specific(frames.get((ACTIVATION, entry), [])))
                for entry, *values in activations
            ],
            sizes["peak_usage_bytes"],
        )
