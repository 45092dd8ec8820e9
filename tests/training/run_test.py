"""`skyline run`: an unchanged script, its exit code, a trace and a report."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

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

# For loops that are written in the tests.
PRELUDE = """
import time, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def loader(batches, size):
    return DataLoader(TensorDataset(torch.randn(batches * size, 4), torch.randn(batches * size, 1)), size)

def loss_of(model, x, y):
    return nn.functional.mse_loss(model(x), y)

model = nn.Linear(4, 1)
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path) -> Run:
    (tmp_path / "train.py").write_text(TRAIN)

    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [sys.executable, "-m", "skyline", "run", *arguments]
        return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)

    return call


@pytest.fixture
def figures_of(run: Run, ask: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Runs a loop with `skyline run` and gives the report's figures and steps."""

    def call(loop: str, *options: str) -> dict[str, Any]:
        (tmp_path / "loop.py").write_text(PRELUDE + loop)
        done = run("-o", "out.skyline", "--no-memory", *options, "loop.py")
        assert done.returncode == 0, done.stderr
        (report,) = ask("report", tmp_path / "out.skyline")["ranks"]
        values = {name: figure["value"] for name, figure in report["figures"].items()}
        return values | {"steps": report["steps"], "stderr": done.stderr}

    return call


@pytest.mark.parametrize(("how", "code"), [("end", 0), ("raise", 1), ("exit", 5), ("interrupt", -signal.SIGINT)])
def test_the_scripts_end_is_its_own_and_the_trace_is_whole(run, op_calls, tmp_path: Path, how: str, code: int) -> None:
    done = run("-o", "out.skyline", "--no-memory", "--after-steps", "0", "train.py", how, "--shapes")
    assert done.returncode == code, done.stderr
    assert done.stdout == f"['{how}', '--shapes'] __main__ True\n"
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 40
    assert "skyline: the trace is out.skyline\n" in done.stderr


def test_a_traceback_begins_with_the_script(run) -> None:
    lines = run("-o", "out.skyline", "--no-memory", "train.py", "raise").stderr.splitlines()
    start = lines.index("Traceback (most recent call last):")
    assert 'train.py", line' in lines[start + 1]


def test_a_module_runs_as_with_python_m(run, op_calls, tmp_path: Path) -> None:
    done = run("-o", "out.skyline", "--no-memory", "--after-steps", "0", "-m", "train", "end")
    assert done.returncode == 0, done.stderr
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 40


def test_the_report_follows_on_standard_error_with_the_answer_first(run) -> None:
    lines = run("--no-memory", "train.py", "end").stderr.splitlines()
    (at,) = [i for i, line in enumerate(lines) if line.startswith("skyline: the trace is train.")]
    assert re.search(r"\b(of the|The) step ", lines[at + 1])
    cost = r"the recorder's own work: \S+ .s per call, \S+ % of the steps' time \(sampled\)"
    assert any(re.match(cost, line) for line in lines)


def test_the_first_steps_are_left_out(run, op_calls, tmp_path: Path) -> None:
    done = run("-o", "out.skyline", "--no-memory", "train.py", "end")
    assert done.returncode == 0, done.stderr
    assert 2 <= op_calls(tmp_path / "out.skyline")["aten::linear"] <= 2 * 17
    assert sorted(path.name for path in tmp_path.glob("*.skyline")) == ["out.skyline"]


def test_the_window_holds_as_many_steps_as_asked_for(run, ask, op_calls, tmp_path: Path) -> None:
    done = run("-o", "out.skyline", "--no-memory", "--after-steps", "5", "--steps", "3", "train.py", "end")
    assert done.returncode == 0, done.stderr
    (report,) = ask("report", tmp_path / "out.skyline")["ranks"]
    assert report["figures"]["trace.steps"]["value"] == 3
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 6


def test_a_script_that_ends_too_early_leaves_what_there_was(run, op_calls, tmp_path: Path) -> None:
    done = run("-o", "out.skyline", "--no-memory", "--after-steps", "50", "train.py", "end")
    assert "it holds the script's start, as no steps have settled" in done.stderr
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 40
    assert sorted(path.name for path in tmp_path.glob("*.skyline")) == ["out.skyline"]


def test_accumulated_gradients_are_micro_batches_of_one_step(figures_of) -> None:
    figures = figures_of(
        """
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for i, (x, y) in enumerate(loader(80, 8)):
    (loss_of(model, x, y) / 4).backward()
    if i % 4 == 3:
        optimizer.step()
        optimizer.zero_grad()
""",
        "--after-steps",
        "3",
        "--steps",
        "5",
    )
    assert (figures["trace.steps"], figures["training.optimizer_steps"]) == (5, 5)
    assert (figures["training.optimizers"], figures["training.micro_batches"]) == (1, 4)
    assert figures["training.samples"] == 5 * 4 * 8
    seconds = sum(step["duration"] for step in figures["steps"]) / 1e9
    assert figures["training.samples_per_second"] == pytest.approx(160 / seconds)
    assert "1 optimizer · 4 micro-batches per step · " in figures["stderr"]


def test_with_two_optimizers_a_step_is_a_round_of_both(figures_of) -> None:
    figures = figures_of(
        """
critic = nn.Linear(1, 1)
optimizers = torch.optim.Adam(critic.parameters()), torch.optim.Adam(model.parameters())
for x, _ in loader(20, 8):
    critic(model(x).detach()).mean().backward()
    optimizers[0].step()
    critic(model(x)).mean().backward()
    optimizers[1].step()
    for one in optimizers: one.zero_grad()
""",
        "--after-steps",
        "3",
        "--steps",
        "6",
    )
    assert (figures["trace.steps"], figures["training.optimizers"]) == (6, 2)
    assert (figures["training.optimizer_steps"], figures["training.micro_batches"]) == (12, 2)


def test_optimizers_in_the_backward_pass_make_one_step(figures_of) -> None:
    figures = figures_of(
        """
model = nn.Sequential(*(nn.Linear(4, 4) for _ in range(3)), nn.Linear(4, 1))
optimizers = {p: torch.optim.SGD([p], 0.1) for p in model.parameters()}

def step(parameter):
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()

for parameter in model.parameters(): parameter.register_post_accumulate_grad_hook(step)
for x, y in loader(20, 8):
    loss_of(model, x, y).backward()
""",
        "--after-steps",
        "3",
        "--steps",
        "6",
    )
    assert (figures["trace.steps"], figures["training.optimizers"]) == (6, 8)
    assert (figures["training.optimizer_steps"], figures["training.micro_batches"]) == (48, 1)
    assert figures["training.samples"] == 48


@pytest.mark.parametrize(
    "evaluate",
    [
        # The usual way; gradients off for the whole; the mode only.
        "model.eval()\n    with torch.no_grad():\n        for x, y in loader(3, 5): validate(x, y)\n    model.train()",
        "with torch.no_grad():\n        for x, y in loader(3, 5): validate(x, y)",
        "model.eval()\n    validate(*torch.randn(2, 5, 4))\n    model.train()",
    ],
    ids=["mode and gradients", "gradients", "mode"],
)
def test_an_evaluation_is_no_part_of_a_step(figures_of, evaluate: str) -> None:
    figures = figures_of(
        f"""
optimizer = torch.optim.SGD(model.parameters(), 0.1)

def validate(x, y):
    with torch.no_grad(): model(x)
    time.sleep(0.1)

for epoch in range(4):
    for x, y in loader(5, 8):
        loss_of(model, x, y).backward()
        optimizer.step()
        optimizer.zero_grad()
    {evaluate}
""",
        "--after-steps",
        "3",
        "--steps",
        "12",
    )
    assert figures["trace.steps"] == 12
    assert figures["training.samples"] == 12 * 8
    assert max(step["duration"] for step in figures["steps"]) < 0.1e9
    assert figures["training.evaluation"] >= 0.2e9
    assert "not in steps" in figures["stderr"]


def test_without_a_loader_samples_are_those_that_the_model_is_called_with(run, ask, tmp_path: Path) -> None:
    done = run("-o", "out.skyline", "--no-memory", "train.py", "end")
    (report,) = ask("report", tmp_path / "out.skyline")["ranks"]
    assert report["figures"]["training.samples_per_second"]["value"] > 0
    assert "samples/s by the leading dimension of what the model is called with" in " ".join(done.stderr.split())


def test_compiled_models_are_compiled_as_without_us(run, tmp_path: Path) -> None:
    (tmp_path / "compiled.py").write_text(
        PRELUDE
        + """
from torch._dynamo.testing import CompileCounter
counter = CompileCounter()
compiled = torch.compile(model, backend=counter, fullgraph=True)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for x, y in loader(12, 8):
    loss_of(compiled, x, y).backward()
    optimizer.step()
    optimizer.zero_grad()
model.eval()
compiled(x)
print(counter.frame_count, counter.op_count)
"""
    )
    plain = subprocess.run([sys.executable, "compiled.py"], cwd=tmp_path, capture_output=True, text=True, timeout=240)
    ours = run("-o", "out.skyline", "--no-memory", "compiled.py")
    assert plain.returncode == 0, plain.stderr
    assert (ours.returncode, ours.stdout) == (0, plain.stdout), ours.stderr


def test_a_child_leaves_the_trace_to_its_parent(run, op_calls, tmp_path: Path) -> None:
    (tmp_path / "forks.py").write_text(
        "import os, sys, train\nfrom unittest import mock\n"
        "child = os.fork()\nif child == 0: sys.exit(0)\nos.waitpid(child, 0)\n"
        "with mock.patch('sys.argv', ['train.py', 'end']): train.main()\n"
    )
    done = run("-o", "out.skyline", "--no-memory", "--after-steps", "0", "forks.py")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("skyline: the trace is out.skyline") == 1
    assert "nothing was recorded" not in done.stderr
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 40


def test_without_a_compiler_run_records_through_torch_profiler_and_says_so(environment, ask, tmp_path: Path) -> None:
    (tmp_path / "train.py").write_text(TRAIN)
    bare = {"PATH": "/nowhere", "CXX": "", "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-m", "skyline", "run", "-o", "out.skyline", "train.py", "exit"],
        cwd=tmp_path,
        env=environment | bare,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 5, done.stderr
    assert done.stderr.count("recording goes through torch.profiler instead") == 1
    assert re.search(r"\b(of the|The) step ", done.stderr)
    (trace,) = tmp_path.glob("out*.json")
    calls = {row["name"]: row["calls"] for row in ask("show", "ops", trace)["ranks"][0]["rows"]}
    assert calls["aten::linear"] > 0
