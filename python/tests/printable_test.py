import os
import subprocess
import sys
from pathlib import Path

import pytest

from skyline._printable import printable
from skyline._voice import Voice

PACKAGES = Path(__file__).resolve().parents[1]
NASTY = "a\x1b[2J\x9b31m\u202eb\x7f"
SHOWN = r"a\x1b[2J\u009b31m\u202eb\x7f"


def test_ordinary_text_is_untouched() -> None:
    assert printable("aten::mm [32, 64] → µs 日本 1\u00a0ns 😀") == "aten::mm [32, 64] → µs 日本 1\u00a0ns 😀"


@pytest.mark.parametrize("code", [*range(0x20), *range(0x7F, 0xA0)])
def test_no_control_character_passes(code: int) -> None:
    assert all(ord(character) in range(0x20, 0x7F) for character in printable(chr(code)))


@pytest.mark.parametrize("code", [0x061C, 0x200B, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)])
def test_marks_of_direction_are_visible(code: int) -> None:
    assert printable(f"a{chr(code)}b") == f"a\\u{code:04x}b"


def test_bytes_that_are_no_text_are_visible() -> None:
    assert printable(os.fsdecode(b"run\xff")) == r"run\xff"


def test_what_run_says_is_printable(capfd: pytest.CaptureFixture[str]) -> None:
    Voice().say(f"the trace is {NASTY}.skyline")
    assert capfd.readouterr().err == f"skyline: the trace is {SHOWN}.skyline\n"


@pytest.mark.parametrize("command", ["run", "init"])
def test_a_file_is_named_in_printable_text(command: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "skyline", command, tmp_path / f"{NASTY}.py"],
        env=os.environ | {"PYTHONPATH": str(PACKAGES)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert SHOWN in done.stderr
    assert NASTY not in done.stderr
