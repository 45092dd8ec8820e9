"""The current folder may be a stranger's: what lies there runs no sooner than the user's own code imports it."""

import subprocess
import sys
from pathlib import Path

import pytest

ENTRY_POINT = """
import torch
from torch import nn
def skyline_model_provider(): return nn.Linear(4, 1)
def skyline_input_provider(batch_size=2): return (torch.ones(batch_size, 4),)
def skyline_iteration_provider(model): return lambda inputs: model(inputs).sum().backward()
"""
STANDARD = ["re", "typing", "os", "runpy", "importlib", "argparse", "json", "socket", "dataclasses", "ctypes", "pickle"]


@pytest.fixture
def start(environment: dict[str, str], skyline_binary: Path, tmp_path: Path):
    """start(command, …): the program in a folder whose modules report to a file that they were run."""
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    report = f"open({str(tmp_path / 'ran')!r}, 'a').write(__name__ + '\\n')\n"
    for name in [*STANDARD, "torch", "numpy", "sitecustomize", "usercustomize", "_start", "worker"]:
        (hostile / f"{name}.py").write_text(report)
    for package in ("skyline", "torch_extension"):
        (hostile / package).mkdir()
        for name in ("__init__", "__main__", "_zygote", "worker"):
            (hostile / package / f"{name}.py").write_text(report)
    (tmp_path / "project").mkdir()
    (tmp_path / "project/entry_point.py").write_text(ENTRY_POINT)
    clean = {key: value for key, value in environment.items() if key not in ("PYTHONPATH", "SKYLINE_BIN")}
    clean["VIRTUAL_ENV"] = sys.prefix

    def call(*words: str | Path, **own: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "ran").unlink(missing_ok=True)
        done = subprocess.run(
            [skyline_binary, *words],
            cwd=hostile,
            env=clean | own,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        done.ran = (tmp_path / "ran").read_text().split() if (tmp_path / "ran").exists() else []  # type: ignore[attr-defined]
        return done

    call.environment = clean  # type: ignore[attr-defined]
    return call


# As after `export PYTHONPATH=$PYTHONPATH:/nowhere`.
@pytest.mark.parametrize("own", [{}, {"PYTHONPATH": ":/nowhere"}], ids=["plain", "PYTHONPATH with an empty part"])
def test_nothing_of_the_current_folder_runs(start, tmp_path: Path, own: dict[str, str]) -> None:
    entry_point = tmp_path / "project/entry_point.py"
    (tmp_path / "script.py").write_text("import sys\n")
    for words in (
        ["init", "--no-run", tmp_path / "script.py", "-o", tmp_path / "made.py", "--force"],
        ["doctor"],
        ["run", "--help"],
        ["interactive", "--once", "--budget", "1", "--python", sys.executable, entry_point],
        ["time", "--python", sys.executable, entry_point, "-o", tmp_path / "time.sqlite", "--force"],
        ["memory", "--python", sys.executable, entry_point, "-o", tmp_path / "memory.sqlite", "--force"],
    ):
        done = start(*words, **own)
        assert done.ran == [], words
        assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("how", [["script.py"], ["-m", "script"]], ids=["script", "module"])
@pytest.mark.parametrize("own", [{}, {"PYTHONPATH": ":src:/mine"}, {"PYTHONSAFEPATH": "1", "PYTHONPATH": "/mine:"}])
def test_a_script_sees_what_it_would_see_under_python(
    start, tmp_path: Path, how: list[str], own: dict[str, str]
) -> None:
    look = "import sys\nprint(sys.path, sys.flags.safe_path, dict(sys.modules['os'].environ), sys.argv)\n"
    (tmp_path / "hostile/script.py").write_text(look)
    for name in STANDARD + ["sitecustomize", "usercustomize"]:  # plain Python would run them
        (tmp_path / f"hostile/{name}.py").unlink()
    ours = start("run", "--no-report", *how, **own)
    plain = subprocess.run(
        [Path(sys.prefix) / "bin/python", *how],
        cwd=tmp_path / "hostile",
        env=start.environment | own,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert ours.stdout == plain.stdout, ours.stderr


def test_the_script_itself_may_import_from_its_folder(start, tmp_path: Path) -> None:
    (tmp_path / "hostile/script.py").write_text("print('script')\nimport numpy\n")
    done = start("run", "--no-report", "script.py")
    assert (done.stdout, done.ran) == ("script\n", ["numpy"]), done.stderr
