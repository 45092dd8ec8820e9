"""torch.compile must not notice that it is recorded."""

import json

import pytest

PROGRAM = """
    import json, warnings
    import torch._dynamo
    from torch._dynamo.utils import counters

    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.body, self.head = nn.Sequential(nn.Linear(4, 8), nn.ReLU()), nn.Linear(8, 2)
        def forward(self, x):
            return self.head(self.body(x)).sin()

    def facts():
        torch._dynamo.reset()
        counters.clear()
        graphs = []
        def backend(graph, inputs):
            graphs.append(len(graph.graph.nodes))
            return graph.forward
        model = torch.compile(Net(), backend=backend, fullgraph=True)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(3):
                model(torch.ones(2, 4)).sum().backward()
        breaks = sum(counters["graph_break"].values())
        return [graphs, breaks, counters["stats"]["unique_graphs"], [str(w.message) for w in caught]]

    before = facts()
    with skyline.profile("out.skyline", with_stack=True, record_shapes=True):
        during = facts()
    after = facts()
    print(json.dumps([before, during, after]))
"""


def test_graphs_breaks_and_warnings_are_the_same(script) -> None:
    done = script(PROGRAM, check=False)
    if "Dynamo is not supported" in done.stderr or "No module named 'numpy'" in done.stderr:
        pytest.skip(f"torch.compile does not work here: {done.stderr.splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    before, during, after = json.loads(done.stdout.splitlines()[-1])
    assert before == during == after
    assert len(before[0]) == 1 and before[1] == 0
