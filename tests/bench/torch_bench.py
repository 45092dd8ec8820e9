"""What the benches that need a Python with torch share: their options, and the versions that their tables name."""

import argparse
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--python", type=Path, default=ROOT / "build/venv/bin/python")
    parser.add_argument("--binary", type=Path, default=ROOT / "build/release/bin/skyline")
    parser.add_argument("--markdown", type=Path, metavar="FILE")
    parser.add_argument("--no-goals", action="store_true", help="exit 0 even when a goal is missed")


def versions_of(python: Path) -> str:
    code = "import platform, torch; print(f'Python {platform.python_version()}, torch {torch.__version__}')"
    return subprocess.run([python, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
