"""From values to JSON text, in every layout that traces come in."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from typing import Any


class Raw(str):
    """JSON text that is written as it is: a number in a chosen notation."""


class Object(list[tuple[str, Any]]):
    """A JSON object whose keys have an order and may repeat."""


# A character from here on stands for one raw byte that is not valid UTF-8 by itself.
FIRST_RAW_BYTE = 0xF700


class Writer:
    """Writes values; with a share of needless escapes when it has dice."""

    def __init__(self, rng: random.Random | None = None, escapes: float = 0.0) -> None:
        self.rng, self.escapes = rng, escapes

    def value(self, value: Any, item: str = ", ", colon: str = ": ") -> str:
        if isinstance(value, Raw):
            return value
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, Object):
            return "{" + item.join(self.string(k) + colon + self.value(v, item, colon) for k, v in value) + "}"
        if isinstance(value, list):
            return "[" + item.join(self.value(v, item, colon) for v in value) + "]"
        return json.dumps(value)

    def string(self, text: str) -> str:
        return '"' + "".join(map(self.character, text)) + '"'

    def character(self, c: str) -> str:
        code = ord(c)
        if FIRST_RAW_BYTE + 0x80 <= code <= FIRST_RAW_BYTE + 0xFF:
            return chr(0xDC00 + code - FIRST_RAW_BYTE)  # becomes that byte by surrogateescape
        if 0xD800 <= code <= 0xDFFF or (self.rng and self.rng.random() < self.escapes):
            return "\\/" if c == "/" else self.escaped(code)
        if c in '"\\':
            return "\\" + c
        if code < 0x20:
            ways = [f"\\u{code:04x}", {"\n": "\\n", "\t": "\\t", "\b": "\\b"}.get(c, f"\\u{code:04X}"), c]
            return self.rng.choice(ways if self.escapes and code else ways[:2]) if self.rng else ways[0]
        return c

    @staticmethod
    def escaped(code: int) -> str:
        if code < 0x10000:
            return f"\\u{code:04X}"
        return f"\\u{0xD800 + ((code - 0x10000) >> 10):04x}\\u{0xDC00 + ((code - 0x10000) & 0x3FF):04x}"

    def indented(self, value: Any, depth: int = 0) -> str:
        pad, inner = "\n" + "    " * depth, "\n" + "    " * (depth + 1)
        if isinstance(value, Object) and value:
            members = (f"{inner}{self.string(k)}: {self.indented(v, depth + 1)}" for k, v in value)
            return "{" + ",".join(members) + pad + "}"
        if isinstance(value, list) and value and not isinstance(value, Object):
            return "[" + ",".join(inner + self.indented(v, depth + 1) for v in value) + pad + "]"
        return self.value(value)


def document(before: Object, events: list[Object], after: Object, layout: str, array: bool, writer: Writer) -> bytes:
    text = LAYOUTS[layout](before, events, after, array, writer)
    return text.encode("utf-8", "surrogateescape")


def kineto(before: Object, events: list[Object], after: Object, array: bool, writer: Writer) -> str:
    """Kineto's own: a few keys per line, times and args on lines of their own."""
    body = "[\n" + ",\n".join(f"  {{\n    {kineto_event(event, writer)}\n  }}" for event in events) + "\n  ]"
    return framed(before, body, after, array, "\n{\n  ", ",\n  ", "\n}\n", writer)


def kineto_event(event: Object, writer: Writer) -> str:
    lines: list[str] = []
    line: list[str] = []
    for key, value in event:
        if key in ("ts", "args") and line:
            lines.append(", ".join(line))
            line = []
        if isinstance(value, Object) and key == "args":
            members = ", ".join(f"{writer.string(k)}: {writer.value(v)}" for k, v in value)
            line.append(f"{writer.string(key)}: {{\n      {members}\n    }}")
        else:
            line.append(f"{writer.string(key)}: {writer.value(value)}")
    return ",\n    ".join([*lines, ", ".join(line)])


def spaced(before: Object, events: list[Object], after: Object, array: bool, writer: Writer) -> str:
    """json.dump's: all on one line."""
    return framed(before, writer.value(list(events)), after, array, "{", ", ", "}", writer)


def compact(before: Object, events: list[Object], after: Object, array: bool, writer: Writer) -> str:
    body = writer.value(list(events), ",", ":")
    return framed(before, body, after, array, "{", ",", "}", writer, (",", ":"))


def lines(before: Object, events: list[Object], after: Object, array: bool, writer: Writer) -> str:
    body = "[\n" + ",\n".join(writer.value(event) for event in events) + "\n]"
    return framed(before, body, after, array, "{\n", ",\n", "}\n", writer)


def indented(before: Object, events: list[Object], after: Object, array: bool, writer: Writer) -> str:
    if array:
        return writer.indented(list(events))
    return writer.indented(Object([*before, ("traceEvents", list(events)), *after]))


def airy(before: Object, events: list[Object], after: Object, array: bool, writer: Writer) -> str:
    """White space wherever JSON allows it."""
    body = writer.value(list(events), " \r\n,\t ", " \t:\n ")
    return framed(before, body, after, array, " \n {\r\n", "\t,\n\n", " }\n \t", writer, (" , ", " : "))


def framed(
    before: Object,
    body: str,
    after: Object,
    array: bool,
    opening: str,
    comma: str,
    closing: str,
    writer: Writer,
    marks: tuple[str, str] = (", ", ": "),
) -> str:
    if array:
        return body

    def members(pairs: Iterable[tuple[str, Any]]) -> list[str]:
        return [f"{writer.string(k)}{marks[1]}{writer.value(v, *marks)}" for k, v in pairs]

    return opening + comma.join([*members(before), f'"traceEvents"{marks[1]}{body}', *members(after)]) + closing


LAYOUTS: dict[str, Callable[[Object, list[Object], Object, bool, Writer], str]] = {
    "kineto": kineto,
    "spaced": spaced,
    "compact": compact,
    "lines": lines,
    "indented": indented,
    "airy": airy,
}
