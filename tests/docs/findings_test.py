"""Every rule about the training has a page in docs/findings and a line in the list of them, and nothing else has."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RULES = ROOT / "src/analyze/advice/rules.cpp"
PAGES = ROOT / "docs/findings"
LIST = ROOT / "docs/findings.md"

RULE = re.compile(r'\{"([a-z0-9_.]+)", Topic::kTraining,')
LINE = re.compile(r"^\| \[([a-z0-9_.]+)\]\(findings/([a-z0-9_.]+)\.md\) \|", re.MULTILINE)
WITHOUT_PAGE = {"step.waits_for"}  # it describes
PARTS = ("**What.**", "**Why.**", "**How to be sure.**")


def ids() -> list[str]:
    found = [name for name in RULE.findall(RULES.read_text()) if name not in WITHOUT_PAGE]
    assert found
    return found


def test_every_rule_has_a_page_and_every_page_a_rule() -> None:
    assert sorted(page.stem for page in PAGES.glob("*.md")) == sorted(ids())


def test_the_list_leads_to_every_page() -> None:
    lines = LINE.findall(LIST.read_text())
    assert sorted(name for name, _ in lines) == sorted(ids())
    assert all(name == page for name, page in lines)


def test_every_page_says_what_why_and_how_to_be_sure() -> None:
    for page in PAGES.glob("*.md"):
        text = page.read_text()
        assert text.startswith(f"# {page.stem}\n"), page.name
        assert [part for part in PARTS if part not in text] == [], page.name
