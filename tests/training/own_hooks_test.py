"""Programs that hold hooks of the kinds that we set, too: theirs are called as ever while ours come and go."""

import subprocess
import sys
from pathlib import Path

import pytest

TRAIN = """
import torch
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
def train(steps):
    for _ in range(steps):
        model(torch.randn(2, 4)).sum().backward()
        optimizer.step()
        optimizer.zero_grad()
"""

OPTIMIZER_HOOKS = """
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook
calls = []
register_optimizer_step_pre_hook(lambda *_: calls.append("before"))
register_optimizer_step_post_hook(lambda *_: calls.append("after"))
"""


@pytest.fixture
def run(environment: dict[str, str], tmp_path: Path):
    def call(code: str, *options: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "train.py").write_text(code)
        command = [sys.executable, "-m", "skyline", "run", "--no-report", "-o", "out.skyline", *options, "train.py"]
        return subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240, check=False
        )

    return call


@pytest.mark.parametrize("place", ["before", "after"])
def test_a_window_closes_in_a_program_with_global_optimizer_hooks(run, op_calls, tmp_path: Path, place: str) -> None:
    """Whether the program's hooks were set before ours or after."""
    late = TRAIN + OPTIMIZER_HOOKS
    early = "import torch.optim.optimizer\n" + OPTIMIZER_HOOKS + TRAIN
    done = run(
        f"{late if place == 'after' else early}\ntrain(20)\nprint(len(calls))", "--after-steps", "2", "--steps", "3"
    )
    assert (done.returncode, done.stdout) == (0, "40\n"), done.stderr
    assert done.stderr == "skyline: the trace is out.skyline\n"
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 3


def test_a_window_is_closed_by_the_clock_while_hooks_are_called(run) -> None:
    """Every step stands in the program's own hook until the window's end has come."""
    code = f"""{TRAIN}{OPTIMIZER_HOOKS}
import threading, time
def wait(*_):
    deadline = time.monotonic() + 240
    while any(isinstance(thread, threading.Timer) for thread in threading.enumerate()) and time.monotonic() < deadline:
        time.sleep(0.01)
register_optimizer_step_post_hook(wait)
register_optimizer_step_post_hook(lambda *_: calls.append("last"))
train(5)
print(len(calls))"""
    done = run(code, "--after-steps", "0", "--max-seconds", "0.5")
    assert (done.returncode, done.stdout) == (0, "15\n"), done.stderr


def test_a_watch_begins_and_ends_inside_of_the_programs_hooks(script) -> None:
    script(
        TRAIN
        + OPTIMIZER_HOOKS
        + """
from skyline._optimizer_steps import set_hooks
from skyline._tensors import Watch
set_hooks()
watch = Watch(lambda rows: None, model)
register_optimizer_step_pre_hook(lambda *_: watch.start())
register_optimizer_step_post_hook(lambda *_: watch.stop())
register_optimizer_step_post_hook(lambda *_: calls.append("last"))
train(3)
assert [calls.count(call) for call in ("before", "after", "last")] == [3, 3, 3], calls
"""
    )


def test_a_finder_that_imports_torch_loses_no_other_finder(run) -> None:
    code = """
import sys, types
from importlib.machinery import ModuleSpec
class Importing:
    def find_spec(self, name, path=None, target=None):
        if name == "wanted":
            import torch
class Last:
    def find_spec(self, name, path=None, target=None):
        return ModuleSpec("wanted", self) if name == "wanted" else None
    def create_module(self, spec): return None
    def exec_module(self, module): module.found = True
sys.meta_path[:] = [*sys.meta_path[:-1], Importing(), Last(), sys.meta_path[-1]]
import wanted
print(wanted.found, "torch" in sys.modules)
"""
    done = run(code)
    assert (done.returncode, done.stdout) == (0, "True True\n"), done.stderr


EVERY_KIND = """
import atexit, gc, os, signal, sys, threading
from torch.nn.modules import module as modules
seen = set()
def saw(name): return lambda *_: seen.add(name)
def kept(name): return lambda tensor: (seen.add(name), tensor)[1]
def traced(frame, event, argument): seen.add("trace")
usual_next = torch.utils.data.dataloader._BaseDataLoaderIter.__next__
def fetch(iterator):
    seen.add("next")
    return usual_next(iterator)
torch.utils.data.dataloader._BaseDataLoaderIter.__next__ = fetch
model.register_forward_hook(saw("forward"))
model.register_full_backward_hook(saw("backward"))
modules.register_module_forward_pre_hook(saw("any forward"))
model.weight.register_hook(saw("gradient"))
gc.callbacks.append(saw("collection"))
signal.signal(signal.SIGUSR1, saw("signal"))
os.register_at_fork(before=saw("fork"))
atexit.register(lambda: print("end", sorted(seen)))
sys.excepthook = saw("exception")
threading.setprofile(traced)
threading.settrace(traced)
sys.settrace(traced)
sys.setprofile(traced)

def facts():
    return [len(gc.callbacks), len(sys.meta_path), sys.gettrace() is traced, sys.getprofile() is traced,
            threading.gettrace() is traced, signal.getsignal(signal.SIGUSR1).__name__, sys.excepthook.__name__,
            len(modules._global_forward_pre_hooks), len(modules._global_forward_hooks),
            len(model._forward_hooks), len(model.weight._backward_hooks)]

loader = torch.utils.data.DataLoader(range(12))
attributes = iter(vars(torch.nn.Module).items())
for _ in loader:
    next(attributes)
    with torch.autograd.graph.saved_tensors_hooks(kept("pack"), kept("unpack")):
        (model(torch.ones(2, 4)) ** 2).sum().backward()
    optimizer.step()
list(attributes)
gc.collect()
os.kill(os.getpid(), signal.SIGUSR1)
thread = threading.Thread(target=lambda: None)
thread.start(); thread.join()
if os.fork() == 0: os._exit(0)
os.wait()
print(facts())
raise ValueError
"""


def test_hooks_of_every_kind_are_called_as_under_python(run, environment, tmp_path: Path) -> None:
    ours = run(TRAIN + EVERY_KIND, "--after-steps", "2", "--steps", "3")
    plain = subprocess.run(
        [sys.executable, "train.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
    )
    assert (ours.returncode, ours.stdout) == (plain.returncode, plain.stdout), ours.stderr
    kinds = "any forward backward collection exception fork forward gradient next pack signal trace unpack"
    assert all(f"'{kind}'" in plain.stdout for kind in kinds.replace("any forward", "").split())


def test_what_our_hooks_stumble_over_does_not_reach_training(run) -> None:
    """Optimizers that cannot be told apart, data that answers in its own way."""
    code = """
import sys, torch
class Unhashable(torch.optim.SGD):
    def __eq__(self, other): raise RuntimeError("do not compare me")
    __hash__ = None
class Moody(torch.utils.data.dataloader._SingleProcessDataLoaderIter):
    def __getattribute__(self, name):
        if name == "_dataset" and sys._getframe(1).f_code.co_filename.endswith("_evaluation.py"):
            raise RuntimeError("do not look at me")
        return super().__getattribute__(name)
class Loader(torch.utils.data.DataLoader):
    def _get_iterator(self): return Moody(self)
model = torch.nn.Linear(4, 1)
optimizer = Unhashable(model.parameters(), 0.1)
steps = 0
for _ in Loader(range(5)):
    model.train()
    model(torch.ones(2, 4)).sum().backward()
    optimizer.step()
    steps += 1
print(steps)
"""
    done = run(code)
    assert (done.returncode, done.stdout) == (0, "5\n"), done.stderr
    assert "Traceback" not in done.stderr
    assert "; training goes on\n" in done.stderr
