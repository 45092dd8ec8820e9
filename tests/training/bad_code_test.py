"""Code that breaks in every way: the session lives on, says what happened and where, and the next good save works."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from training.live_session import ENTRY_POINT, GOOD, LiveSession, has_ended, replaced

MODEL = "return nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))"
INPUT = "return (torch.randn(batch_size, 16),)"
ITERATION = "        optimizer.zero_grad()\n"
LIMIT = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**34, 2**34))"


def iterating(statement: str) -> str:
    """The good program with a statement as line 17, first in its iteration."""
    return replaced(ITERATION, f"        {statement}\n")


# Name, code, and what must be said. Lines count from 1.
CASES = [
    ("syntax", "def (:\n" + GOOD, ":1: this is not Python"),
    ("module_level", "raise KeyError('x')\n" + GOOD, ":1: the entry point raised KeyError"),
    ("model", replaced(MODEL, "return 1 / 0"), ":6: the model provider raised ZeroDivisionError"),
    ("input", replaced(INPUT, "return torch.ones(2, 3) @ torch.ones(2, 3),"), ":10: the input provider raised Runtime"),
    ("iteration_provider", replaced("lr=0.01", "lr=None.x"), ":14: the iteration provider raised AttributeError"),
    ("iteration", iterating("raise ValueError('no data')"), ":17: the iteration raised ValueError: no data"),
    ("model_type", replaced(MODEL, "return None"), "must return a model that can be called, not nothing"),
    ("input_type", replaced(INPUT, "return torch.randn(batch_size, 16)"), "must return all inputs as a tuple"),
    ("iteration_type", replaced("    return iteration\n", "    return None\n"), "must return a function that runs one"),
    ("sys_exit", iterating("import sys; sys.exit(3)"), ":17: the iteration ends the program with sys.exit(3)"),
    ("os_exit", iterating("import os; os._exit(3)"), "the process ended with exit code 3"),
    ("crash", iterating("import ctypes; ctypes.string_at(0)"), ":17: the process crashed with SIGSEGV"),
    ("killed", iterating("import os; os.kill(os.getpid(), 9)"), "was killed by somebody, with SIGKILL"),
    ("endless", iterating("while True: pass"), ":17: an iteration with batch size 32 has not ended after 3 s"),
    ("asleep", iterating("import time; time.sleep(1000)"), ":17: an iteration with batch size 32 has not ended after"),
    ("not_utf8", b"name = '\xff\xfe'\n" + GOOD.encode(), "this is not Python"),
    ("memory", iterating(f"{LIMIT}; torch.empty(2**36)"), ":17: the iteration raised RuntimeError"),
    (
        "missing",
        "import torch\n",
        ":1: entry_point.py has ended without a step of a torch.optim optimizer; name a script",
    ),
]


@pytest.fixture(scope="module")
def session(
    skyline_binary: Path, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[LiveSession]:
    folder = tmp_path_factory.mktemp("bad") / "project"
    folder.mkdir()
    (folder / ENTRY_POINT).write_text(GOOD)
    live = LiveSession(
        skyline_binary, folder, environment | {"VIRTUAL_ENV": ""}, "--python", sys.executable, "--patience", "3"
    )
    live.good_result()
    yield live
    assert live.end() == 0
    live.close()


@pytest.mark.parametrize(("code", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_bad_code_is_told_and_the_next_good_save_works(session: LiveSession, code: str | bytes, said: str) -> None:
    session.write(code)
    assert said in session.error(said)
    session.write(GOOD)
    session.good_result()


def test_output_floods_do_no_harm(session: LiveSession) -> None:
    session.write(replaced(ITERATION, ITERATION + "        print('x' * 5_000_000)\n"))
    session.good_result()


def test_a_changed_working_directory_does_no_harm(session: LiveSession) -> None:
    session.write("import os\nos.chdir('/')\n" + GOOD)
    session.good_result()


def test_an_entry_point_may_go_and_come_back(session: LiveSession) -> None:
    (session.folder / ENTRY_POINT).rename(session.folder / "elsewhere.py")
    session.error("there is no entry point")
    (session.folder / "elsewhere.py").rename(session.folder / ENTRY_POINT)
    session.good_result()
    (session.folder / ENTRY_POINT).unlink()
    session.error("there is no entry point")
    session.write(GOOD)
    session.good_result()


def test_children_that_are_left_behind_are_ended(session: LiveSession, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    session.write(
        f"import subprocess\nopen({str(pid_file)!r}, 'w').write(str(subprocess.Popen(['sleep', '1000']).pid))\n" + GOOD
    )
    session.good_result()
    assert has_ended(int(pid_file.read_text()))


def test_a_model_that_does_not_depend_on_the_batch_size(session: LiveSession) -> None:
    session.write(replaced(INPUT, "return (torch.randn(32, 16),)"))
    assert "No prediction" in session.good_result()


def test_a_model_that_fails_for_small_batches(session: LiveSession) -> None:
    session.write(replaced("def iteration(x):\n", "def iteration(x):\n        assert len(x) >= 32, 'too few'\n"))
    block = session.good_result()
    assert "Batch 16 failed: " in block and "too few" in block
    assert " 64 " in block


def test_a_project_of_5000_files(session: LiveSession) -> None:
    many = session.folder / "many"
    for i in range(5000):
        folder = many / f"part{i % 50}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"module{i}.py").write_text("x = 1\n")
    session.write(replaced("batch_size=32", "batch_size=24"))
    session.block_of(lambda block: "batch 24" in block)
    (many / "part7" / "module7.py").write_text("x = 2\n")
    session.good_result()
