"""Who installs packages: root at a first start, and who said --yes; nobody else, and nobody who has a build.

The project is a made-up one. apt-get, dpkg-query, sudo, npm and cmake are scripts that write down what they were asked
for; cmake's build is a copy of echo.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOBODY = 65534
IS_ROOT = os.geteuid() == 0
INSTALLS = "apt-get install -y --no-install-recommends g++ cmake"
SCRIPTS = {
    "dpkg-query": 'if [ -e "$FOLDER/installed" ]; then echo installed; else echo missing; fi',
    "apt-get": 'echo "apt-get $*" >>"$FOLDER/log"; case "$*" in *install*) touch "$FOLDER/installed" ;; esac',
    "cmake": "mkdir -p build/release/bin && cp /bin/echo build/release/bin/skyline",
    "npm": 'echo "npm $*" >>"$FOLDER/log"; mkdir -p node_modules dist && echo page >dist/index.html',
    "node": "exit 0",
}
SUDO = {
    "asks for no password": 'echo "sudo $*" >>"$FOLDER/log"; shift; exec "$@"',
    "asks for a password": "exit 1",
}

Start = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        folder = Path(name)
        for part in ("bin", "clone/src", "clone/cmake", "clone/build", "clone/web", "clone/protocol"):
            (folder / part).mkdir(parents=True)
        for part in ("CMakeLists.txt", "CMakePresets.json", "src/main.cpp", "protocol/messages.ts"):
            (folder / "clone" / part).write_text("")
        for part in ("web/package.json", "web/package-lock.json"):
            (folder / "clone" / part).write_text("{}")
        shutil.copy(ROOT / "skyline", folder / "clone/skyline")
        shutil.copytree(ROOT / "tools", folder / "clone/tools")
        for tool, text in SCRIPTS.items():
            write_script(folder, tool, text)
        (folder / "log").write_text("")
        for path in [folder, *folder.rglob("*")]:
            path.chmod(0o777)
        yield folder


def write_script(folder: Path, name: str, text: str) -> None:
    (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / "bin" / name).chmod(0o755)


@pytest.fixture
def start(folder: Path) -> Start:
    settings = {"PATH": f"{folder / 'bin'}:/usr/bin:/bin", "FOLDER": str(folder), "HOME": str(folder)}

    def run(*words: str, user: int | None = None, **more: str) -> subprocess.CompletedProcess[str]:
        command = [folder / "clone/skyline", *words]
        return subprocess.run(command, env=settings | more, user=user, capture_output=True, text=True, check=False)

    return run


@pytest.fixture
def start_as_nobody(start: Start) -> Start:
    return lambda *words, **more: start(*words, user=NOBODY if IS_ROOT else None, **more)


def log(folder: Path) -> str:
    return (folder / "log").read_text()


def edit(path: Path) -> None:
    """As if a second after everything else."""
    newest = max(file.stat().st_mtime for file in path.parents[1].rglob("*"))
    os.utime(path, (newest + 1, newest + 1))


@pytest.mark.parametrize("sudo", SUDO)
def test_who_is_not_root_is_told_the_line_to_run(sudo: str, folder: Path, start_as_nobody: Start) -> None:
    write_script(folder, "sudo", SUDO[sudo])
    done = start_as_nobody("report", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"\n  sudo apt-get update && sudo {INSTALLS}" in done.stderr
    assert "apt-get" not in log(folder)
    assert ("--yes" in done.stderr) == (sudo == "asks for no password")


def test_yes_installs_with_sudo_and_is_not_passed_on(folder: Path, start_as_nobody: Start) -> None:
    write_script(folder, "sudo", SUDO["asks for no password"])
    done = start_as_nobody("--yes", "report", "--yes")
    assert (done.returncode, done.stdout) == (0, "report --yes\n"), done.stderr
    assert INSTALLS.removeprefix("apt-get ") in log(folder)


def test_yes_without_sudo_is_told_the_line_to_run(folder: Path, start_as_nobody: Start) -> None:
    write_script(folder, "sudo", SUDO["asks for a password"])
    done = start_as_nobody("--yes", "report", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert "apt-get" not in log(folder)


@pytest.mark.skipif(not IS_ROOT, reason="what root may do")
class TestRoot:
    def test_a_first_start_installs(self, folder: Path, start: Start) -> None:
        done = start("report", "x")
        assert (done.returncode, done.stdout) == (0, "report x\n"), done.stderr
        assert INSTALLS.removeprefix("apt-get ") in log(folder)

    def test_a_first_start_that_is_forbidden_does_not(self, folder: Path, start: Start) -> None:
        done = start("report", "x", SKYLINE_INSTALL="no")
        assert done.returncode == 2 and f"\n  apt-get update && {INSTALLS}" in done.stderr
        assert "apt-get" not in log(folder)

    def test_a_build_whose_sources_changed_installs_nothing_unasked(self, folder: Path, start: Start) -> None:
        start("report", "x")
        (folder / "installed").unlink()
        (folder / "log").write_text("")
        edit(folder / "clone/src/main.cpp")
        for _ in range(2):
            done = start("report", "x")
            assert done.returncode == 2 and f"\n  apt-get update && {INSTALLS}" in done.stderr
            assert log(folder) == ""
        assert start("--yes", "report", "x").stdout == "report x\n"
        assert INSTALLS.removeprefix("apt-get ") in log(folder)

    def test_a_build_whose_libraries_are_gone_installs_nothing_unasked(self, folder: Path, start: Start) -> None:
        start("report", "x")
        (folder / "installed").unlink()
        (folder / "log").write_text("")
        with (folder / "clone/build/release/launcher.stamp").open("a") as stamp:
            stamp.write("/nowhere/libgone.so.1\n")
        for _ in range(2):
            assert start("report", "x").returncode == 2
            assert log(folder) == ""

    def test_a_build_that_is_current_asks_for_nothing(self, folder: Path, start: Start) -> None:
        start("report", "x")
        (folder / "installed").unlink()
        (folder / "log").write_text("")
        done = start("report", "x")
        assert (done.stdout, done.stderr, log(folder)) == ("report x\n", "", "")

    def test_a_build_keeps_its_page_rather_than_fetch_packages_for_a_new_one(self, folder: Path, start: Start) -> None:
        start("report", "x")
        (folder / "log").write_text("")
        (folder / "clone/web/package-lock.json").write_text('{"changed": 1}')
        edit(folder / "clone/web/package-lock.json")
        done = start("report", "x")
        assert done.stdout == "report x\n"
        assert "skyline: the page stays as it was: it needs other packages than are installed" in done.stderr
        assert log(folder) == ""
        edit(folder / "clone/web/package-lock.json")
        start("--yes", "report", "x")
        assert "npm ci" in log(folder)

    def test_a_build_does_without_a_page_rather_than_fetch_node(self, folder: Path, start: Start) -> None:
        start("report", "x")
        shutil.rmtree(folder / "clone/web/dist")
        write_script(folder, "node", "exit 1")  # as old as it gets
        edit(folder / "clone/web/package.json")
        done = start("report", "x", PIP_NO_INDEX="1", PIP_CONFIG_FILE=os.devnull)
        assert done.stdout == "report x\n"
        assert "skyline: the page is left out: Node is missing; tools/build_web.sh fetches it\n" in done.stderr
        assert not (folder / "clone/build/node.venv").exists()
