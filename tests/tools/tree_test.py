"""Habits that this very tree must keep: layers, format, file sizes, short folder READMEs."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import check_layers

ROOT = Path(__file__).resolve().parents[2]
CODE = {".cpp", ".h", ".py", ".sh", ".cmake", ".ts", ".tsx"}
MAX_LINES = 800
# Longer than that for a reason written in the file's head (pure tables). May only shrink.
LONG_FILES: set[str] = set()
GENERATED = "Made by tools/gen_"
MAX_README_LINES = 10
# Sources without a header of their name, and why.
NO_HEADER = {
    "src/analyze/registry.cpp": "the list of all rooms' analyses, which core/analysis.h declares for every room",
    "src/cli/main.cpp": "the program",
    "src/collect/bindings.cpp": "what Python sees of the recorder; nobody in C++ calls it",
    "src/collect/torch/direct_calls_none.cpp": "direct_calls.h on machines that have none",
    "src/collect/torch/memory_hooks.cpp": "declared with the other hooks, in op_hooks.h",
    "src/ingest/kineto_json/batch_args.cpp": "the second half of class Batch, whose header is batch.h",
}
LONG_READMES = {"protocol/README.md"}  # the layout of frames, which the schema cannot say


def tracked_files() -> list[Path]:
    """What is in the repository; in an unpacked archive or without git, whatever is there."""
    if shutil.which("git") and (ROOT / ".git").exists():
        # As tests may run as root in somebody's checkout, git must be told that this is meant.
        command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        paths = [ROOT / name for name in listed.split("\0") if name]
    else:
        made = {"build", ".git", ".venv", "node_modules", "dist"}
        paths = [path for path in ROOT.rglob("*") if made.isdisjoint(path.relative_to(ROOT).parts)]
    return [path for path in paths if path.is_file()]


def code_files() -> list[Path]:
    return [path for path in tracked_files() if path.suffix in CODE]


def test_layers_are_kept() -> None:
    assert [f"{path}:{number}: {message}" for path, number, message in check_layers.violations(ROOT)] == []


def test_python_is_tidy() -> None:
    ruff = ROOT / "build/venv/bin/ruff"
    sources = [path for path in code_files() if path.suffix == ".py"] + [ROOT / "tools/bless"]
    for command in (["check", "--quiet"], ["format", "--quiet", "--check"]):
        done = subprocess.run([ruff, *command, *sources], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"run tools/format\n{done.stdout[:4000]}"


def test_cpp_is_formatted() -> None:
    sources = [path for path in code_files() if path.suffix in {".cpp", ".h"}]
    done = subprocess.run(
        ["clang-format-14", "--dry-run", "-Werror", *sources], capture_output=True, text=True, check=False
    )
    misformatted = sorted(set(re.findall(r"^(.*?):\d+:\d+: error", done.stderr, re.MULTILINE)))
    assert done.returncode == 0, f"run tools/format for {misformatted}\n{done.stderr[:2000]}"


def test_files_stay_short() -> None:
    long_files = set()
    for path in code_files():
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_LINES and GENERATED not in lines[0]:
            long_files.add(str(path.relative_to(ROOT)))
    assert long_files == LONG_FILES


@pytest.mark.parametrize("generator", ["gen_marks.py", "gen_protocol.py", "gen_tables.py", "gen_worker_messages.py"])
def test_generated_files_are_fresh(generator: str) -> None:
    command = [sys.executable, ROOT / "tools" / generator, "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"run tools/{generator}\n{done.stdout}{done.stderr}"


def test_source_has_header_of_its_name() -> None:
    sources = [path for path in code_files() if path.suffix == ".cpp" and path.is_relative_to(ROOT / "src")]
    alone = {
        str(path.relative_to(ROOT))
        for path in sources
        if not check_layers.belongs_to_tests(path) and not path.with_suffix(".h").exists()
    }
    assert alone == set(NO_HEADER)


def test_folder_readmes_fit_ten_lines() -> None:
    readmes = [path for path in tracked_files() if path.name == "README.md" and path.parent != ROOT]
    long_readmes = {
        str(path.relative_to(ROOT)) for path in readmes if len(path.read_text().splitlines()) > MAX_README_LINES
    }
    assert long_readmes == LONG_READMES


def test_no_unfinished_business() -> None:
    marker = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X)\b")
    assert [path for path in code_files() if marker.search(path.read_text(encoding="utf-8"))] == []
