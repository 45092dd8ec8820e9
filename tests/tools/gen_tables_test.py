"""tools/gen_tables.py: a declaration becomes a table, and a wrong one a sentence with its line."""

import pytest

import gen_tables

GOOD = """\
table things ThingTable 99
  : Things.
  1 when ns near
    : When it was.
  2 size bytes ?-1
    : How large it is.
  3 owner slice ? frozen
    : Who has it.
  4 note string ? if_any
    : What was said of it.
"""


def test_columns_have_what_was_declared() -> None:
    (table,) = gen_tables.parse(GOOD)
    when, size, owner, note = table.columns
    assert (table.row, table.doc) == ("ThingRow", "Things.")
    assert (when.type.cpp, when.packing, when.missing) == ("int64_t", "kNear", None)
    assert (size.missing, size.default) == ("-1", "-1")
    assert owner.is_frozen and owner.missing == ""
    assert note.is_if_any and note.doc == "What was said of it."


def test_a_row_has_what_readers_say_and_the_table_all_columns() -> None:
    header = gen_tables.header(gen_tables.parse(GOOD))
    row = header[header.index("struct ThingRow") : header.index("struct ThingTable")]
    assert "int64_t size = -1;" in row and "owner" not in row
    table = header[header.index("struct ThingTable") :]
    assert all(f"Column<{kind}> {name};" in table for kind, name in [("int64_t", "when"), ("SliceId", "owner")])
    assert "StringId note_of(uint32_t row) const" in table
    assert "visit(columns::note, tables.note...);" in table


def test_a_row_can_be_had_again() -> None:
    header = gen_tables.header(gen_tables.parse(GOOD))
    again = header[header.index("ThingRow row(uint32_t i) const") :]
    again = again[: again.index("  }\n")]
    assert ".size = size[i]," in again and ".note = note_of(i)," in again and ".owner" not in again


def test_a_retired_number_is_not_used_again() -> None:
    (table,) = gen_tables.parse(GOOD + "  retired 5 6\n")
    assert table.retired == {5, 6}
    with pytest.raises(SystemExit, match="things.note: its number is retired"):
        gen_tables.parse(GOOD + "  retired 4\n")


def test_the_page_says_what_stands_for_nothing() -> None:
    page = gen_tables.page(gen_tables.parse(GOOD))
    assert "| `when` | ns |  | When it was. |" in page
    assert "| `size` | bytes | -1 | How large it is. |" in page
    assert "| `owner` | row of slices | none | Who has it. |" in page


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("2 size bytes", "2 size inches", ":5: there is no type inches"),
        ("near", "far", ":3: there is no word far"),
        ("2 size", "1 size", "things: two columns have the same number or name"),
        ("2 size", "2 when", "things: two columns have the same number or name"),
        ("    : How large it is.\n", "", "things.size: it needs a sentence that says what it is"),
        ("string ? if_any", "string if_any", "things.note: a column that may be empty needs a missing value"),
        ("table things", "tabel things", ":1: not understood: tabel things ThingTable 99"),
    ],
)
def test_a_wrong_declaration_is_a_sentence(old: str, new: str, sentence: str) -> None:
    assert old in GOOD
    with pytest.raises(SystemExit) as refused:
        gen_tables.parse(GOOD.replace(old, new, 1))
    assert sentence in str(refused.value)
