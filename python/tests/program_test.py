"""What a script sees of `skyline run`; with torch in tests/training/run_like_python_test.py."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from skyline import _python_path

START = Path(_python_path.__file__).with_name("_start.py")


@pytest.mark.parametrize(
    ("whole", "kept"),
    [(":/b", "/b"), ("/a::src:/b", "/a:/b"), (":", ""), (".:/a", "/a"), ("/a:", "/a")],
)
def test_relative_parts_of_pythonpath_come_back_as_python_has_them(whole: str, kept: str, tmp_path: Path) -> None:
    """`kept` is what the program leaves of `whole`."""
    code = "import json, os, sys; print(json.dumps([sys.path[1:], os.environ.get('PYTHONPATH')]))"
    put_back = f"import sys; sys.path.append({str(START.parent.parent)!r})\nfrom skyline import _python_path\n"
    put_back += "sys.path.pop(); first = sys.path.pop(0); _python_path.put_back(); sys.path.insert(0, first)\n"
    environments = [{"PYTHONPATH": whole}, {"PYTHONPATH": kept, "SKYLINE_PYTHONPATH": whole}]
    plain, ours = (
        subprocess.run(
            [sys.executable, "-c", text], env=os.environ | own, cwd=tmp_path, capture_output=True, text=True, check=True
        )
        for text, own in zip([code, put_back + code], environments, strict=True)
    )
    assert json.loads(ours.stdout) == json.loads(plain.stdout)


def start(*words: str, cwd: Path, **own: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, str(START), "/bin/true", "skyline.__main__:main", *words]
    return subprocess.run(command, cwd=cwd, env=os.environ | own, capture_output=True, text=True, check=False)


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A folder in which every module that we could mistake for another says so."""
    names = ["re", "typing", "os", "runpy", "importlib", "argparse", "torch", "dataclasses", "sitecustomize", "_binary"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(f"print('stranger: {name}')\n")
    (tmp_path / "skyline").mkdir()
    (tmp_path / "skyline/__init__.py").write_text("print('stranger: skyline')\n")
    (tmp_path / "script.py").write_text("import sys\n")
    return tmp_path


def test_nothing_in_the_current_folder_runs(hostile: Path) -> None:
    done = start("init", "--no-run", "script.py", cwd=hostile)
    assert (done.returncode, done.stdout) == (0, "wrote entry_point.py\n"), done.stderr
    assert "stranger" not in start("run", "--help", cwd=hostile).stdout
