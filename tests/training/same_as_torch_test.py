"""The same training recorded by torch.profiler and by us."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

RECORD_BOTH = """
    def train(steps):
        torch.manual_seed(0)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(make_input()).square().mean()
            loss.backward()
            optimizer.step()

    train(2)
    import sys
    switches = dict(record_shapes=True, profile_memory=False, with_stack=False)
    with skyline.profile("ours.skyline", **switches):
        train(3)
    with torch.profiler.profile(**switches) as torchs:
        train(3)
    torchs.export_chrome_trace("torchs.json")
"""

CNN = """
    model = nn.Sequential(
        nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(4 * 7 * 7, 2))
    optimizer = torch.optim.Adam(model.parameters())
    make_input = lambda: torch.randn(2, 3, 16, 16)
"""

TRANSFORMER = """
    model = nn.Sequential(nn.Linear(8, 16), nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), nn.Linear(16, 1))
    optimizer = torch.optim.AdamW(model.parameters())
    make_input = lambda: torch.randn(2, 5, 8)
"""

OWN_FUNCTION = """
    from torch.utils.checkpoint import checkpoint
    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            context.save_for_backward(x)
            return 2 * x
        @staticmethod
        def backward(context, gradient):
            return 2 * gradient
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)
        def forward(self, x):
            hidden = checkpoint(lambda x: Twice.apply(self.first(x)).relu(), x, use_reentrant=False)
            with torch.autocast("cpu", torch.bfloat16):
                return self.second(hidden)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(3, 4)
"""

# Ranges of torch.profiler itself.
TORCHS_OWN = {"profiler::_record_function_enter_new", "profiler::_record_function_exit"}
MODELS = pytest.mark.parametrize("model", [CNN, TRANSFORMER, OWN_FUNCTION], ids=["cnn", "transformer", "own_function"])


def without_torchs_own(calls: dict[Any, int]) -> dict[Any, int]:
    return {key: count for key, count in calls.items() if (key if isinstance(key, str) else key[0]) not in TORCHS_OWN}


@MODELS
def test_names_shapes_and_counts_are_the_same(script, op_calls, tmp_path: Path, model: str) -> None:
    script(model + RECORD_BOTH)
    ours = op_calls(tmp_path / "ours.skyline", by_shape=True)
    torchs = op_calls(tmp_path / "torchs.json", by_shape=True)
    assert without_torchs_own(ours) == without_torchs_own(torchs)


def trees(events: list[dict[str, Any]]) -> Counter[tuple[Any, ...]]:
    """Each operator with the names around it, its inputs and its sequence number counted from the first."""
    ops = [event for event in events if event.get("cat") in ("cpu_op", "user_annotation") and event["ph"] == "X"]
    ops = [event for event in ops if event["name"] not in TORCHS_OWN]
    sequences = [event["args"]["Sequence number"] for event in ops if "Sequence number" in event["args"]]
    first = min(number for number in sequences if number >= 0)
    seen: Counter[tuple[Any, ...]] = Counter()
    by_thread: dict[int, list[dict[str, Any]]] = {}
    for event in ops:
        by_thread.setdefault(event["tid"], []).append(event)
    for thread in by_thread.values():
        thread.sort(key=lambda event: (event["ts"], -event["dur"]))
        around: list[dict[str, Any]] = []
        for event in thread:
            while around and event["ts"] >= around[-1]["ts"] + around[-1]["dur"]:
                around.pop()
            sequence = event["args"].get("Sequence number", -1)
            place = tuple(outer["name"] for outer in around)
            inputs = json.dumps([event["args"].get("Input Dims"), event["args"].get("Input type")])
            seen[place, event["name"], sequence - first if sequence >= 0 else None, inputs] += 1
            around.append(event)
    return seen


@MODELS
def test_nesting_types_and_sequence_numbers_are_the_same(script, skyline_binary, tmp_path: Path, model: str) -> None:
    done = script(
        model + RECORD_BOTH + '\n    skyline._binary.ask("convert", "ours.skyline", "--output", "ours.json")\n',
        check=False,
    )
    if "no command 'convert'" in done.stderr:
        pytest.skip("this build has no `skyline convert`")
    assert done.returncode == 0, done.stderr
    ours, torchs = (
        trees(json.loads((tmp_path / name).read_text())["traceEvents"]) for name in ("ours.json", "torchs.json")
    )
    assert ours - torchs == Counter() and torchs - ours == Counter()
