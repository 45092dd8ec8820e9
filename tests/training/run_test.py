"""`skyline run`: an unchanged script, its exit code, a trace and a report."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

TRAIN = """
import os, signal, sys, time
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8), nn.Linear(8, 2)
    def forward(self, x):
        return self.head(self.body(x).relu())

def main():
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    for _ in range(20):
        optimizer.zero_grad()
        model(torch.randn(2, 4)).sum().backward()
        optimizer.step()
    print(sys.argv[1:], __name__, sys.path[0] == os.path.dirname(os.path.abspath(__file__)))
    how = sys.argv[1]
    if how == "raise": raise ValueError("at the end")
    if how == "exit": sys.exit(5)
    if how == "interrupt": os.kill(os.getpid(), signal.SIGINT); time.sleep(5)

if __name__ == "__main__":
    main()
"""


@pytest.fixture
def run(environment, tmp_path: Path):
    (tmp_path / "train.py").write_text(TRAIN)

    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "skyline", "run", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)

    return call


@pytest.mark.parametrize(("how", "code"), [("end", 0), ("raise", 1), ("exit", 5), ("interrupt", -signal.SIGINT)])
def test_the_scripts_end_is_its_own_and_the_trace_is_whole(run, op_calls, tmp_path: Path, how: str, code: int) -> None:
    done = run("-o", "out.skyline", "--no-memory", "train.py", how, "--shapes")
    assert done.returncode == code, done.stderr
    assert done.stdout == f"['{how}', '--shapes'] __main__ True\n"
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 40
    assert "skyline: the trace is out.skyline\n" in done.stderr


def test_a_traceback_begins_with_the_script(run) -> None:
    lines = run("-o", "out.skyline", "--no-memory", "train.py", "raise").stderr.splitlines()
    start = lines.index("Traceback (most recent call last):")
    assert 'train.py", line' in lines[start + 1]


def test_a_module_runs_as_with_python_m(run, op_calls, tmp_path: Path) -> None:
    done = run("-o", "out.skyline", "--no-memory", "-m", "train", "end")
    assert done.returncode == 0, done.stderr
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 40


def test_the_report_follows_on_standard_error(run) -> None:
    done = run("--no-memory", "train.py", "end")
    assert "skyline: the trace is train." in done.stderr
    assert "aten::" in done.stderr or "step" in done.stderr.lower()
