"""A session survives what its code does to it: to its parent, to the files that are watched, to the machine."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from training.live_session import ENTRY_POINT, GOOD, LiveSession, has_ended, replaced

Start = Callable[..., LiveSession]
FIRST = "        optimizer.zero_grad()\n"
ALWAYS_NEW = """\
import os, time
with open(os.path.join(os.path.dirname(__file__), '{}'), 'w') as file:
    file.write({})
"""


@pytest.fixture
def start(skyline_binary: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """start(code, *options): a session of a project whose entry point is `code`."""
    sessions: list[LiveSession] = []
    folder = tmp_path / "project"
    folder.mkdir()

    def begin(code: str = GOOD, *options: str) -> LiveSession:
        (folder / ENTRY_POINT).write_text(code)
        settings = environment | {"VIRTUAL_ENV": "", "TMPDIR": str(tmp_path)}
        session = LiveSession(skyline_binary, folder, settings, "--python", sys.executable, *options)
        sessions.append(session)
        return session

    yield begin
    for session in sessions:
        session.close()


def wait_for(condition: Callable[[], object], patience_s: float = 240.0) -> None:
    until = time.monotonic() + patience_s
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.01)


def child_of(pid: int) -> int:
    """The only one."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


def number_of(block: str) -> int:
    return int(block.split(" · save ")[1].split()[0])


def test_code_that_kills_or_stops_its_parent_is_told_and_the_next_good_save_works(start: Start, tmp_path: Path) -> None:
    session = start()
    session.good_result()
    pid_file = tmp_path / "daemon"
    daemon = "subprocess.Popen(['sleep', '1000'], env={}, start_new_session=True).pid"
    for attack, said in (
        ("os.kill(os.getppid(), 9)", "your code killed its parent process (SIGKILL); it was started again"),
        (
            "os.kill(os.getppid(), signal.SIGSTOP)",
            "your code stopped its parent process (SIGSTOP); it was started again",
        ),
    ):
        lines = ["import os, signal, subprocess, time", f"open({str(pid_file)!r}, 'w').write(str({daemon}))", attack]
        session.write(replaced(FIRST, "".join(f"        {line}\n" for line in [*lines, "time.sleep(1000)"])))
        assert f"{ENTRY_POINT}:19: {said}" in session.error("its parent process")
        assert has_ended(int(pid_file.read_text()))
        session.write(GOOD)
        assert "in a fresh process" not in session.good_result()
    session.write("import os\nos.kill(os.getppid(), 9)\n" + GOOD)
    session.error(f"{ENTRY_POINT}:2: your code killed its parent process (SIGKILL)")
    session.write(GOOD)
    session.good_result()
    # Without a word: not by Python's own function.
    session.write("import os\nos.system(f'kill -9 {os.getppid()}')\n" + GOOD)
    session.error("the prepared Python was killed (SIGKILL); it was started again")
    session.write(GOOD)
    session.good_result()
    assert session.end() == 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_a_python_that_is_lost_between_saves_is_replaced(start: Start, number: signal.Signals) -> None:
    session = start()
    session.good_result()
    zygote = child_of(child_of(session.process.pid))
    os.kill(zygote, number)
    assert has_ended(zygote)
    session.write(replaced("batch_size=32", "batch_size=8"))
    assert "batch 8" in session.good_result()


def test_a_worker_without_a_zygote_can_not_reach_the_session_either(
    environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / ENTRY_POINT).write_text("import os\nos.kill(os.getppid(), 9)\n" + GOOD)
    ours, theirs = socket.socketpair()
    with open(tmp_path / "dump", "w+") as dump:
        descriptors = (theirs.fileno(), dump.fileno())
        command = [sys.executable, "-m", "skyline._keeper", *map(str, descriptors)]
        process = subprocess.Popen(command, env=environment, pass_fds=descriptors)
    theirs.close()
    load = {"do": "load", "entry_point": str(tmp_path / ENTRY_POINT), "project_root": str(tmp_path), "recording": None}
    ours.sendall(json.dumps(load).encode() + b"\n")
    assert process.wait(timeout=240) == -signal.SIGKILL  # else it would have been this process
    ours.settimeout(240)
    while ours.recv(4096):  # it may have come to an answer before; then the worker is gone as well
        pass


def test_a_file_that_every_run_writes_starts_no_run(start: Start) -> None:
    session = start(ALWAYS_NEW.format("hparams.yaml", "str(time.time())") + GOOD)
    assert number_of(session.good_result()) == 1
    session.write(ALWAYS_NEW.format("hparams.yaml", "str(time.time_ns())") + GOOD)
    block = session.good_result()
    assert number_of(block) == 2
    assert "your code changes hparams.yaml each time" in block
    # An editor's save of that very file is one like any other.
    session.write("x: 1\n", "hparams.yaml")
    assert number_of(session.good_result()) == 3


def test_a_file_that_a_program_of_the_run_writes_is_found_out(start: Start) -> None:
    session = start("import os\nos.system(f'date +%N > {os.path.dirname(__file__)}/version.py')\n" + GOOD)
    block = session.block_of(lambda block: "your code changes version.py each time" in block)
    assert "samples/s" in block
    assert number_of(session.good_result()) == number_of(block) + 1  # to see whether it comes again
    session.write("import os\n" + GOOD)
    assert number_of(session.good_result()) == number_of(block) + 2


def test_an_editors_save_during_a_run_is_not_lost(start: Start) -> None:
    hparams = ALWAYS_NEW.format("hparams.yaml", "str(time.time())")
    slow = replaced(FIRST, "        import time; time.sleep(1000)\n")
    session = start(hparams + slow, "--patience", "100")
    path = session.folder / "hparams.yaml"
    wait_for(lambda: path.exists() and path.read_text())
    session.write("x: 1\n", "hparams.yaml")
    # The run that its save has begun hangs as well; that it was begun is seen by the file being written again.
    wait_for(lambda: path.read_text() not in ("x: 1\n", ""))
    session.write(GOOD)
    assert number_of(session.good_result()) == 3


def test_names_that_stand_for_devices_and_fifos_are_left_out_with_a_line(start: Start, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    (folder / "data.py").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.yaml")
    session = start()
    block = session.good_result()
    assert "data.py is left out: it is a device" in block and "pipe.yaml is left out: it is a FIFO" in block
    (folder / "more.py").symlink_to("/dev/zero")
    session.write(replaced("batch_size=32", "batch_size=8"))
    assert "more.py is left out: it is a device" in session.block_of(lambda block: "batch 8" in block)
    status = Path(f"/proc/{session.process.pid}/status").read_text()
    assert int(status.split("VmHWM:")[1].split()[0]) < 300_000  # KiB


def test_what_a_killed_session_has_left_is_swept_by_the_next(start: Start, tmp_path: Path) -> None:
    session = start()
    session.good_result()
    assert len(list(tmp_path.glob("skyline-*"))) == 1
    session.process.kill()
    session.process.wait()
    assert len(list(tmp_path.glob("skyline-*"))) == 1
    following = start()
    following.good_result()
    assert len(list(tmp_path.glob("skyline-*"))) == 1
    assert following.end() == 0
    assert not list(tmp_path.glob("skyline-*"))
