"""What the report says that recording cost, on programs that do more than train, and on what a loader fetches ahead."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

TRAINING = """
import time, torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

model = nn.Sequential(*[nn.Linear(4, 4) for _ in range(8)])
optimizer = torch.optim.SGD(model.parameters(), 0.1)
data = DataLoader(TensorDataset(torch.randn(STEPS * 2, 4)), 2)

def train(x):
    optimizer.zero_grad()
    model(x).sum().backward()
    optimizer.step()
"""


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path, ask: Callable[..., Any]) -> Callable[..., tuple[Any, str]]:
    """The figures of a program's recording, and what `skyline run` said."""

    def call(program: str, steps: int, *options: str) -> tuple[Any, str]:
        (tmp_path / "train.py").write_text(TRAINING.replace("STEPS", str(steps)) + program)
        command = [sys.executable, "-m", "skyline", "run", "-o", "out.skyline", *options, "train.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        (rank,) = ask("report", tmp_path / "out.skyline")["ranks"]
        return {name: figure["value"] for name, figure in rank["figures"].items()}, done.stderr

    return call


def test_time_without_training_does_not_make_recording_look_cheap(run) -> None:
    """As a framework that takes seconds to import, and a window that never opens: it waits for three times as long."""
    figures, _ = run(
        """
begin = time.monotonic()
for x, in data:
    train(x)
time.sleep(3 * (time.monotonic() - begin))
torch.ones(1) + 1
""",
        60,
        "--after-steps",
        "100000",
    )
    of_all = figures["recording.cost"] / figures["trace.span"]
    assert figures["recording.cost_share"] > 2 * of_all > 0


def test_steps_after_the_window_tell_the_true_cost(run) -> None:
    _, said = run("for x, in data: train(x)", 60, "--after-steps", "5", "--steps", "10")
    (line,) = [line for line in said.splitlines() if line.startswith("skyline: a step took ")]
    assert re.search(r" while recorded, \S+ ms in the 20 steps after: ", line), line


def test_a_script_that_ends_with_its_window_has_nothing_to_compare(run) -> None:
    _, said = run("for x, in data: train(x)", 15, "--after-steps", "5", "--steps", "10")
    assert "a step took" not in said


def test_a_batch_that_was_only_fetched_ahead_is_no_sample(run) -> None:
    """As Lightning and accelerate do: the next batch is there before the step begins."""
    figures, _ = run(
        """
batches = iter(data)
ahead, = next(batches)
for _ in range(6):
    x, (ahead,) = ahead, next(batches)
    train(x)
""",
        10,
        "--after-steps",
        "100000",
    )
    assert (figures["trace.steps"], figures["training.samples"]) == (6, 12)
