"""A trace whose every text is hostile: whatever a command prints of it, a terminal can bear and a reader can see."""

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

HOSTILE = "=\x1b[2J\x1b]0;owned\x07\x00\x08\r\x7f\x9b31m\u061c\u200b\u200e\u200f\u2028\u2029\u202e\u2066\u2069\ufeff"
INVISIBLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

COMMANDS = [
    ["info"],
    ["check"],
    ["report"],
    ["info", "--format", "json"],
    ["check", "--format", "json"],
    ["report", "--format", "json"],
    *(
        ["show", table, "--format", form]
        for table in ("steps", "ops", "kernels", "stacks", "modules", "lines", "calls", "memory")
        for form in ("text", "csv", "json")
    ),
    ["show", "stacks", "--format", "folded"],
    ["show", "modules", "--format", "folded"],
]


def hostile(value: Any, key: str = "") -> Any:
    """With all texts but those that tell the reader what an event is."""
    if isinstance(value, dict):
        return {name: hostile(part, name) for name, part in value.items()} | {f"x{HOSTILE}": HOSTILE}
    if isinstance(value, list):
        return [hostile(part, key) for part in value]
    is_told = not isinstance(value, str) or key in {"ph", "cat", "s", "bp"} or value.startswith("ProfilerStep#")
    return value if is_told else f"{HOSTILE}{value}"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    known = Path(__file__).parent / "show_stacks_folded_for_flame_graphs/trace.json"
    content = json.loads(known.read_text())
    threads = [
        {"ph": "M", "name": word, "pid": 7, "tid": 7, "ts": 0, "args": {"name": "name"}}
        for word in ("process_name", "process_labels", "thread_name")
    ]
    whole = hostile(content)
    for event in threads:  # their names are words of the format
        event["args"] = {"name": HOSTILE, "labels": HOSTILE}
    whole["traceEvents"] += threads
    whole |= {"traceName": HOSTILE, "hostname": HOSTILE, "distributedInfo": {"backend": HOSTILE, "rank": 0}}
    whole["deviceProperties"] = [{"id": 0, "name": HOSTILE}]
    path = tmp_path_factory.mktemp("hostile") / f"trace{HOSTILE.replace(chr(0), '')}.json"
    path.write_text(json.dumps(whole))
    return path


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_nothing_invisible_is_printed(words: list[str], trace: Path, skyline_binary: Path) -> None:
    done = subprocess.run([skyline_binary, *words, trace], capture_output=True, timeout=240, check=False)
    assert done.returncode in (0, 1, 2), done
    line_end = "\r\n" if "csv" in words else "\n"
    for text in (done.stdout.decode().replace(line_end, "\n"), done.stderr.decode()):
        assert INVISIBLE.findall(text) == []


def test_the_hostile_texts_are_there(trace: Path, skyline_binary: Path) -> None:
    done = subprocess.run([skyline_binary, "show", "ops", trace, "--format", "csv"], capture_output=True, check=True)
    assert rb"'=\x1b[2J\x1b]0;owned\x07" in done.stdout and rb"\u202e\u2066" in done.stdout
