"""The literal that is the batch size, in every style of writing it."""

from pathlib import Path

import pytest

from skyline import _contract
from skyline._batch_literal import BatchLiteral, NoLiteral, find_batch_literal

REST = """
def skyline_model_provider(): return print
def skyline_iteration_provider(model): return model
"""


@pytest.fixture
def find(tmp_path: Path, own_imports: None):
    def write_and_find(code: str | bytes, **files: str) -> BatchLiteral:
        for name, text in files.items():
            (tmp_path / f"{name}.py").write_text(text)
        path = tmp_path / "entry.py"
        path.write_bytes(code.encode() + REST.encode() if isinstance(code, str) else code)
        entry = _contract.load(path)
        return find_batch_literal(entry.providers["input_provider"], path)

    return write_and_find


STYLES = {
    "plain": "def skyline_input_provider(batch_size=〈32〉):\n    return ()\n",
    "annotated": "def skyline_input_provider(batch_size: int = 〈32〉):\n    return ()\n",
    "constant": "BS = 〈32〉\ndef skyline_input_provider(batch_size=BS):\n    return ()\n",
    "annotated constant": "BS: int = 〈32〉  # per core\ndef skyline_input_provider(batch_size=BS): return ()\n",
    "in an if": "if True:\n    def skyline_input_provider(batch_size=〈32〉):\n        return ()\n",
    "return annotation": "def skyline_input_provider(batch_size=〈32〉) -> tuple:\n    return ()\n",
    "comment": "def skyline_input_provider(batch_size=〈32〉):  # 32\n    return ()\n",
    "one line": "def skyline_input_provider(batch_size=〈32〉): return ()\n",
    "several lines": "def skyline_input_provider(\n    size=32,\n    batch_size=〈32〉,\n):\n    return ()\n",
    "keyword-only": "def skyline_input_provider(*, size=32, batch_size=〈32〉):\n    return ()\n",
    "lambda": "skyline_input_provider = lambda batch_size=〈32〉: ()\n",
    "decorated": "import functools\n@functools.cache\ndef skyline_input_provider(batch_size=〈32〉):\n    return ()\n",
    "object": "class I:\n    def __call__(self, batch_size=〈32〉):\n        return ()\nskyline_input_provider = I()\n",
    "hexadecimal": "def skyline_input_provider(batch_size=〈0x20〉):\n    return ()\n",
    "after other letters": "def skyline_input_provider(größe='𝔹', batch_size=〈32〉):\n    return ()\n",
    "Windows": "# one\r\ndef skyline_input_provider(batch_size=〈32〉):\r\n    return ()\r\n",
    "byte order mark": "\ufeffskyline_input_provider = lambda batch_size=〈32〉: ()\n",
}


@pytest.mark.parametrize("style", STYLES)
def test_the_range_is_just_the_literal(find, style: str) -> None:
    before, literal, after = STYLES[style].replace("〈", "〉").split("〉")
    found = find(before + literal + after)
    assert found.value == 32
    assert (found.begin_byte, found.end_byte) == (len(before.encode()), len((before + literal).encode()))
    line = before.replace("\r\n", "\n").split("\n")[-1].removeprefix("\ufeff")
    assert found.begin_column == len(line.encode("utf-16-le")) // 2
    assert found.end_column - found.begin_column == len(literal)
    assert found.line == before.count("\n") + 1


def test_a_provider_from_another_file_is_edited_there(find, tmp_path: Path) -> None:
    found = find(
        "from data import skyline_input_provider\n", data="def skyline_input_provider(batch_size=7): return ()\n"
    )
    assert (found.path.resolve(), found.value, found.begin_byte) == ((tmp_path / "data.py").resolve(), 7, 38)


def test_another_encoding_is_counted_in_its_own_bytes(find) -> None:
    code = "# coding: latin-1\ndef skyline_input_provider(a='é', batch_size=9): return ()\n" + REST
    found = find(code.encode("latin-1"))
    assert code.encode("latin-1")[found.begin_byte : found.end_byte] == b"9"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("def skyline_input_provider(batch_size=2 * 16): return ()\n", "is computed"),
        ("BS = 4\nBS = 5\ndef skyline_input_provider(batch_size=BS): return ()\n", "BS is set more than once"),
        (
            "from data import BS\ndef skyline_input_provider(batch_size=BS): return ()\n",
            "comes from another file",
        ),
        ("BS = 4\nBS += 1\ndef skyline_input_provider(batch_size=BS): return ()\n", "BS is set more than once"),
        ("BS = int('4')\ndef skyline_input_provider(batch_size=BS): return ()\n", "is computed"),
        (
            "import functools\nskyline_input_provider = functools.partial(lambda batch_size=4: (), batch_size=8)\n",
            "is bound by functools.partial",
        ),
        (
            "def skyline_input_provider(batch_size=4): return ()\nskyline_input_provider.__defaults__ = (5,)\n",
            "another default when it runs",
        ),
    ],
)
def test_where_there_is_no_literal_a_reason_is_given(find, code: str, reason: str) -> None:
    with pytest.raises(NoLiteral, match=reason):
        find(code, data="BS = 3\n")
