"""Operators without torch's observers in between (direct=True): what can come in between all the same."""

import subprocess
from pathlib import Path

import pytest


def test_an_observer_that_comes_later_sees_every_operator(script, op_calls, tmp_path: Path) -> None:
    script("""
        import json
        x = torch.zeros(4)
        other = torch.profiler.ExecutionTraceObserver().register_callback("other.json")
        with skyline.profile("out.skyline", direct=True) as profile:
            for _ in range(1000): x.neg_()
            other.start()
            for _ in range(1000): x.sin_()
            other.stop()
            for _ in range(1000): x.cos_()
        assert profile.outcome["direct"] is False
        other.unregister_callback()
        seen = [node["name"] for node in json.load(open("other.json"))["nodes"]]
        assert (seen.count("aten::neg_"), seen.count("aten::sin_"), seen.count("aten::cos_")) == (0, 1000, 0)
        with skyline.profile("again.skyline", direct=True) as profile:
            for _ in range(1000): x.neg_()
        assert profile.outcome["direct"] is True
    """)
    calls = op_calls(tmp_path / "out.skyline")
    assert [calls[name] for name in ("aten::neg_", "aten::sin_", "aten::cos_")] == [1000, 1000, 1000]
    assert op_calls(tmp_path / "again.skyline")["aten::neg_"] == 1000


@pytest.mark.parametrize("memory", [False, True])
@pytest.mark.parametrize("phase", range(4))
def test_an_observer_is_noticed_whatever_the_rhythm(script, observers: Path, memory: bool, phase: int) -> None:
    script(
        f"""
        import sys
        sys.path.append({str(observers)!r})
        import observers
        x, kept = torch.ones(4), []
        with skyline.profile("out.skyline", profile_memory={memory}, direct=True) as profile:
            for _ in range({phase}): kept.append(torch.empty(3))
            for _ in range(100): y = x.sin()
            observers.observe()
            for _ in range(2000): y = x.sin()
            begins, ends = observers.forget()
        assert begins == ends and begins >= 1700, (begins, ends)
        """
    )


@pytest.mark.parametrize("extra", range(5))
def test_an_observer_is_noticed_in_backward_passes(script, observers: Path, extra: int) -> None:
    script(
        f"""
        import sys
        sys.path.append({str(observers)!r})
        import observers
        x = torch.ones(4, requires_grad=True)
        def step():
            y = x
            for _ in range({extra} + 1): y = y.sin()
            y.backward(torch.ones(4))
        with skyline.profile("out.skyline", direct=True) as profile:
            for _ in range(20): step()
            observers.observe()
            for _ in range(500): step()
            begins, ends = observers.forget()
        assert begins == ends and profile.outcome["direct"] is False
        assert begins >= 400 * (3 * {extra} + 3), (begins, ends)
        """
    )


def test_after_the_recorder_has_given_up_others_observe_everything(script, observers: Path) -> None:
    script(
        f"""
        import sys, time
        sys.path.append({str(observers)!r})
        import observers
        x = torch.ones(4)
        with skyline.profile("out.skyline", max_file_bytes=100_000, direct=True) as profile:
            while not profile_ended():
                for _ in range(10_000): x.neg_()
                time.sleep(0.1)
            observers.observe()
            for _ in range(2000): x.sin_()
            begins, ends = observers.forget()
        assert begins == ends and begins >= 2000, (begins, ends)
        assert "limit" in profile.outcome["trouble"] and profile.outcome["direct"] is False
        """.replace("profile_ended()", "not skyline._build.load_collector().is_active()")
    )


def test_an_observer_of_another_library_is_noticed_soon(script, op_calls, observers: Path, tmp_path: Path) -> None:
    script(
        f"""
        import sys
        sys.path.append({str(observers)!r})
        import observers
        x = torch.zeros(4)
        with skyline.profile("out.skyline", direct=True) as profile:
            for _ in range(1000): x.neg_()
            observers.observe()
            for _ in range(2000): x.sin_()
            begins, ends = observers.forget()
            assert begins == ends and 1700 <= begins <= 2000, (begins, ends)
        assert profile.outcome["direct"] is False
        observers.observe()
        with skyline.profile("beside.skyline", direct=True) as profile:
            for _ in range(1000): x.neg_()
        begins, ends = observers.forget()
        assert begins == ends and begins >= 1000, (begins, ends)
        assert profile.outcome["direct"] is False
        assert profile.outcome["not_direct"] == "somebody else observes operators"
        """
    )
    calls = op_calls(tmp_path / "out.skyline")
    assert (calls["aten::neg_"], calls["aten::sin_"]) == (1000, 2000)
    assert op_calls(tmp_path / "beside.skyline")["aten::neg_"] == 1000


def test_operators_that_another_library_calls_by_itself_are_there(
    script, op_calls, observers: Path, tmp_path: Path
) -> None:
    script(
        f"""
        import sys
        sys.path.append({str(observers)!r})
        import observers
        with skyline.profile("out.skyline", record_shapes=True, direct=True) as profile:
            for _ in range(100): torch.ones(3).sin()  # which are compared with what observers are told
            observers.call_neg(1000)
        assert profile.outcome["direct"] is True
        """
    )
    assert op_calls(tmp_path / "out.skyline", by_shape=True)["aten::neg", "[[2]]"] == 1000


def test_torch_profiler_begins_and_ends_in_the_middle(script, op_calls, tmp_path: Path) -> None:
    script("""
        x = torch.zeros(4)
        with skyline.profile("out.skyline", direct=True) as profile:
            for _ in range(1000): x.neg_()
            with torch.profiler.profile() as torchs:
                for _ in range(1000): x.sin_()
            for _ in range(1000): x.cos_()
        counts = {row.key: row.count for row in torchs.key_averages()}
        assert (counts.get("aten::neg_"), counts.get("aten::sin_"), counts.get("aten::cos_")) == (None, 1000, None)
    """)
    calls = op_calls(tmp_path / "out.skyline")
    assert [calls[name] for name in ("aten::neg_", "aten::sin_", "aten::cos_")] == [1000, 1000, 1000]


def test_where_torch_observes_nothing_nothing_is_recorded(script, op_calls, tmp_path: Path) -> None:
    script("""
        x = torch.zeros(4)
        with skyline.profile("out.skyline", direct=True):
            for _ in range(100): x.neg_()
            torch.autograd._enable_record_function(False)
            for _ in range(100): x.sin_()
            torch.autograd._enable_record_function(True)
            for _ in range(100): x.cos_()
    """)
    calls = op_calls(tmp_path / "out.skyline")
    assert [calls.get(name) for name in ("aten::neg_", "aten::sin_", "aten::cos_")] == [100, None, 100]


def test_operators_that_take_the_place_of_others_have_their_own_names(script, op_calls, tmp_path: Path) -> None:
    script("""
        import gc
        with skyline.profile("out.skyline", record_shapes=True, direct=True):
            for i in range(200):
                library = torch.library.Library(f"mine{i % 7}", "DEF")
                library.define(f"op_{i}(Tensor x) -> Tensor")
                library.impl(f"op_{i}", lambda x: x.clone(), "CPU")
                for _ in range(3): getattr(getattr(torch.ops, f"mine{i % 7}"), f"op_{i}")(torch.ones(2))
                library._destroy()
                gc.collect()
    """)
    calls = op_calls(tmp_path / "out.skyline")
    own = {name: count for name, count in calls.items() if name.startswith("mine")}
    assert own == {f"mine{i % 7}::op_{i}": 3 for i in range(200)}


@pytest.mark.sanitized
def test_operators_that_fail_end_where_they_fail(script, dump, op_calls, tmp_path: Path) -> None:
    script("""
        class Fails(torch.autograd.Function):
            @staticmethod
            def forward(context, x): return x.clone()
            @staticmethod
            def backward(context, gradient): raise ValueError("no gradient")
        x = torch.ones(2, requires_grad=True)
        with skyline.profile("out.skyline", record_shapes=True, direct=True) as profile:
            for _ in range(300):
                try: torch.mm(torch.ones(2, 3), torch.ones(2, 3))
                except RuntimeError: pass
                try: Fails.apply(x).mul(2).sum().backward()
                except ValueError: pass
            torch.ones(1).sin()
        assert profile.outcome["direct"] is True
    """)
    calls = op_calls(tmp_path / "out.skyline")
    assert (calls["aten::mm"], calls["FailsBackward"]) == (300, 300)
    (last,) = [line for line in dump(tmp_path / "out.skyline") if '"aten::sin"' in line]
    assert "parent=-" in last, "nothing was left open around it"


def test_tensors_that_can_not_be_asked_for_their_shape_harm_nobody(script, dump, tmp_path: Path) -> None:
    script("""
        class Shapeless(torch.Tensor):
            @staticmethod
            def __new__(cls, x):
                policy = {"dispatch_sizes_strides_policy": "sizes"}
                return torch.Tensor._make_wrapper_subclass(cls, x.shape, dtype=x.dtype, **policy)
            def __init__(self, x): self.x = x
            @classmethod
            def __torch_dispatch__(cls, function, types, arguments=(), named=None):
                if "size" in str(function) or "stride" in str(function): raise ValueError("no shape")
                return function(*[each.x if isinstance(each, cls) else each for each in arguments], **(named or {}))
        x = Shapeless(torch.ones(3))
        for direct in (True, False):
            with skyline.profile(f"{direct}.skyline", record_shapes=True, direct=direct):
                for _ in range(20): torch.ones(2).neg()
                for _ in range(20): x.sin()
    """)
    for direct in (True, False):
        slices = [line.split("\t") for line in dump(tmp_path / f"{direct}.skyline") if line.startswith("slice\t")]
        outer = [fields for fields in slices if fields[7] == '"aten::sin"' and "parent=-" in fields]
        assert len(outer) == 20
        assert len({fields[5] for fields in outer}) == 20, "each has its own time"
        assert not any(field.startswith("dims=") for fields in outer for field in fields)


def test_children_that_are_forked_in_the_middle_come_to_their_end(script, op_calls, tmp_path: Path) -> None:
    script("""
        import os, signal, threading, time
        stop = threading.Event()
        def train():
            x = torch.ones(4, requires_grad=True)
            while not stop.is_set(): (x * 2).sin().sum().backward()
        threads = [threading.Thread(target=train) for _ in range(2)]
        for thread in threads: thread.start()
        hung = 0
        with skyline.profile("out.skyline", direct=True):
            for _ in range(100):
                child = os.fork()
                if child == 0:
                    torch.ones(2).tan()
                    os._exit(0)
                ends = time.monotonic() + 240
                while os.waitpid(child, os.WNOHANG)[0] == 0:
                    time.sleep(0.002)
                    if time.monotonic() > ends:
                        hung += 1
                        os.kill(child, signal.SIGKILL)
        stop.set()
        for thread in threads: thread.join()
        assert hung == 0, hung
    """)
    calls = op_calls(tmp_path / "out.skyline")
    assert calls["aten::sin"] > 0 and "aten::tan" not in calls


@pytest.mark.parametrize("direct", [True, False])
def test_a_child_can_record_by_itself(script, op_calls, tmp_path: Path, direct: bool) -> None:
    script(f"""
        import os
        with skyline.profile("parent.skyline", direct=True):
            torch.ones(2).sin()
            child = os.fork()
            if child == 0:
                for _ in range(1000): torch.ones(2).tan()
                with skyline.profile("child.skyline", direct={direct}) as profile:
                    for _ in range(1000): torch.ones(2).cos()
                os._exit(0 if profile.outcome["direct"] is {direct} else 1)
            assert os.waitpid(child, 0)[1] == 0
            torch.ones(2).sin()
    """)
    parent, child = (op_calls(tmp_path / f"{name}.skyline") for name in ("parent", "child"))
    assert (parent["aten::sin"], parent.get("aten::tan"), parent.get("aten::cos")) == (2, None, None)
    assert (child.get("aten::sin"), child.get("aten::tan"), child["aten::cos"]) == (None, None, 1000)


def test_an_operator_that_is_running_at_the_stop_is_kept_as_far_as_it_came(script, op_calls, tmp_path: Path) -> None:
    script("""
        import threading
        library = torch.library.Library("mine", "DEF")
        library.define("wait(Tensor x) -> Tensor")
        begun, go_on = threading.Event(), threading.Event()
        def wait(x):
            begun.set()
            go_on.wait()
            return x.neg()
        library.impl("wait", wait, "CPU")
        def work():
            for _ in range(100): torch.ones(2).sin()
            torch.ops.mine.wait(torch.ones(2))
            for _ in range(100): torch.ones(2).cos()
        thread = threading.Thread(target=work)
        with skyline.profile("first.skyline", direct=True):
            thread.start()
            begun.wait()
        with skyline.profile("second.skyline", direct=True):
            go_on.set()
            thread.join()
    """)
    first, second = (op_calls(tmp_path / f"{name}.skyline") for name in ("first", "second"))
    assert (first["aten::sin"], first.get("aten::cos"), first["mine::wait"]) == (100, None, 1)
    assert (second.get("aten::sin"), second["aten::cos"], second.get("mine::wait")) == (None, 100, None)


def test_nobody_is_recorded_directly_who_has_not_asked_for_it(script, skyline_binary: Path, tmp_path: Path) -> None:
    script("""
        with skyline.profile("out.skyline") as profile:
            for _ in range(1000): torch.ones(2).sin()
        assert (profile.outcome["direct"], profile.outcome["not_direct"]) == (False, "")
    """)
    done = subprocess.run(
        [skyline_binary, "report", tmp_path / "out.skyline"], capture_output=True, text=True, timeout=240
    )
    assert ", through torch's observers\n" in done.stdout


def test_torch_gets_its_own_steps_back_when_the_recording_stops(script, observers: Path) -> None:
    script(
        f"""
        import sys
        sys.path.append({str(observers)!r})
        import observers
        before = observers.steps()
        assert before and all(leads_home for leads_home in before.values()), before
        x = torch.zeros(4)
        for _ in range(3):
            with skyline.profile("out.skyline", direct=True) as profile:
                for _ in range(1000): x.neg_()
                during = observers.steps()
            assert profile.outcome["direct"] is True
            assert not any(during.values()), during
            assert observers.steps() == before
            for _ in range(100): x.neg_()
        """
    )


@pytest.mark.sanitized
def test_an_operator_that_outlives_the_recording_is_the_last_that_keeps_our_steps(script, observers: Path) -> None:
    script(
        f"""
        import sys, threading
        sys.path.append({str(observers)!r})
        import observers
        library = torch.library.Library("mine", "DEF")
        library.define("wait(Tensor x) -> Tensor")
        begun, go_on = threading.Event(), threading.Event()
        def wait(x):
            begun.set()
            go_on.wait()
            return x.neg()
        library.impl("wait", wait, "CPU")
        before = observers.steps()
        def work():
            for _ in range(100): torch.ones(2).sin()
            torch.ops.mine.wait(torch.ones(2))
        thread = threading.Thread(target=work)
        with skyline.profile("first.skyline", direct=True) as profile:
            for _ in range(100): torch.ones(2).sin()
            thread.start()
            begun.wait()
        assert profile.outcome["direct"] is True
        kept = observers.steps()
        assert kept["getStepCallbacksUnlessEmpty"] and not kept["~RecordFunction"], kept
        go_on.set()
        thread.join()
        assert observers.steps() == before
        """
    )


def test_too_few_operators_to_compare_are_recorded_as_an_observer(script, op_calls, tmp_path: Path) -> None:
    done = script("""
        with skyline.profile("out.skyline", direct=True) as profile:
            for _ in range(5): torch.ones(2).sin()
        assert profile.outcome["direct"] is False
        assert "too few operators" in profile.outcome["not_direct"]
        with skyline.profile("again.skyline", direct=True) as profile:
            for _ in range(100): torch.ones(2).sin()
        assert profile.outcome["direct"] is True
    """)
    assert "too few operators" in done.stderr
    assert op_calls(tmp_path / "out.skyline")["aten::sin"] == 5
    assert op_calls(tmp_path / "again.skyline")["aten::sin"] == 100


def test_a_build_of_torch_that_was_not_tried_is_recorded_as_an_observer(script, op_calls, tmp_path: Path) -> None:
    done = script("""
        torch.version.git_version = "0123"
        with skyline.profile("out.skyline", direct=True) as profile:
            for _ in range(200): torch.ones(2).sin()
        assert profile.outcome["direct"] is False
    """)
    assert "direct recording was tried with torch" in done.stderr
    assert op_calls(tmp_path / "out.skyline")["aten::sin"] == 200


def test_a_step_that_sees_something_else_than_an_observer_is_a_difference(script, observers: Path) -> None:
    script(
        f"""
        import sys
        sys.path.append({str(observers)!r})
        import observers
        observers.observe()
        for _ in range(100): assert not observers.differs("aten::sin", "aten::sin")
        assert observers.differs("aten::sin", "aten::cos")
        assert observers.differs("aten::sin", "aten::sin"), "for good"
        observers.forget()
        """
    )
