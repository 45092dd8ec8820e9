"""What Python does between operators is found at its line: in the training thread, in workers, on every way out."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

# What each of its lines takes is measured by the script itself: other programs may be at work on the machine. Lines are
# found by their comments.
LOADING = """
import contextlib, json, sys, threading, time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

lock = threading.Lock()
spent = {}

@contextlib.contextmanager
def taking(what):
    began = time.perf_counter()
    yield
    spent[what] = spent.get(what, 0) + time.perf_counter() - began

def holder():
    while True:
        with lock:
            time.sleep(0.004)
        time.sleep(0.0005)

def transform(pixels):
    total = 0
    for value in pixels: total += value * value % 7  # transform
    return total

class Slow(Dataset):
    def __len__(self):
        return 96
    def __getitem__(self, index):
        with taking("sleep"):
            time.sleep(0.002)  # sleep
        with taking("transform"):
            transform(range(40000))
        return torch.ones(4), torch.ones(1)

def main(workers, method=None):
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    threading.Thread(target=holder, daemon=True).start()
    loader = DataLoader(Slow(), 4, num_workers=workers, multiprocessing_context=method)
    with taking("all"):
        for x, y in loader:
            optimizer.zero_grad()
            nn.functional.mse_loss(model(x), y).backward()
            optimizer.step()
            with taking("lock"):
                lock.acquire()  # lock
            lock.release()
            with taking("print"):
                print("." * 3_000_000)  # print
            with taking("pause"):
                time.sleep(0.006)  # pause
    json.dump(spent, open("spent.json", "w"))

if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:])
"""

# env.step() takes most of the time.
REINFORCEMENT = """
import json, time
import torch
from torch import nn

spent = {"env": 0, "policy": 0}

def spin(seconds):
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        pass

class Environment:
    def step(self, action):
        spin(0.004)  # env

policy = nn.Sequential(nn.Linear(64, 256), nn.Tanh(), nn.Linear(256, 4))
optimizer = torch.optim.SGD(policy.parameters(), 0.01)
environment = Environment()
began = time.perf_counter()
for update in range(25):
    loss = 0
    for turn in range(20):
        before = time.perf_counter()
        logits = policy(torch.ones(16, 64))  # policy
        spent["policy"] += time.perf_counter() - before
        before = time.perf_counter()
        environment.step(0)
        spent["env"] += time.perf_counter() - before
        loss = loss + logits.sum()  # loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
json.dump(spent | {"all": time.perf_counter() - began}, open("spent.json", "w"))
"""

Run = Callable[..., "subprocess.CompletedProcess[str]"]


def line_of(code: str, comment: str) -> int:
    return next(number for number, line in enumerate(code.splitlines(), 1) if line.endswith(f"# {comment}"))


@pytest.fixture
def lines_of(environment: dict[str, str], ask: Callable[..., Any], tmp_path: Path) -> Callable[..., dict[int, Any]]:
    """Runs a script with `skyline run` and gives its lines, each once, by number; 0 is the whole iteration."""

    def call(code: str, *arguments: str, options: tuple[str, ...] = ()) -> dict[int, Any]:
        (tmp_path / "train.py").write_text(code)
        command = [sys.executable, "-m", "skyline", "run", "-o", "out.skyline", "--no-memory", *options, "train.py"]
        done = subprocess.run(
            [*command, *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
        )
        assert done.returncode == 0, done.stderr
        assert not list(tmp_path.glob("*.parts")), "parts are in the recording"
        (rank,) = ask("show", "lines", tmp_path / "out.skyline", "--group-by", "line")["ranks"]
        return {row["line"] or 0: row for row in rank["rows"] if not row["file"] or row["file"].endswith("train.py")}

    return call


def rows_of(ask: Callable[..., Any], table: str, trace: Path) -> list[Any]:
    (rank,) = ask("show", table, trace)["ranks"]
    return list(rank["rows"])


def shares_of(tmp_path: Path) -> dict[str, float]:
    """Of the whole, as the script has measured them."""
    spent = json.loads((tmp_path / "spent.json").read_text())
    return {what: time / spent["all"] for what, time in spent.items()}


def test_slow_items_show_at_their_lines_without_workers(lines_of: Callable[..., Any], tmp_path: Path) -> None:
    lines = lines_of(LOADING, "0")
    truth = shares_of(tmp_path)
    for what in ("sleep", "transform", "pause", "print", "lock"):
        share = lines[line_of(LOADING, what)]["host_own"] / lines[0]["host_total"]
        assert share > truth[what] / 4, (what, truth, lines)


def test_slow_items_show_at_their_lines_in_workers(
    lines_of: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path
) -> None:
    lines = lines_of(LOADING, "2")
    truth = shares_of(tmp_path)
    for what in ("sleep", "transform"):
        line = lines[line_of(LOADING, what)]
        assert line["elsewhere"] > 0 and line["host_total"] == 0, (what, lines)
    for what in ("pause", "lock"):
        share = lines[line_of(LOADING, what)]["host_own"] / lines[0]["host_total"]
        assert share > truth[what] / 4, (what, truth, lines)

    stacks = rows_of(ask, "stacks", tmp_path / "out.skyline")
    own = [row for row in stacks if "__getitem__" in row["stack"] and row["elsewhere"] > 0]
    assert own, stacks

    check_workers(rows_of(ask, "processes", tmp_path / "out.skyline"))


def check_workers(rows: list[Any]) -> None:
    trainer, *workers = rows
    assert trainer["role"] == "trainer" and len(workers) == 2
    for worker in workers:
        assert worker["role"] == "DataLoader worker"
        assert worker["fetch"] > worker["collate"] > 0 and worker["batches"] > 0 and worker["wait"] > 0
        assert worker["resident"] > 1 << 20 and worker["samples"] > 0 and worker["cpu"] > 0


@pytest.mark.parametrize("method", ["spawn", "forkserver"])
def test_workers_that_are_not_forked_are_sampled_too(
    lines_of: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path, method: str
) -> None:
    lines = lines_of(LOADING, "2", method)
    for what in ("sleep", "transform"):
        line = lines[line_of(LOADING, what)]
        assert line["elsewhere"] > 0 and line["host_total"] == 0, (what, lines)
    check_workers(rows_of(ask, "processes", tmp_path / "out.skyline"))


def test_an_environment_between_calls_of_the_policy_has_its_own_time(
    lines_of: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path
) -> None:
    lines = lines_of(REINFORCEMENT)
    truth = shares_of(tmp_path)
    env, policy = (lines[line_of(REINFORCEMENT, what)] for what in ("env", "policy"))
    assert env["host_total"] > truth["env"] / 2 * lines[0]["host_total"], (truth, lines)
    assert policy["python_near"] == 0, lines
    # Over all steps, where one that was held up counts for little.
    stacks = rows_of(ask, "stacks", tmp_path / "out.skyline")
    times = dict.fromkeys(("env", "policy"), 0)
    for row in stacks:
        for what in times:
            if f"train.py({line_of(REINFORCEMENT, what)})" in row["stack"]:
                times[what] += row["python"] + row["host_self"]
    share = times["env"] / (times["env"] + times["policy"])
    assert abs(share - truth["env"] / (truth["env"] + truth["policy"])) < 0.15, (share, truth)


def test_without_samples_time_between_operators_is_no_lines_own(lines_of: Callable[..., Any], tmp_path: Path) -> None:
    lines = lines_of(REINFORCEMENT, options=("--no-samples",))
    truth = shares_of(tmp_path)
    assert line_of(REINFORCEMENT, "env") not in lines
    own = sum(row["host_own"] for line, row in lines.items() if line > 0) / lines[0]["host_total"]
    assert own < 1 - truth["env"] / 2, (truth, lines)


def test_pauses_counters_and_settings_are_recorded(
    script: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path
) -> None:
    script(
        """
        import gc, time
        torch.autograd.set_detect_anomaly(True)
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        loader = torch.utils.data.DataLoader(torch.ones(40, 4), batch_size=5, drop_last=True)
        with skyline.profile("out.skyline", samples_hz=100):
            for x in loader:
                model(x).sum().backward()
                optimizer.step()
                gc.collect()
                time.sleep(0.03)
        """,
        SECRET_OF_MINE="do not record",
        OMP_WAIT_POLICY="passive",
    )
    trace = tmp_path / "out.skyline"
    pauses = [row for row in rows_of(ask, "pauses", trace) if row["generation"] == 2]
    assert len(pauses) >= 8 and all(row["duration"] > 0 for row in pauses)
    settings = {row["key"]: row["value"] for row in rows_of(ask, "settings", trace)}
    assert settings["torch.anomaly_detection"] == "True"
    assert settings["loader.0.batch_size"] == "5" and settings["loader.0.num_workers"] == "0"
    assert settings["environment.OMP_WAIT_POLICY"] == "passive"
    assert "SECRET_OF_MINE" not in json.dumps(settings) and "do not record" not in trace.read_bytes().decode("latin-1")
    (process,) = rows_of(ask, "processes", trace)
    assert process["counts"] >= 6, "once per step"
    assert process["gc_pauses"] >= 8 and process["cpu"] > 0


def test_parts_survive_kill_and_exit(script: Callable[..., Any], ask: Callable[..., Any], tmp_path: Path) -> None:
    done = script(
        """
        import os, signal, time
        class Items(torch.utils.data.Dataset):
            def __len__(self): return 1000
            def __getitem__(self, index):
                time.sleep(0.01)
                return torch.ones(4)
        model = nn.Linear(4, 1)
        optimizer = torch.optim.SGD(model.parameters(), 0.1)
        profile = skyline.profile("out.skyline", with_stack=True, samples_hz=200)
        profile.start()
        began = time.monotonic()
        for x in torch.utils.data.DataLoader(Items(), 4, num_workers=2):
            model(x).sum().backward()
            optimizer.step()
            if time.monotonic() - began > 2.5:
                os.kill(os.getpid(), signal.SIGKILL)
        """,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert len(list((tmp_path / "out.skyline.parts").glob("*.part"))) == 3
    rows = rows_of(ask, "processes", tmp_path / "out.skyline")
    assert [row["role"] for row in rows] == ["trainer", "DataLoader worker", "DataLoader worker"]
    assert all(row["samples"] >= 20 for row in rows), rows
    stacks = rows_of(ask, "stacks", tmp_path / "out.skyline")
    assert any("__getitem__" in row["stack"] and row["elsewhere"] > 0 for row in stacks)


def test_churn_of_threads_code_exceptions_and_forks_is_sampled(script: Callable[..., Any]) -> None:
    done = script(
        """
        import os, random, threading, time
        from skyline import _build
        collector = _build.load_collector()
        random.seed(17)
        is_over = False

        def deep(depth):
            return deep(depth - 1) if depth else sum(range(20))
        def raises(depth):
            if not depth: raise ValueError
            raises(depth - 1)
        def new_code():
            for number in range(10**9):
                if is_over: return
                names = {}
                code = f"def f(x):\\n  return [x for _ in range({number % 9})]"
                exec(compile(code, f"<{number % 97}>", "exec"), names)
                names["f"](5)
        def exceptions():
            while not is_over:
                try: raises(random.randrange(40))
                except ValueError: pass
        def threads():
            while not is_over:
                thread = threading.Thread(target=deep, args=(random.randrange(200),))
                thread.start(); thread.join()
        def generators():
            while not is_over:
                list(x for x in (y for y in range(50)))
        def forks():
            while not is_over:
                pid = os.fork()
                if pid == 0: os._exit(0)
                os.waitpid(pid, 0); time.sleep(0.02)

        os.mkdir("parts")
        collector.sampling_begin("parts", "churn", 5000, {})
        running = [threading.Thread(target=one) for one in (new_code, exceptions, threads, generators, forks)]
        for one in running: one.start()
        time.sleep(3)
        is_over = True
        for one in running: one.join()
        outcome = collector.sampling_end()
        print(outcome["samples"], outcome["torn"], outcome["trouble"])
        """
    )
    samples, torn, *trouble = done.stdout.split()
    assert not trouble, done.stdout
    assert int(samples) > 2000 and int(torn) <= 0.01 * int(samples), done.stdout
