"""`pip install .` into a fresh environment."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from package.user import ROOT, TRACE, call


class Installed:
    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        # Nothing of the checkout may help.
        self.environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("SKYLINE_", "PYTHON")) and name != "VIRTUAL_ENV"
        }

    def run(self, *command: str | Path, cwd: Path) -> "subprocess.CompletedProcess[str]":
        words = [self.bin / command[0], *command[1:]]
        return subprocess.run(words, cwd=cwd, env=self.environment, capture_output=True, text=True, timeout=240)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("install")
    call(sys.executable, "-m", "venv", folder / "venv")
    call(folder / "venv/bin/pip", "install", "--quiet", "--no-index", wheel)
    return Installed(folder / "venv")


def test_the_program_answers(installed: Installed, tmp_path: Path) -> None:
    version = installed.run("skyline", "--version", cwd=tmp_path)
    assert (version.returncode, version.stdout) == (0, "skyline 0.1.0\n"), version.stderr
    report = installed.run("skyline", "report", TRACE, cwd=tmp_path)
    assert "of the step waits for batches" in report.stdout, report.stderr


def test_the_package_finds_its_own_program(installed: Installed, tmp_path: Path) -> None:
    code = (
        "import skyline, skyline._binary as b; print(skyline.__version__, b.find_binary().parts[-3:], skyline.profile)"
    )
    done = installed.run("python", "-c", code, cwd=tmp_path)
    assert done.stdout.startswith("0.1.0 ('skyline', 'bin', 'skyline') <class"), done.stderr


def test_building_needs_no_writable_source_tree() -> None:
    """Without a folder of its own the back-end builds in one for temporary files."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    assert "build-dir" not in settings


def code_below(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.suffix in (".h", ".cpp")}


def test_the_collectors_source_is_complete(installed: Installed, tmp_path: Path) -> None:
    code = "import skyline._build as b, pathlib; print(pathlib.Path(b.__file__).parent)"
    package = Path(installed.run("python", "-c", code, cwd=tmp_path).stdout.strip())
    for folder in ("base", "tracefile", "collect"):
        names = code_below(package / "_source" / folder)
        wanted = {path for path in code_below(ROOT / "src" / folder) if "_test." not in path.name}
        assert wanted <= names | {path for path in wanted if path.name.startswith("test_")}


def test_without_torch_recording_is_refused_in_one_sentence(installed: Installed, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text("print('never')")
    binary = next(installed.bin.parent.glob("lib/python*/site-packages/skyline/bin/skyline"))
    # The script of the package, and its program called by itself.
    for command in (["skyline", "run"], [binary, "run", "--python", installed.bin / "python"]):
        done = installed.run(*command, "train.py", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"skyline: torch is not installed for {installed.bin / 'python'}")
        assert done.stderr.count("\n") == 1


def test_the_doctor_says_what_is_missing(installed: Installed, tmp_path: Path) -> None:
    done = installed.run("skyline", "doctor", cwd=tmp_path)
    assert done.returncode == 1
    assert "trouble: torch is not installed for this Python\n" in done.stdout
    assert "host.cpu_features" in done.stdout
