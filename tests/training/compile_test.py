"""torch.compile must not notice that it is recorded."""

import json
from pathlib import Path

import pytest

PROGRAM = """
    import json, logging, warnings
    import torch._dynamo
    from torch._dynamo.utils import counters

    class Net(nn.Module):
        def __init__(self, breaks):
            super().__init__()
            self.body, self.head, self.breaks = nn.Sequential(nn.Linear(4, 8), nn.ReLU()), nn.Linear(8, 2), breaks
        def forward(self, x):
            hidden = self.body(x)
            if self.breaks:
                torch._dynamo.graph_break()
            return self.head(hidden).sin()

    logged = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: logged.append(record.getMessage())
    logging.getLogger("torch").addHandler(handler)

    def facts(breaks):
        torch._dynamo.reset()
        counters.clear()
        logged.clear()
        graphs = []
        def backend(graph, inputs):
            graphs.append(len(graph.graph.nodes))
            return graph.forward
        # fullgraph=True raises at a break.
        model = torch.compile(Net(breaks), backend=backend, fullgraph=not breaks, dynamic=False)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for batch in (2, 2, 3, 2):  # another batch size is a recompilation
                model(torch.ones(batch, 4)).sum().backward()
        return dict(
            graphs=graphs, breaks=sum(counters["graph_break"].values()), unique=counters["stats"]["unique_graphs"],
            frames=dict(counters["frames"]), warnings=[str(w.message) for w in caught], logged=list(logged))

    def all_facts():
        return [facts(False), facts(True)]

    before = all_facts()
    with skyline.profile("out.skyline", with_stack=True, record_shapes=True, profile_memory=True):
        during = all_facts()
    after = all_facts()
    print(json.dumps([before, during, after]))
"""


def run_compiled(script, program: str) -> str:
    done = script(program, check=False)
    if "Dynamo is not supported" in done.stderr or "No module named 'numpy'" in done.stderr:
        pytest.skip(f"torch.compile does not work here: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_graphs_breaks_recompilations_and_warnings_are_the_same(script) -> None:
    before, during, after = json.loads(run_compiled(script, PROGRAM).splitlines()[-1])
    assert before == during == after
    whole, broken = before
    assert (len(whole["graphs"]), whole["breaks"]) == (2, 0), "two batch sizes"
    assert (len(broken["graphs"]), broken["breaks"] > 0) == (4, True)


def test_a_compiled_region_is_one_module_that_says_so(script, dump, tmp_path: Path) -> None:
    run_compiled(
        script,
        """
    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = nn.Linear(4, 4)
        def forward(self, x):
            return self.inner(x).relu()
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.plain, self.wrapped, self.in_place = Block(), torch.compile(Block(), backend="aot_eager"), Block()
            self.in_place.compile(backend="eager")
        def forward(self, x):
            return self.in_place(self.wrapped(self.plain(x)))
    model, whole = Net(), torch.compile(Block(), backend="aot_eager")
    for _ in range(2):
        model(torch.ones(2, 4)), whole(torch.ones(2, 4))
    with skyline.profile("out.skyline", with_stack=True):
        model(torch.ones(2, 4)), whole(torch.ones(2, 4))
    """,
    )
    modules = {line.split("\t")[2] for line in dump(tmp_path / "out.skyline", "--python") if line.startswith("op\t")}
    assert modules - {"-"} == {
        '"plain" "Block"',
        '"plain.inner" "Linear"',
        '"wrapped" "Block (compiled)"',
        '"in_place" "Block (compiled)"',
        '"" "Block (compiled)"',
    }
