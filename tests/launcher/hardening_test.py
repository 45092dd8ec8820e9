"""The program that users get defends itself: read from the ELF file, whatever the build was told."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def readelf(*options: str) -> str:
    return subprocess.run(
        ["readelf", "--wide", *options, ROOT / "build/release/bin/skyline"], capture_output=True, text=True, check=True
    ).stdout


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    subprocess.run([ROOT / "skyline", "--version"], check=True, capture_output=True)


def test_its_address_is_random() -> None:
    assert "DYN (Position-Independent Executable file)" in readelf("--file-header")


def test_its_tables_of_addresses_are_read_only_before_it_starts() -> None:
    assert "GNU_RELRO" in readelf("--program-headers")
    flags = [line for line in readelf("--dynamic").splitlines() if "FLAGS" in line]
    assert any("BIND_NOW" in line for line in flags) and any(" NOW " in f"{line} " for line in flags), flags


def test_its_stack_is_not_executable() -> None:
    stack = [line for line in readelf("--program-headers").splitlines() if "GNU_STACK" in line]
    assert len(stack) == 1 and " RW " in stack[0]


def test_frames_have_canaries_and_calls_of_libc_are_checked() -> None:
    symbols = readelf("--dyn-syms")
    assert "__stack_chk_fail@" in symbols
    assert "_chk@" in symbols.replace("__stack_chk_fail", "")
