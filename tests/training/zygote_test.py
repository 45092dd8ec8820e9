"""The zygote: copies of a Python that has torch, each with an end of its own."""

import json
import os
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

TASKS = """
import os, sys, time

def train(out):
    import torch
    model = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.ReLU(), torch.nn.Linear(64, 8))
    optimizer = torch.optim.Adam(model.parameters())
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(256, 64)).sum().backward()
        optimizer.step()
    print("trained with", torch.get_num_threads())
    with open(out, "w") as file:
        file.write("done")

def fail(): raise ValueError("a bad day")
def leave(): sys.exit(5)
def crash():
    import ctypes
    ctypes.string_at(0)
def hang(): time.sleep(1000)
def orphan():
    pid = os.fork()
    if pid == 0:
        time.sleep(1000)
    print(pid)
def attack(number):
    # Two forks, a session of its own and no environment: nothing tells whose it was.
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", "1000"], {})
        os._exit(0)
    os.wait()
    while not (daemons := [pid for pid in map(int, filter(str.isdigit, os.listdir("/proc"))) if is_sleep_of_ours(pid)]):
        time.sleep(0.01)
    print(*daemons, flush=True)
    os.kill(os.getppid(), number)
    time.sleep(1000)
def is_sleep_of_ours(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return f"(sleep) S {os.getpid()} " in stat.read()
    except OSError:
        return False
def about(): print(os.getsid(0) == os.getpid(), open("/proc/self/oom_score_adj").read().strip())
"""


class Client:
    def __init__(self, environment: dict[str, str], folder: Path, *preload: str) -> None:
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(240)
        self.folder = folder
        command = [sys.executable, "-m", "skyline._zygote", str(theirs.fileno()), *preload]
        self.process = subprocess.Popen(command, env=environment, pass_fds=[theirs.fileno()])
        theirs.close()
        self.first = self.receive()
        self.number = 0

    def receive(self) -> dict[str, Any]:
        while "importing" in (message := json.loads(self.socket.recv(1 << 20) or b"{}")):
            pass
        return message

    def start(self, task: str, **arguments: Any) -> int:
        self.number += 1
        message = {"do": "start_task", "number": self.number, "task": f"tasks:{task}", "threads": 2}
        message["arguments"] = json.dumps(arguments)
        with open(self.folder / "out", "wb") as out, open(self.folder / "err", "wb") as err:
            socket.send_fds(self.socket, [json.dumps(message).encode()], [out.fileno(), err.fileno()])
        started = self.receive()
        assert started["started"]["number"] == self.number
        return int(started["started"]["pid"])

    def run(self, task: str, **arguments: Any) -> tuple[dict[str, Any], str, str]:
        """How it ended, and what it said."""
        self.start(task, **arguments)
        ended = self.receive()["ended"]
        assert ended.pop("number") == self.number
        return ended, (self.folder / "out").read_text(), (self.folder / "err").read_text()


@pytest.fixture
def client(environment: dict[str, str], tmp_path: Path) -> Iterator[Client]:
    (tmp_path / "tasks.py").write_text(textwrap.dedent(TASKS))
    own = {"PYTHONPATH": f"{environment['PYTHONPATH']}:{tmp_path}"}
    client = Client(environment | own, tmp_path)
    yield client
    client.socket.close()
    assert client.process.wait(timeout=240) == 0


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()


def test_copies_train_with_threads_again_and_again(client: Client, tmp_path: Path) -> None:
    assert client.first["ready"]["torch"].startswith("2.")
    for _ in range(10):
        out = tmp_path / "result"
        assert client.run("train", out=str(out)) == ({"code": 0}, "trained with 2\n", "")
        assert out.read_text() == "done"
        out.unlink()


def test_every_end_is_told_and_the_next_task_works(client: Client) -> None:
    ended, _, said = client.run("fail")
    assert ended == {"code": 1} and said.strip().endswith("ValueError: a bad day")
    assert client.run("leave")[0] == {"code": 5}
    assert client.run("crash")[0] == {"signal": "SIGSEGV"}
    assert client.run("about")[1] == "True 1000\n"


def test_a_task_can_be_stopped_and_leaves_nothing_behind(client: Client) -> None:
    pid = client.start("hang")
    client.socket.send(json.dumps({"do": "stop_task", "number": client.number}).encode())
    assert client.receive() == {"ended": {"number": client.number, "signal": "SIGKILL"}}
    assert not is_alive(pid)
    ended, orphan, _ = client.run("orphan")
    assert ended == {"code": 0} and not is_alive(int(orphan))


def test_tasks_end_with_the_zygote_and_the_zygote_with_its_owner(client: Client) -> None:
    pid = client.start("hang")
    client.socket.close()
    assert client.process.wait(timeout=240) == 0
    assert not is_alive(pid)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
def test_a_zygote_that_is_killed_or_stopped_tells_how_and_leaves_nothing_behind(
    environment: dict[str, str], tmp_path: Path, number: signal.Signals
) -> None:
    (tmp_path / "tasks.py").write_text(textwrap.dedent(TASKS))
    own = {"PYTHONPATH": f"{environment['PYTHONPATH']}:{tmp_path}"}
    client = Client(environment | own, tmp_path)
    pid = client.start("attack", number=int(number))
    assert client.receive() == {"gone": {"signal": number.name}}
    daemon = int((tmp_path / "out").read_text())
    assert not is_alive(pid) and not is_alive(daemon)
    assert client.process.wait(timeout=240) == -(signal.SIGTERM if number == signal.SIGTERM else signal.SIGKILL)


def test_a_zygote_that_hangs_in_an_import_ends_with_its_owner(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import pathlib, os, time\npathlib.Path(__file__ + '.pid').write_text(str(os.getpid()))\ntime.sleep(1000)\n"
    )
    own = {"PYTHONPATH": f"{environment['PYTHONPATH']}:{tmp_path}"}
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.settimeout(240)
    command = [sys.executable, "-m", "skyline._zygote", str(theirs.fileno()), "slow"]
    process = subprocess.Popen(command, env=environment | own, pass_fds=[theirs.fileno()], stderr=subprocess.DEVNULL)
    theirs.close()
    assert json.loads(ours.recv(1 << 20)) == {"importing": {"module": "slow"}}
    ours.close()
    assert process.wait(timeout=240) == -signal.SIGKILL
    pid = tmp_path / "slow.py.pid"
    assert not pid.exists() or not is_alive(int(pid.read_text()))


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()", "a thread"),
        ("import torch\ntorch.ones(3) + 1", "operators"),
    ],
)
def test_a_module_that_would_hang_copies_is_named(
    environment: dict[str, str], tmp_path: Path, code: str, why: str
) -> None:
    (tmp_path / "offender.py").write_text(code)
    own = {"PYTHONPATH": f"{environment['PYTHONPATH']}:{tmp_path}"}
    client = Client(environment | own, tmp_path, "json", "not_there_at_all", "offender")
    assert client.first["tainted"]["module"] == "offender" and why in client.first["tainted"]["why"]
    assert client.process.wait(timeout=240) == 3
