"""./skyline builds the page before the program. The project is a made-up one whose program embeds web/dist/index.html;
node and npm only write down what they were asked for."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CARRIED = ["skyline", "tools", "cmake", "CMakePresets.json"]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(tiny VERSION 0.1.0 LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
include(warnings)
include(skyline_layer)
include(web_bundle)
skyline_web_bundle(bundle)
skyline_program(skyline SOURCES src/main.cpp ${bundle})
"""
# Prints the packed files.
PROGRAM = """#include <cstdio>
#include "serve/http/bundle.h"
int main() {
  for (const skyline::serve::EmbeddedFile& file : skyline::serve::embedded_files()) {
    std::fprintf(stderr, "%s\\n", std::string(file.path).c_str());
    std::fwrite(file.begin, 1, static_cast<size_t>(file.end - file.begin), stdout);
  }
}
"""
NPM = """#!/bin/sh
echo "npm $*" >>"$LOG"
case $1 in
  ci) mkdir -p node_modules ;;
  run) mkdir -p dist/assets && cp src/page.ts dist/index.html && echo script >dist/assets/a-1.js ;;
esac
"""

Start = Callable[..., subprocess.CompletedProcess[bytes]]


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "a clone"
    for folder in ("src/serve/http", "web/src", "protocol"):
        (root / folder).mkdir(parents=True)
    for name in CARRIED:
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, root / name)
    shutil.copy(ROOT / "src/serve/http/bundle.h", root / "src/serve/http/bundle.h")
    (root / "CMakeLists.txt").write_text(PROJECT)
    (root / "src/main.cpp").write_text(PROGRAM)
    (root / "web/package.json").write_text("{}")
    (root / "web/package-lock.json").write_text("{}")
    (root / "web/src/page.ts").write_text("first page\n")
    (root / "protocol/messages.ts").write_text("")
    return root


@pytest.fixture
def start(project: Path, tmp_path: Path) -> Start:
    write_program(tmp_path / "bin/node", "#!/bin/sh\nexit 0\n")
    write_program(tmp_path / "bin/npm", NPM)
    settings = os.environ | {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "LOG": str(tmp_path / "log")}

    def run(**more: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([project / "skyline"], env=settings | more, capture_output=True, check=False)

    return run


def page(done: subprocess.CompletedProcess[bytes]) -> str:
    return subprocess.run(["gzip", "-dc"], input=done.stdout, capture_output=True, check=True).stdout.decode()


def later(path: Path) -> None:
    """As if edited a second after everything else; file times are too coarse to tell quick edits apart."""
    root = path.parents[2]
    newest = max(file.stat().st_mtime for file in root.rglob("*"))
    os.utime(path, (newest + 1, newest + 1))


def test_the_page_is_built_once_and_is_in_the_program(start: Start, tmp_path: Path) -> None:
    first = start()
    assert page(first) == "script\nfirst page\n", first.stderr.decode()
    assert b"skyline: building the page\n" in first.stderr
    assert (tmp_path / "log").read_text().splitlines()[0].startswith("npm ci ")
    second = start()
    assert (second.stdout, second.stderr) == (first.stdout, b"assets/a-1.js\nindex.html\n")
    assert len((tmp_path / "log").read_text().splitlines()) == 2


def test_a_changed_page_is_built_again_without_installing_again(project: Path, start: Start, tmp_path: Path) -> None:
    start()
    source = project / "web/src/page.ts"
    source.write_text("second page\n")
    later(source)
    assert page(start()) == "script\nsecond page\n"
    commands = [line.split()[1] for line in (tmp_path / "log").read_text().splitlines()]
    assert commands == ["ci", "run", "run"]
    assert start().stderr == b"assets/a-1.js\nindex.html\n"


def test_a_page_that_was_built_by_hand_is_taken(project: Path, start: Start) -> None:
    start()
    (project / "web/dist/index.html").write_text("by hand\n")
    later(project / "web/dist/index.html")
    assert page(start()) == "script\nby hand\n"


def test_without_node_the_program_is_built_without_its_page(start: Start, tmp_path: Path) -> None:
    write_program(tmp_path / "bin/node", "#!/bin/sh\nexit 1\n")  # as old as it gets
    done = start(PIP_NO_INDEX="1", PIP_FIND_LINKS=str(tmp_path), PIP_CONFIG_FILE=os.devnull)
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout == b""
    told = [line for line in done.stderr.decode().splitlines() if "page" in line]
    assert len(told) == 1 and told[0].startswith("skyline: the page is left out: there is no Node 20.19 here")
    assert start().stderr == b""


def test_a_page_that_cannot_be_built_is_told_and_left_out(start: Start, tmp_path: Path) -> None:
    write_program(tmp_path / "bin/npm", "#!/bin/sh\necho no network >&2\nexit 1\n")
    done = start()
    assert done.returncode == 0, done.stderr.decode()
    assert b"skyline: the page is left out: its build failed (the log is in " in done.stderr
