"""Steps and samples of loops under `skyline run` that do not do the usual thing. They do as their libraries do."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PRELUDE = """
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

def data(samples):
    return TensorDataset(torch.randn(samples, 4), torch.randn(samples, 1))

def loss_of(model, x, y):
    return nn.functional.mse_loss(model(x), y)

def update(model, optimizer, x, y):
    loss_of(model, x, y).backward()
    optimizer.step()
    optimizer.zero_grad()

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(model.parameters(), 0.01)
"""


@pytest.fixture
def figures_of(environment: dict[str, str], ask: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Runs a loop with `skyline run` and gives the report's figures."""

    def call(loop: str, *options: str) -> dict[str, Any]:
        (tmp_path / "loop.py").write_text(PRELUDE + loop)
        command = [sys.executable, "-m", "skyline", "run", "-o", "out.skyline", "--no-memory", *options, "loop.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
        assert done.returncode == 0, done.stderr
        (report,) = ask("report", tmp_path / "out.skyline")["ranks"]
        return {name: figure["value"] for name, figure in report["figures"].items()}

    return call


LIGHTNING = """
for x, y in DataLoader(train, 8): update(model, optimizer, x, y)
    model.eval()
    with torch.no_grad():
        for x, y in DataLoader(val, 5): model(x)
    for module in model.modules(): module.training = True
"""

# A batch is fetched before the mode is set, for training and for evaluation.
IGNITE = """
for x, y in DataLoader(train, 8):
        model.train()
        update(model, optimizer, x, y)
    for x, y in DataLoader(val, 5):
        model.eval()
        with torch.no_grad(): model(x)
"""

HF_TRAINER = """
batches = iter(DataLoader(train, 8))
    for step in range(5):
        x, y = next(batches)
        model.train()
        update(model, optimizer, x, y)
        if step == 3:
            model.eval()
            for x, y in DataLoader(val, 5):
                with torch.no_grad(): model(x)
"""

ON_TRAINING_DATA = """
model.train()
    for x, y in DataLoader(train, 8): update(model, optimizer, x, y)
    model.eval()
    for x, y in DataLoader(train, 5):
        with torch.no_grad(): model(x)
    with torch.no_grad():
        for x, y in DataLoader(train, 5): model(x)
"""


@pytest.mark.parametrize("epoch", [LIGHTNING, IGNITE, HF_TRAINER, ON_TRAINING_DATA])
def test_an_evaluation_ends_where_training_goes_on(figures_of, epoch: str) -> None:
    loop = f"train, val = data(40), data(15)\nfor epoch in range(6):\n    {epoch.strip()}\n"
    figures = figures_of(loop, "--after-steps", "3", "--steps", "20")
    assert figures["trace.steps"] == 20
    assert figures["training.samples"] == 20 * 8
    assert figures["training.evaluation"] > 0


@pytest.mark.parametrize("kept", ["", "kept = []"], ids=["forgotten", "kept"])
def test_a_new_optimizer_goes_on_where_the_old_one_stopped(figures_of, kept: str) -> None:
    figures = figures_of(
        f"""
{kept}
for fold in range(5):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.Adam(model.parameters())
    if {bool(kept)}: kept.append(optimizer)
    for x, y in DataLoader(data(80), 8): update(model, optimizer, x, y)
""",
        "--after-steps",
        "3",
        "--steps",
        "20",
    )
    # Of an optimizer beside which the old one lives on, the first step does not yet tell that a new loop has begun.
    assert figures["training.optimizer_steps"] == figures["trace.steps"]
    assert 20 <= figures["trace.steps"] <= 23
    assert figures["training.samples"] == figures["trace.steps"] * 8


def test_a_loop_without_a_loader_has_steps_and_the_samples_that_its_model_is_called_with(figures_of) -> None:
    figures = figures_of(
        """
def get_batch():
    return torch.randn(12, 4), torch.randn(12, 1)

for step in range(40):
    for part in range(2):
        loss_of(model, *get_batch()).backward()
    with torch.no_grad(): model(torch.randn(100, 4))
    optimizer.step()
    optimizer.zero_grad()
""",
        "--after-steps",
        "3",
        "--steps",
        "20",
    )
    assert figures["trace.steps"] == 20
    assert figures["training.samples"] is None
    assert figures["training.model_samples"] == 20 * 24
    assert figures["training.samples_per_second"] > 0
