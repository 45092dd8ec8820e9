"""A slow, obvious reader of Chrome-trace JSON, against which the fast one is checked.

The whole file goes through Python's own `json`, with two differences: a number stays the text it was in the
file (so that times are exact and ids print as written), and text that is not Unicode becomes U+FFFD, one per
bad byte or lone surrogate. Malformed JSON is not repaired here: such files have golden tests.
"""

from __future__ import annotations

import codecs
import gzip
import json
import re
import subprocess
from dataclasses import dataclass, field
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

from oracle.categories import model_category

EXACT = Context(prec=1000)
INT64 = range(-(2**63), 2**63)
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class Number(str):
    """A JSON number as the text it was in the file."""

    __slots__ = ()


@dataclass(slots=True, eq=False)
class Slice:
    """A complete event (`ph` X) whose times can be used. `ordinal` counts slices from 0 in file order."""

    ordinal: int
    category: str
    pid: str
    tid: str
    start_ns: int
    dur_ns: int
    name: str
    args: dict[str, Any]
    ts_text: str
    dur_text: str

    @property
    def end_ns(self) -> int:
        return self.start_ns + self.dur_ns

    @property
    def track(self) -> tuple[str, str]:
        return self.pid, self.tid

    def integer(self, *keys: str) -> int | None:
        """The first of these args that is a whole number."""
        return next((n for n in (integer_of(self.args.get(key)) for key in keys) if n is not None), None)

    @property
    def correlation(self) -> int | None:
        return self.integer("correlation")

    @property
    def external_id(self) -> int | None:
        return self.integer("External id", "external id")


@dataclass(slots=True)
class Flow:
    """One end (`ph` s or f) of a forward-to-backward arrow."""

    phase: str
    flow_id: str
    pid: str
    tid: str
    ts_ns: int


@dataclass(slots=True)
class Instant:
    """A memory event (`[memory]`) or a counter (`ph` C)."""

    pid: str
    tid: str
    ts_ns: int
    name: str
    args: dict[str, Any]


@dataclass(slots=True)
class Trace:
    envelope: dict[str, Any]
    events: int = 0
    slices: list[Slice] = field(default_factory=list)
    flows: list[Flow] = field(default_factory=list)
    memory: list[Instant] = field(default_factory=list)
    counters: list[Instant] = field(default_factory=list)


def read_trace(path: Path | str) -> Trace:
    return trace_of(unpack(Path(path)))


def unpack(path: Path) -> bytes:
    raw = path.read_bytes()
    if raw.startswith(b"\x1f\x8b"):
        return gzip.decompress(raw)
    if raw.startswith(b"\x28\xb5\x2f\xfd"):
        return subprocess.run(["zstd", "-dcq"], input=raw, stdout=subprocess.PIPE, check=True).stdout
    return raw


def trace_of(raw: bytes) -> Trace:
    text = raw.decode("utf-8", "one_replacement_per_byte").removeprefix("\ufeff")
    document = json.loads(text, parse_int=Number, parse_float=Number, strict=False)
    if isinstance(document, list):
        document = {"traceEvents": document}
    events = [event for event in document.pop("traceEvents", []) if isinstance(event, dict)]
    trace = Trace(envelope=document, events=len(events))
    for event in events:
        add_event(trace, event)
    return trace


def add_event(trace: Trace, event: dict[str, Any]) -> None:
    phase = event.get("ph")
    ts_ns = nanoseconds(event.get("ts"))
    if ts_ns is None:
        return
    args = event.get("args")
    args = args if isinstance(args, dict) else {}
    pid, tid, name, cat = (text_of(event.get(key)) for key in ("pid", "tid", "name", "cat"))
    if phase == "X":
        dur_ns = nanoseconds(event.get("dur"))
        if dur_ns is not None and dur_ns >= 0:
            trace.slices.append(
                Slice(
                    len(trace.slices),
                    model_category(cat),
                    pid,
                    tid,
                    ts_ns,
                    dur_ns,
                    name,
                    args,
                    str(event["ts"]),
                    str(event["dur"]),
                )
            )
    elif phase in ("s", "f") and cat.lower() in ("fwdbwd", "forward_backward"):
        trace.flows.append(Flow(phase, text_of(event.get("id")), pid, tid, ts_ns))
    elif phase in ("i", "I") and name == "[memory]" and integer_of(args.get("Bytes")) is not None:
        trace.memory.append(Instant(pid, tid, ts_ns, name, args))
    elif phase == "C":
        trace.counters.append(Instant(pid, tid, ts_ns, name, args))


def nanoseconds(microseconds: Any) -> int | None:
    """Decimal text in microseconds to whole nanoseconds, cut towards zero; None if that is no int64."""
    number = decimal_of(microseconds)
    if number is None or number.adjusted() > 20:
        return None
    whole = int(EXACT.multiply(number, Decimal(1000)))
    return whole if whole in INT64 else None


def integer_of(value: Any) -> int | None:
    """A whole number of at most 64 bits."""
    number = decimal_of(value)
    if number is None or number.adjusted() > 20 or number != int(number):
        return None
    return int(number) if -(2**63) <= number < 2**64 else None


def decimal_of(value: Any) -> Decimal | None:
    """A number, or a text that is one."""
    return Decimal(value) if isinstance(value, str) and JSON_NUMBER.fullmatch(value) else None


def text_of(value: Any) -> str:
    """A string as it is, a number as it is written, anything else as nothing."""
    return LONE_SURROGATE.sub("\ufffd", value) if isinstance(value, str) else ""


def one_replacement_per_byte(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "\ufffd" * (error.end - error.start), error.end


codecs.register_error("one_replacement_per_byte", one_replacement_per_byte)
