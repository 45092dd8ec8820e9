"""Programs that are right and unusual: recording may neither hold them up nor lose what they do."""

from collections import Counter
from pathlib import Path

import pytest

pytestmark = pytest.mark.copied

ANSWERS_IN_PYTHON = """
    import threading
    class Answers(torch.Tensor):
        @staticmethod
        def __new__(cls, inner):
            made = torch.Tensor._make_wrapper_subclass(
                cls, inner.shape, dtype=inner.dtype, dispatch_sizes_strides_policy="sizes")
            made.inner = inner
            return made
        @classmethod
        def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
            aten = torch.ops.aten
            if function in (aten.sym_size.default, aten.size.default): return args[0].inner.shape
            if function in (aten.sym_stride.default, aten.stride.default): return args[0].inner.stride()
            if function is aten.dim.default: return args[0].inner.dim()
            if function in (aten.numel.default, aten.sym_numel.default): return args[0].inner.numel()
            if function in (aten.is_contiguous.default, aten.is_contiguous.memory_format): return True
            out = function(*[each.inner if isinstance(each, Answers) else each for each in args], **(kwargs or {}))
            return Answers(out) if isinstance(out, torch.Tensor) else out
"""


def test_a_tensor_that_answers_in_python_does_not_hold_up_the_end(script) -> None:
    script(
        ANSWERS_IN_PYTHON
        + """
    import time
    done, rounds = False, 0
    def work():
        global rounds
        tensor = Answers(torch.ones(4, 4))
        while not done:
            torch.add(tensor, 1)
            rounds += 1
    thread = threading.Thread(target=work)
    thread.start()
    for _ in range(30):
        before = rounds
        with skyline.profile("out.skyline", record_shapes=True):
            while rounds < before + 3: time.sleep(0.001)
    done = True
    thread.join()
    """
    )


def test_children_of_a_busy_program_end_and_record_only_themselves(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    import os, threading
    done = False
    def work():
        while not done: torch.ones(3).erf()
    threads = [threading.Thread(target=work) for _ in range(2)]
    switches = dict(record_shapes=True, profile_memory=True, with_stack=True)
    with skyline.profile("parent.skyline", **switches):
        for thread in threads: thread.start()
        for number in range(40):
            child = os.fork()
            if child == 0:
                with skyline.profile(f"child{number}.skyline", **switches):
                    torch.zeros(3)
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
        done = True
        for thread in threads: thread.join()
    """
    )
    for number in range(40):
        calls = op_calls(tmp_path / f"child{number}.skyline")
        assert calls["aten::zeros"] == 1 and "aten::erf" not in calls


@pytest.mark.sanitized
def test_ranges_overlap_change_threads_and_stay_open_as_for_torch(script, dump, tmp_path: Path) -> None:
    script(
        """
    import asyncio, threading
    from torch.profiler import record_function
    async def task(number):
        with record_function(f"task {number}"):
            await asyncio.sleep(0.002 * (number + 1))
    async def tasks():
        await asyncio.gather(*(task(number) for number in range(5)))
    def many():
        asyncio.run(tasks())
        crossing = record_function("crossing")
        crossing.__enter__()
        thread = threading.Thread(target=crossing.__exit__, args=(None, None, None))
        thread.start()
        thread.join()
        left_open.__enter__()
        torch.ones(3)
    left_open = record_function("left open")
    with skyline.profile("ours.skyline"):
        many()
    left_open.__exit__(None, None, None)
    left_open = record_function("left open")
    with torch.profiler.profile() as torchs:
        many()
    left_open.__exit__(None, None, None)
    torchs.export_chrome_trace("torchs.json")
    with skyline.profile("next.skyline"):
        torch.ones(3)
    """
    )

    def ranges(name: str) -> Counter[str]:
        rows = [line.split("\t") for line in dump(tmp_path / name) if line.startswith("slice\t")]
        return Counter(row[7].strip('"') for row in rows if row[2] == "user_annotation")

    expected = Counter([*(f"task {number}" for number in range(5)), "crossing", "left open"])
    assert ranges("ours.skyline") == expected
    assert expected <= ranges("torchs.json")
    assert ranges("next.skyline") == Counter()


def test_ranges_that_end_elsewhere_do_not_fill_up_a_thread(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    import queue, threading
    from torch.profiler import record_function
    begun = queue.Queue()
    def end_all():
        while (each := begun.get()) is not None: each.__exit__(None, None, None)
    thread = threading.Thread(target=end_all)
    thread.start()
    with skyline.profile("out.skyline") as profile:
        for _ in range(5000):
            each = record_function("request")
            each.__enter__()
            begun.put(each)
        for _ in range(100): torch.ones(3)
        begun.put(None)
        thread.join()
    assert profile.outcome["dropped"] == 0
    """
    )
    assert op_calls(tmp_path / "out.skyline")["aten::ones"] == 100


def test_operators_that_run_when_it_ends_are_kept(script, op_calls, tmp_path: Path) -> None:
    script(
        """
    class Stops(torch.autograd.Function):
        @staticmethod
        def forward(context, x): return x * 2
        @staticmethod
        def backward(context, gradient):
            profile.stop()
            return gradient * 2
    profile = skyline.profile("out.skyline")
    profile.start()
    Stops.apply(torch.ones(3, requires_grad=True)).sum().backward()
    """
    )
    assert op_calls(tmp_path / "out.skyline")["StopsBackward"] == 1


def test_no_memory_ends_the_recording_and_not_training(script) -> None:
    done = script(
        """
    import resource, sys
    with skyline.profile("out.skyline", record_shapes=True, profile_memory=True, with_stack=True) as profile:
        x = torch.ones(3)
        size = int(open("/proc/self/statm").read().split()[0]) * 4096
        resource.setrlimit(resource.RLIMIT_AS, (size + (20 << 20), resource.RLIM_INFINITY))
        held = []
        for turn in range(300_000):
            x.add(1)
            try:
                if turn % 1000 == 0: held.append(bytearray(1 << 20))
            except MemoryError:
                pass
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("went on", profile.outcome["trouble"])
    """
    )
    assert done.stdout.startswith("went on")


def test_no_thread_to_be_had_is_said_and_training_goes_on(script, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    done = script(
        """
    import os, resource
    with skyline.profile("first.skyline"): torch.ones(3)
    if os.getuid() == 0:  # the limit is not for root
        os.setgid(65534)
        os.setuid(65534)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))
    with skyline.profile("out.skyline") as profile:
        print(torch.ones(3).sum().item())
    """
    )
    assert done.stdout == "3.0\n"
    assert "skyline: the recorder cannot start: " in done.stderr and "training goes on unrecorded" in done.stderr


def test_what_a_signal_handler_raises_arrives(script) -> None:
    script(
        """
    import random, signal, time
    class Alarm(Exception): pass
    raised = arrived = 0
    def handler(*_):
        global raised
        raised += 1
        raise Alarm
    signal.signal(signal.SIGALRM, handler)
    x = torch.ones(1, 2)
    with skyline.profile("out.skyline", with_stack=True):
        while raised < 300:
            before = raised
            try:
                signal.setitimer(signal.ITIMER_REAL, random.uniform(0.0001, 0.001))
                while raised == before: nn.Linear(2, 2)(x)
            except Alarm:
                arrived += 1
    assert arrived == raised
    """
    )


@pytest.mark.sanitized
def test_a_program_may_exchange_its_allocator(script, observers: Path) -> None:
    script(
        f"""
    import sys
    sys.path.insert(0, {str(observers)!r})
    import observers
    with skyline.profile("first.skyline", profile_memory=True):
        old = [torch.ones(100) for _ in range(100)]
    assert observers.exchange_allocator(), "it is not heard after a recording"
    with skyline.profile("second.skyline", profile_memory=True):
        new = [torch.ones(100) for _ in range(100)]
        del old
    del new
    assert observers.own_blocks() == 0
    """
    )


def test_modules_that_are_made_anew_have_their_class_and_cost_no_search(script, ask, tmp_path: Path) -> None:
    script(
        """
    import time
    from skyline import _modules
    looks = []
    _modules.ModuleNames.look_around = lambda self: looks.append(self)
    model = nn.Linear(4, 4)
    with skyline.profile("out.skyline", with_stack=True):
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            nn.MSELoss()(model(torch.ones(2, 4)), torch.ones(2, 4)).backward()
    assert looks == []
    """
    )
    (rank,) = ask("show", "modules", tmp_path / "out.skyline")["ranks"]
    classes = [row["class"] for row in rank["rows"]]
    assert {"Linear", "MSELoss"} <= set(classes)
    # On a busy machine one may be gone before anybody could ask what it was.
    assert classes.count("?") <= len(classes) / 100
