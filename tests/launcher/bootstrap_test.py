"""First starts, on a project of one source file that carries our launcher, CMake files and tools."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CARRIED = ["skyline", "tools", "cmake", "CMakePresets.json"]
ONE_LAYER = """cmake_minimum_required(VERSION 3.25)
project(tiny VERSION 0.1.0 LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
include(warnings)
include(skyline_layer)
skyline_program(skyline SOURCES src/main.cpp)
"""
PRINTS_ARGUMENTS = """#include <cstdio>
int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::printf("[%s]\\n", argv[i]);
  return argc;
}
"""

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "a clone"
    (root / "src").mkdir(parents=True)
    for name in CARRIED:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, root / name)
    (root / "CMakeLists.txt").write_text(ONE_LAYER)
    (root / "src/main.cpp").write_text(PRINTS_ARGUMENTS)
    return root


@pytest.fixture
def start(project: Path) -> Start:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([project / "skyline", *arguments], capture_output=True, text=True, check=False)

    return run


def later(path: Path) -> None:
    """As if edited a second after everything else; file times are too coarse to tell quick edits apart."""
    newest = max(file.stat().st_mtime for file in path.parent.rglob("*"))
    os.utime(path, (newest + 1, newest + 1))


def test_first_start_builds_visibly_and_passes_arguments_and_exit_code(start: Start) -> None:
    first = start("two words", "*", "")
    assert first.stdout == "[two words]\n[*]\n[]\n"
    assert first.returncode == 4
    assert "skyline: building release" in first.stderr
    assert start().stderr == ""


def test_starts_through_a_symbolic_link(project: Path, start: Start, tmp_path: Path) -> None:
    start()
    (tmp_path / "link").symlink_to(project / "skyline")
    done = subprocess.run([tmp_path / "link", "x"], cwd="/", capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[x]\n", "")


def test_changed_source_is_built_again(project: Path, start: Start) -> None:
    start()
    source = project / "src/main.cpp"
    source.write_text("int main() { return 7; }\n")
    later(source)
    assert start().returncode == 7
    assert start().stderr == ""


def test_new_file_in_a_source_folder_is_noticed(project: Path, start: Start) -> None:
    start()
    (project / "src/extra.h").write_text("\n")
    later(project / "src")
    assert "building" in start().stderr
    assert start().stderr == ""


def test_source_with_a_date_in_the_future_is_built_once(project: Path, start: Start) -> None:
    os.utime(project / "src/main.cpp", (4e9, 4e9))
    start()
    assert start().stderr == ""


def test_failed_build_shows_the_compiler_message_and_the_log(project: Path, start: Start) -> None:
    (project / "src/main.cpp").write_text("int main() { return nonsense; }\n")
    failed = start()
    assert failed.returncode == 2
    assert failed.stdout == ""
    assert "nonsense" in failed.stderr
    assert "release.log" in failed.stderr


def test_simultaneous_first_starts_build_once(project: Path) -> None:
    starts = [
        subprocess.Popen([project / "skyline", "x"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outcomes = [process.communicate() for process in starts]
    assert [out for out, _ in outcomes] == ["[x]\n"] * 3
    assert sum("building release" in err for _, err in outcomes) == 1


def test_moved_checkout_still_builds(project: Path, start: Start) -> None:
    start()
    moved = project.rename(project.parent / "moved")
    later(moved / "src/main.cpp")
    done = subprocess.run([moved / "skyline", "x"], capture_output=True, text=True, check=False)
    assert done.stdout == "[x]\n", done.stderr


def test_missing_shared_library_means_building_anew(project: Path, start: Start) -> None:
    start()
    stamp = project / "build/release/launcher.stamp"
    times = (stamp.stat().st_atime_ns, stamp.stat().st_mtime_ns)
    stamp.write_text(stamp.read_text() + "/nowhere/libgone.so.1\n")
    os.utime(stamp, ns=times)
    assert "building release" in start("x").stderr
    assert "libgone" not in stamp.read_text()
    assert start().stderr == ""
