"""The same training recorded by torch.profiler and by us."""

from collections import Counter
from dataclasses import dataclass
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

# torch gives these ranges the sequence number of the function inside, after the recording.
AROUND_BACKWARD = "autograd::engine::evaluate_function: "
# Ranges of torch.profiler itself.
TORCHS_OWN = {"profiler::_record_function_enter_new", "profiler::_record_function_exit"}
NAMES = ["cnn", "transformer", "own_function"]
MODELS = pytest.mark.parametrize("model", [CNN, TRANSFORMER, OWN_FUNCTION], ids=NAMES)


def without_torchs_own(calls: dict[Any, int]) -> dict[Any, int]:
    return {key: count for key, count in calls.items() if (key if isinstance(key, str) else key[0]) not in TORCHS_OWN}


@MODELS
def test_names_shapes_and_counts_are_the_same(script, op_calls, tmp_path: Path, model: str) -> None:
    script(model + RECORD_BOTH)
    ours = op_calls(tmp_path / "ours.skyline", by_shape=True)
    torchs = op_calls(tmp_path / "torchs.json", by_shape=True)
    assert without_torchs_own(ours) == without_torchs_own(torchs)


@dataclass(frozen=True)
class Slice:
    """A line of trace_dump about an operator or a range."""

    kind: str
    name: str
    parent: str
    fields: dict[str, str]


def read_slices(lines: list[str]) -> dict[str, Slice]:
    slices = {}
    for line in lines:
        if not line.startswith("slice\t"):
            continue
        _, number, kind, _process, _thread, _start, _dur, name, *rest = line.split("\t")
        fields = dict(field.partition("=")[::2] for field in rest)
        slices[number] = Slice(kind, name.strip('"'), fields["parent"], fields)
    return {
        number: slice_
        for number, slice_ in slices.items()
        if slice_.kind in ("cpu_op", "user_annotation") and slice_.name not in TORCHS_OWN
    }


def places(lines: list[str]) -> Counter[tuple[Any, ...]]:
    """Each operator with the names around it, its inputs, its sequence number counted from the first, and the forward
    operator that it belongs to."""
    slices = read_slices(lines)
    first = min(int(each.fields["seq"]) for each in slices.values() if "seq" in each.fields)
    found: Counter[tuple[Any, ...]] = Counter()
    for each in slices.values():
        around, outer = [], slices.get(each.parent)
        while outer is not None:
            around.append(outer.name)
            outer = slices.get(outer.parent)
        knows_forward = "seq" in each.fields and not each.name.startswith(AROUND_BACKWARD)
        sequence = int(each.fields["seq"]) - first if knows_forward else None
        forward = slices.get(each.fields.get("fwd", "-")) if knows_forward else None
        inputs = (each.fields.get("dims"), each.fields.get("types"))
        found[each.name, tuple(around), sequence, forward.name if forward else None, inputs] += 1
    return found


@MODELS
def test_nesting_types_and_sequence_numbers_are_the_same(script, dump, tmp_path: Path, model: str) -> None:
    script(model + RECORD_BOTH)
    ours, torchs = places(dump(tmp_path / "ours.skyline")), places(dump(tmp_path / "torchs.json"))
    assert (ours - torchs, torchs - ours) == (Counter(), Counter())


def allocations(lines: list[str]) -> Counter[int]:
    sizes = [int(line.split("\t")[5]) for line in lines if line.startswith("memory\t")]
    return Counter(size for size in sizes if size > 0)


@pytest.mark.parametrize("model", [CNN, TRANSFORMER, OWN_FUNCTION], ids=NAMES)
def test_what_torch_sees_allocated_is_allocated(script, dump, tmp_path: Path, model: str) -> None:
    script(model + RECORD_BOTH.replace("profile_memory=False", "profile_memory=True"))
    ours, torchs = allocations(dump(tmp_path / "ours.skyline")), allocations(dump(tmp_path / "torchs.json"))
    assert torchs and torchs - ours == Counter()
