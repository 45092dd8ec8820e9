"""Names that belong to torch and Python alone may go any day: without each of them training is still recorded."""

from pathlib import Path

ENTRY_POINT = """
import torch
from torch import nn
def skyline_model_provider(): return nn.Linear(4, 1)
def skyline_input_provider(batch_size=2): return (torch.ones(batch_size, 4),)
def skyline_iteration_provider(model):
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    def iteration(inputs):
        model(inputs).sum().backward()
        optimizer.step()
    return iteration
"""

# Each case is a copy of one process that has imported torch.
PROGRAM = """
import dis, importlib, os, runpy, socket, sys, tempfile, traceback
from pathlib import Path
import torch, torch._dynamo, torch._dynamo.eval_frame, torch.profiler, torch.utils.data
import skyline
from skyline import _environment, _marks, _modules, _private, _program, _tensors, _zygote, worker
folder = Path.cwd()

def in_a_session():
    session = worker.Worker(socket.socketpair()[0])
    for command in (
        {"do": "load", "entry_point": str(folder / "entry_point.py"), "project_root": str(folder),
         "recording": str(folder / "session.skyline")},
        {"do": "iterate", "batch_size": 2, "count": 2, "limit_ns": 10**9},
        {"do": "stop_recording"},
    ):
        answer = session.answer(command)
        assert "error" not in answer, answer

def in_a_run():
    watcher = _marks.Watcher(lambda is_round_end: None)
    model = torch.nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    with skyline.profile("run.skyline", with_stack=True, record_shapes=True, samples_hz=100):
        watcher.start()
        for _ in torch.utils.data.DataLoader(range(3)):
            model.train()
            model(torch.ones(2, 4)).sum().backward()
            optimizer.step()
        watcher.stop()

def of_a_few_operators():
    # Without these, torch itself does not train.
    with skyline.profile("few.skyline", samples_hz=100, profile_memory=True) as profile:
        torch.ones(2).sin()
    assert profile.trace_path is not None

def of_odd_tensors():
    assert _tensors.storages(torch.ones(3, 3).to_sparse())

def in_a_zygote():
    _zygote.preload_modules(["json"], lambda name: None)

def in_a_with_block_that_is_left():
    # One that a profile of its own has lost, as when its owner raises in the first line of __exit__.
    with skyline.profile("first.skyline"):
        torch.ones(2).sin()
    with skyline.profile("second.skyline") as second:
        torch.ones(2).sin()
    assert second.trace_path is not None

# Made before names go: torch itself cannot do it without them.
COMPILED = torch.compile(torch.nn.Linear(2, 2), backend="eager")

def of_a_compiled_module():
    names = _modules.describe(COMPILED, None, "block")
    assert names is not None and names[0] == "block"

def in_a_temporary_folder():
    profile = skyline.profile()
    with profile:
        torch.ones(2).sin()
        child = os.fork()
        if child == 0:
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
    assert profile.trace_path is not None and profile.trace_path.exists()

def as_a_module():
    (folder / "little.py").write_text("import sys; sys.modules['result'] = __name__")
    sys.path.insert(0, str(folder))
    _program.run_module("little", [])
    assert sys.modules.pop("result") == "__main__"

def directly():
    with skyline.profile("direct.skyline", direct=True) as profile:
        for _ in range(100): torch.ones(2).sin()
    assert profile.outcome["records"] >= 200

def without(name):
    owner, _, attribute = name.rpartition(".")
    if name in sys.modules:
        sys.modules[name] = None
        vars(sys.modules[owner]).pop(attribute, None)
        return
    thing = sys.modules[next(owner.rsplit(".", n)[0] for n in range(9) if owner.rsplit(".", n)[0] in sys.modules)]
    for part in owner.removeprefix(thing.__name__).strip(".").split("."):
        thing = getattr(thing, part) if part else thing
    if name in KEPT_BY_OBJECTS:
        usual = thing.__init__
        def init(self, *arguments, **named):
            usual(self, *arguments, **named)
            vars(self).pop(attribute, None)
        thing.__init__ = init
        return
    delattr(thing, attribute)

# No attributes of the class, but of each object.
KEPT_BY_OBJECTS = ("dis.Bytecode.exception_entries", "tempfile.TemporaryDirectory._finalizer")

CASES = {
    "": (in_a_session, in_a_run, in_a_zygote, directly),
    "dis.Bytecode.exception_entries": (in_a_with_block_that_is_left,),
    "runpy._run_module_as_main": (as_a_module,),
    "sys._current_frames": (in_a_run, in_a_with_block_that_is_left),
    "sys._getframe": (in_a_run, in_a_with_block_that_is_left),
    "tempfile.TemporaryDirectory._finalizer": (in_a_temporary_folder,),
    "torch._C.DisableTorchFunctionSubclass": (of_odd_tensors,),
    "torch._C._get_privateuse1_backend_name": (of_a_few_operators,),
    "torch._dynamo": (in_a_zygote,),
    "torch._dynamo.callback": (in_a_session,),
    "torch._dynamo.callback.CompilationCallbackHandler.register_end_callback": (in_a_session,),
    "torch._dynamo.callback.callback_handler": (in_a_session,),
    "torch._dynamo.eval_frame.OptimizedModule": (of_a_compiled_module,),
    "torch.compiled_with_cxx11_abi": (_environment.doctor, in_a_session),
    "torch.cuda.memory._record_memory_history": (in_a_run,),
    "torch.cuda.memory._snapshot": (in_a_run,),
    "torch.nn.Module._compiled_call_impl": (of_a_compiled_module,),
    "torch.optim.optimizer.register_optimizer_step_post_hook": (in_a_session, in_a_run),
    "torch.optim.optimizer.register_optimizer_step_pre_hook": (in_a_session, in_a_run),
    "torch.utils._python_dispatch": (in_a_zygote,),
    "torch.utils._python_dispatch.TorchDispatchMode": (in_a_zygote,),
    "torch.utils.data.dataloader._BaseDataLoaderIter": (in_a_run,),
    "torch.utils.data.dataloader._MultiProcessingDataLoaderIter": (in_a_run,),
    "torch.utils.data.dataloader._utils": (of_a_few_operators,),
    "torch.version.cuda": (_environment.doctor, in_a_run),
    "torch.version.git_version": (directly,),
}
assert set(CASES) == {"", *_private.NAMES}, set(CASES) ^ set(_private.NAMES)
failed = []
for name, scenes in CASES.items():
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if name:
                without(name)
            for scene in scenes:
                scene()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)
    if os.waitpid(child, 0)[1] != 0:
        failed.append(name)
print("failed:", failed)
"""


def test_recording_survives_the_loss_of_each_private_name(script, tmp_path: Path) -> None:
    (tmp_path / "entry_point.py").write_text(ENTRY_POINT)
    done = script(PROGRAM, check=False)
    assert done.stdout.splitlines()[-1:] == ["failed: []"], done.stderr
