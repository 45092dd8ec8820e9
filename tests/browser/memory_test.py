"""The memory view: the peak, the curve, and what is alive."""

import re
from collections.abc import Callable
from typing import Any

from browser.conftest import MEMORY
from browser.driver import AppDriver

Open = Callable[..., AppDriver]
Ask = Callable[..., Any]


def test_the_sentence_and_the_table_are_the_peak(open_app: Open, ask: Ask) -> None:
    app = open_app(MEMORY).goto("Memory")
    figures = ask("report", MEMORY)["ranks"][0]["figures"]
    assert figures["memory.peak"]["value"] == 7168
    assert app.text("h1").startswith("7.0 KiB at the peak of step 1")
    rows = ask("show", "memory", MEMORY, "--group-by", "block")["ranks"][0]["rows"]
    assert app.table.cells("name") == [row["name"] for row in rows]


def test_what_is_alive_is_shown_by_role_module_line_and_block(open_app: Open, ask: Ask) -> None:
    app = open_app(MEMORY, "#/memory")
    for group in ("role", "module", "line"):
        app.table.group_by(group)
        rows = ask("show", "memory", MEMORY, "--group-by", group)["ranks"][0]["rows"]
        assert app.table.row_count == len(rows)
        assert f"by={group}" in app.address


def test_arrow_keys_read_the_curve(open_app: Open) -> None:
    app = open_app(MEMORY, "#/memory")
    app.page.get_by_role("application").focus()
    app.press("ArrowRight")
    assert any(re.match(r"at .*: allocated .*B", text) for text in app.status())


def test_dragging_looks_closer_and_escape_shows_all_again(open_app: Open) -> None:
    app = open_app(MEMORY, "#/memory")
    app.drag(app.page.locator(".u-over"), 0.2, 0.6)
    begin, end = (int(re.search(rf"{name}=(\d+)", app.address).group(1)) for name in ("from", "to"))  # type: ignore[union-attr]
    assert begin < end
    restored = open_app(MEMORY, app.address)
    restored.press("Escape")
    assert "from=" not in restored.address
    app.back()
    assert "from=" not in app.address
