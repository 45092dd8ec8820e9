"""Documentation must be true: every `$ ./skyline ...` in a ```console block runs, and prints what is shown.

A block is a dialogue: a line `$ command`, then its output, up to the next command. Output that is not shown is not
compared; a line of only `...` stands for any number of lines. Figures of a live session are new each time, and so is
the order of its rows: every line that is shown of `./skyline interactive` must be there, but for its figures. It is
ended with Ctrl-C when it has printed its first screen.
"""

import os
import re
import select
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]) if (ROOT / "README.md").exists() else []
TIMEOUT_S = 240
LIVE = ("./skyline interactive ", "./skyline open ")
LAST_WORDS = {"interactive": b" is done", "open": b"http://"}  # of their first screen
LIVE_TIMEOUT_S = 1200  # on a fresh machine torch is installed first
FIGURE = re.compile(r"(?<![\w.:])[<>±]?\d(?:[\d ]*\d)?(?:\.\d+)?(?: (?:ns|µs|ms|s|B|KiB|MiB|GiB)\b)?")
REMARK = re.compile(r"\([^()]* [^()]*\)")  # how sure a figure is, or where it comes from
BAR = re.compile(r"[█▓▒░▞▚◆·]{2,}")
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


def lines_without_figures(text: str) -> set[str]:
    """Bars, figures with their units and remarks on them become #, and blanks, which depend on them, one."""
    return {
        re.sub(r"[ #]*#[ #]*|\s+", lambda gap: " # " if "#" in gap[0] else " ", named).strip()
        for named in (FIGURE.sub("#", REMARK.sub("#", BAR.sub("#", line))) for line in text.splitlines())
    }


def run_to_its_end(command: str) -> subprocess.CompletedProcess[str]:
    words = ["/bin/bash", "-c", command]
    return subprocess.run(words, cwd=ROOT, env=PLAIN, capture_output=True, text=True, timeout=TIMEOUT_S, check=False)


def run_to_its_first_screen(command: str) -> subprocess.CompletedProcess[str]:
    # The tests' own torch and the collector built for it, if they are there. With one thread: others may be busy here.
    has_torch = any((ROOT / "build/venv").glob("lib/python*/site-packages/torch/__init__.py"))
    tests_own = {"VIRTUAL_ENV": str(ROOT / "build/venv"), "XDG_CACHE_HOME": str(ROOT / "build/training-cache")}
    settings = PLAIN | {"OMP_NUM_THREADS": "1"} | (tests_own if has_torch else {})
    words = ["/bin/bash", "-c", command]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, cwd=ROOT, env=settings, start_new_session=True, **pipes) as process:
        assert process.stdout is not None
        printed = read_until(process.stdout.fileno(), LAST_WORDS[command.split()[1]])
        os.killpg(process.pid, signal.SIGINT)
        rest, errors = process.communicate(timeout=TIMEOUT_S)
    return subprocess.CompletedProcess(words, process.returncode, (printed + rest).decode(), errors.decode())


def read_until(pipe: int, words: bytes) -> bytes:
    printed = b""
    while words not in printed and select.select([pipe], [], [], LIVE_TIMEOUT_S)[0]:
        chunk = os.read(pipe, 65536)
        if not chunk:
            break
        printed += chunk
    return printed


@pytest.mark.parametrize("example", all_examples(), ids=str)
def test_shown_command_works(example: Example) -> None:
    is_live = f"{example.command} ".startswith(LIVE)
    done = (run_to_its_first_screen if is_live else run_to_its_end)(example.command)
    if is_live and "could not install torch" in done.stderr:
        pytest.skip("torch cannot be had here: " + done.stderr.splitlines()[-1])
    assert done.returncode == 0, done.stderr
    if is_live:
        missing = lines_without_figures(example.shown) - lines_without_figures(done.stdout) - {"..."}
        assert missing == set(), f"the page shows lines that are not in:\n{done.stdout}"
    elif example.shown.strip():
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


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("678 samples/s · 47.22 ms (±3.2 %, 69 of them)", "9.2 samples/s · 1 s (from 3 iterations)", True),
        ("conv (Conv2d)   7.641 ms   19  x = f(2)", "conv (Conv2d)  641 µs    1  x = f(2)", True),
        ("██▓░", "███████▓·", True),
        ("▒ kept 79 %   · new 14 %", "▒ kept >99 %   · new <1 %", True),
        ("678 samples/s", "678 tokens/s", False),
        ("conv (Conv2d)", "conv (Conv3d)", False),
        ("a 1 ms 2 ms b", "a 1 ms b", True),
    ],
)
def test_figures_may_differ_but_not_words(shown: str, printed: str, same: bool) -> None:
    assert (lines_without_figures(shown) == lines_without_figures(printed)) is same
