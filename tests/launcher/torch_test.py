"""Where no Python has torch, ./skyline makes .venv for commands that run an entry point. The checkout is a made-up one,
whose program only says what it was started with; pip is the real one, with made-up wheels and no index."""

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = '#!/bin/sh\necho "VIRTUAL_ENV=$VIRTUAL_ENV"\nexit 7\n'
PYTHON = "/usr/bin/python3"
VERSION = "2.13.0"

Start = Callable[..., subprocess.CompletedProcess[str]]


def write_program(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)
    return path


def write_wheel(folder: Path, name: str, version: str) -> str:
    """Its line in a list of requirements."""
    about = f"{name}-{version}.dist-info"
    path = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}/__init__.py", "")
        wheel.writestr(f"{about}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{about}/RECORD", "")
    return f"{name}=={version} --hash=sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    root = tmp_path / "a clone"
    for folder in ("src", "cmake"):
        (root / folder).mkdir(parents=True)
    for name in ("CMakeLists.txt", "CMakePresets.json", "entry point.py"):
        (root / name).write_text("")
    shutil.copy(ROOT / "skyline", root / "skyline")
    shutil.copytree(ROOT / "tools", root / "tools")
    write_program(root / "build/release/bin/skyline", PROGRAM)
    (root / "build/release/launcher.stamp").write_text("")
    return root


@pytest.fixture
def settings(checkout: Path, tmp_path: Path) -> dict[str, str]:
    """A python3 that never has torch, and all that pip may install."""
    (tmp_path / "wheels").mkdir()
    pinned = write_wheel(tmp_path / "wheels", "torch", f"{VERSION}+cpu")
    (checkout / "tools/torch_requirements.txt").write_text(pinned)
    (checkout / "tools/torch_cuda_requirements.txt").write_text(f"torch=={VERSION} --hash=sha256:{'0' * 64}\n")
    write_program(tmp_path / "bin/python3", f'#!/bin/sh\nexec {PYTHON} -I -S "$@"\n')
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "VIRTUAL_ENV"))}
    own = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path / "wheels"), "PIP_CONFIG_FILE": os.devnull}
    return settings | own | {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}


@pytest.fixture
def start(checkout: Path, settings: dict[str, str]) -> Start:
    def run(*words: str, **more: str) -> subprocess.CompletedProcess[str]:
        command = [checkout / "skyline", *(words or ("interactive", "entry point.py", "--once"))]
        return subprocess.run(command, cwd=checkout, env=settings | more, capture_output=True, text=True, check=False)

    return run


def environment_with_torch(folder: Path) -> Path:
    (folder / "packages/torch").mkdir(parents=True)
    (folder / "packages/torch/__init__.py").write_text("")
    write_program(folder / "bin/python", f'#!/bin/sh\nPYTHONPATH="{folder}/packages" exec {PYTHON} "$@"\n')
    return folder


def test_first_start_installs_torch_and_says_why_and_later_ones_are_silent(checkout: Path, start: Start) -> None:
    first = start()
    assert (first.stdout, first.returncode) == (f"VIRTUAL_ENV={checkout}/.venv\n", 7), first.stderr
    assert first.stderr.startswith("skyline: no torch in python3; installing torch for the CPU into ")
    assert first.stderr.count("\n") == 1
    second = start()
    assert (second.stdout, second.stderr) == (first.stdout, "")


@pytest.mark.parametrize("name", ["virtual environment", "python3"])
def test_a_python_with_torch_is_used_as_it_is(name: str, checkout: Path, start: Start, tmp_path: Path) -> None:
    has_it = environment_with_torch(tmp_path / "env")
    lacks_it = write_program(tmp_path / "other/bin/python", f'#!/bin/sh\nexec {PYTHON} -I -S "$@"\n').parents[1]
    if name == "python3":
        shutil.copy(has_it / "bin/python", tmp_path / "bin/python3")
    active = has_it if name == "virtual environment" else lacks_it
    done = start(VIRTUAL_ENV=str(active))
    assert (done.stdout, done.stderr) == (f"VIRTUAL_ENV={active}\n", "")
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("interactive", "entry point.py", "--python", "python3"),
        ("time", "entry point.py", "--python=python3"),
        ("memory", "--help"),
        ("interactive", "nowhere.py"),
        ("report", "entry point.py"),
        ("run", "entry point.py"),
    ],
)
def test_nothing_is_installed_for_what_needs_no_entry_point(
    words: tuple[str, ...], checkout: Path, start: Start
) -> None:
    done = start(*words)
    assert (done.stdout, done.stderr) == ("VIRTUAL_ENV=\n", "")
    assert not (checkout / ".venv").exists()


def test_without_network_one_sentence_says_what_to_do(checkout: Path, start: Start, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    failed = start(PIP_FIND_LINKS=str(tmp_path / "empty"))
    assert (failed.returncode, failed.stdout) == (2, "")
    announced, sentence = failed.stderr.splitlines()
    assert announced.startswith("skyline: no torch in python3; installing")
    assert sentence.startswith("skyline: could not install torch (ERROR: No matching distribution found for torch==")
    assert "check the network and start again" in sentence and "--python" in sentence
    assert not (checkout / ".venv").exists()
    assert start().returncode == 7


def test_a_torch_that_is_not_the_pinned_one_is_refused(checkout: Path, start: Start, tmp_path: Path) -> None:
    write_wheel(tmp_path / "wheels", "torch", f"{VERSION}+cpu")
    with zipfile.ZipFile(tmp_path / f"wheels/torch-{VERSION}+cpu-py3-none-any.whl", "a") as wheel:
        wheel.writestr("torch/evil.py", "")
    refused = start()
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in refused.stderr
    assert not (checkout / ".venv").exists()


def test_where_there_is_no_build_for_the_cpu_the_other_one_is_taken(
    checkout: Path, start: Start, tmp_path: Path
) -> None:
    (tmp_path / f"wheels/torch-{VERSION}+cpu-py3-none-any.whl").unlink()
    pinned = write_wheel(tmp_path / "wheels", "torch", VERSION)
    (checkout / "tools/torch_cuda_requirements.txt").write_text(pinned)
    assert start().returncode == 7
    assert any((checkout / ".venv").glob(f"lib/python*/site-packages/torch-{VERSION}.dist-info"))


def test_an_interrupted_installation_is_begun_anew(
    checkout: Path, start: Start, settings: dict[str, str], tmp_path: Path
) -> None:
    words = [checkout / "skyline", "analysis", "entry point.py"]
    with socket.create_server(("127.0.0.1", 0)) as silent:  # pip asks it for wheels and waits
        where = {"PIP_FIND_LINKS": f"http://127.0.0.1:{silent.getsockname()[1]}/", "NO_PROXY": "*", "no_proxy": "*"}
        process = subprocess.Popen(
            words, cwd=checkout, env=settings | where, stderr=subprocess.DEVNULL, start_new_session=True
        )
        silent.settimeout(120)
        with silent.accept()[0]:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait(timeout=240)
    assert (checkout / ".venv/bin/python").exists()
    # As if it had come further, up to a torch that looks whole.
    package = next((checkout / ".venv/lib").iterdir()) / "site-packages/torch"
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text("")
    (checkout / ".venv/rubbish").write_text("")
    again = start()
    assert (again.returncode, again.stderr.count("installing torch")) == (7, 1), again.stderr
    assert not (checkout / ".venv/rubbish").exists()


def test_simultaneous_starts_install_once(checkout: Path, settings: dict[str, str]) -> None:
    words = [checkout / "skyline", "interactive", "entry point.py"]
    starts = [
        subprocess.Popen(words, cwd=checkout, env=settings, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    outcomes = [process.communicate(timeout=300) for process in starts]
    assert [out for out, _ in outcomes] == [f"VIRTUAL_ENV={checkout}/.venv\n"] * 3, outcomes
    assert sum("installing torch for the CPU" in err for _, err in outcomes) == 1


def test_somebody_elses_environment_is_used_or_left_alone(checkout: Path, start: Start) -> None:
    write_program(checkout / ".venv/bin/python", f'#!/bin/sh\nexec {PYTHON} -I -S "$@"\n')
    refused = start()
    assert refused.returncode == 2 and refused.stderr.count("\n") == 1
    assert "which somebody else has made" in refused.stderr
    assert (checkout / ".venv/bin/python").exists()
    shutil.rmtree(checkout / ".venv")
    environment_with_torch(checkout / ".venv")
    used = start()
    assert (used.stdout, used.stderr) == (f"VIRTUAL_ENV={checkout}/.venv\n", "")
