"""`skyline run` among other processes, and what a script sees of it: as much as under `python`."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

# What the report begins with: a finding, or what the step is bound by.
ANSWER = re.compile(r"\b(?:of the|The) step ")

STEPS = """
import torch
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(20):
    model(torch.randn(2, 4)).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
"""

Start = Callable[..., "subprocess.Popen[str]"]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def start(environment: dict[str, str], tmp_path: Path) -> Start:
    """start(code, *options): code as train.py under `skyline run`."""

    def call(code: str, *options: str, **settings: str) -> "subprocess.Popen[str]":
        (tmp_path / "train.py").write_text(code)
        return subprocess.Popen(
            [sys.executable, "-m", "skyline", "run", "--no-memory", *options, "train.py"],
            cwd=tmp_path,
            env=environment | settings,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return call


@pytest.fixture
def run(start: Start) -> Run:
    def call(code: str, *options: str, **settings: str) -> "subprocess.CompletedProcess[str]":
        process = start(code, *options, **settings)
        said, errors = process.communicate(timeout=240)
        return subprocess.CompletedProcess(process.args, process.returncode, said, errors)

    return call


def traces(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("*.skyline"))


@pytest.mark.parametrize("options", [["-o", "out.skyline"], []], ids=["a name", "no name"])
def test_each_rank_writes_its_own_trace_and_one_reports(start, op_calls, tmp_path: Path, options: list[str]) -> None:
    ranks = [
        start(STEPS, *options, "--after-steps", "0", WORLD_SIZE="2", RANK=str(rank), LOCAL_RANK=str(rank))
        for rank in range(2)
    ]
    said = [process.communicate(timeout=240)[1] for process in ranks]
    assert [process.returncode for process in ranks] == [0, 0], said
    names = traces(tmp_path)
    assert [name.split(".")[-2] for name in names] == ["rank0", "rank1"]
    assert [op_calls(tmp_path / name)["aten::linear"] for name in names] == [20, 20]
    assert ANSWER.search(said[0])
    assert said[1] == f"skyline: the trace is {names[1]}\n"


def test_two_runs_of_the_same_second_do_not_share_a_trace(start, op_calls, tmp_path: Path) -> None:
    runs = [start(STEPS, "--after-steps", "0") for _ in range(2)]
    said = [process.communicate(timeout=240)[1] for process in runs]
    assert [process.returncode for process in runs] == [0, 0], said
    assert [op_calls(tmp_path / name)["aten::linear"] for name in traces(tmp_path)] == [20, 20]


@pytest.mark.parametrize(
    "redirect",
    [
        "sys.stdout = sys.stderr = io.StringIO()",
        "sys.stdout = sys.stderr = None",
        "sys.stdout = sys.stderr = type('Tee', (), {'write': lambda self, text: None, 'flush': lambda self: None})()",
        "sys.stderr = open('log.txt', 'w')",
        "sys.stdout.close(); sys.stderr.close()",
        "os.dup2(os.open('log.txt', os.O_CREAT | os.O_WRONLY), 2)",
    ],
)
def test_the_report_comes_wherever_the_script_writes(run, redirect: str) -> None:
    done = run(f"import io, os, sys\n{redirect}\n{STEPS}", "-o", "out.skyline")
    assert done.returncode == 0, done.stderr
    assert re.match(r"skyline: the trace is out.skyline\n.*" + ANSWER.pattern, done.stderr)
    assert "Traceback" not in done.stderr


def test_the_report_is_not_written_into_a_file_of_the_script(run, tmp_path: Path) -> None:
    code = f"{STEPS}\nimport os\nos.closerange(3, 64)\nkept = [open(f'{{i}}.txt', 'w') for i in range(20)]\n"
    done = run(code, "-o", "out.skyline")
    assert done.returncode == 0, done.stderr
    assert not any(ANSWER.search(path.read_text(errors="replace")) for path in tmp_path.glob("*.txt"))


LOOK = """
import os, sys
import __main__
os.environ["OMP_NUM_THREADS"] = "2"
import torch
names = {name: value for name, value in globals().items() if name.startswith("__")}
print(sorted(names), names["__file__"], names["__package__"], names["__builtins__"], names["__annotations__"])
print(type(__loader__), __spec__ and __spec__.name, type(torch.__loader__), vars(torch.__loader__))
print(sys.argv, sys.path[0], __main__.__dict__ is globals(), torch.get_num_threads(), len(sys.meta_path))
"""


@pytest.mark.parametrize("how", [["./look.py", "-x"], ["-m", "look", "-x"]], ids=["script", "module"])
def test_a_script_sees_what_it_sees_under_python(environment, tmp_path: Path, how: list[str]) -> None:
    (tmp_path / "look.py").write_text(LOOK)
    plain, ours = (
        subprocess.run(
            [sys.executable, *command, *how],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=240,
        )
        for command in ([], ["-m", "skyline", "run", "--no-report", "-o", "out.skyline"])
    )
    assert (plain.returncode, ours.returncode) == (0, 0), ours.stderr
    assert ours.stdout == plain.stdout


def test_a_script_without_torch_is_not_recorded_and_a_line_says_so(run, tmp_path: Path) -> None:
    done = run("import sys; print('torch' in sys.modules)")
    assert (done.returncode, done.stdout) == (0, "False\n")
    assert done.stderr == "skyline: nothing was recorded, as the script has not imported torch\n"
    assert traces(tmp_path) == []


def test_a_mistake_in_the_script_is_told_as_under_python(run, environment, tmp_path: Path) -> None:
    done = run("import torch\nif True print(1)\n")
    plain = subprocess.run(
        [sys.executable, "train.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240
    )
    assert done.returncode == plain.returncode == 1
    assert done.stderr.startswith(plain.stderr)


def test_the_current_folder_may_be_gone(run, tmp_path: Path) -> None:
    done = run(f"{STEPS}\nimport os\nos.mkdir('gone')\nos.chdir('gone')\nos.rmdir('../gone')", "-o", "out.skyline")
    assert done.returncode == 0, done.stderr
    assert re.search(
        re.escape(f"skyline: the trace is {tmp_path / 'out.skyline'}\n") + ".*" + ANSWER.pattern, done.stderr
    )
    assert "Traceback" not in done.stderr


def test_another_file_is_not_overwritten(run, tmp_path: Path) -> None:
    (tmp_path / "weights.pt").write_text("a week of training")
    done = run("print('never')", "-o", "weights.pt")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "weights.pt is there already and is no trace" in done.stderr
    assert (tmp_path / "weights.pt").read_text() == "a week of training"


@pytest.mark.parametrize("end", ["os._exit(3)", "os.kill(os.getpid(), 15)", "os.execv('/bin/true', ['true'])"])
def test_a_sudden_end_leaves_one_trace(run, op_calls, tmp_path: Path, end: str) -> None:
    run(f"{STEPS}\nimport os, time; time.sleep(3); {end}", "-o", "out.skyline", "--after-steps", "3")
    assert traces(tmp_path) == ["out.skyline"]
    assert op_calls(tmp_path / "out.skyline")["aten::linear"] > 0


def test_without_an_optimizer_that_is_what_is_said(run) -> None:
    done = run("import torch; torch.randn(2)", "-o", "out.skyline", "--no-report")
    assert "it holds the script's start, as no torch.optim optimizer was seen to step\n" in done.stderr
    assert "child processes" not in done.stderr


@pytest.mark.parametrize("imports", ["import torch", ""], ids=["torch", "no torch"])
def test_where_children_do_the_work_a_line_says_how_to_record_them(run, imports: str) -> None:
    work = "import time\nwhile time.process_time() < 1: pass"
    done = run(f"{imports}\nimport subprocess, sys\nsubprocess.run([sys.executable, '-c', {work!r}])", "--no-report")
    assert done.returncode == 0, done.stderr
    assert "skyline: child processes are not recorded; to record every rank, start it with `torchrun …" in done.stderr
