"""Whatever the program does, training goes on and the trace can be read."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MODEL = """
    import os, signal, sys, threading, time
    model = nn.Linear(4, 4)
    def train(steps=10):
        for _ in range(steps):
            model(torch.randn(2, 4)).sum().backward()
"""


def test_an_exception_in_a_step_leaves_a_trace(script, op_calls, tmp_path: Path) -> None:
    done = script(
        MODEL
        + """
    schedule = skyline.schedule(wait=0, warmup=1, active=5)
    with skyline.profile("out.skyline", schedule=schedule) as profile:
        for step in range(5):
            train(1)
            if step == 3:
                raise ValueError("a bad batch")
            profile.step()
    """,
        check=False,
    )
    assert done.returncode == 1 and done.stderr.strip().endswith("ValueError: a bad batch")
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 3


def test_sys_exit_leaves_a_trace_and_its_code(script, op_calls, tmp_path: Path) -> None:
    done = script(
        MODEL + '    with skyline.profile("out.skyline"):\n        train()\n        sys.exit(7)\n', check=False
    )
    assert (done.returncode, done.stderr) == (7, "")
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 10


def test_a_profile_that_is_never_stopped_is_stopped_at_the_end(script, op_calls, tmp_path: Path) -> None:
    script(MODEL + '    skyline.profile("out.skyline").start()\n    train()\n')
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 10


MANY_OPS = """
    torch.set_grad_enabled(False)
    x = torch.ones(2)
    with skyline.profile("out.skyline"):
        for _ in range(300_000):
            x.neg()
        time.sleep(0.2)
"""


def test_os_exit_leaves_what_was_written(script, op_calls, tmp_path: Path) -> None:
    done = script(MODEL + MANY_OPS + "        os._exit(3)\n", check=False)
    assert done.returncode == 3
    assert 100_000 < op_calls(tmp_path / "out.skyline")["aten::neg"] <= 300_000


def test_sigkill_leaves_what_was_written(script, op_calls, tmp_path: Path) -> None:
    done = script(MODEL + MANY_OPS + "        os.kill(os.getpid(), signal.SIGKILL)\n", check=False)
    assert done.returncode == -signal.SIGKILL
    assert 100_000 < op_calls(tmp_path / "out.skyline")["aten::neg"] <= 300_000


SEGFAULTS = {
    "ctypes": "        import ctypes; ctypes.string_at(0)\n",
    "kernel": """
        with open("crash.cpp", "w") as file:
            file.write('extern "C" void run() { *(volatile int*)8 = 1; }')
        import ctypes, subprocess
        subprocess.run(["g++", "-shared", "-fPIC", "crash.cpp", "-o", "crash.so"], check=True)
        ctypes.CDLL("./crash.so").run()
""",
}


@pytest.mark.parametrize("how", SEGFAULTS)
def test_a_segmentation_fault_is_the_programs_own_and_leaves_what_was_written(
    script, op_calls, tmp_path: Path, how: str
) -> None:
    done = script(MODEL + MANY_OPS + SEGFAULTS[how], check=False)
    assert (done.returncode, done.stderr) == (-signal.SIGSEGV, "")
    assert 100_000 < op_calls(tmp_path / "out.skyline")["aten::neg"] <= 300_000


def test_sigkill_leaves_stacks_modules_and_sources(environment, dump, tmp_path: Path) -> None:
    """They are written as training goes on: the program is killed once they are seen in the file."""
    program = tmp_path / "program.py"
    program.write_text(
        "import torch, skyline, time\n"
        "model = torch.nn.Sequential(torch.nn.Linear(4, 4))\n"
        "skyline.profile('out.skyline', with_stack=True).start()\n"
        "while True:\n"
        "    model(torch.ones(1, 4)); time.sleep(0.001)\n"
    )
    trace = tmp_path / "out.skyline"

    def written() -> list[str]:
        """Stacks of the operator, and source files."""
        if not trace.exists() or trace.stat().st_size < 64:
            return []
        return [line for line in dump(trace, "--python") if line.startswith(('op\t"aten::linear"', "source\t"))]

    def is_whole() -> bool:
        lines = written()
        return any("program.py:5 <module>" in line for line in lines) and any("source\t" in line for line in lines)

    with subprocess.Popen([sys.executable, program], cwd=tmp_path, env=environment) as running:
        try:
            deadline = time.monotonic() + 240
            while not is_whole() and time.monotonic() < deadline:
                time.sleep(0.1)
        finally:
            running.kill()
    assert running.returncode == -signal.SIGKILL
    assert is_whole(), written()
    assert any(line.startswith('op\t"aten::linear"\t"0" "Linear"\t') for line in written())


def test_a_second_profile_is_refused_in_one_sentence(script, op_calls, tmp_path: Path) -> None:
    script(
        MODEL
        + """
    with skyline.profile("out.skyline"):
        try:
            skyline.profile("second.skyline").start()
        except skyline.Error as error:
            assert str(error) == "another skyline.profile is recording in this process; stop it first"
        else:
            raise AssertionError("was not refused")
        train()
    """
    )
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 10


def test_ever_new_names_shapes_and_functions_take_bounded_memory(script, ask, op_calls, tmp_path: Path) -> None:
    """With small buffers the limits are small, too."""
    script("""
        import os
        def resident(): return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        def make(i):
            scope = {"torch": torch}
            text = f"def made_{i}(x):\\n" + "    x = x\\n" * 50 + "    return x.floor()"
            exec(compile(text, f"made_{i}.py", "exec"), scope)
            return scope[f"made_{i}"]
        x = torch.ones(1, 1)
        def work(first, last):
            for i in range(first, last):
                with torch.profiler.record_function("a rather long name of a range, with its number " + str(i)): pass
                torch.neg(x.expand(1, i + 1))[0, 0]
                make(i)(x)
        with skyline.profile("out.skyline", record_shapes=True, with_stack=True, buffer_bytes=4 << 20) as profile:
            work(0, 10_000)
            before = resident()
            work(10_000, 40_000)
            grown = resident() - before
        assert grown < 30 << 20, grown
        with skyline.profile("next.skyline", record_shapes=True):  # with larger limits
            x.expand(3, 7).sin()
    """)
    calls = op_calls(tmp_path / "out.skyline")
    assert (calls["aten::neg"], calls["aten::floor"]) == (40_000, 40_000)
    assert op_calls(tmp_path / "next.skyline", by_shape=True)["aten::sin", "[[3,7]]"] == 1
    (rank,) = ask("info", tmp_path / "out.skyline")["ranks"]
    assert [loss["name"] for loss in rank["losses"]] == ["recorder.too_many"]


def test_torch_profiler_at_the_same_time_sees_the_same(script, op_calls, tmp_path: Path) -> None:
    for order in ("inside", "outside"):
        script(
            MODEL
            + f"""
    order = {order!r}
    torchs = torch.profiler.profile(profile_memory=True)
    ours = skyline.profile("out.skyline", profile_memory=True)
    first, second = (ours, torchs) if order == "inside" else (torchs, ours)
    with first, second:
        train()
    assert {{row.key: row.count for row in torchs.key_averages()}}["aten::linear"] == 10
    """
        )
        assert op_calls(tmp_path / "out.skyline")["aten::linear"] == 10


def test_an_unwritable_path_is_one_sentence_and_training_goes_on(script) -> None:
    done = script(
        MODEL
        + """
    open("file", "w").close()
    ready = []
    schedule = skyline.schedule(wait=0, warmup=1, active=1)
    with skyline.profile("file/out.skyline", schedule=schedule, on_trace_ready=ready.append) as profile:
        for _ in range(6):
            train(1)
            profile.step()
    assert ready == []
    print("trained")
    """
    )
    assert done.stdout == "trained\n"
    assert len(done.stderr.splitlines()) == 1 and "training goes on unrecorded" in done.stderr


FULL_DISK = """
    import resource
    x = torch.ones(2)
    torch.set_grad_enabled(False)
    def lots():
        for number in range(400_000):
            x.neg()
    LIMITED
    with skyline.profile(PATH, record_shapes=True, profile_memory=True) as profile:
        lots()
    assert profile.outcome["trouble"].endswith(REASON), profile.outcome
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with skyline.profile("later.skyline"):
        x.erf()
    print("trained")
"""


def test_a_full_disk_is_one_sentence_and_leaves_a_readable_trace(script, op_calls, tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True, check=False)
    if mounted.returncode != 0:
        pytest.skip("mounting a small tmpfs needs root")
    try:
        code = FULL_DISK.replace("LIMITED", "").replace("PATH", '"disk/out.skyline"')
        done = script(code.replace("REASON", '"No space left on device; free some space or write elsewhere"'))
        assert done.stdout == "trained\n"
        assert done.stderr.count("training goes on unrecorded") == 1 and len(done.stderr.splitlines()) == 1
        assert op_calls(disk / "out.skyline")["aten::neg"] > 1000
    finally:
        subprocess.run(["umount", disk], check=True)
    assert op_calls(tmp_path / "later.skyline")["aten::erf"] == 1


def test_a_limit_on_the_size_of_files_is_one_sentence_too(script, op_calls, tmp_path: Path) -> None:
    """The system would kill a program with SIGXFSZ, if Python did not ignore that."""
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, resource.RLIM_INFINITY))"
    code = FULL_DISK.replace("LIMITED", limit).replace("PATH", '"out.skyline"').replace("REASON", '"File too large"')
    done = script(code)
    assert done.stdout == "trained\n"
    assert done.stderr.count("training goes on unrecorded") == 1 and len(done.stderr.splitlines()) == 1
    assert op_calls(tmp_path / "out.skyline")["aten::neg"] > 1000


def test_a_trace_that_reaches_its_own_limit_says_so(script, ask, tmp_path: Path) -> None:
    script(
        """
    with skyline.profile("out.skyline", record_shapes=True, max_file_bytes=1 << 20) as profile:
        for _ in range(400_000):
            torch.ones(2)
    assert profile.outcome["trouble"] == "the recording has reached its limit of 1 MiB"
    """
    )
    assert "recorder.stopped" in json.dumps(ask("info", tmp_path / "out.skyline"))


def test_ten_thousand_recordings_leave_nothing_behind(script) -> None:
    """Of ranges and operators, then of everything."""
    done = script(
        MODEL
        + """
    import tempfile
    folder = tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None)  # disks are slow
    def cycles(count, **switches):
        for _ in range(count):
            with skyline.profile(folder.name + "/out.skyline", buffer_bytes=4 << 20, **switches):
                train(1)
    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    everything = dict(with_stack=True, record_shapes=True, profile_memory=True)
    cycles(200, **everything)
    before, threads, files = resident(), threading.active_count(), len(os.listdir("/proc/self/fd"))
    cycles(9000)
    cycles(1000, **everything)
    assert threading.active_count() == threads and len(os.listdir("/proc/self/fd")) == files
    print((resident() - before) >> 10)
    """
    )
    assert int(done.stdout) < 4096, "kB"


def test_without_a_compiler_it_records_through_torch_profiler_and_says_so_once(
    script, op_calls, tmp_path: Path
) -> None:
    done = script(
        MODEL
        + """
    for _ in range(2):
        with skyline.profile("out.skyline", record_shapes=True) as profile:
            train()
    print(profile.key_averages().table(row_limit=3))
    """,
        PATH="/nowhere",
        XDG_CACHE_HOME=str(tmp_path / "cache"),
        CXX="",
    )
    sentences = [line for line in done.stderr.splitlines() if line.startswith("skyline: ")]
    assert len(sentences) == 1 and sentences[0].endswith("recording goes through torch.profiler instead")
    assert "Self CPU time total" in done.stdout
    assert op_calls(tmp_path / "out.pt.trace.json")["aten::linear"] == 10


def test_a_collector_that_can_not_be_compiled_is_tried_once(script, op_calls, tmp_path: Path) -> None:
    compiler = tmp_path / "broken"
    compiler.write_text('#!/bin/sh\n[ "$1" = --version ] && echo broken 1.0 && exit\necho tried >>tries\nexit 1\n')
    compiler.chmod(0o755)
    done = script(
        MODEL
        + """
    def tries():
        return len(open("tries").readlines())
    with skyline.profile("out.skyline"):
        train()
    first = tries()
    with skyline.profile("out.skyline"):
        train()
    assert tries() == first > 0
    """,
        CXX=str(compiler),
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert done.stderr.count("recording goes through torch.profiler instead") == 1
    assert op_calls(tmp_path / "out.pt.trace.json")["aten::linear"] == 10
