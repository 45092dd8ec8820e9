"""docs/analysis_json.md names every key that src/report/analysis_json*.cpp writes, and no other."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/analysis_json.md"
WRITERS = [path for path in sorted((ROOT / "src/report").glob("analysis_json*")) if "_test" not in path.name]

# json.field("x", …), json.key("x"), and the functions of ours that take a name to write.
WRITTEN = re.compile(r'(?:\.field|\.key|write_\w+)\((?:json_?, )?"(\w+)"')
ROW = re.compile(r"^\|.*\|$", re.MULTILINE)
KEY = re.compile(r"`(\w+)`")
# Values that rows of the page name.
VALUES = {"cpu", "line", "power", "piecewise", "null"}


def written() -> set[str]:
    return {key for path in WRITERS for key in WRITTEN.findall(path.read_text())}


def documented() -> set[str]:
    return {key for row in ROW.findall(PAGE.read_text()) for key in KEY.findall(row)}


def test_every_key_is_documented() -> None:
    assert len(written()) > 60, "the sources write keys in a way that this test does not know"
    assert sorted(written() - documented()) == []


def test_every_documented_key_is_written() -> None:
    assert sorted(documented() - written() - VALUES) == []


def test_the_page_names_the_version() -> None:
    header = (ROOT / "src/report/analysis_json.h").read_text()
    version = re.search(r"kAnalysisVersion = (\d+);", header)
    assert version and f"| `version` | {version[1]} |" in PAGE.read_text()
