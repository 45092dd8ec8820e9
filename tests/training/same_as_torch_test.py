"""The same training recorded by torch.profiler and by us."""

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.copied

RECORD_BOTH = """
    def train(steps):
        torch.manual_seed(0)
        for _ in range(steps):
            optimizer.zero_grad()
            loss = model(make_input()).square().mean()
            loss.backward()
            optimizer.step()

    train(2)
    switches = dict(record_shapes=True, profile_memory=True, with_stack=False)
    with skyline.profile("ours.skyline", direct=DIRECT, **switches) as ours:
        train(3)
    assert ours.outcome["direct"] is DIRECT
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
            hidden = Twice.apply(self.first(x)).relu()
            if hidden.requires_grad:
                hidden.register_hook(lambda gradient: gradient.clamp(-1, 1))
            return self.second(hidden)
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(3, 4)
"""

CHECKPOINT = """
    from torch.utils.checkpoint import checkpoint
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second, self.third = nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 2)
        def forward(self, x):
            hidden = checkpoint(lambda x: self.first(x).relu(), x, use_reentrant=False)
            return self.third(checkpoint(lambda x: self.second(x).relu(), hidden, use_reentrant=True))
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(3, 4)
"""

AMP = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.GELU(), nn.Linear(16, 4))
        def forward(self, x):
            with torch.autocast("cpu", torch.bfloat16):
                return self.body(x)
    model = Net()
    optimizer = torch.optim.AdamW(model.parameters())
    make_input = lambda: torch.randn(4, 8)
"""

DOUBLE_BACKWARD = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 2)
        def forward(self, x):
            x = x.requires_grad_()
            out = self.second(self.first(x).tanh()).pow(2).sum()
            penalty, = torch.autograd.grad(out, x, create_graph=True)
            weight, = torch.autograd.grad(out, self.second.weight, retain_graph=True)  # not all nodes are needed
            return out + penalty.norm() + weight.sum()
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(3, 4)
"""

COMPILED = """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
        def forward(self, x):
            return self.body(x).sin()
    model = torch.compile(Net(), backend="BACKEND", fullgraph=True)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(4, 8)
"""

SCRIPTED = """
    model = torch.jit.script(nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4)))
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(4, 8)
    for _ in range(6): model(make_input()).sum().backward()  # until its plan stays as it is
"""

THREADS = """
    import concurrent.futures
    pool = concurrent.futures.ThreadPoolExecutor(2)
    def shard(x):
        return x.mul(2).sigmoid()
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.head = nn.Linear(4, 2)
        def forward(self, x):
            return self.head(torch.cat(list(pool.map(shard, x.split(2)))))
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    make_input = lambda: torch.randn(8, 4)
"""

# What torch emits only while its own profiler runs: that profiler's ranges, then those of Dynamo and its backends.
ONLY_FOR_TORCH = (
    "profiler::_record_function_enter_new",
    "profiler::_record_function_exit",
    "Pregraph bytecode",
    "AOTDispatcher Runtime Wrapper Prologue",
    "## Call CompiledFxGraph ",
)
# Functions of Python tell their arguments that are no tensors only to torch's profiler.
FUNCTIONS_WITH_OTHER_ARGUMENTS = ("CheckpointFunction",)
MODELS = {
    "cnn": CNN,
    "transformer": TRANSFORMER,
    "own_function": OWN_FUNCTION,
    "checkpoint": CHECKPOINT,
    "amp": AMP,
    "double_backward": DOUBLE_BACKWARD,
    "scripted": SCRIPTED,
    "compiled_eager": COMPILED.replace("BACKEND", "eager"),
    "compiled_aot": COMPILED.replace("BACKEND", "aot_eager"),
    "compiled_inductor": COMPILED.replace("BACKEND", "inductor"),
}


@dataclass(frozen=True)
class Slice:
    """A line of trace_dump about an operator or a range."""

    kind: str
    thread: str
    name: str
    parent: str
    fields: dict[str, str]


def read_slices(lines: list[str]) -> dict[str, Slice]:
    """The operators and ranges, by their number; what only torch's profiler sees is taken out of the nesting."""
    slices = {}
    for line in lines:
        if line.startswith("slice\t"):
            _, number, kind, _process, thread, _start, _dur, name, *rest = line.split("\t")
            fields = dict(field.partition("=")[::2] for field in rest)
            slices[number] = Slice(kind, thread, name.strip('"'), fields["parent"], fields)
    skipped = {number for number, each in slices.items() if each.name.startswith(ONLY_FOR_TORCH)}

    def parent_of(each: Slice) -> str:
        parent = each.parent
        while parent in skipped:
            parent = slices[parent].parent
        return parent

    return {
        number: replace(each, parent=parent_of(each))
        for number, each in slices.items()
        if each.kind in ("cpu_op", "user_annotation") and number not in skipped
    }


def threads_of(slices: dict[str, Slice]) -> set[str]:
    return {each.thread for each in slices.values()}


def places(slices: dict[str, Slice], threads: set[str]) -> Counter[tuple[Any, ...]]:
    """Each operator of the threads with the names around it, its inputs, its sequence number counted from the first,
    and the forward operator that it belongs to."""
    ours = [each for each in slices.values() if each.thread in threads]
    first = min(int(each.fields["seq"]) for each in ours if "seq" in each.fields)
    found: Counter[tuple[Any, ...]] = Counter()
    for each in ours:
        around, outer = [], slices.get(each.parent)
        while outer is not None:
            around.append(outer.name)
            outer = slices.get(outer.parent)
        sequence = int(each.fields["seq"]) - first if "seq" in each.fields else None
        forward = slices.get(each.fields.get("fwd", "-"))
        tells = each.name not in FUNCTIONS_WITH_OTHER_ARGUMENTS
        inputs = (each.fields.get("dims"), each.fields.get("types")) if tells else None
        found[each.name, tuple(around), sequence, forward.name if forward else None, inputs] += 1
    return found


def memory(lines: list[str]) -> dict[str, tuple[int, int]]:
    """Thread -> (bytes allocated, bytes freed)."""
    rows = [line.split("\t") for line in lines if line.startswith("memory\t")]
    totals: dict[str, tuple[int, int]] = {}
    for _, _process, thread, _time, _address, size, *_ in rows:
        allocated, freed = totals.get(thread, (0, 0))
        totals[thread] = (allocated + max(0, int(size)), freed - min(0, int(size)))
    return totals


def record_both(model: str, direct: bool = False) -> str:
    """Without torch's observers in between, or through them."""
    return model + RECORD_BOTH.replace("DIRECT", str(direct))


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize("name", MODELS)
def test_names_nesting_shapes_sequence_numbers_and_memory_are_the_same(
    script, dump, tmp_path: Path, name: str, direct: bool
) -> None:
    script(record_both(MODELS[name], direct))
    ours, torchs = dump(tmp_path / "ours.skyline"), dump(tmp_path / "torchs.json")
    our_slices, torchs_slices = read_slices(ours), read_slices(torchs)
    threads = threads_of(torchs_slices)
    our_places, torchs_places = places(our_slices, threads), places(torchs_slices, threads)
    assert (our_places - torchs_places, torchs_places - our_places) == (Counter(), Counter())
    assert threads_of(our_slices) == threads
    assert memory(ours) == memory(torchs) != {}


def test_threads_that_torch_does_not_see_come_on_top(script, dump, tmp_path: Path) -> None:
    script(record_both(THREADS))
    ours, torchs = dump(tmp_path / "ours.skyline"), dump(tmp_path / "torchs.json")
    our_slices, torchs_slices = read_slices(ours), read_slices(torchs)
    threads = threads_of(torchs_slices)
    our_places, torchs_places = places(our_slices, threads), places(torchs_slices, threads)
    assert (our_places - torchs_places, torchs_places - our_places) == (Counter(), Counter())
    names = Counter(each.name for each in our_slices.values() if each.thread not in threads)
    assert names["aten::sigmoid"] == 12 == names["aten::mul"]
    our_memory, torchs_memory = memory(ours), memory(torchs)
    for thread, (allocated, freed) in torchs_memory.items():
        assert our_memory[thread][0] == allocated
        assert our_memory[thread][1] >= freed, "and blocks of the other threads"
    assert len(our_memory) > len(torchs_memory)
