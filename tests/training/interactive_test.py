"""`skyline interactive`: a save gives new numbers, whatever the code does."""

import hashlib
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from training.live_session import ENTRY_POINT, GOOD, LiveSession, has_ended, replaced

Start = Callable[..., LiveSession]

# A copy of the zygote has a parent that runs _zygote; a fresh process has the program itself.
IN_A_COPY = "b'_zygote' in open(f'/proc/{os.getppid()}/cmdline', 'rb').read()"


@pytest.fixture
def start(skyline_binary: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[Start]:
    """start(code, *options): a session of a project whose entry point is `code`."""
    sessions: list[LiveSession] = []
    folder = tmp_path / "project"
    folder.mkdir()

    def begin(code: str | bytes = GOOD, *options: str) -> LiveSession:
        (folder / ENTRY_POINT).write_bytes(code.encode() if isinstance(code, str) else code)
        settings = environment | {"VIRTUAL_ENV": "", "TMPDIR": str(tmp_path)}
        session = LiveSession(skyline_binary, folder, settings, "--python", sys.executable, *options)
        sessions.append(session)
        return session

    yield begin
    for session in sessions:
        session.close()


def test_a_save_of_any_project_file_gives_new_numbers(start: Start) -> None:
    session = start(replaced("nn.Linear(16, 32)", "layers.wide()", "import layers\n" + GOOD))
    error = session.error("No module named 'layers'")
    assert f"{ENTRY_POINT}:1: the entry point raised ModuleNotFoundError" in error
    session.write("from torch import nn\ndef wide(): return nn.Linear(16, 32)\n", "layers.py")
    assert "batch 32" in session.good_result()
    # Same size, same second: the compiled file of the last run must not be taken for this one.
    session.write("from torch import nn\ndef wide(): return nn.Linear(17, 32)\n", "layers.py")
    assert "raised RuntimeError: mat1 and mat2" in session.error("raised RuntimeError")
    session.write("from torch import nn\ndef wide(): return nn.Linear(16, 32)\n", "layers.py")
    session.good_result()
    session.write(replaced("batch_size=32", "batch_size=8", "import layers\n" + GOOD))
    assert "batch 8" in session.good_result()
    assert session.end() == 0


def test_the_block_shows_modules_lines_memory_and_batch_sizes(start: Start) -> None:
    block = start().good_result()
    for words in ("One recorded iteration", "0 (Linear)", "2 (Linear)", f"{ENTRY_POINT}:18", "Memory at the peak"):
        assert words in block, block
    assert "model(x).sum().backward()" in block
    assert "Batch size" in block and " 32 " in block


def test_a_newer_save_cancels_the_running_profile(start: Start, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    slow = f"import os, time\nopen({str(pid_file)!r}, 'w').write(str(os.getpid()))\ntime.sleep(1000)\n" + GOOD
    session = start(slow)
    pid = wait_for_pid(pid_file)
    session.write(GOOD)
    assert "save 2" in session.good_result()
    assert has_ended(pid)


def test_ctrl_c_ends_everything_it_started(start: Start, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    session = start(
        "import os, subprocess, time\n"
        "child = subprocess.Popen(['sleep', '1000'])\n"
        f"open({str(pid_file)!r}, 'w').write(str(child.pid))\n"
        "time.sleep(1000)\n" + GOOD
    )
    pid = wait_for_pid(pid_file)
    assert session.end() == 0
    assert has_ended(pid)
    assert not list(tmp_path.glob("skyline-*"))  # nor files


def test_compilation_is_told_apart(start: Start) -> None:
    compiled = replaced("return nn.Sequential(", "return torch.compile(nn.Sequential(")
    compiled = replaced("nn.Linear(32, 4))", "nn.Linear(32, 4)), backend='aot_eager')", compiled)
    block = start(compiled).good_result()
    assert " · compiled for " in block
    assert "Sequential (compiled)" in block


def test_sequences_of_token_ids_have_tokens_per_second(start: Start) -> None:
    tokens = replaced("torch.randn(batch_size, 16)", "torch.randint(0, 100, (batch_size, 16))")
    tokens = replaced("nn.Linear(16, 32), nn.ReLU()", "nn.Embedding(100, 32), nn.ReLU()", tokens)
    first_line = next(line for line in start(tokens).good_result().splitlines() if "samples/s" in line)
    samples, tokens_per_s = (float(part.split(" ", 1)[0]) for part in without_gaps(first_line).split(" · ")[:2])
    assert tokens_per_s == pytest.approx(16 * samples, rel=0.01)


def without_gaps(line: str) -> str:
    """Numbers without the spaces between thousands."""
    return re.sub(r"(?<=\d) (?=\d)", "", line)


def test_files_are_watched_by_polling_as_well(start: Start) -> None:
    session = start(GOOD, "--polling")
    session.good_result()
    session.write(replaced("batch_size=32", "batch_size=4"))
    assert "batch 4" in session.good_result()


def test_a_stuck_copy_is_run_in_a_fresh_process(start: Start) -> None:
    session = start(f"import os, time\nif {IN_A_COPY}: time.sleep(1000)\n" + GOOD)
    assert "in a fresh process" in session.good_result()


def test_the_largest_batch_that_fits_is_run(start: Start) -> None:
    hungry = replaced("torch.randn(batch_size, 16)", "torch.zeros(batch_size, 1 << 20)")  # 4 MiB, twice
    hungry = replaced("nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4)", "nn.ReLU(), nn.Linear(1 << 20, 1)", hungry)
    first = start(hungry)
    resident = re.search(r"([\d.]+) MiB resident", first.good_result())
    assert resident
    first.end()
    capacity_mib = int(float(resident[1])) + 256  # for batch 32, and some samples more
    session = start(hungry, "--budget", "20", "--memory-capacity", str(capacity_mib << 20))
    block = session.good_result()
    limit = re.search(r"The largest batch that fits into [\d.]+ MiB is (\d+) \(it was run\)", block)
    assert limit, block
    assert int(limit[1]) > 32
    rows = [line.split() for line in block.splitlines() if line.split()[:1] == [limit[1]]]
    assert len(rows) == 1, block
    assert rows[0][-2] == "MiB" and float(rows[0][-3]) < capacity_mib + 32, block


def test_lines_of_other_folders_are_not_the_projects(start: Start, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "library.py").write_text("def run(model, x):\n    model(x).sum().backward()\n")
    code = f"import sys\nsys.path.insert(0, {str(elsewhere)!r})\nimport library\n" + GOOD
    block = start(replaced("model(x).sum().backward()", "library.run(model, x)", code)).good_result()
    assert "library.py" not in block
    assert f"{ENTRY_POINT}:21" in block and "library.run(model, x)" in block


def test_one_profile_is_enough_to_know_what_to_import_beforehand(
    start: Start, environment: dict[str, str], tmp_path: Path
) -> None:
    session = start("import iniconfig\n" + GOOD, "--once")  # pytest brought it, torch does not
    assert session.process.wait(timeout=240) == 0
    name = hashlib.sha256(str(tmp_path / "project").encode()).hexdigest()[:16]
    known = Path(environment["XDG_CACHE_HOME"]) / "skyline" / f"preload-{name}"
    assert "+ iniconfig\n" in known.read_text()
    known.unlink()


@pytest.mark.parametrize("process", ["copy", "fresh"])
@pytest.mark.parametrize("ending", ["save", "crash"])
def test_children_in_sessions_of_their_own_end_as_well(start: Start, tmp_path: Path, process: str, ending: str) -> None:
    pid_file = tmp_path / "pid"
    last = "os.abort()" if ending == "crash" else "time.sleep(1000)"
    session = start(
        "import os, subprocess, time\n"
        + (f"if {IN_A_COPY}: time.sleep(1000)\n" if process == "fresh" else "")
        + "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
        f"open({str(pid_file)!r}, 'w').write(str(child.pid))\n"
        f"{last}\n" + GOOD
    )
    pid = wait_for_pid(pid_file)
    if ending == "crash":
        session.error("SIGABRT")
    else:
        session.write(GOOD)
        session.good_result()
    assert has_ended(pid)


def wait_for_pid(path: Path) -> int:
    until = time.monotonic() + 240
    while not path.exists() or not path.read_text():
        assert time.monotonic() < until
        time.sleep(0.02)
    return int(path.read_text())
