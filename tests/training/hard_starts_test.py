"""Whatever start() and stop() meet, training goes on, and nothing stays switched on."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

STANDARD_ERRORS = {
    "closed": "sys.stderr.close()",
    "missing": "sys.stderr = None",
    "broken": "reader, writer = os.pipe(); os.close(reader); os.dup2(writer, 2)",
}


@pytest.mark.parametrize("how", STANDARD_ERRORS)
def test_a_sentence_that_nobody_can_hear_is_not_worth_a_training(script, how: str) -> None:
    done = script(f"""
        import os, sys
        open("file", "w").close()
        {STANDARD_ERRORS[how]}
        with skyline.profile("file/out.skyline"):
            torch.ones(3).add(1)
        print("trained")
    """)
    assert (done.stdout, done.stderr) == ("trained\n", "")


# Ctrl-C is let in where Python lets it in: when a function begins, and when one has returned.
INTERRUPTED = """
    import gc, sys
    from skyline import _environment, _profile, _recorders
    _environment.describe = dict  # takes long, and is only asked
    collector = _recorders.find_collector()
    model = nn.Linear(4, 4)

    def is_interrupted(call, place):
        left, inside = place, False
        def strike(frame, event, argument):
            nonlocal left, inside
            if inside and event != "c_call":
                left -= 1
                if left == 0:
                    sys.setprofile(None)
                    raise KeyboardInterrupt
            inside = inside or event == "call"
        try:
            sys.setprofile(strike)
            call()
        except KeyboardInterrupt:
            return True
        finally:
            sys.setprofile(None)
        return False

    def is_clean():
        return not collector.is_active() and _profile.current is None and gc.isenabled()
"""


def test_an_interrupt_at_any_place_of_a_start_leaves_nothing_on(script) -> None:
    done = script(
        INTERRUPTED
        + """
    place = 0
    while True:
        place += 1
        profile = skyline.profile("out.skyline", schedule=lambda step: skyline.ProfilerAction.RECORD, with_stack=True)
        if not is_interrupted(profile.start, place):
            break
        assert is_clean(), place
    profile.stop()
    assert is_clean() and profile.outcome["trouble"] == ""
    print(place)
    """
    )
    assert int(done.stdout) > 50


def test_an_interrupt_at_any_place_of_a_stop_leaves_nothing_on_and_a_readable_trace(
    script, ask, tmp_path: Path
) -> None:
    done = script(
        INTERRUPTED
        + """
    import os
    place = 0
    while True:
        place += 1
        profile = skyline.profile("out.skyline", schedule=lambda step: skyline.ProfilerAction.RECORD, with_stack=True)
        profile.start()
        model(torch.ones(4, 4))
        if not is_interrupted(profile.stop, place):
            break
        assert is_clean() and str(profile.trace_path) == "out.skyline", place
        if place % 20 == 0:
            os.rename("out.skyline", f"interrupted.{place}.skyline")
    assert is_clean()
    print(place)
    """
    )
    assert int(done.stdout) > 50
    traces = list(tmp_path.glob("interrupted.*.skyline"))
    assert len(traces) >= 2 and all(ask("info", trace)["ranks"] for trace in traces)


def test_what_a_signals_handler_raises_reaches_the_user_and_leaves_nothing_on(script) -> None:
    script("""
        import signal
        from skyline import _modules, _profile, _recorders
        class Late(Exception): pass
        def handler(*_): raise Late
        signal.signal(signal.SIGALRM, handler)
        def slow(*_):
            signal.raise_signal(signal.SIGALRM)
        usual = _modules.Namer.start, _modules.Namer.stop
        for at_start in (True, False):
            _modules.Namer.start, _modules.Namer.stop = (slow, usual[1]) if at_start else (usual[0], slow)
            try:
                with skyline.profile("out.skyline", with_stack=True):
                    torch.ones(3)
            except Late:
                assert not _recorders.find_collector().is_active() and _profile.current is None
            else:
                raise AssertionError("the handler's exception is gone")
        _modules.Namer.start, _modules.Namer.stop = usual
        with skyline.profile("out.skyline", with_stack=True) as profile:
            torch.ones(3)
        assert profile.outcome["records"] > 0
    """)


# What is wrong, and a part of the sentence that says so.
UNRECORDED = {
    "no thread for names": (
        "refuse(threading.Thread, 'start', RuntimeError(\"can't start new thread\"))",
        "no thread can be started to take names",
    ),
    "no temporary folder": ("arguments['path'] = None; tempfile.tempdir = '/nowhere'", "set TMPDIR to another"),
    "an empty path": ("arguments['path'] = ''", "'.' cannot be a trace's name"),
    "a zero byte in the path": ("arguments['path'] = 'a\\0b'", "cannot be a trace's name"),
    "a surprise of ours": ("refuse(_environment, 'describe', KeyError('fact'))", "'fact'"),
    "a surprise of many lines": ("refuse(_environment, 'describe', ValueError('one\\ntwo'))", "one"),
    "a surprise before": ("refuse(_recorders, 'device_activities', AttributeError('xpu'))", "xpu"),
}


@pytest.mark.parametrize("what", UNRECORDED)
def test_a_start_that_fails_is_one_sentence_and_leaves_nothing_on(script, what: str) -> None:
    trouble, sentence = UNRECORDED[what]
    done = script(
        """
    import tempfile, threading
    from unittest import mock
    from skyline import _environment, _fallback, _profile, _recorders
    collector = _recorders.find_collector()
    undo = []
    def refuse(owner, name, error):
        patch = mock.patch.object(owner, name, side_effect=error)
        patch.start()
        undo.append(patch.stop)
    arguments = {"path": "out.skyline", "with_stack": True}
    TROUBLE
    for _ in range(2):
        with skyline.profile(**arguments) as profile:
            torch.ones(3).add(1)
            assert not collector.is_active() and _profile.current is None
        assert (profile.outcome, profile.trace_path) == ({}, None)
    for each in undo:
        each()
    with skyline.profile("later.skyline", with_stack=True) as profile:
        torch.ones(3)
    assert profile.outcome["records"] > 0
    print("trained")
    """.replace("TROUBLE", trouble)
    )
    assert done.stdout == "trained\n"
    (line,) = done.stderr.splitlines()
    assert sentence in line and line.endswith("; training goes on unrecorded")


THROUGH_TORCH = {
    "no home": ("os.environ.pop('XDG_CACHE_HOME'); os.environ.pop('HOME', None)", "there is no home folder"),
    "a cache that cannot be looked into": ("os.environ['XDG_CACHE_HOME'] = '/' + 300 * 'x'", "File name too long"),
    "a surprise of ours": ("_build.this_target = None", "the collector cannot be had"),
}


@pytest.mark.parametrize("what", THROUGH_TORCH)
def test_a_collector_that_can_not_be_had_is_one_sentence_and_torch_records(
    script, op_calls, tmp_path: Path, what: str
) -> None:
    trouble, sentence = THROUGH_TORCH[what]
    done = script(f"""
        import os, pwd
        from skyline import _build
        def getpwuid(number): raise KeyError(number)
        pwd.getpwuid = getpwuid
        {trouble}
        with skyline.profile("out.skyline"):
            torch.ones(3).add(1)
    """)
    (line,) = [line for line in done.stderr.splitlines() if line.startswith("skyline: ")]
    assert sentence in line and line.endswith("; recording goes through torch.profiler instead")
    assert op_calls(tmp_path / "out.pt.trace.json")["aten::add"] == 1


def test_names_that_are_no_text_do_not_matter(environment, skyline_binary, tmp_path: Path) -> None:
    """The script's folder, the trace's folder and name, the environment, metadata, and no current folder."""
    folder = os.path.join(os.fsencode(tmp_path), b"dir\xff")
    os.mkdir(folder)
    program = os.path.join(folder, b"program.py")
    with open(program, "w") as file:
        file.write(
            textwrap.dedent("""
                import os, torch, skyline
                os.mkdir("gone"); os.chdir("gone"); os.rmdir("../gone")
                path = os.path.join(os.path.dirname(os.path.abspath(__file__)), os.fsdecode(b"out\\xfe.skyline"))
                profile = skyline.profile(path, with_stack=True)
                profile.add_metadata("number", 5)
                profile.add_metadata("text", "a\\udcffb")
                with profile:
                    torch.ones(3).add(1)
                assert profile.outcome["records"] > 0
            """)
        )
    settings = {os.fsencode(key): os.fsencode(value) for key, value in environment.items()} | {b"RANK": b"\xff"}
    done = subprocess.run([sys.executable, program], env=settings, cwd=folder, capture_output=True, timeout=240)
    assert (done.returncode, done.stderr) == (0, b"")
    trace = os.path.join(folder, b"out\xfe.skyline")
    command = [skyline_binary, "info", trace, "--format", "json"]
    info = subprocess.run(command, capture_output=True, check=True, timeout=60).stdout.decode(errors="replace")
    assert '"a?b"' in info and '"5"' in info and "program.py" in info


def test_a_stop_that_fails_is_one_sentence_and_leaves_nothing_on(script, ask, tmp_path: Path) -> None:
    done = script("""
        from unittest import mock
        from skyline import _modules, _profile, _recorders
        with mock.patch.object(_modules.Namer, "stop", side_effect=OSError("no more names")):
            with skyline.profile("out.skyline", with_stack=True) as profile:
                torch.ones(3)
        assert not _recorders.find_collector().is_active() and _profile.current is None
        print(profile.trace_path)
    """)
    assert done.stdout == "out.skyline\n"
    assert done.stderr == "skyline: the recording to out.skyline was not finished: no more names; training goes on\n"
    assert ask("info", tmp_path / "out.skyline")["ranks"]


def test_a_trace_that_can_not_be_kept_is_one_sentence(script) -> None:
    done = script("""
        open("file", "w").close()
        with skyline.profile(on_trace_ready=skyline.tensorboard_trace_handler("file")):
            torch.ones(3)
        print("trained")
    """)
    assert done.stdout == "trained\n"
    (line,) = done.stderr.splitlines()
    assert line.startswith("skyline: a trace could not be kept in file: ") and line.endswith("; training goes on")


def test_a_schedule_that_raises_is_the_programs_own(script) -> None:
    done = script("skyline.profile('out.skyline', schedule=lambda step: 1 / 0).start()", check=False)
    assert done.returncode == 1 and done.stderr.strip().endswith("ZeroDivisionError: division by zero")


# As much as a collate_fn may hand over.
BATCHES = {
    "nested tensor": "torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])",
    "shape is a method": "type('Batch', (), {'shape': lambda self: (2,)})()",
    "shape of None": "type('Batch', (), {'shape': (None, 3)})()",
    "holds itself": "(lambda batch: (batch.append(batch), batch)[1])([])",
}


@pytest.mark.parametrize("what", BATCHES)
def test_a_run_lets_a_loader_hand_over_what_it_likes(environment, tmp_path: Path, what: str) -> None:
    (tmp_path / "train.py").write_text(
        textwrap.dedent(f"""
            import torch
            from torch.utils.data import DataLoader
            weight = torch.nn.Parameter(torch.ones(1))
            optimizer = torch.optim.SGD([weight], 0.1)
            for batch in DataLoader(range(12), batch_size=2, collate_fn=lambda items: {BATCHES[what]}):
                (weight * 2).sum().backward()
                optimizer.step()
            print("trained")
        """)
    )
    command = [sys.executable, "-m", "skyline", "run", "--no-report", "-o", "out.skyline", "train.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout) == (0, "trained\n"), done.stderr
    assert "skyline: the trace is out.skyline" in done.stderr
