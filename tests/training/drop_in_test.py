"""skyline.profile in torch.profiler's place: every public name of the installed torch works or is refused, and FLOPs
are torch's."""

import json
from collections.abc import Callable
from typing import Any

PROGRAM = """
import json
from torch.profiler import ProfilerActivity

torch.manual_seed(0)
model = nn.Sequential(nn.Conv2d(4, 8, 3, stride=2, padding=1, groups=2, dilation=2), nn.ReLU(), nn.Flatten(),
                      nn.Linear(8 * 3 * 3, 4))
x = torch.randn(2, 4, 8, 8)

def work():
    (model(x) * 2 + 1).sum().backward()
    torch.baddbmm(torch.randn(2, 3, 5), torch.randn(2, 3, 4), torch.randn(2, 4, 5))
    torch.bmm(torch.randn(2, 3, 4), torch.randn(2, 4, 5)) + torch.tensor(1.0)
    torch.randn(3, 4) @ torch.randn(4, 5)

work()
with torch.profiler.profile(activities=[ProfilerActivity.CPU], record_shapes=True, with_flops=True) as theirs:
    work()
with skyline.profile(record_shapes=True, with_flops=True) as ours:
    work()
"""

# What of the names that are said to work does not; the values do not matter.
NAMES = (
    PROGRAM
    + """
from skyline import _torch_names

def public(*things):
    return {name for thing in things for name in dir(thing) if not name.startswith("_")}

events, averages = theirs.events(), theirs.key_averages()
have = {
    "torch.profiler": set(torch.profiler.__all__),
    "profile": public(theirs),
    "FunctionEvent": public(events[0]),
    "FunctionEventAvg": public(averages[0]),
    "EventList": public(events),
}
own = {
    "torch.profiler": [skyline],
    "profile": [ours],
    "FunctionEvent": [ours.events()[0]],
    "FunctionEventAvg": [ours.key_averages()[0]],
    "EventList": [ours.events(), ours.key_averages()],
}
unknown, broken = {}, {}
for owner, names in have.items():
    refused = set(_torch_names.REFUSED.get(owner, {}))
    unknown[owner] = sorted(names - set(_torch_names.works(owner)) - refused)
    broken[owner] = sorted(name for name in _torch_names.works(owner) for one in own[owner] if not hasattr(one, name))
    broken[owner] += sorted(name for name in refused for one in own[owner] if hasattr(one, name))
print(json.dumps([unknown, broken]))
"""
)


def test_every_public_name_of_torch_works_or_is_refused(script: Callable[..., Any]) -> None:
    unknown, broken = json.loads(script(NAMES).stdout.splitlines()[-1])
    assert {owner: names for owner, names in unknown.items() if names} == {}, "new in this torch"
    assert {owner: names for owner, names in broken.items() if names} == {}, "not as the table says"


def test_flops_and_values_of_inputs_are_torchs(script: Callable[..., Any]) -> None:
    ask = """
def rows(p):
    return {row.key: row.flops for row in p.key_averages() if row.flops}
def calls(p):
    names = "aten::conv2d", "aten::addmm", "aten::mul", "aten::mm"
    return sorted([e.name, e.flops, e.input_shapes, e.concrete_inputs, e.input_dtypes] for e in p.events()
                  if e.name in names)
print(json.dumps([rows(theirs), rows(ours), calls(theirs), calls(ours)]))
print(ours.key_averages().table())
"""
    first, *table = script(PROGRAM + ask).stdout.splitlines()
    rows_of_torch, rows, calls_of_torch, calls = json.loads(first)
    assert set(rows) == {f"aten::{name}" for name in "conv2d addmm mm bmm baddbmm add mul".split()}
    assert rows == rows_of_torch
    assert calls == calls_of_torch
    assert any("Total FLOPs" in line for line in table)


def test_a_trace_can_be_taken_without_a_schedule_and_has_an_id(script: Callable[..., Any]) -> None:
    code = """
import json
p = skyline.profile(custom_trace_id_callback=lambda: "night run 7")
p.prepare_trace(); p.start_trace()
torch.ones(3) + 1
p.stop_trace()
print(json.dumps([p.get_trace_id(), [row.key for row in p.key_averages() if row.key == "aten::add"]]))
"""
    assert json.loads(script(code).stdout) == ["night run 7", ["aten::add"]]


def test_an_execution_trace_is_written_beside_the_recording(script: Callable[..., Any]) -> None:
    code = """
import json
observer = skyline.ExecutionTraceObserver().register_callback("execution.json")
with skyline.profile(execution_trace_observer=observer) as p:
    torch.ones(3) + 1
torch.ones(3) * 2
observer.cleanup()
names = {node["name"] for node in json.load(open("execution.json"))["nodes"]}
print(json.dumps([name in names for name in ("aten::add", "aten::mul")]))
"""
    assert json.loads(script(code).stdout) == [True, False]
