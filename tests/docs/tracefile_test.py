"""docs/tracefile.md shows the tables of src/tracefile/schema.h and src/trace/tables.schema, all of them, as they are.

python tests/docs/tracefile_test.py      writes the tables into the page again
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import gen_tables  # noqa: E402

SCHEMA = ROOT / "src/tracefile/schema.h"
PAGE = ROOT / "docs/tracefile.md"
BEGIN, END = "from src/tracefile/schema.h -->\n", "<!-- end -->"

TYPES = {"uint8_t": "u8", "uint16_t": "u16", "uint32_t": "u32", "uint64_t": "u64"}
TYPES |= {"int32_t": "i32", "int64_t": "i64", "double": "f64", "text": "text", "blob": "blob"}
ENCODINGS = {"kPlain": "", "kDelta": " Δ", "kSplit": " ≡", "kDeltaSplit": " Δ≡"}

TABLE = re.compile(r"^  (k\w+) = (\d+), +// (.*)$", re.MULTILINE)
NAMESPACE = re.compile(r"^namespace (\w+) \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
STRING = r'"((?:[^"\\]|\\.)*)"'
NUMBER = re.compile(rf"number<(\w+)>\(kT, (\d+), {STRING}, (\w+), ([^\"]+?), {STRING}\)", re.DOTALL)
TEXT = re.compile(rf"= (text|blob)\(kT, (\d+), {STRING}, {STRING}\)", re.DOTALL)


Table = tuple[str, str, list[tuple[int, str, str, str]]]
STORED = TYPES | {"Category": "u8", "TensorRole": "u8"}  # ids are u32
PACKED = {"kNone": "", "kNear": " Δ", "kSplit": " ≡", "kNearSplit": " Δ≡"}


def tables() -> dict[int, Table]:
    """Number -> (name, meaning, columns); a column is (number, name, type, meaning)."""
    schema = SCHEMA.read_text()
    enum = schema[schema.index("enum class TableId") : schema.index("enum class ElementType")]
    found = {key: (int(number), meaning) for key, number, meaning in TABLE.findall(enum)}
    result = {}
    for name, body in NAMESPACE.findall(schema[schema.index("// clang-format off") :]):
        key = re.search(r"kT = TableId::(\w+);", body)
        assert key, name
        columns = [
            (int(number), column, TYPES[kind] + ENCODINGS[encoding], meaning)
            for kind, number, column, encoding, _, meaning in NUMBER.findall(body)
        ]
        columns += [(int(number), column, kind, meaning) for kind, number, column, meaning in TEXT.findall(body)]
        assert len(columns) == body.count("kT, "), f"a line of {name} was not understood"
        number, meaning = found.pop(key.group(1))
        result[number] = (name, meaning, sorted(columns))
    result |= dict(tables_of_a_trace(found))
    assert not found, f"tables without columns: {list(found)}"
    return result


def tables_of_a_trace(found: dict[str, tuple[int, str]]) -> list[tuple[int, Table]]:
    """Those that src/trace/tables.schema declares; takes them out of `found`."""
    result = []
    for table in gen_tables.parse(gen_tables.SOURCE.read_text()):
        key = "kTrace" + "".join(word.capitalize() for word in table.name.split("_"))
        number, meaning = found.pop(key)
        assert number == table.number, f"{key} has another number in tables.schema"
        columns = []
        for column in table.columns:
            kind = STORED.get(column.type.cpp, "u32") + PACKED[column.packing]
            names = f" ({column.type.sql})" if column.type.is_id else ""
            columns.append((column.number, column.name, kind, column.doc + names))
        result.append((number, (f"trace_{table.name}", meaning, columns)))
    return result


def render() -> str:
    lines = []
    for number, (name, meaning, columns) in sorted(tables().items()):
        lines += [f"**{number} `{name}`**: {meaning}", "", "| column | type | |", "|---|---|---|"]
        for column, title, kind, sense in columns:
            sense = sense.replace('\\"', '"').replace("|", "\\|")
            lines.append(f"| {column} `{title}` | {kind} | {sense} |")
        lines.append("")
    return "\n".join(lines)


def page_with(new: str) -> str:
    page = PAGE.read_text()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    return page[:begin] + "\n" + new + page[end:]


def test_the_page_shows_the_tables_of_the_schema() -> None:
    assert PAGE.read_text() == page_with(render()), "run python tests/docs/tracefile_test.py"


def test_numbers_and_names_of_columns_are_unique() -> None:
    for name, _, columns in tables().values():
        for values in ([column[0] for column in columns], [column[1] for column in columns]):
            assert len(values) == len(set(values)), name


def test_numbers_of_tables_are_unique() -> None:
    schema = SCHEMA.read_text()
    users = defaultdict(list)
    for key, number, _ in TABLE.findall(schema[: schema.index("enum class ElementType")]):
        users[number].append(key)
    assert [keys for keys in users.values() if len(keys) > 1] == []


if __name__ == "__main__":
    PAGE.write_text(page_with(render()))
