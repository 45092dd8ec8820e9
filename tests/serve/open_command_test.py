"""`skyline open` as the user sees it."""

import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import pytest

from serve.conftest import ROOT, TRACE
from serve.served import Served

RECORDING = ROOT / "tests/golden/report_of_a_recording/run.skyline"


def run(binary: Path, *words: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([binary, "open", *words], capture_output=True, text=True, timeout=240, check=False)


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_it_serves_until_it_is_told_to_end(skyline_binary: Path, end: signal.Signals) -> None:
    with Served(skyline_binary, [TRACE]) as served:
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", served.url)
        with served.page() as page:
            page.result("hello")
            assert served.stop(end) == (0, "")


def test_every_start_has_its_own_token(skyline_binary: Path) -> None:
    with Served(skyline_binary, [TRACE]) as one, Served(skyline_binary, [TRACE]) as other:
        assert one.path != other.path
        assert other.status(one.path) == 403


def test_it_listens_on_loopback_only(skyline_binary: Path) -> None:
    with Served(skyline_binary, [TRACE]) as served:
        listening = Path(f"/proc/{served.process.pid}/net/tcp").read_text()
        assert re.search(rf" 0100007F:{served.port:04X} 00000000:0000 0A ", listening)
        assert not re.search(rf" 00000000:{served.port:04X} ", listening)


def test_a_port_in_use_is_one_sentence_with_a_cure(skyline_binary: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run(skyline_binary, TRACE, "--no-open", "--port", str(port))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"skyline: port {port} of 127.0.0.1 is in use by another program; choose another with --port, or leave --port "
        "out to get a free one\n"
    )


def test_a_port_can_be_chosen_and_is_free_again_at_once(skyline_binary: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    for _ in range(2):
        with Served(skyline_binary, [TRACE, "--port", str(port)]) as served:
            assert served.port == port
            with served.page() as page:
                page.result("hello")
                served.stop()


def test_other_hosts_are_warned_about_and_need_the_token(skyline_binary: Path) -> None:
    with Served(skyline_binary, [TRACE, "--host", "0.0.0.0"]) as served:
        assert served.status("/", Host=f"127.0.0.1:{served.port}") == 403
        assert served.status(served.path, Host=f"127.0.0.1:{served.port}") == 200
        code, complaints = served.stop()
    assert code == 0
    assert complaints.startswith("skyline: other machines can reach 0.0.0.0: ")


def test_over_ssh_the_tunnel_is_ready_to_paste(skyline_binary: Path) -> None:
    settings = os.environ | {"SSH_CONNECTION": "10.0.0.9 50000 10.0.0.7 22", "USER": "me", "DISPLAY": ":0"}
    with Served(skyline_binary, [TRACE], env=settings) as served:
        assert served.process.stdout is not None
        line = served.process.stdout.readline()
    tunnel = f"ssh -N -L {served.port}:127.0.0.1:{served.port} me@10.0.0.7"
    assert line == f"on the machine before you, first: {tunnel}\n"


def test_of_a_folder_every_file_is_offered_and_what_cannot_be_read_says_why(
    skyline_binary: Path, tmp_path: Path
) -> None:
    for rank in (0, 1, 10):
        shutil.copy(TRACE, tmp_path / f"rank{rank}.json.gz")
    (tmp_path / "rank2.json").write_text("<html>")
    with Served(skyline_binary, [tmp_path]) as served:
        with served.page() as page:
            names = [(trace["id"], trace["name"]) for trace in page.result("hello")["traces"]]
            assert names == [
                ("0", "rank0.json.gz"),
                ("1", "rank1.json.gz"),
                ("2", "rank2.json"),
                ("3", "rank10.json.gz"),
            ]
            assert "rank2.json" in page.ask("overview", trace="2")["error"]["sentence"]
            assert page.result("open_trace", trace="3")["is_read"]
        code, complaints = served.stop()
    assert (code, complaints) == (0, "")


def test_it_listens_before_the_files_are_read(skyline_binary: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "blocked.json"
    os.mkfifo(blocked)
    with Served(skyline_binary, [TRACE, blocked]) as served, served.page() as page, served.page() as other:
        page.result("hello")
        page.event("traces", lambda data: data["traces"][0]["is_read"])  # the first one, though nobody has asked
        other.result("hello")
        other.send("open_trace", trace="1")  # is read for as long as nobody writes
        assert page.result("overview", trace="0")["trace"]["is_held"]
        assert not page.result("hello")["traces"][1]["is_read"]
        blocked.write_text('{"traceEvents": [{"ph": "X", "name": "a", "pid": 1, "tid": 1, "ts": 1, "dur": 1}]}')
        assert other.receive()["result"]["events"] == 1
        page.event("traces", lambda data: data["traces"][1]["is_read"])


@pytest.mark.parametrize("place", [0, 1])
def test_it_ends_while_a_file_is_being_read(skyline_binary: Path, tmp_path: Path, place: int) -> None:
    blocked = tmp_path / "blocked.json"
    os.mkfifo(blocked)
    files = [TRACE, TRACE]
    files[place] = blocked
    with Served(skyline_binary, files) as served, served.page() as page:
        page.result("hello")
        page.send("open_trace", trace=str(place))
        with blocked.open("w"):  # once somebody reads it
            assert served.stop() == (0, "")


def test_a_trace_that_was_let_go_of_is_read_again(skyline_binary: Path, tmp_path: Path) -> None:
    for rank in range(3):
        shutil.copy(TRACE, tmp_path / f"rank{rank}.json.gz")
    with Served(skyline_binary, [tmp_path, "--max-memory", "100M"]) as served, served.page() as page:
        page.result("hello")
        sentences = {page.result("overview", trace=str(at % 3))["verdict"]["sentence"] for at in range(9)}
        assert len(sentences) == 1
        assert all(trace["is_read"] for trace in page.result("hello")["traces"])


def test_paths_that_mean_nothing_are_told_and_the_rest_is_opened(skyline_binary: Path, tmp_path: Path) -> None:
    with Served(skyline_binary, [TRACE, TRACE, tmp_path / "absent"]) as served:
        with served.page() as page:
            assert len(page.result("hello")["traces"]) == 2
        code, complaints = served.stop()
    assert code == 0 and complaints.count("\n") == 1 and "absent" in complaints


def test_sources_come_from_the_source_root_and_from_nowhere_else(skyline_binary: Path, tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    (tmp_path / "root/model.py").write_text("class Net:\n")
    (tmp_path / "train.py").write_text("secret")
    (tmp_path / "root/train.py").symlink_to(tmp_path / "train.py")
    with Served(skyline_binary, [RECORDING, "--source-root", tmp_path / "root"]) as served, served.page() as page:
        files = page.result("sources", trace="0")["files"]
        assert [(file["path"], file["has_text"]) for file in files] == [("model.py", True), ("train.py", False)]
        source = page.result("source", trace="0", path="model.py")
        assert (source["text"], source["origin"]) == ("class Net:\n", "source_root")
        for path in ("train.py", "../train.py", str(tmp_path / "train.py"), "/etc/passwd", "root/model.py"):
            assert page.ask("source", trace="0", path=path)["error"]["sentence"], path
    with Served(skyline_binary, [RECORDING], cwd=tmp_path / "root") as served, served.page() as page:
        assert "--source-root" in page.ask("source", trace="0", path="model.py")["error"]["sentence"]


def test_nothing_to_open_is_an_error(skyline_binary: Path, tmp_path: Path) -> None:
    done = run(skyline_binary, tmp_path / "absent.json", "--no-open")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    done = run(skyline_binary, TRACE, "--source-root", tmp_path / "absent")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("skyline: there is no folder ")
