#!/usr/bin/env python3
"""Makes the tables of a trace from src/trace/tables.schema, which explains its own syntax.

tools/gen_tables.py            writes src/trace/tables.h and docs/trace_tables.md
tools/gen_tables.py --check    writes nothing; exit 1 if one of them is not what it would write
"""

import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src/trace/tables.schema"
MADE_BY = "Made by tools/gen_tables.py from src/trace/tables.schema; change that."
WIDTH = 110  # as .clang-format


@dataclass(frozen=True)
class Type:
    cpp: str
    sql: str  # what a reader of the docs sees
    is_id: bool = False


TYPES = {
    "ns": Type("int64_t", "ns"),
    "bytes": Type("int64_t", "bytes"),
    "i64": Type("int64_t", "integer"),
    "i32": Type("int32_t", "integer"),
    "u64": Type("uint64_t", "integer"),
    "u32": Type("uint32_t", "integer"),
    "u16": Type("uint16_t", "integer"),
    "f64": Type("double", "number"),
    "string": Type("StringId", "text", True),
    "slice": Type("SliceId", "row of slices", True),
    "track": Type("TrackId", "row of tracks", True),
    "frame": Type("FrameId", "row of frames", True),
    "stack": Type("StackId", "row of stacks", True),
    "module": Type("ModuleId", "row of modules", True),
    "collective": Type("CollectiveId", "row of collectives", True),
    "signature": Type("SignatureId", "row of signatures", True),
    "shape": Type("KernelShapeId", "row of kernel_shapes", True),
    "process": Type("ProcessId", "row of processes", True),
    "category": Type("Category", "category"),
    "role": Type("TensorRole", "role"),
}
PACKINGS = {(False, False): "kNone", (True, False): "kNear", (False, True): "kSplit", (True, True): "kNearSplit"}


@dataclass
class Column:
    number: int
    name: str
    type: Type
    missing: str | None  # None: it always has a value; "": an id that may be none
    packing: str
    is_frozen: bool
    is_if_any: bool
    doc: str = ""

    @property
    def default(self) -> str:
        """What a row has that says nothing of it."""
        return self.missing or "{}"


@dataclass
class Table:
    name: str
    cpp: str
    number: int
    doc: str = ""
    columns: list[Column] = field(default_factory=list)
    retired: set[int] = field(default_factory=set)  # numbers of columns that only older files have

    @property
    def row(self) -> str:
        return self.cpp.removesuffix("Table") + "Row"


# ---- Reading. ----------------------------------------------------------------------------------


def fail(line: int, sentence: str) -> None:
    sys.exit(f"{SOURCE.relative_to(ROOT)}:{line}: {sentence}")


def parse(text: str) -> list[Table]:
    tables: list[Table] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0] == "table" and len(words) == 4:
            tables.append(Table(words[1], words[2], int(words[3])))
        elif words[0] == "retired" and tables and all(word.isdigit() for word in words[1:]):
            tables[-1].retired |= {int(word) for word in words[1:]}
        elif words[0] == ":" and tables:
            told = tables[-1].columns[-1] if tables[-1].columns else tables[-1]
            told.doc = f"{told.doc} {' '.join(words[1:])}".strip()
        elif tables and words[0].isdigit() and len(words) >= 3:
            tables[-1].columns.append(parse_column(number, words))
        else:
            fail(number, f"not understood: {line.strip()}")
    check(tables)
    return tables


def parse_column(line: int, words: list[str]) -> Column:
    if words[2] not in TYPES:
        fail(line, f"there is no type {words[2]}; there are {', '.join(TYPES)}")
    flags, missing = set(words[3:]), None
    for word in words[3:]:
        if word.startswith("?"):
            missing = word[1:]
            flags.remove(word)
        elif word not in {"near", "split", "frozen", "if_any"}:
            fail(line, f"there is no word {word}")
    packing = PACKINGS["near" in flags, "split" in flags]
    return Column(int(words[0]), words[1], TYPES[words[2]], missing, packing, "frozen" in flags, "if_any" in flags)


def check(tables: list[Table]) -> None:
    """The laws of the declaration itself."""
    for table in tables:
        for what in ([column.number for column in table.columns], [column.name for column in table.columns]):
            if len(set(what)) != len(what):
                sys.exit(f"{table.name}: two columns have the same number or name")
        for column in table.columns:
            if column.number in table.retired:
                sys.exit(f"{table.name}.{column.name}: its number is retired")
            if not column.doc.endswith((".", "…")):
                sys.exit(f"{table.name}.{column.name}: it needs a sentence that says what it is")
            if column.is_if_any and column.missing is None:
                sys.exit(f"{table.name}.{column.name}: a column that may be empty needs a missing value")
    if len({table.number for table in tables}) != len(tables):
        sys.exit("two tables have the same number")


# ---- C++. --------------------------------------------------------------------------------------

HEAD = f"""// {MADE_BY}
//
// Columns of plain values, one row per thing. Times are integer nanoseconds on the file's own clock, sizes
// are bytes. A table's rows are found from a slice through SliceTable::detail, and back through its `slice`
// column. What a column has where nothing is known is declared with it (columns::x.missing); ids are tested
// with exists().
// clang-format off
#pragma once

#include "trace/column_decl.h"

namespace skyline {{
"""


def comment(text: str, indent: str = "") -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=indent + "// ", subsequent_indent=indent + "// ")


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def spec(column: Column) -> list[str]:
    kind = "kFrozen" if column.is_frozen else "kIfAny" if column.is_if_any else "kRead"
    may_miss = "false" if column.missing is None else "true"
    values = f"{column.number}, {quoted(column.name)}, Similarity::{column.packing}, Filled::{kind}, {may_miss}"
    return [
        f"    static constexpr ColumnDecl<{column.type.cpp}> {column.name} = {{",
        f"        {values}, {column.default},",
        f"        {quoted(column.doc)}}};",
    ]


def row_struct(table: Table) -> list[str]:
    lines = [
        f"// What a reader says of a row of {table.name}; what it leaves out is not known.",
        f"struct {table.row} {{",
    ]
    for column in table.columns:
        if not column.is_frozen:
            lines.append(f"  {column.type.cpp} {column.name} = {column.default};")
    lines += ["", f"  bool operator==(const {table.row}&) const = default;"]
    return [*lines, "};", ""]


def table_struct(table: Table) -> list[str]:
    lines = [*comment(table.doc), f"struct {table.cpp} {{"]
    for column in table.columns:
        lines += [*comment(column.doc, "  "), f"  Column<{column.type.cpp}> {column.name};"]
    first = table.columns[0].name
    lines += ["", f"  size_t size() const {{ return {first}.size(); }}"]
    if table.name == "slices":
        lines.append("  int64_t end_ns(SliceId id) const { return start_ns[id.value] + dur_ns[id.value]; }")
    for column in table.columns:
        if column.is_if_any:
            lines.append(
                f"  {column.type.cpp} {column.name}_of(uint32_t row) const "
                f"{{ return {column.name}.empty() ? columns::{column.name}.missing : {column.name}[row]; }}"
            )
    lines += [
        "",
        "  // The number of the new row. Frozen columns stay empty.",
        f"  uint32_t add(const {table.row}& row) {{",
    ]
    for column in table.columns:
        if column.is_if_any:
            lines.append(f"    add_if_any({column.name}, row.{column.name}, columns::{column.name}, size());")
        elif not column.is_frozen and column.name != first:
            lines.append(f"    {column.name}.push_back(row.{column.name});")
    # Last, as size() is this column's.
    lines += [f"    {first}.push_back(row.{first});", "    return static_cast<uint32_t>(size() - 1);", "  }", ""]
    lines += row_access(table)
    lines += ["  struct columns {"]
    for column in table.columns:
        lines += spec(column)
    lines += ["  };", ""]
    lines += ["  // visit(spec, column...) for every column, of one table or of several side by side."]
    lines += ["  template <typename Visit, typename... Tables>"]
    lines += ["  static void for_each_column(Visit&& visit, Tables&... tables) {"]
    lines += [f"    visit(columns::{column.name}, tables.{column.name}...);" for column in table.columns]
    return [*lines, "  }", "};", ""]


def row_access(table: Table) -> list[str]:
    """A row as it was added, and its values one by one."""
    lines = [f"  {table.row} row(uint32_t i) const {{", "    return {"]
    read = [column for column in table.columns if not column.is_frozen]
    for column in read:
        lines.append(f"        .{column.name} = {column.name}{'_of(i)' if column.is_if_any else '[i]'},")
    lines += ["    };", "  }"]
    lines += [
        "  // visit(value) for all that a row says; `Row` may be const.",
        "  template <typename Row, typename Visit>",
    ]
    lines += ["  static void for_each_value(Row& row, Visit&& visit) {"]
    return [*lines, *(f"    visit(row.{column.name});" for column in read), "  }", ""]


def all_tables(tables: list[Table]) -> list[str]:
    lines = [
        "// visit(spec, table...) for every table of a Trace, or of several side by side.",
        "template <typename Visit, typename... Traces>",
        "void for_each_table(Visit&& visit, Traces&... traces) {",
    ]
    for table in tables:
        lines.append(
            f"  visit(TableDecl{{{table.number}, {quoted(table.name)}, {quoted(table.doc)}}}, traces.{table.name}...);"
        )
    return [*lines, "}", ""]


def header(tables: list[Table]) -> str:
    lines = [HEAD]
    for table in tables:
        lines += row_struct(table) + table_struct(table)
    return "\n".join([*lines, *all_tables(tables), "}  // namespace skyline"]) + "\n"


# ---- Documentation. ----------------------------------------------------------------------------


def shown_missing(column: Column) -> str:
    """Nothing, if it always has a value."""
    is_number = column.missing is not None and column.missing.lstrip("-").isdigit()
    return "" if column.missing is None else column.missing if is_number else "none"


def page(tables: list[Table]) -> str:
    lines = [
        "# The tables of a trace",
        "",
        f"<!-- {MADE_BY} -->",
        "",
        "Whatever file a trace comes from, this is what Skyline holds of it: columns of plain values, which analyses,",
        "`skyline convert` and the cache share. *Empty* is what a column has where nothing is known of it.",
        "",
    ]
    for table in tables:
        lines += [f"## {table.name}", "", *textwrap.wrap(table.doc, 119), ""]
        lines += ["| column | type | empty | |", "|---|---|---|---|"]
        for column in table.columns:
            lines.append(f"| `{column.name}` | {column.type.sql} | {shown_missing(column)} | {column.doc} |")
        lines.append("")
    return "\n".join(lines)


def outputs() -> dict[Path, str]:
    tables = parse(SOURCE.read_text(encoding="utf-8"))
    return {ROOT / "src/trace/tables.h": header(tables), ROOT / "docs/trace_tables.md": page(tables)}


def main() -> int:
    stale = [path for path, text in outputs().items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if "--check" in sys.argv:
        for path in stale:
            print(f"{path.relative_to(ROOT)} is not what tools/gen_tables.py writes; run it")
        return 1 if stale else 0
    for path in stale:
        path.write_text(outputs()[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
