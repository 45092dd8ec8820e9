"""One iteration's time by module and by line, of real training: who is charged for what."""

import json
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

PHASES = ["forward", "backward", "recompute", "optimizer", "zero_grad", "data", "collectives", "python", "untracked"]

# `iterate` of each test runs twice: the first time torch prepares itself.
END = """
from skyline import _build, _tensors
options = dict(with_stack=True, with_modules=True, record_shapes=True, profile_memory=True)
iterate()
with skyline.profile("out.skyline", schedule=skyline.schedule(wait=0, warmup=0, active=1), **options):
    if "model" in globals():
        _build.load_collector().note_tensors(_tensors.describe(model))
    iterate()
"""


class Breakdown:
    """The engine's tables of one trace."""

    def __init__(self, ask: Callable[..., Any], trace: Path) -> None:
        def rows(table: str, *options: str) -> list[dict[str, Any]]:
            return ask("show", table, trace, *options)["ranks"][0]["rows"]

        self.modules = rows("modules")
        self.lines = rows("lines")
        self.flat = rows("lines", "--group-by", "line")
        self.ops = rows("modules", "--group-by", "op")
        (self.step,) = rows("steps")
        self.source = (trace.parent / "program.py").read_text().splitlines()
        for tree in (self.modules, self.lines):
            self.check_sums(tree)
        assert sum(row["host_own"] + (row.get("python_near") or 0) for row in self.flat) == self.step["duration"]

    def check_sums(self, tree: list[dict[str, Any]]) -> None:
        assert tree[0]["host_total"] == self.step["duration"]
        for row in tree:
            below = [child for child in tree if child["parent"] == row["node"]]
            near = row.get("python_near") or 0
            assert row["host_total"] == row["host_own"] + near + sum(child["host_total"] for child in below)
            assert row["host_total"] == sum(row[phase] for phase in PHASES)
            assert all(child["depth"] == row["depth"] + 1 for child in below)

    def names(self) -> list[str]:
        return [row["module"] for row in self.modules]

    def module(self, name: str) -> dict[str, Any]:
        (row,) = [row for row in self.modules if row["module"] == name]
        return row

    def path(self, row: dict[str, Any]) -> list[str]:
        """The source of a row of `lines` and of all lines around it, the outermost first."""
        path = []
        while row["parent"] is not None:
            path.insert(0, self.source[row["line"] - 1].strip())
            row = self.lines[row["parent"]]
        return path

    def line(self, text: str) -> dict[str, Any]:
        """The row of the flat table whose source contains `text`."""
        rows = [row for row in self.flat if row["line"] and text in self.source[row["line"] - 1]]
        assert len(rows) == 1, [row["place"] for row in rows]
        return rows[0]

    def ops_of(self, module: str, phase: str) -> dict[str, int]:
        """How often each operator was called."""
        calls: dict[str, int] = {}
        for row in self.ops:
            if row["module"] == module and row["phase"] == phase and row["calls"] > 0:
                calls[row["operator"]] = calls.get(row["operator"], 0) + row["calls"]
        return calls


@pytest.fixture
def breakdown(script, ask, tmp_path: Path) -> Callable[[str], Breakdown]:
    """breakdown(code): of the function `iterate` that it defines."""

    def run(code: str) -> Breakdown:
        script(textwrap.dedent(code) + END)
        return Breakdown(ask, tmp_path / "out.skyline")

    return run


BLOCKS = """
class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 16)
    def forward(self, x):
        return self.fc(x).tanh()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(3))
    def forward(self, x):
        for block in self.blocks:
            x = CALL
        return x.sum()
model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
def iterate():
    x = torch.ones(8, 16, requires_grad=True)
    optimizer.zero_grad()
    model(x).backward()
    optimizer.step()
"""
BLOCK_NAMES = [name for i in range(3) for name in (f"blocks.{i}", f"blocks.{i}.fc")]
ACCUMULATE = "torch::autograd::AccumulateGrad"
LINEAR_BACKWARD = {"AddmmBackward0": 1, "TBackward0": 1, ACCUMULATE: 2}
WITH_INPUT = LINEAR_BACKWARD | {ACCUMULATE: 3}  # whose gradient is wanted, too


def test_three_blocks_called_in_one_loop_are_three_modules(breakdown) -> None:
    result = breakdown(BLOCKS.replace("CALL", "block(x)"))
    assert result.names() == ["(iteration)", "(Net)", "blocks", *BLOCK_NAMES]
    for i in range(3):
        assert result.ops_of(f"blocks.{i}.fc", "forward") == {"aten::linear": 1}
        assert result.ops_of(f"blocks.{i}.fc", "backward") == (WITH_INPUT if i == 0 else LINEAR_BACKWARD)
        assert result.ops_of(f"blocks.{i}", "forward") == {"aten::tanh": 1}
        assert result.ops_of(f"blocks.{i}", "backward") == {"TanhBackward0": 1}
        assert result.module(f"blocks.{i}")["class"] == "Block"
    assert result.ops_of("(Net)", "backward") == {"SumBackward0": 1}
    (linear,) = [row for row in result.ops if row["operator"] == "aten::linear" and row["module"] == "blocks.1.fc"]
    assert linear["input_shapes"] == "[[8,16],[16,16],[16]]" and linear["stack"] is not None


def test_phases_and_lines_are_those_of_the_program(breakdown) -> None:
    result = breakdown(BLOCKS.replace("CALL", "block(x)"))
    whole = result.modules[0]
    assert all(whole[phase] > 0 for phase in ("forward", "backward", "optimizer", "zero_grad", "python"))
    assert all(whole[phase] == 0 for phase in ("recompute", "data", "collectives", "untracked"))
    net = result.module("(Net)")
    assert net["optimizer"] == net["zero_grad"] == 0
    assert result.line("optimizer.step()")["optimizer"] == whole["optimizer"]
    assert result.line("optimizer.zero_grad()")["zero_grad"] == whole["zero_grad"]
    line = result.line("return self.fc(x).tanh()")
    assert line["function"] == "Block.forward" and line["calls"] == 3 * (2 + 5) + 1
    assert line["backward"] > 0 and line["file"].endswith("/program.py")
    (place,) = [row for row in result.lines if row["line"] == line["line"]]
    assert result.path(place)[1:] == ["model(x).backward()", "x = block(x)", "return self.fc(x).tanh()"]
    assert result.line("model(x).backward()")["forward"] > result.line("return x.sum()")["forward"] > 0


@pytest.mark.parametrize("reentrant", [True, False])
def test_recomputation_is_charged_to_the_modules_that_are_recomputed(breakdown, reentrant: bool) -> None:
    call = f"torch.utils.checkpoint.checkpoint(block, x, use_reentrant={reentrant})"
    result = breakdown("import torch.utils.checkpoint\n" + BLOCKS.replace("CALL", call))
    assert result.names() == ["(iteration)", "(Net)", "blocks", *BLOCK_NAMES]
    for i in range(3):
        for phase in ("forward", "recompute"):
            assert result.ops_of(f"blocks.{i}.fc", phase) == {"aten::linear": 1}, phase
            assert result.ops_of(f"blocks.{i}", phase).keys() >= {"aten::tanh"}, phase
        has_input = reentrant or i == 0  # each block is a graph of its own then
        assert result.ops_of(f"blocks.{i}.fc", "backward") == (WITH_INPUT if has_input else LINEAR_BACKWARD)
        assert result.ops_of(f"blocks.{i}", "backward") == {"TanhBackward0": 1}
    line = result.line("return self.fc(x).tanh()")
    assert min(line[phase] for phase in ("forward", "backward", "recompute")) > 0
    (place,) = [row for row in result.lines if row["line"] == line["line"]]
    assert result.path(place)[1:-1] == ["model(x).backward()", f"x = {call}"], "as in the forward pass"


def test_the_graph_of_a_backward_pass_belongs_to_the_first_forward_operators(breakdown) -> None:
    result = breakdown(
        """
    class Cube(nn.Module):
        def forward(self, x):
            return x ** 3
    model = nn.Sequential(Cube(), nn.Tanh())
    def iterate():
        x = torch.ones(8, requires_grad=True)
        (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
        slope.square().sum().backward()
    """
    )
    assert result.names() == ["(iteration)", "(Sequential)", "0", "1"]
    assert result.ops_of("0", "backward").keys() >= {"PowBackward0", "MulBackward0"}
    assert result.ops_of("1", "backward").keys() >= {"TanhBackward0", "TanhBackwardBackward0"}
    assert result.ops_of("0", "backward")["PowBackward0"] > 1, "twice: its own and that of its gradient"


def test_a_retained_graph_counts_twice(breakdown) -> None:
    result = breakdown(
        """
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    def iterate():
        loss = model(torch.ones(2, 4)).sum()
        loss.backward(retain_graph=True)
        loss.backward()
    """
    )
    assert result.names() == ["(iteration)", "(Sequential)", "0", "1"]
    assert result.ops_of("0", "forward") == {"aten::linear": 1}
    assert result.ops_of("0", "backward") == {name: 2 * calls for name, calls in LINEAR_BACKWARD.items()}
    assert result.ops_of("1", "backward") == {"TanhBackward0": 2}


@pytest.mark.parametrize("first", ["embedding", "head"])
def test_a_shared_parameters_gradient_belongs_to_the_module_that_the_model_names_first(breakdown, first: str) -> None:
    second = "head" if first == "embedding" else "embedding"
    makers = {"embedding": "nn.Embedding(9, 8)", "head": "nn.Linear(8, 9, bias=False)"}
    result = breakdown(
        f"""
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.{first} = {makers[first]}
            self.{second} = {makers[second]}
            self.head.weight = self.embedding.weight
        def forward(self, x):
            return self.head(self.embedding(x)).sum()
    model = Net()
    def iterate():
        model(torch.arange(4)).backward()
    """
    )
    assert result.ops_of(first, "backward")[ACCUMULATE] == 1
    assert ACCUMULATE not in result.ops_of(second, "backward")
    assert result.ops_of("embedding", "backward").keys() >= {"EmbeddingBackward0"}
    assert result.ops_of("head", "backward").keys() >= {"TBackward0"}


def test_a_gradient_belongs_to_the_owner_of_the_parameter_not_to_who_uses_it(breakdown) -> None:
    result = breakdown(
        """
    class Scale(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.ones(5))
        def forward(self, x):
            return x.tanh()
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.scale = Scale()
            self.fc = nn.Linear(5, 3)
        def forward(self, x):
            return self.fc(self.scale(x) * self.scale.weight.exp()).sum()
    model = Net()
    def iterate():
        model(torch.ones(3, 5)).backward()
    """
    )
    assert result.ops_of("(Net)", "backward").keys() >= {"ExpBackward0", "MulBackward0"}
    assert ACCUMULATE not in result.ops_of("(Net)", "backward")
    assert result.ops_of("scale", "backward") == {ACCUMULATE: 1}


def test_a_module_called_twice_is_one_module(breakdown) -> None:
    result = breakdown(
        """
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.fc = nn.Linear(4, 4)
        def forward(self, x):
            return self.fc(self.fc(x)).sum()
    model = Net()
    def iterate():
        model(torch.ones(2, 4)).backward()
    """
    )
    assert result.names() == ["(iteration)", "(Net)", "fc"]
    assert result.ops_of("fc", "forward") == {"aten::linear": 2}
    backward = result.ops_of("fc", "backward")
    assert backward["AddmmBackward0"] == 2 and backward[ACCUMULATE] == 2


def test_a_custom_function_and_hooks_have_their_own_lines_in_their_module(breakdown) -> None:
    result = breakdown(
        """
    class Double(torch.autograd.Function):
        @staticmethod
        def forward(context, x):
            return x.mul(2.0)
        @staticmethod
        def backward(context, gradient):
            return gradient.div(0.5)
    class Doubling(nn.Module):
        def forward(self, x):
            return Double.apply(x)
    model = nn.Sequential(nn.Linear(4, 4), Doubling())
    def look(gradient):
        gradient.norm()
    def iterate():
        y = model[0](torch.ones(2, 4))
        y.register_hook(look)
        model[1](y).sum().backward()
    """
    )
    assert result.line("x.mul(2.0)")["forward"] > 0
    assert result.line("gradient.div(0.5)")["backward"] > 0
    assert result.line("gradient.norm()")["backward"] > 0
    doubling = next(row for row in result.modules if row["class"] == "Doubling")
    calls = result.ops_of(doubling["module"], "backward")
    assert calls.keys() >= {"DoubleBackward", "aten::div"}
    linear = next(row for row in result.modules if row["class"] == "Linear")
    assert result.ops_of(linear["module"], "backward").keys() >= {"AddmmBackward0", "aten::linalg_vector_norm"}


def test_data_loading_is_a_phase(breakdown) -> None:
    result = breakdown(
        """
    loader = torch.utils.data.DataLoader(torch.ones(64, 4), batch_size=4)
    model = nn.Linear(4, 4)
    batches = iter(loader)
    def iterate():
        model(next(batches)).sum().backward()
    """
    )
    assert result.modules[0]["data"] > 0
    assert result.module("(Linear)")["data"] == 0


def test_without_stacks_everything_is_the_iterations_own(script, ask, tmp_path: Path) -> None:
    script(
        """
    model = nn.Linear(4, 4)
    with skyline.profile("out.skyline", schedule=skyline.schedule(wait=0, warmup=0, active=1)):
        model(torch.ones(2, 4)).sum().backward()
    """
    )
    rows = ask("show", "modules", tmp_path / "out.skyline")["ranks"][0]["rows"]
    assert [row["module"] for row in rows] == ["(iteration)"]
    assert rows[0]["forward"] > 0 and rows[0]["backward"] > 0
    assert json.dumps(rows) == json.dumps(ask("show", "modules", tmp_path / "out.skyline")["ranks"][0]["rows"])
