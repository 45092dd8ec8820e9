"""The generator's traces are valid, repeatable and laid out as Kineto does it."""

import gzip
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

GENERATOR = Path(__file__).with_name("generate_kineto.py")
NUMBER = r"-?\d+"
TIME = r"\d+\.\d{3}"
TEXT = r'"(?:[^"\\\n]|\\.)*"'
LAYOUT = {
    "2.12": (
        rf'\n  {{\n    "ph": "X", "cat": {TEXT}, "name": {TEXT}, "pid": {NUMBER}, "tid": {NUMBER},'
        rf'\n    "ts": {TIME}, "dur": {TIME},\n    "args": {{\n      [^\n]+\n    }}\n  }},'
    ),
    "2.13": (
        rf'\n  {{\n    "ph": "X",\n    "cat": {TEXT},\n    "name": {TEXT},\n    "pid": {NUMBER},'
        rf'\n    "tid": {NUMBER},\n    "ts": {TIME},\n    "dur": {TIME}\n    ,'
        rf'\n    "args": {{\n      [^\n]+\n    }}\n  }},'
    ),
}


def generate(path: Path, *options: str) -> bytes:
    subprocess.run([sys.executable, GENERATOR, "-o", path, "--raw-bytes", "1000000", *options], check=True)
    return path.read_bytes()


@pytest.fixture(scope="module", params=sorted(LAYOUT))
def layout(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def text(layout: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    return generate(tmp_path_factory.mktemp("trace") / "trace.json", "--layout", layout).decode()


@pytest.fixture(scope="module")
def events(text: str) -> list[dict]:
    return json.loads(text)["traceEvents"]


def nanoseconds(event: dict) -> tuple[int, int]:
    return round(event["ts"] * 1000), round(event["dur"] * 1000)


def test_size_is_about_what_was_asked(text: str) -> None:
    assert 500_000 < len(text) < 2_500_000


def test_every_complete_event_has_kinetos_layout(text: str, layout: str, events: list[dict]) -> None:
    complete = sum(event["ph"] == "X" and event["cat"] != "Trace" for event in events)
    assert len(re.findall(LAYOUT[layout], text)) == complete


def test_mix_is_that_of_a_training_run(events: list[dict]) -> None:
    count = Counter(event.get("cat", event["ph"]) for event in events)
    assert count["python_function"] > count["cpu_op"] > count["cuda_runtime"] > count["kernel"] > 100
    assert {"fwdbwd", "ac2g", "cpu_instant_event", "gpu_memcpy", "gpu_memset", "gpu_user_annotation"} < set(count)


def test_slices_of_a_thread_nest(events: list[dict]) -> None:
    threads = defaultdict(list)
    for event in events:
        if event["ph"] == "X" and event["cat"] not in ("Trace", "gpu_user_annotation"):
            start, duration = nanoseconds(event)
            threads[event["pid"], event["tid"]].append((start, -duration))
    for slices in threads.values():
        ends: list[int] = []
        for start, negative_duration in sorted(slices):
            while ends and ends[-1] <= start:
                ends.pop()
            assert not ends or start - negative_duration <= ends[-1]
            ends.append(start - negative_duration)


def test_every_kernel_follows_its_launch(events: list[dict]) -> None:
    launches = {event["args"]["correlation"]: event for event in events if event.get("cat") == "cuda_runtime"}
    for event in events:
        if event.get("cat") in ("kernel", "gpu_memcpy", "gpu_memset"):
            assert launches[event["args"]["correlation"]]["ts"] < event["ts"]


def test_same_options_give_the_same_bytes(tmp_path: Path) -> None:
    first = generate(tmp_path / "first.json.gz", "--seed", "7")
    assert first == generate(tmp_path / "second.json.gz", "--seed", "7")
    assert first != generate(tmp_path / "third.json.gz", "--seed", "8")


def test_ranks_share_their_steps_but_not_their_times(tmp_path: Path) -> None:
    traces = []
    for rank in "01":
        path = tmp_path / f"rank{rank}.json.gz"
        generate(path, "--rank", rank, "--world-size", "2")
        traces.append(json.loads(gzip.decompress(path.read_bytes())))
    assert [trace["distributedInfo"]["rank"] for trace in traces] == [0, 1]
    first, second = ([e for e in t["traceEvents"] if e["name"].startswith("ProfilerStep#")] for t in traces)
    assert [step["name"] for step in first] == [step["name"] for step in second]
    assert [step["ts"] for step in first] != [step["ts"] for step in second]
