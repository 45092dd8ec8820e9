"""What the Python tests share: which binary to test and where the real traces are."""

import os
import signal
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A run that was started in the background ignores Ctrl-C, and so would all programs that tests start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def skyline_binary() -> Path:
    """The binary under test. ./test sets SKYLINE_BINARY; by hand the release build is meant."""
    binary = Path(os.environ.get("SKYLINE_BINARY", ROOT / "build/release/bin/skyline"))
    if not binary.exists():
        pytest.fail(f"{binary} does not exist; build it with ./skyline --version")
    return binary


@pytest.fixture(scope="session")
def traces() -> Path:
    """A folder of real traces from many torch versions, too large for this repository."""
    folder = Path(os.environ.get("SKYLINE_TRACES", ROOT.parent / "shared/traces"))
    if not folder.is_dir():
        pytest.skip(f"no real traces at {folder.name}/; set SKYLINE_TRACES to their folder")
    return folder
