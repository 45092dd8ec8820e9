"""A recording that is made anew at the same path, again and again, beside commands and a server that read it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from serve.served import Served

RECORDINGS = 40
# Every recording is longer or shorter than the one before, so that a reader of the old file would meet the new end.
RECORDER = f"""
import sys, torch, skyline
path, x = sys.argv[1], torch.ones(2, 2)
def record(count):
    with skyline.profile(path):
        for _ in range(count):
            torch.add(x, x)
record(1000)
print("there", flush=True)
sys.stdin.readline()
for number in range({RECORDINGS}):
    record(2000 if number % 2 else 200)
"""


@contextmanager
def recorder(environment: dict[str, str], trace: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has made one recording and makes the others once it hears a line."""
    command = [sys.executable, "-c", RECORDER, str(trace)]
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None and process.stdout.readline() == "there\n"
            yield process
        finally:
            process.kill()


def begin(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("\n")
    process.stdin.flush()


def test_reports_beside_a_recorder_never_crash(
    environment: dict[str, str], skyline_binary: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "t.skyline"
    with recorder(environment, trace) as process:
        begin(process)
        codes, said = set(), set()
        while process.poll() is None:
            done = subprocess.run([skyline_binary, "report", trace], capture_output=True, text=True, timeout=240)
            codes.add(done.returncode)
            said.add(done.stderr)
        assert process.returncode == 0
    assert codes <= {0, 2}, said  # a signal would be below zero
    assert all(text == "" or text.startswith("skyline: ") for text in said), said
    assert not list(tmp_path.glob("*.part")), "the last recording is whole and leaves nothing beside it"


def test_a_new_recording_leaves_the_old_file_to_those_who_have_it_open(
    environment: dict[str, str], tmp_path: Path
) -> None:
    trace = tmp_path / "t.skyline"
    with recorder(environment, trace) as process, open(trace, "rb") as old:
        before = old.read()
        begin(process)
        assert process.wait(timeout=240) == 0
        old.seek(0)
        assert old.read() == before
        assert os.stat(trace).st_ino != os.fstat(old.fileno()).st_ino


def test_a_server_goes_on_while_its_file_is_recorded_anew(
    environment: dict[str, str], skyline_binary: Path, tmp_path: Path
) -> None:
    trace = tmp_path / "t.skyline"
    with recorder(environment, trace) as process, Served(skyline_binary, [trace]) as served, served.page() as page:
        name = page.result("hello")["traces"][0]["id"]
        before = page.result("slice", trace=name, slice=5)
        begin(process)
        while process.poll() is None:
            # Its arguments are read from the file again: from the old one, which the server still has open.
            assert page.result("slice", trace=name, slice=5) == before
        assert process.returncode == 0
