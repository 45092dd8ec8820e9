"""What the recording learns of tensors: their roles and names, whatever kind they are."""

import json
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.copied

ROLES = ["weight", "buffer", "gradient", "state", "input"]

BEGIN = """
import json
from skyline._tensors import Watch, describe
def show(rows):
    print(json.dumps(rows))
"""


@pytest.fixture
def described(script):
    """described(code, *arguments): {(role, name): (module, dims, address, bytes)} of the rows that it shows."""

    def run(code: str, *arguments: str, said: str = "") -> dict[tuple[str, str], tuple[str, str, int, int]]:
        done = script(BEGIN + textwrap.dedent(code), *arguments)
        assert done.stderr == said
        rows = json.loads(done.stdout.splitlines()[-1])
        assert len({(row[0], row[1]) for row in rows}) == len(rows)
        return {(ROLES[role], name): tuple(rest) for role, name, *rest in rows}

    return run


def test_a_models_tensors_have_the_names_that_torch_gives_them(described) -> None:
    rows = described(
        """
    model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8))
    optimizer = torch.optim.Adam(model.parameters())
    data = torch.ones(2, 4)
    model(data).sum().backward()
    optimizer.step()
    show(describe(model, [optimizer], (data, {"labels": torch.ones(2)})))
    """
    )
    assert rows["weight", "0.weight"][:2] == ("0", "[8,4]")
    assert rows["weight", "0.weight"][3] == 8 * 4 * 4
    assert rows["gradient", "0.weight.grad"][:2] == ("0", "[8,4]")
    assert rows["state", "0.weight.exp_avg"][3] == 128
    assert rows["state", "1.bias.exp_avg_sq"][0] == "1"
    assert rows["buffer", "1.running_mean"][3] == 32
    assert rows["input", "inputs[0]"][:2] == ("", "[2,4]")
    assert rows["input", 'inputs[1]["labels"]'][3] == 8
    assert all(address > 0 for _, _, address, _ in rows.values())


def test_tied_weights_have_every_name_and_one_address(described) -> None:
    rows = described(
        """
    model = nn.ModuleDict(dict(a=nn.Linear(4, 4, bias=False), b=nn.Linear(4, 4, bias=False)))
    model["b"].weight = model["a"].weight
    show(describe(model))
    """
    )
    assert set(rows) == {("weight", "a.weight"), ("weight", "b.weight")}
    assert rows["weight", "a.weight"][2:] == rows["weight", "b.weight"][2:]


def test_a_view_has_the_bytes_of_its_storage(described) -> None:
    rows = described("show(describe(None, [], [torch.ones(100)[10:20]]))")
    assert rows["input", "inputs[0]"][1] == "[10]"
    assert rows["input", "inputs[0]"][3] == 400


def test_an_input_may_have_a_gradient(described) -> None:
    rows = described(
        """
    x = torch.ones(5, requires_grad=True)
    x.sum().backward()
    show(describe(None, [], x))
    """
    )
    assert set(rows) == {("input", "inputs"), ("gradient", "inputs.grad")}


def test_inputs_may_be_of_any_shape(described) -> None:
    rows = described(
        """
    import collections, dataclasses
    @dataclasses.dataclass
    class Batch:
        image: torch.Tensor
        count: int
    class Plain:
        def __init__(self):
            self.ids, self.itself = torch.ones(3), self
    Pair = collections.namedtuple("Pair", "left right")
    packed = nn.utils.rnn.pack_sequence([torch.ones(3, 2)])
    show(describe(None, [], [Batch(torch.ones(2), 2), Plain(), Pair(torch.ones(1), None), packed, 3, "text", print]))
    """
    )
    names = {name for _, name in rows}
    assert {"inputs[0].image", "inputs[1].ids", "inputs[2].left", "inputs[3].data"} <= names


def test_odd_tensors_are_left_out_or_looked_into(described) -> None:
    rows = described(
        """
    class Refuses(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function, types, args=(), kwargs=None):
            raise RuntimeError("not with me")
    from torch._subclasses.fake_tensor import FakeTensorMode
    with FakeTensorMode():
        fake = torch.ones(4)
    model = nn.ModuleList([nn.LazyLinear(3), nn.Linear(2, 2, device="meta"), nn.Embedding(10, 4, sparse=True)])
    model[2](torch.tensor([1, 2])).sum().backward()
    nested = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged)
    show(describe(model, [], [fake, torch.ones(5).as_subclass(Refuses), torch.ones(3, 3).to_sparse_csr(), nested,
                              torch.empty(0)]))
    """,
        "-Wignore",  # sparse layouts are said to be in beta
    )
    names = {name for _, name in rows}
    assert "2.weight" in names
    assert {"2.weight.grad.indices", "2.weight.grad.values"} <= names
    assert {"inputs[2].crow_indices", "inputs[2].values"} <= names
    assert {"inputs[1]", "inputs[3].values"} <= names
    assert not names & {"inputs[0]", "inputs[4]", "0.weight", "1.weight"}


def test_a_watch_sees_gradients_and_state_of_all_optimizers(described) -> None:
    rows = described(
        """
    model, extra = nn.Linear(4, 4, bias=False), nn.Parameter(torch.ones(7))
    optimizers = [torch.optim.Adam(model.parameters()), torch.optim.SGD([extra], momentum=0.9)]
    noted = []
    watch = Watch(noted.extend, model, [torch.ones(2, 4)])
    watch.start()
    (model(torch.ones(2, 4)).sum() + extra.sum()).backward()
    for optimizer in optimizers:
        optimizer.step()
        optimizer.zero_grad()
    watch.note_now()
    watch.stop()
    count = len(noted)
    optimizers[0].step()
    assert len(noted) == count
    assert len(watch.optimizers()) == 2
    show([row for number, row in enumerate(noted) if row not in noted[:number]])
    """
    )
    assert rows["gradient", "weight.grad"][3] == 64
    assert rows["state", "weight.exp_avg"][0] == ""
    assert rows["weight", "optimizer.params[0]"][3] == 28
    assert ("gradient", "optimizer.params[0].grad") in rows
    assert ("state", "optimizer.params[0].momentum_buffer") in rows


def test_a_note_that_fails_does_not_stop_a_step(described) -> None:
    rows = described(
        """
    def note(rows):
        raise ValueError("no")
    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), lr=1)
    watch = Watch(note, model)
    watch.start()
    model(torch.ones(1, 1)).sum().backward()
    before = model.bias.item()
    optimizer.step()
    assert model.bias.item() == before - 1
    show(describe(model))
    """,
        said="skyline: what an optimizer uses is not noted: no; training goes on\n"
        "skyline: an optimizer's step is not noted: no; training goes on\n",
    )
    assert ("weight", "bias") in rows


def test_torch_compile_does_not_notice_a_watch(script) -> None:
    done = script(
        """
    import torch._dynamo
    from torch._dynamo.utils import counters
    from skyline._tensors import Watch
    def facts(watched):
        torch._dynamo.reset()
        counters.clear()
        model = torch.compile(nn.Sequential(nn.Linear(4, 4), nn.ReLU()), backend="eager", fullgraph=True)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        noted = []
        watch = Watch(noted.extend, model)
        if watched:
            watch.start()
        for _ in range(3):
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        watch.stop()
        assert {row[1] for row in noted} >= ({"0.weight.grad", "0.weight.momentum_buffer"} if watched else set())
        return counters["stats"]["unique_graphs"], sum(counters["graph_break"].values()), dict(counters["frames"])
    before, during = facts(False), facts(True)
    assert before == during, (before, during)
    """,
        check=False,
    )
    if "Dynamo is not supported" in done.stderr or "No module named 'numpy'" in done.stderr:
        pytest.skip("torch.compile does not work here")
    assert done.returncode == 0, done.stderr


@pytest.mark.sanitized
def test_notes_reach_the_file(script, dump, tmp_path: Path) -> None:
    script(
        """
    from skyline import _build, _tensors
    collector = _build.load_collector()
    model = nn.Linear(4, 2)
    collector.note_tensors(_tensors.describe(model))  # no recording: nobody minds
    with skyline.profile("out.skyline", profile_memory=True):
        collector.note_tensors(_tensors.describe(model))
    for wrong in (5, [5], [("a",)], [(300, "a", "", "[]", 1, 1)]):
        try:
            collector.note_tensors(wrong)
        except (TypeError, OverflowError):
            continue
        raise AssertionError(wrong)
    """
    )
    tensors = [line.split("\t")[1:] for line in dump(tmp_path / "out.skyline") if line.startswith("tensor\t")]
    assert [(role, name, module, dims, size) for role, name, module, dims, _, size, _ in tensors] == [
        ("0", '"weight"', '""', '"[2,4]"', "32"),
        ("0", '"bias"', '""', '"[2]"', "8"),
    ]
