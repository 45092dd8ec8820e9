#!/usr/bin/env python3
"""Makes both sides of the messages between a session and its Python processes from protocol/worker.protocol.

tools/gen_worker_messages.py            writes src/session/worker_messages.{h,cpp} and
                                        python/skyline/_worker_messages.py
tools/gen_worker_messages.py --check    writes nothing; exit 1 if one of them is not what it would write

The session writes commands and reads answers; the worker is called with the fields of commands and writes answers.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from gen_protocol import (
    READERS,
    ROOT,
    Call,
    Enum,
    Field,
    Method,
    Protocol,
    Type,
    constant,
    cpp_field,
    in_order_of_use,
    item_of,
    parse_file,
    write_or_check,
)

SOURCE = ROOT / "protocol" / "worker.protocol"
MADE_BY = "Made by tools/gen_worker_messages.py from protocol/worker.protocol; change that."
ERROR = "WorkerError"
WIDTH = 120


def key_of(kind: str) -> str:
    """The name of a type as a key: memory_kept of MemoryKept."""
    if kind == ERROR:
        return "error"
    return re.sub(r"(?<!^)([A-Z])", r"_\1", kind).lower()


def answers(protocol: Protocol) -> list[str]:
    return [*dict.fromkeys(method.result for method in protocol.methods), ERROR]


def keys(protocol: Protocol) -> dict[str, str]:
    """Of all that Python sends, by type."""
    return {name: key_of(name) for name in answers(protocol)} | {event.data: event.name for event in protocol.events}


def is_event(protocol: Protocol, kind: Type) -> bool:
    return any(event.data == kind.name for event in protocol.events)


def read_types(protocol: Protocol) -> list[Type]:
    """What the session reads: answers, events and what is in them."""
    wanted = {*answers(protocol), *(event.data for event in protocol.events)}
    for kind in reversed(in_order_of_use(protocol)):
        if kind.name in wanted and isinstance(kind, Type):
            wanted |= {item_of(each.type) for each in kind.fields}
    return [kind for kind in in_order_of_use(protocol) if kind.name in wanted and isinstance(kind, Type)]


# ---- C++. --------------------------------------------------------------------------------------


def comment_lines(doc: str) -> Iterator[str]:
    if doc:
        yield f"// {doc}"


def command_signature(protocol: Protocol, method: Method | Call) -> str:
    params = protocol.find(method.params)
    has_fields = isinstance(params, Type) and params.fields
    return f"std::string {method.name}_command({f'const {method.params}& message' if has_fields else ''})"


def header_lines(protocol: Protocol) -> Iterator[str]:
    yield f"// {MADE_BY}"
    yield "// clang-format off"
    yield "#pragma once"
    yield ""
    yield from ("#include <cstdint>", "#include <optional>", "#include <string>", "#include <string_view>")
    yield from ("#include <vector>", "", "namespace skyline {", "class JsonFields;  // base/json_fields.h", "}", "")
    yield "namespace skyline::session {"
    for kind in in_order_of_use(protocol):
        if isinstance(kind, Enum):
            yield ""
            yield from comment_lines(kind.doc)
            yield f"enum class {kind.name} : uint8_t {{ {', '.join(constant(word) for word in kind.words)} }};"
        elif kind.fields or is_event(protocol, kind):
            yield ""
            yield from comment_lines(kind.doc)
            yield f"struct {kind.name} {{"
            yield from (cpp_field(protocol, each) for each in kind.fields)
            yield "};"
    yield ""
    yield "// ---- Commands, each an object of JSON. ----"
    for method in [*protocol.methods, *protocol.calls]:
        yield ""
        yield from comment_lines(method.doc)
        yield command_signature(protocol, method) + ";"
    yield ""
    about = "the key of each and its fields. A wrong one makes everything wrong; see JsonFields."
    yield f"// ---- Answers and events: {about} ----"
    yield ""
    for name, key in keys(protocol).items():
        yield f'constexpr std::string_view key_of(const {name}&) {{ return "{key}"; }}'
    yield ""
    for kind in read_types(protocol):
        yield f"void read(const JsonFields& fields, {kind.name}& message);"
    yield ""
    yield "}  // namespace skyline::session"


def write_lines(protocol: Protocol, each: Field) -> Iterator[str]:
    value, indent = f"message.{each.name}", "  "
    inner = protocol.find(each.type)
    if each.optional:
        yield f'  if ({value}) json.field("{each.name}", *{value});'
    elif isinstance(inner, Enum):
        words = ", ".join(f'"{word}"' for word in inner.words)
        yield f"{indent}constexpr std::string_view k{inner.name}[] = {{{words}}};"
        yield f'{indent}json.field("{each.name}", k{inner.name}[static_cast<size_t>({value})]);'
    elif each.type == "text[]":
        yield f'{indent}json.key("{each.name}");'
        yield f"{indent}json.begin_array(JsonWriter::Layout::kInline);"
        yield f"{indent}for (const std::string& each : {value}) json.value(each);"
        yield f"{indent}json.end_array();"
    elif each.type in {"text", "int", "bool"}:
        yield f'{indent}json.field("{each.name}", {value});'
    else:
        raise SystemExit(f"{SOURCE.name}: commands have no fields of type {each.type}")


def read_lines(protocol: Protocol, each: Field) -> Iterator[str]:
    value = f"message.{each.name}"
    inner = protocol.find(item_of(each.type))
    if each.type in READERS:
        condition = f'if (fields.has("{each.name}")) ' if each.optional else ""
        yield f'  {condition}{value} = fields.{READERS[each.type]}("{each.name}");'
    elif isinstance(inner, Type) and each.type.endswith("[]"):
        yield f'  for (const JsonFields& each : fields.objects("{each.name}")) read(each, {value}.emplace_back());'
    elif isinstance(inner, Type) and each.optional:
        yield f'  if (fields.has("{each.name}")) read(fields.object("{each.name}"), {value}.emplace());'
    elif isinstance(inner, Type):
        yield f'  read(fields.object("{each.name}"), {value});'
    else:
        raise SystemExit(f"{SOURCE.name}: answers have no fields of type {each.type}")


def source_lines(protocol: Protocol) -> Iterator[str]:
    yield f"// {MADE_BY}"
    yield "// clang-format off"
    yield from ('#include "session/worker_messages.h"', "", '#include "base/json_fields.h"')
    yield from ('#include "base/json_writer.h"', "", "namespace skyline::session {")
    for method in [*protocol.methods, *protocol.calls]:
        params = protocol.find(method.params)
        yield ""
        yield command_signature(protocol, method) + " {"
        yield "  JsonWriter json;"
        yield "  json.begin_object(JsonWriter::Layout::kInline);"
        yield f'  json.field("do", "{method.name}");'
        for each in params.fields if isinstance(params, Type) else ():
            yield from write_lines(protocol, each)
        yield "  json.end_object();"
        yield "  return std::move(json).finish();"
        yield "}"
    for kind in read_types(protocol):
        yield ""
        if not kind.fields:
            yield f"void read(const JsonFields&, {kind.name}&) {{}}"
            continue
        yield f"void read(const JsonFields& fields, {kind.name}& message) {{"
        for each in kind.fields:
            yield from read_lines(protocol, each)
        yield "}"
    yield ""
    yield "}  // namespace skyline::session"


# ---- Python. -----------------------------------------------------------------------------------

PYTHON = {"text": "str", "int": "int", "num": "float", "bool": "bool"}


def python_type(kind: str) -> str:
    return f"list[{python_type(kind[:-2])}]" if kind.endswith("[]") else PYTHON.get(kind, kind)


def command_lines(protocol: Protocol, methods: Sequence[Method | Call]) -> Iterator[str]:
    for method in methods:
        params = protocol.find(method.params)
        names = [f'"{each.name}"' for each in params.fields] if isinstance(params, Type) else []
        line = f'    "{method.name}": ({", ".join(names)}{"," if len(names) == 1 else ""}),'
        if len(line) <= WIDTH:
            yield line
        else:  # as ruff writes it
            yield from (f'    "{method.name}": (', *(f"        {name}," for name in names), "    ),")


def python_lines(protocol: Protocol) -> Iterator[str]:
    yield from (f"# {MADE_BY}", '"""What Python processes of a session send, and what they can be told."""', "")
    yield from ("from dataclasses import asdict, dataclass", "from typing import Any")
    for kind in read_types(protocol):
        yield from ("", "", "@dataclass(frozen=True)", f"class {kind.name}:")
        if kind.doc:
            yield f'    """{kind.doc}"""'
        if kind.doc and kind.fields:
            yield ""
        if not kind.doc and not kind.fields:
            yield "    pass"
        for each in kind.fields:
            optional = " | None" if each.optional else ""
            comment = f"  # {each.doc}" if each.doc else ""
            default = " = None" if each.optional and is_event(protocol, kind) else ""
            yield f"    {each.name}: {python_type(each.type)}{optional}{default}{comment}"
    yield from ("", "")
    yield "# Commands and their fields."
    yield "COMMANDS: dict[str, tuple[str, ...]] = {"
    yield from command_lines(protocol, protocol.methods)
    yield "}"
    yield ""
    yield "# The same of what a zygote can be told."
    yield "CALLS: dict[str, tuple[str, ...]] = {"
    yield from command_lines(protocol, protocol.calls)
    yield "}"
    yield ""
    yield "KEYS: dict[type, str] = {"
    for name, key in keys(protocol).items():
        yield f'    {name}: "{key}",'
    yield "}"
    yield from ("", "", "Event = (")
    yield from (f"    {'| ' if i else ''}{event.data}" for i, event in enumerate(protocol.events))
    yield from (")", "", "")
    yield "def as_event(message: Event) -> dict[str, Any]:"
    yield '    """As it is sent; what is not known is left out."""'
    yield "    known = {name: value for name, value in asdict(message).items() if value is not None}"
    yield "    return {KEYS[type(message)]: known}"
    yield from ("", "")
    yield f"def as_answer(message: {' | '.join(answers(protocol))}) -> dict[str, Any]:"
    yield '    """As it is sent."""'
    yield "    return {KEYS[type(message)]: asdict(message)}"


def outputs() -> dict[Path, str]:
    protocol = parse_file(SOURCE)
    return {
        ROOT / "src" / "session" / "worker_messages.h": "\n".join(header_lines(protocol)) + "\n",
        ROOT / "src" / "session" / "worker_messages.cpp": "\n".join(source_lines(protocol)) + "\n",
        ROOT / "python" / "skyline" / "_worker_messages.py": "\n".join(python_lines(protocol)) + "\n",
    }


if __name__ == "__main__":
    sys.exit(write_or_check(outputs()))
