"""`skyline interactive` for pages: what they hear of a session, and what they may tell it."""

import shutil
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from training.live_session import GOOD, replaced
from training.page_client import PageClient, Refused, first_line

ROOT = Path(__file__).resolve().parents[2]

Serve = Callable[..., tuple[PageClient, Path]]


@pytest.fixture
def serve(skyline_binary: Path, environment: dict[str, str], tmp_path: Path) -> Iterator[Serve]:
    """serve(code, *options): a page of a session whose entry point is `code`, and the entry point's path. Without code,
    of a copy of the example."""
    started: list[subprocess.Popen[bytes]] = []
    pages: list[PageClient] = []

    def begin(code: str | None = None, *options: str, budget_s: int = 4) -> tuple[PageClient, Path]:
        folder = tmp_path / "project"
        shutil.copytree(ROOT / "examples/cnn", folder)
        entry_point = folder / "entry_point.py"
        if code is not None:
            entry_point.write_text(code)
        command = [skyline_binary, "interactive", entry_point, "--no-open", "--port", "0", "--python", sys.executable]
        settings = environment | {"VIRTUAL_ENV": "", "TMPDIR": str(tmp_path)}
        process = subprocess.Popen(
            [*command, "--budget", str(budget_s), *options], env=settings, stdout=subprocess.PIPE
        )
        started.append(process)
        page = PageClient(first_line(process))
        pages.append(page)
        return page, entry_point

    yield begin
    for page in pages:
        page.close()
    for process in started:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=240) == 0
        assert process.stdout is not None
        process.stdout.close()


def is_over(state: dict[str, Any], save: int) -> bool:
    return state["save"] == save and state["state"] == "idle"


def test_a_page_sees_a_profile_grow_and_edits_the_batch_size(serve: Serve) -> None:
    # Models need several batch sizes, for which 4 s are too short beside other work.
    page, entry_point = serve(budget_s=12)
    hello = page.ask("hello")
    assert hello["door"] == "session"
    assert hello["session"] == {"entry_point": str(entry_point), "project": str(entry_point.parent)}

    # What is known comes as it becomes known.
    first = page.event("result", lambda result: result["save"] == 1)
    assert first["samples_per_second"] > 0
    whole = page.event("result", lambda result: result["is_complete"])
    page.event("session", lambda state: is_over(state, 1))
    assert "samples/s ± " in whole["headline"][0] or "iterations" in whole["headline"][0]
    assert f" at batch {whole['batch_size']}" in whole["headline"][0]
    assert whole["models"]["predictions"]["batch_size"][:3] == [1, 2, 3]
    breakdown = page.event("breakdown", lambda event: event["save"] == 1)["breakdown"]
    times = breakdown["modules"][0]["total"]["host"]
    assert sum(times) == breakdown["end_ns"] - breakdown["start_ns"] > 0
    memory = page.event("memory", lambda event: event["save"] == 1)["memory"]
    assert sum(memory["roles"]) == memory["peak_bytes"] == whole["peak_bytes"]
    kinds = [kind for kind, _ in page.events]
    assert kinds.count("breakdown") == kinds.count("memory") == 1

    # What was recorded is there as traces.
    traces = {trace["id"]: trace["name"] for trace in page.ask("hello")["traces"]}
    assert traces == {"time": "iteration of save 1", "memory": "start of save 1"}
    assert page.ask("overview", trace="time")["steps"]

    # The files that messages name can be read, those of the project and as they were recorded.
    place = whole["literal"]["path"]
    assert page.ask("source", path=place)["text"] == entry_point.read_text()
    assert place in [file["path"] for file in page.ask("sources")["files"]]
    for line in breakdown["flat_lines"]:
        assert page.ask("source", trace="time", path=line["file"])["text"]
        assert page.ask("source", path=line["file"])["text"]

    # An edit is a preview until it is applied; then it is a save like any other.
    before = entry_point.read_text()
    old = whole["literal"]["value"]
    edit = page.ask("edit", save=1, batch_size=old + 5)
    assert entry_point.read_text() == before
    assert (edit["old_text"], edit["new_text"]) == (str(old), str(old + 5))
    line = before.splitlines()[edit["line"] - 1]
    assert line[edit["begin_column"] : edit["end_column"]] == str(old)
    page.ask("apply", save=1, batch_size=old + 5, file_hash=edit["file_hash"])
    lines = before.splitlines(keepends=True)
    text = lines[edit["line"] - 1]
    lines[edit["line"] - 1] = text[: edit["begin_column"]] + str(old + 5) + text[edit["end_column"] :]
    assert entry_point.read_text() == "".join(lines)
    second = page.event("result", lambda result: result["save"] == 2)
    assert second["batch_size"] == old + 5
    state = page.event("session", lambda state: is_over(state, 2))
    assert [entry["batch_size"] for entry in state["history"]] == [old, old + 5]
    assert state["history"][1]["changed"] == [str(entry_point)]
    saves = [data["save"] for kind, data in page.events if kind in ("result", "breakdown", "memory")]
    assert saves == sorted(saves)

    # An edit of what is over is refused.
    with pytest.raises(Refused, match="newer result, of save 2"):
        page.ask("apply", save=1, batch_size=8, file_hash=edit["file_hash"])


def test_who_comes_later_hears_the_newest_of_everything(serve: Serve) -> None:
    page, _ = serve(GOOD)
    page.ask("hello")
    page.event("session", lambda state: is_over(state, 1))
    late = PageClient(page.url)
    late.ask("hello")
    late.event("session", lambda state: is_over(state, 1))
    assert [kind for kind, _ in late.events] == ["result", "breakdown", "memory", "session"]
    late.close()


def test_trouble_is_told_with_its_place_and_kind(serve: Serve) -> None:
    page, entry_point = serve(replaced("        optimizer.zero_grad()\n", "        raise ValueError('no data')\n"))
    page.ask("hello")
    trouble = page.event("session", lambda state: is_over(state, 1))["trouble"]
    assert trouble["kind"] == "user_code"
    assert (trouble["path"], trouble["line"]) == (str(entry_point), 17)
    limit = "import resource; resource.setrlimit(resource.RLIMIT_AS, (2**34, 2**34)); torch.empty(2**36)"
    entry_point.write_text(replaced("        optimizer.zero_grad()\n", f"        {limit}\n"))
    trouble = page.event("session", lambda state: is_over(state, 2))["trouble"]
    assert trouble["kind"] == "out_of_memory"
    entry_point.write_text(replaced("        optimizer.zero_grad()\n", "        import os; os.kill(os.getpid(), 9)\n"))
    assert page.event("session", lambda state: is_over(state, 3))["trouble"]["kind"] == "ended"
    entry_point.write_text(GOOD)
    assert "trouble" not in page.event("session", lambda state: is_over(state, 4))


def test_a_profile_can_be_cancelled_and_asked_for_again(serve: Serve) -> None:
    page, entry_point = serve(replaced("        optimizer.zero_grad()\n", "        import time; time.sleep(1000)\n"))
    page.ask("hello")
    page.event("session", lambda state: state["phase"] == "first iterations")
    page.ask("cancel_profile")
    state = page.event("session", lambda state: is_over(state, 1))
    assert state["note"] == "cancelled" and "trouble" not in state
    page.ask("profile_again")
    page.event("session", lambda state: state["save"] == 2 and state["phase"] == "first iterations")
    page.ask("unsaved", is_unsaved=True)
    page.event("session", lambda state: state["is_unsaved"])
    entry_point.write_text(GOOD)
    page.event("result", lambda result: result["save"] == 3 and result["is_complete"])


def test_a_port_that_is_taken_is_one_sentence(
    serve: Serve, skyline_binary: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    page, entry_point = serve(GOOD)
    port = page.url.split(":")[2].split("/")[0]
    command = [skyline_binary, "interactive", entry_point, "--no-open", "--port", port, "--python", sys.executable]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 2
    assert f"port {port} of 127.0.0.1 is in use" in done.stderr and done.stderr.count("\n") == 1


def test_the_page_itself_is_served_under_the_printed_address(serve: Serve) -> None:
    page, _ = serve(GOOD)
    request = urllib.request.Request(page.url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=240) as answer:
        assert answer.status == 200
        assert answer.headers["Content-Type"].startswith("text/html")
