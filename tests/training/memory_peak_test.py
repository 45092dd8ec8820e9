"""Memory at the peak of real iterations, against what is known of the models."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

FLOAT = 4
TORCHS_OWN = 16  # bytes that torch keeps for itself since its first step

# `record` trains what `make` gives, (model, optimizer, inputs), recorded from before it is made. An iteration is
# optimizer.zero_grad(), loss, backward, optimizer.step(), unless the program has an `iterate` of its own.
BEGIN = """
import json
from torch.profiler import record_function
from skyline import _build, _tensors

def loss_of(model, x):
    return model(x).sum()

def iterate(model, optimizer, *inputs):
    optimizer.zero_grad()
    loss_of(model, *inputs).backward()
    optimizer.step()

def record(make, path="out.skyline", recorder=None):
    torch.manual_seed(0)
    collector = _build.load_collector()
    with recorder or skyline.profile(path, profile_memory=True, with_stack=True, with_modules=True):
        model, optimizer, *inputs = make()
        watch = _tensors.Watch(collector.note_tensors, model, inputs)
        watch.start()
        for number in range(3):
            with record_function(f"ProfilerStep#{number}"):
                iterate(model, optimizer, *inputs)
        watch.note_now()
        watch.stop()
    return model, optimizer

def sizes(tensors):
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)
"""


class Peak:
    """What `skyline` says of a recording."""

    def __init__(self, ask: Callable[..., Any], trace: Path) -> None:
        self.ask, self.trace = ask, trace
        figures = ask("report", trace)["ranks"][0]["figures"]
        self.figures = {name: figure["value"] for name, figure in figures.items() if name.startswith("memory.")}

    def __getitem__(self, role: str) -> int:
        return self.figures[f"memory.peak_{role}"]

    @property
    def bytes(self) -> int:
        return self.figures["memory.peak"]

    def rows(self, group: str) -> list[dict[str, Any]]:
        rows = self.ask("show", "memory", self.trace, "--group-by", group)["ranks"][0]["rows"]
        column = "own" if group == "module" else "size"
        assert sum(row[column] for row in rows) == self.bytes
        return rows

    def modules(self) -> dict[str, dict[str, Any]]:
        return {row["name"]: row for row in self.rows("module")}


@pytest.fixture
def peak_of(script, ask, tmp_path: Path) -> Callable[..., tuple[Peak, Any]]:
    """peak_of(program): the peak of out.skyline, and what the program printed as JSON."""

    def run(program: str, trace: str = "out.skyline") -> tuple[Peak, Any]:
        done = script(BEGIN + textwrap.dedent(program))
        return Peak(ask, tmp_path / trace), json.loads(done.stdout) if done.stdout else None

    return run


def test_weights_gradients_state_and_inputs_have_their_sizes(peak_of) -> None:
    # One sample: the optimizer needs the most, when all gradients are there.
    peak, (weights, count) = peak_of(
        """
    def make():
        model = nn.Sequential(nn.Linear(50, 60), nn.ReLU(), nn.Linear(60, 10))
        return model, torch.optim.Adam(model.parameters()), torch.randn(1, 50)
    model, _ = record(make)
    print(json.dumps([sizes(model.parameters()), len(list(model.parameters()))]))
    """
    )
    assert peak["weights"] == weights
    assert peak["gradients"] == weights
    assert peak["optimizer_state"] == 2 * weights + count * FLOAT  # and a step each
    assert peak["inputs"] == 50 * FLOAT
    assert peak["buffers"] == 0
    assert peak["other"] <= TORCHS_OWN
    assert peak["temporaries"] > 0
    assert sum(peak[role["name"]] for role in peak.rows("role")) == peak.bytes
    modules = peak.modules()
    assert modules["0"]["weights"] == (50 * 60 + 60) * FLOAT
    assert modules["2"]["gradients"] == (60 * 10 + 10) * FLOAT
    assert modules["2"]["optimizer_state"] == 2 * (60 * 10 + 10) * FLOAT + 2 * FLOAT


def test_activations_stand_at_the_modules_that_made_them(peak_of) -> None:
    peak, _ = peak_of(
        """
    class Block(nn.Module):
        def forward(self, x):
            return torch.sigmoid(x)
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = nn.Parameter(torch.ones(1))
            self.blocks = nn.ModuleList(Block() for _ in range(3))
        def forward(self, x):
            x = x * self.scale
            for block in self.blocks:
                x = block(x)
            return x
    def make():
        model = Net()
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(100, 30)
    record(make)
    """
    )
    # Each sigmoid keeps its result; the product is gone, as nobody needs it.
    batch = 100 * 30 * FLOAT
    modules = peak.modules()
    for number in range(3):
        assert modules[f"blocks.{number}"]["activations"] == batch
        assert modules[f"blocks.{number}"]["class"] == "Block"
    assert modules["blocks"]["size"] == modules["blocks"]["activations"] + modules["blocks"]["temporaries"]
    assert peak["temporaries"] == batch  # the first gradient
    assert peak["inputs"] == batch
    line = next(row for row in peak.rows("line") if row["activations"] == 3 * batch)
    program = peak.trace.with_name("program.py").read_text().splitlines()
    number = next(number for number, text in enumerate(program, 1) if "torch.sigmoid(x)" in text)
    assert line["name"].endswith(f"program.py:{number}")


CHAIN = """
from torch.utils.checkpoint import checkpoint
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(*[nn.Linear(16, 16), nn.Sigmoid()] * 4)
    def forward(self, x):
        return self.body(x)
class Net(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.blocks, self.kind = nn.ModuleList(Block() for _ in range(4)), kind
    def forward(self, x):
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=self.kind == "reentrant") if self.kind else block(x)
        return x
def make(kind):
    model = Net(kind)
    return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(512, 16, requires_grad=True)
"""


@pytest.mark.parametrize("kind", ["reentrant", "not reentrant"])
def test_checkpointing_needs_less_and_its_activations_are_the_recomputed_modules(peak_of, ask, kind: str) -> None:
    peak, _ = peak_of(
        CHAIN
        + f"""
record(lambda: make(""), "plain.skyline")
record(lambda: make({kind!r}))
"""
    )
    plain = Peak(ask, peak.trace.with_name("plain.skyline"))
    assert peak.bytes < 0.7 * plain.bytes
    assert peak["activations"] < 0.7 * plain["activations"]
    batch = 512 * 16 * FLOAT
    # Of one block everything lives, of the others what goes in.
    activations = {name: row["activations"] for name, row in peak.modules().items() if name.startswith("blocks.")}
    blocks = sorted((size for name, size in activations.items() if name.count(".") == 1), reverse=True)
    assert blocks[0] >= 4 * batch
    assert all(size <= 2 * batch for size in blocks[1:])
    assert any(name.count(".") == 3 for name in activations)


def test_gradients_are_known_when_they_are_gone_at_the_end(peak_of) -> None:
    peak, weights = peak_of(
        """
    def iterate(model, optimizer, x):
        model(x).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
    def make():
        model = nn.Linear(100, 100, bias=False)
        return model, torch.optim.AdamW(model.parameters()), torch.randn(1, 100)
    model, _ = record(make)
    print(sizes(model.parameters()))
    """
    )
    assert peak["gradients"] == weights
    assert peak["other"] <= TORCHS_OWN


def test_tied_weights_count_once(peak_of) -> None:
    peak, _ = peak_of(
        """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed, self.head = nn.Embedding(100, 32), nn.Linear(32, 100, bias=False)
            self.head.weight = self.embed.weight
        def forward(self, x):
            return self.head(self.embed(x))
    def make():
        model = Net()
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.arange(2)
    record(make)
    """
    )
    assert peak["weights"] == 100 * 32 * FLOAT
    assert peak["inputs"] == 2 * 8
    assert peak.modules()["embed"]["weights"] == 100 * 32 * FLOAT


def test_buffers_and_what_the_program_keeps(peak_of) -> None:
    peak, _ = peak_of(
        """
    kept = []
    def loss_of(model, x):
        loss = model(x).sum()
        kept.append(loss.detach().expand(250).clone())
        return loss
    def make():
        model = nn.BatchNorm1d(20)
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(4, 20)
    record(make)
    """
    )
    assert peak["buffers"] == 2 * 20 * FLOAT + 8  # mean, variance, and a count of batches
    assert 0 <= peak["other"] - 2 * 250 * FLOAT <= TORCHS_OWN  # of the two steps before
    assert peak["activations"] >= 250 * FLOAT


def test_views_add_nothing(peak_of) -> None:
    peak, _ = peak_of(
        """
    def loss_of(model, x):
        views = [x.view(-1), x[1:], x.t(), model.weight.detach()]
        return model(x).sigmoid().sum()
    def make():
        model = nn.Linear(10, 10)
        return model, torch.optim.SGD(model.parameters(), lr=0.1), torch.randn(1000, 10)
    record(make)
    """
    )
    assert peak["inputs"] == 1000 * 10 * FLOAT
    assert peak["weights"] == 110 * FLOAT
    assert 0 <= peak["activations"] - 1000 * 10 * FLOAT <= 2 * FLOAT  # the result, the loss and its gradient


def test_torch_profiler_sees_the_same_peak(peak_of, ask, tmp_path: Path) -> None:
    peak, _ = peak_of(
        CHAIN
        + """
record(lambda: make(""))
torch_profiler = torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True)
record(lambda: make(""), recorder=torch_profiler)
torch_profiler.export_chrome_trace("torch.json")
"""
    )
    theirs = Peak(ask, tmp_path / "torch.json")
    assert theirs.bytes == peak.bytes
    assert theirs.figures["memory.peak_recording"] == peak.figures["memory.peak_recording"]

    # By their own running total as well.
    events = json.loads((tmp_path / "torch.json").read_text())["traceEvents"]
    steps = [event for event in events if event["name"] == "ProfilerStep#2"]
    start, end = steps[0]["ts"], steps[0]["ts"] + steps[0]["dur"]
    totals = [e["args"]["Total Allocated"] for e in events if e["name"] == "[memory]" and start <= e["ts"] <= end]
    assert max(totals) == peak.bytes
