"""key_averages(), events() and export_stacks() say what torch.profiler's say of the same program."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

# Both profilers see the same steps of the same model, one after the other.
PROGRAM = """
import json, sys
from torch.profiler import ProfilerActivity, record_function

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 6 * 6, 4))
optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9)
batches = [torch.randn(16, 3, 8, 8) for _ in range(5)]

def train(x):
    with record_function("forward"):
        loss = model(x).square().mean()
    with record_function("backward"):
        loss.backward()
    optimizer.step()
    optimizer.zero_grad()

def loop(profile, **options):
    with profile(record_shapes=True, profile_memory=True, **options) as p:
        for x in batches:
            train(x)
            p.step()
    return p

def described(row):
    return [row.count, row.cpu_memory_usage, row.self_cpu_memory_usage, row.is_user_annotation]

train(batches[0])  # what is allocated once is allocated
cycle = {"wait": 1, "warmup": 1, "active": 2, "repeat": 1}
theirs = loop(torch.profiler.profile, activities=[ProfilerActivity.CPU], schedule=torch.profiler.schedule(**cycle))
ours = loop(skyline.profile, schedule=skyline.schedule(**cycle), with_stack=True)
"""


ANSWER = """
for question in sys.stdin:
    print(json.dumps(eval(json.loads(question))), flush=True)
"""


@pytest.fixture(scope="module")
def compared(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Any]]:
    """compared(expression): its JSON, in the one process in which PROGRAM has run."""
    path = tmp_path_factory.mktemp("averages") / "program.py"
    path.write_text("import torch, skyline\nfrom torch import nn\n" + PROGRAM + ANSWER)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, path], cwd=path.parent, env=environment, **pipes) as process:

        def ask(expression: str) -> Any:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(json.dumps(expression) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
            assert answer, f"it has ended instead of answering {expression}"
            return json.loads(answer)

        yield ask


def test_rows_calls_and_memory_are_torchs(compared) -> None:
    theirs, ours = compared("[{row.key: described(row) for row in p.key_averages()} for p in (theirs, ours)]")
    assert {"ProfilerStep*", "forward", "backward", "Optimizer.step#SGD.step", "aten::conv2d"} <= set(ours)
    # Outside of all ranges there is only what the interpreter frees between steps.
    theirs.pop("[memory]", None), ours.pop("[memory]", None)
    assert set(ours) == set(theirs)
    different = {key: (theirs[key], ours[key]) for key in theirs if theirs[key] != ours[key]}
    assert not different


def test_grouped_by_shape_the_rows_are_torchs(compared) -> None:
    theirs, ours = compared(
        "[sorted((row.key, str(row.input_shapes), row.count) for row in p.key_averages(group_by_input_shape=True)"
        " if row.key.startswith('aten::')) for p in (theirs, ours)]"
    )
    assert ours == theirs


def test_times_fit_together(compared) -> None:
    rows = compared("{row.key: [row.cpu_time_total, row.self_cpu_time_total] for row in ours.key_averages()}")
    assert rows["forward"][0] > rows["aten::conv2d"][0] > rows["aten::conv2d"][1]
    assert rows["ProfilerStep*"][0] > rows["forward"][0] + rows["backward"][0]


def test_the_table_shows_memory(compared) -> None:
    table = compared("ours.key_averages().table(sort_by='cpu_memory_usage', row_limit=8)")
    assert "Self CPU Mem" in table
    assert " KB" in table or " MB" in table


def test_events_are_torchs(compared) -> None:
    theirs, ours = compared(
        "[sorted((e.name.split('#')[0].rstrip('*'), str(e.input_shapes or []), e.cpu_parent.name if e.cpu_parent and"
        " e.cpu_parent.name.startswith('aten::') else '', e.is_user_annotation) for e in p.events()"
        " if e.name != '[memory]') for p in (theirs, ours)]"
    )
    assert ours == theirs


def test_an_event_tells_what_torchs_does(compared) -> None:
    event = compared(
        "[[e.cpu_time_total > e.self_cpu_time_total > 0, e.time_range.elapsed_us() == e.cpu_time_total,"
        " len(e.cpu_children) > 0, e.sequence_nr >= 0, any('program.py' in frame and 'train' in frame for frame in"
        " e.stack), e.cpu_memory_usage > 0] for e in ours.events() if e.name == 'aten::conv2d'][0]"
    )
    assert event == [True] * 6


def test_stacks_are_folded(compared) -> None:
    lines = compared("(ours.export_stacks('s.txt', 'self_cpu_time_total'), open('s.txt').read().splitlines())[1]")
    assert lines
    for line in lines:
        frames, _, value = line.rpartition(" ")
        assert int(value) > 0 and " " not in frames
    assert any("program.py" in line and ":_train;" in line for line in lines)


def test_what_is_not_there_says_so(script) -> None:
    done = script(
        """
        with skyline.profile() as p: torch.ones(3) + 1
        for call in ("key_averages(group_by_stack_n=5)", "export_stacks('x')", "export_stacks('x', 'y')"):
            try: eval(f"p.{call}")
            except Exception as error: print(type(error).__name__, error)
        """
    )
    assert done.stdout.splitlines() == [
        "Error key_averages() does not group by stack; see `skyline show stacks`, lines and modules for that",
        "Error the recording has no Python stacks; pass with_stack=True to skyline.profile",
        "ValueError metric should be one of: ['self_cpu_time_total', 'self_cuda_time_total', "
        "'self_privateuse1_time_total', 'self_xpu_time_total']",
    ]
