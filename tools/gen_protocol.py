#!/usr/bin/env python3
"""Makes the types of the protocol from protocol/skyline.protocol, which explains its own syntax.

tools/gen_protocol.py            writes protocol/schema.json, protocol/messages.ts,
                                 src/serve/messages/protocol.{h,cpp}
tools/gen_protocol.py --check    writes nothing; exit 1 if one of them is not what it would write
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "protocol" / "skyline.protocol"
VERSION = 1
MADE_BY = "Made by tools/gen_protocol.py from protocol/skyline.protocol; change that."


# ---- Reading. ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    optional: bool
    doc: str


@dataclass
class Type:
    name: str
    doc: str
    fields: list[Field] = field(default_factory=list)


@dataclass(frozen=True)
class Enum:
    name: str
    doc: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Method:
    name: str
    doc: str
    params: str
    result: str  # "binary": not JSON


@dataclass(frozen=True)
class Event:
    name: str
    doc: str
    data: str


@dataclass(frozen=True)
class Call:
    name: str
    doc: str
    params: str


@dataclass
class Protocol:
    methods: list[Method] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)  # methods that have no answer of their own
    events: list[Event] = field(default_factory=list)
    types: list[Type | Enum] = field(default_factory=list)

    def find(self, name: str) -> Type | Enum | None:
        return next((each for each in self.types if each.name == name), None)


FIELD = re.compile(r"(\w+)(\??): ([\w\[\]]+)(?:\s+# (.*))?")


def parse_field(text: str) -> Field:
    match = FIELD.fullmatch(text.strip())
    if not match:
        raise SystemExit(f"not a field: {text.strip()}")
    name, optional, kind, doc = match.groups()
    return Field(name, kind, optional == "?", doc or "")


def parse(text: str) -> Protocol:
    protocol, docs, open_type = Protocol(), [], None
    for line in text.splitlines():
        line = line.strip()
        doc = " ".join(docs)
        if line.startswith("#"):
            docs.append(line[1:].strip())
            continue
        docs = []
        if not line:
            continue
        if open_type is not None:
            if line == "}":
                open_type = None
            else:
                open_type.fields.append(parse_field(line))
        elif match := re.fullmatch(r"method (\w+) (\w+) -> (\w+)", line):
            protocol.methods.append(Method(match[1], doc, match[2], match[3]))
        elif match := re.fullmatch(r"call (\w+) (\w+)", line):
            protocol.calls.append(Call(match[1], doc, match[2]))
        elif match := re.fullmatch(r"event (\w+) (\w+)", line):
            protocol.events.append(Event(match[1], doc, match[2]))
        elif match := re.fullmatch(r"enum (\w+) (.+)", line):
            protocol.types.append(Enum(match[1], doc, tuple(match[2].split())))
        elif match := re.fullmatch(r"type (\w+) \{(.*)\}", line):
            parts = [part for part in match[2].split(";") if part.strip()]
            protocol.types.append(Type(match[1], doc, [parse_field(part) for part in parts]))
        elif match := re.fullmatch(r"type (\w+) \{", line):
            open_type = Type(match[1], doc)
            protocol.types.append(open_type)
        else:
            raise SystemExit(f"not understood: {line}")
    check_names(protocol)
    return protocol


PLAIN = {"text", "int", "num", "bool", "cell"}


def item_of(kind: str) -> str:
    return kind.replace("[]", "")


def check_names(protocol: Protocol) -> None:
    used = {item_of(each.type) for kind in protocol.types if isinstance(kind, Type) for each in kind.fields}
    used |= {method.params for method in protocol.methods} | {event.data for event in protocol.events}
    used |= {call.params for call in protocol.calls}
    used |= {method.result for method in protocol.methods if method.result != "binary"}
    for name in sorted(used - PLAIN):
        if protocol.find(name) is None:
            raise SystemExit(f"{name} is used but not defined")


def in_order_of_use(protocol: Protocol) -> list[Type | Enum]:
    """Types after those that their fields are of, which C++ needs."""
    done: list[Type | Enum] = []

    def visit(kind: Type | Enum) -> None:
        if kind in done:
            return
        for each in kind.fields if isinstance(kind, Type) else ():
            if inner := protocol.find(item_of(each.type)):
                visit(inner)
        done.append(kind)

    for kind in protocol.types:
        visit(kind)
    return done


# ---- JSON Schema. ------------------------------------------------------------------------------

SCHEMA_OF = {
    "text": {"type": "string"},
    "int": {"type": "integer"},
    "num": {"type": "number"},
    "bool": {"type": "boolean"},
    "cell": {"type": ["null", "number", "string"]},
}


def schema_of(kind: str) -> dict[str, object]:
    if kind.endswith("[]"):
        return {"type": "array", "items": schema_of(kind[:-2])}
    return SCHEMA_OF.get(kind, {"$ref": f"#/$defs/{kind}"})


def schema_of_type(kind: Type | Enum) -> dict[str, object]:
    if isinstance(kind, Enum):
        return {"enum": list(kind.words)}
    return {
        "type": "object",
        "properties": {each.name: schema_of(each.type) for each in kind.fields},
        "required": [each.name for each in kind.fields if not each.optional],
        "additionalProperties": False,
    }


def make_schema(protocol: Protocol) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$comment": MADE_BY,
        "version": VERSION,
        "methods": {m.name: {"params": m.params, "result": m.result} for m in protocol.methods},
        "events": {event.name: event.data for event in protocol.events},
        "$defs": {kind.name: schema_of_type(kind) for kind in protocol.types},
    }
    # One line per type: readable in a diff, and not longer than the source.
    types = schema.pop("$defs")
    lines = [f"  {json.dumps(name)}: {json.dumps(kind)}" for name, kind in types.items()]
    head = json.dumps(schema, indent=1).removesuffix("\n}")
    return head + ',\n "$defs": {\n' + ",\n".join(lines) + "\n }\n}\n"


# ---- TypeScript. -------------------------------------------------------------------------------

TYPESCRIPT = {"text": "string", "int": "number", "num": "number", "bool": "boolean", "cell": "Cell"}


def typescript(kind: str) -> str:
    if kind.endswith("[]"):
        return (
            f"readonly {typescript(kind[:-2])}[]" if "[]" not in kind[:-2] else f"readonly ({typescript(kind[:-2])})[]"
        )
    return TYPESCRIPT.get(kind, kind)


def typescript_lines(protocol: Protocol) -> Iterator[str]:
    yield f"// {MADE_BY}"
    yield ""
    yield f"export const protocolVersion = {VERSION};"
    yield ""
    yield "/** A value in a table. */"
    yield "export type Cell = null | number | string;"
    for kind in protocol.types:
        yield ""
        if kind.doc:
            yield f"/** {kind.doc} */"
        if isinstance(kind, Enum):
            words = " | ".join(f'"{word}"' for word in kind.words)
            yield f"export type {kind.name} = {words};"
        elif not kind.fields:
            yield f"export type {kind.name} = Readonly<Record<string, never>>;"
        else:
            yield f"export interface {kind.name} {{"
            for each in kind.fields:
                if each.doc:
                    yield f"  /** {each.doc} */"
                yield f"  readonly {each.name}{'?' * each.optional}: {typescript(each.type)};"
            yield "}"
    yield ""
    yield "/** Requests by name: what is sent and what comes back. */"
    yield "export interface Methods {"
    for method in protocol.methods:
        result = "ArrayBuffer" if method.result == "binary" else method.result
        yield f"  /** {method.doc} */"
        yield f"  readonly {method.name}: {{ readonly params: {method.params}; readonly result: {result} }};"
    yield "}"
    yield ""
    yield "/** What the server says by itself. */"
    yield "export interface Events {"
    for event in protocol.events:
        yield f"  /** {event.doc} */"
        yield f"  readonly {event.name}: {event.data};"
    yield "}"


# ---- C++. --------------------------------------------------------------------------------------

CPP = {"text": "std::string", "int": "int64_t", "num": "double", "bool": "bool", "cell": "analyze::Cell"}
CPP_DEFAULT = {"int": " = 0", "num": " = 0", "bool": " = false"}


def cpp(kind: str) -> str:
    if kind.endswith("[]"):
        return f"std::vector<{cpp(kind[:-2])}>"
    return CPP.get(kind, kind)


def constant(word: str) -> str:
    return "k" + "".join(part.capitalize() for part in word.split("_"))


def cpp_field(protocol: Protocol, each: Field) -> str:
    kind = f"std::optional<{cpp(each.type)}>" if each.optional else cpp(each.type)
    default = "" if each.optional else CPP_DEFAULT.get(each.type, "")
    if isinstance(protocol.find(each.type), Enum) and not each.optional:
        default = "{}"
    return f"  {kind} {each.name}{default};" + (f"  // {each.doc}" if each.doc else "")


def params_types(protocol: Protocol) -> list[Type | Enum]:
    wanted = {method.params for method in protocol.methods}
    for name in sorted(wanted):
        kind = protocol.find(name)
        wanted |= {item_of(each.type) for each in kind.fields} if isinstance(kind, Type) else set()
    return [kind for kind in in_order_of_use(protocol) if kind.name in wanted]


def header_lines(protocol: Protocol) -> Iterator[str]:
    yield f"// {MADE_BY}"
    yield "// clang-format off"
    yield "#pragma once"
    yield ""
    yield from ("#include <cstdint>", "#include <optional>", "#include <string>", "#include <string_view>")
    yield from ("#include <vector>", "", '#include "analyze/analyze.h"', '#include "base/json_fields.h"')
    yield from ('#include "base/json_writer.h"', "", "namespace skyline::serve::protocol {", "")
    yield f"inline constexpr int64_t kVersion = {VERSION};"
    for kind in in_order_of_use(protocol):
        yield ""
        if kind.doc:
            yield f"// {kind.doc}"
        if isinstance(kind, Enum):
            yield f"enum class {kind.name} : uint8_t {{ {', '.join(constant(word) for word in kind.words)} }};"
            yield f"std::string_view name_of({kind.name} word);"
        elif not kind.fields:
            yield f"struct {kind.name} {{}};"
        else:
            yield f"struct {kind.name} {{"
            yield from (cpp_field(protocol, each) for each in kind.fields)
            yield "};"
    yield ""
    yield "// ---- To JSON. ----"
    yield ""
    for kind in protocol.types:
        if isinstance(kind, Type):
            yield f"void write(JsonWriter& json, const {kind.name}& message);"
    yield ""
    yield "// ---- From JSON: what may be asked with. A wrong field makes everything wrong; see JsonFields. ----"
    yield ""
    for kind in params_types(protocol):
        if isinstance(kind, Type):
            yield f"void read(const JsonFields& fields, {kind.name}& message);"
    yield ""
    yield "}  // namespace skyline::serve::protocol"


def writer_lines(kind: Type) -> Iterator[str]:
    unused = "" if kind.fields else "[[maybe_unused]] "
    yield f"void write(JsonWriter& json, {unused}const {kind.name}& message) {{"
    yield "  json.begin_object(JsonWriter::Layout::kInline);"
    for each in kind.fields:
        value = f"message.{each.name}"
        if each.optional:
            yield f'  if ({value}) put(json, "{each.name}", *{value});'
        else:
            yield f'  put(json, "{each.name}", {value});'
    yield "  json.end_object();"
    yield "}"


READERS = {"text": "text", "int": "integer", "num": "number", "bool": "boolean", "int[]": "integers", "text[]": "texts"}


def reader_lines(protocol: Protocol, kind: Type) -> Iterator[str]:
    unused = "" if kind.fields else "[[maybe_unused]] "
    yield f"void read({unused}const JsonFields& fields, {unused}{kind.name}& message) {{"
    for each in kind.fields:
        condition = f'if (fields.has("{each.name}")) ' if each.optional else ""
        inner = protocol.find(each.type)
        if isinstance(inner, Enum):
            words = ", ".join(f'"{word}"' for word in inner.words)
            value = f'static_cast<{inner.name}>(fields.one_of("{each.name}", {{{words}}}))'
        elif each.type in READERS:
            value = f'fields.{READERS[each.type]}("{each.name}")'
        else:
            raise SystemExit(f"{kind.name}.{each.name}: requests have no fields of type {each.type}")
        yield f"  {condition}message.{each.name} = {value};"
    yield "}"


def source_lines(protocol: Protocol) -> Iterator[str]:
    yield f"// {MADE_BY}"
    yield "// clang-format off"
    yield '#include "serve/messages/protocol.h"'
    yield ""
    yield '#include "serve/messages/put.h"'
    yield ""
    yield "namespace skyline::serve::protocol {"
    for kind in protocol.types:
        yield ""
        if isinstance(kind, Enum):
            yield f"std::string_view name_of({kind.name} word) {{"
            words = ", ".join(f'"{word}"' for word in kind.words)
            yield f"  constexpr std::string_view kWords[] = {{{words}}};"
            yield "  return kWords[static_cast<size_t>(word)];"
            yield "}"
        else:
            yield from writer_lines(kind)
    for kind in params_types(protocol):
        if isinstance(kind, Type):
            yield ""
            yield from reader_lines(protocol, kind)
    yield ""
    yield "}  // namespace skyline::serve::protocol"


# ---- All of it. --------------------------------------------------------------------------------


def parse_file(path: Path) -> Protocol:
    try:
        return parse(path.read_text(encoding="utf-8"))
    except SystemExit as error:
        raise SystemExit(f"{path.name}: {error}") from None


def outputs() -> dict[Path, str]:
    protocol = parse_file(SOURCE)
    return {
        ROOT / "protocol" / "schema.json": make_schema(protocol),
        ROOT / "protocol" / "messages.ts": "\n".join(typescript_lines(protocol)) + "\n",
        ROOT / "src" / "serve" / "messages" / "protocol.h": "\n".join(header_lines(protocol)) + "\n",
        ROOT / "src" / "serve" / "messages" / "protocol.cpp": "\n".join(source_lines(protocol)) + "\n",
    }


def write_or_check(made: dict[Path, str]) -> int:
    """The exit code of a generator: with --check, 1 if something is not as it would be made."""
    check = "--check" in sys.argv[1:]
    stale = [path for path, text in made.items() if not path.is_file() or path.read_text() != text]
    for path in stale:
        if check:
            print(f"{path.relative_to(ROOT)} is not what tools/{Path(sys.argv[0]).name} makes; run it")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(made[path])
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(write_or_check(outputs()))
