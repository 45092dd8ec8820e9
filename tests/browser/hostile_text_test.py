"""Names that would turn the text around them: the page shows the characters that do it, and runs nothing."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from browser.conftest import GOLDEN
from browser.driver import AppDriver

RECORDING = GOLDEN / "report_of_a_recording/run.skyline"
NAME = "=kernel_\u202egnp.exe\u2066\x1b[2J<img src=x onerror=alert(1)>"
SHOWN = r"=kernel_\u202egnp.exe\u2066\x1b[2J<img src=x onerror=alert(1)>"
INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")

# Everything that a user reads or hears, shadow trees included.
READ_ALL = """() => {
  const read = (root) => [...root.querySelectorAll("*")].flatMap((element) => [
    ...["title", "aria-label", "alt"].map((name) => element.getAttribute(name) ?? ""),
    ...(element.shadowRoot ? read(element.shadowRoot) : []),
    ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data),
  ]);
  return read(document.body).join("\\n");
}"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    python = {"ph": "X", "cat": "python_function", "pid": 1, "tid": 1}
    events = [
        {"ph": "M", "name": "process_name", "pid": 1, "tid": 0, "ts": 0, "args": {"name": NAME}},
        {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "ts": 0, "args": {"name": NAME}},
        {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
        python | {"name": f"{NAME}.py(3): {NAME}", "ts": 1, "dur": 90, "args": {"Python id": 1}},
        python | {"name": f"nn.Module: {NAME}_0", "ts": 2, "dur": 80, "args": {"Python id": 2, "Python module id": 0}},
        {"ph": "X", "cat": "cpu_op", "name": NAME, "pid": 1, "tid": 1, "ts": 3, "dur": 70, "args": {NAME: NAME}},
    ]
    path = tmp_path_factory.mktemp("hostile") / "trace\u202egnp.json"
    path.write_text(json.dumps({"schemaVersion": 1, "with_stack": 1, "traceEvents": events}))
    return path


@pytest.mark.parametrize(
    "address", ["", "#/operators", "#/stacks", "#/modules", "#/lines", "#/timeline", "#/flame", "#/memory", "#/source"]
)
def test_no_view_shows_what_cannot_be_seen(open_app: Callable[..., AppDriver], trace: Path, address: str) -> None:
    app = open_app(trace, address)
    text = app.page.evaluate(READ_ALL)
    assert INVISIBLE.findall(text) == []
    assert r"trace\u202egnp.json" in text
    assert app.page.locator("img").count() == 0


def test_a_name_is_shown_and_copied_with_its_invisible_characters(
    open_app: Callable[..., AppDriver], trace: Path, ask: Callable[..., Any]
) -> None:
    app = open_app(trace, "#/operators")
    assert app.table.cells("name") == [SHOWN]
    copied = app.table.copied_csv()
    assert f",'{SHOWN}," in copied
    assert copied.replace("\r\n", "\n") == ask("show", "ops", trace, "--top", "0", "--format", "csv")


def test_source_shows_what_would_hide_in_it(open_app: Callable[..., AppDriver], tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("class Net:\n\tadmin = False  # \u202e\u2066 yes\x1b[2J\n")
    app = open_app(RECORDING, "#/source?file=model.py", options=("--source-root", tmp_path))
    content = app.page.locator(".cm-content")
    expect(content).to_contain_text(r"admin = False  # \u202e\u2066 yes\x1b[2J")
    assert INVISIBLE.findall(app.page.evaluate(READ_ALL)) == []
