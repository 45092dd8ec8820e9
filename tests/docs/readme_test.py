"""Documentation must be true: every `$ ./skyline ...` in a ```console block runs, and prints what is shown.

A block is a dialogue: a line `$ command`, then its output, up to the next command. Output that is not shown is
not compared; a line of only `...` stands for any number of lines.
"""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]) if (ROOT / "README.md").exists() else []
TIMEOUT_S = 120
# pytest tells its children a width; pages show what a pipe gets.
PLAIN = {name: value for name, value in os.environ.items() if name != "COLUMNS" and not name.startswith("SKYLINE_")}


@dataclass(frozen=True)
class Example:
    page: str
    command: str
    shown: str

    def __str__(self) -> str:
        return f"{self.page}: {self.command}"


def examples_in(text: str, page: str) -> list[Example]:
    found = []
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            if command.startswith("./skyline"):
                found.append(Example(page, command, shown))
    return found


def matches(shown: str, printed: str) -> bool:
    """Blanks at line ends do not count: editors strip them from Markdown."""
    wanted, got = ([line.rstrip() + "\n" for line in text.splitlines()] for text in (shown, printed))
    pattern = "".join("(?:.*\n)*" if line == "...\n" else re.escape(line) for line in wanted)
    return re.fullmatch(pattern, "".join(got)) is not None


def all_examples() -> list[Example]:
    return [example for page in PAGES for example in examples_in(page.read_text(), str(page.relative_to(ROOT)))]


@pytest.mark.parametrize("example", all_examples(), ids=str)
def test_shown_command_works(example: Example) -> None:
    done = subprocess.run(
        ["/bin/bash", "-c", example.command],
        cwd=ROOT,
        env=PLAIN,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    if example.shown.strip():
        assert matches(example.shown, done.stdout), f"the page shows other output than:\n{done.stdout}"


def test_readme_shows_a_command() -> None:
    assert any(example.page == "README.md" for example in all_examples())


def test_dialogue_is_split_into_commands_and_outputs() -> None:
    text = "```console\n$ ./skyline info a\nline 1\nline 2\n$ ls\nfile\n$ ./skyline --help\n```\n"
    assert examples_in(text, "x") == [
        Example("x", "./skyline info a", "line 1\nline 2\n"),
        Example("x", "./skyline --help", ""),
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a\nb\n", "a\nb  \n", True),
        ("a\n...\nd\n", "a\nb\nc\nd\n", True),
        ("a\n...\n", "a\n", True),
        ("a\n", "a\nb\n", False),
        ("a.c\n", "abc\n", False),
    ],
)
def test_shown_output_is_compared(shown: str, printed: str, same: bool) -> None:
    assert matches(shown, printed) is same
