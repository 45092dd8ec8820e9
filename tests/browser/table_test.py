"""Tables: the same rows as on the terminal; sorted, filtered, grouped, copied, and restored from the address."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import GPU_STEPS, MODULES, ROOT, SMALL_CNN
from browser.driver import AppDriver

Open = Callable[..., AppDriver]
Ask = Callable[..., Any]


@pytest.mark.parametrize(
    ("trace", "title", "table"),
    [
        (GPU_STEPS, "Operators", "ops"),
        (GPU_STEPS, "Kernels", "kernels"),
        (GPU_STEPS, "Steps", "steps"),
        (GPU_STEPS, "Calls", "calls"),
        (MODULES, "Modules", "modules"),
        (MODULES, "Lines", "lines"),
        (MODULES, "Stacks", "stacks"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_rows_are_those_of_the_terminal(open_app: Open, ask: Ask, trace: Path, title: str, table: str) -> None:
    app = open_app(trace).goto("Tables", title)
    assert app.view == title
    answer = ask("show", table, trace, "--top", "0")
    name = answer["columns"][0]["name"]
    assert app.table.cells(name) == ["–" if row[name] is None else str(row[name]) for row in answer["ranks"][0]["rows"]]
    assert app.table.copied_csv().replace("\r\n", "\n") == ask("show", table, trace, "--top", "0", "--format", "csv")


def test_numbers_read_as_on_the_terminal(open_app: Open, ask: Ask) -> None:
    row = open_app(address="#/operators").table.row("aten::addmm")
    line = next(line for line in ask("report", GPU_STEPS, "--format", "text").splitlines() if "aten::addmm" in line)
    for column in ("calls", "device_self", "device_self_share", "host_self", "host_self_share"):
        assert row[column] in line, column


def test_a_click_on_a_header_sorts_the_other_way_and_then_not_at_all(open_app: Open, ask: Ask) -> None:
    app = open_app(address="#/operators")
    as_it_came = app.table.cells("name")
    for address, direction, sort in (
        ("-host_self", "descending", "-host_self"),
        ("%2Bhost_self", "ascending", "+host_self"),
    ):
        app.table.sort("Host self")
        assert app.table.sorted_by() == {"Host self": direction}
        assert f"sort={address}" in app.address
        rows = ask("show", "ops", GPU_STEPS, f"--sort={sort}")["ranks"][0]["rows"]
        assert app.table.cells("name") == [row["name"] for row in rows]
    app.table.sort("Host self")
    assert app.table.cells("name") == as_it_came
    assert app.table.sorted_by() == {}


def test_filter_group_and_step_narrow_the_table(open_app: Open, ask: Ask) -> None:
    app = open_app(address="#/kernels")
    assert app.table.filter("GEMM").cells("name") == [
        "ampere_sgemm_32x32_sliced1x4_tn",
        "ampere_sgemm_32x32_sliced1x4_nt",
    ]
    app.table.filter("no such kernel")
    assert app.empty_note() == "No row contains this text."
    app.table.filter("").group_by("stream")
    rows = ask("show", "kernels", GPU_STEPS, "--group-by", "stream")["ranks"][0]["rows"]
    assert app.table.row_count == len(rows)
    app.table.group_by("name")
    app.choose("Step", "Step 4")
    rows = ask("show", "kernels", GPU_STEPS, "--step", "4")["ranks"][0]["rows"]
    assert app.table.cells("name") == [row["name"] for row in rows]


def test_the_address_restores_the_table_and_back_undoes(open_app: Open) -> None:
    app = open_app(address="#/kernels")
    app.table.group_by("op")
    app.table.sort("Calls").filter("aten")
    shown = app.table.cells("op")
    assert shown
    again = open_app(address=app.address)
    assert again.table.cells("op") == shown
    assert again.table.sorted_by() == {"Calls": "descending"}
    app.back()
    assert app.table.sorted_by() == {}
    app.back()
    assert "name" in app.table.titles or app.table.cells("name")


def test_headers_carry_definitions(open_app: Open, ask: Ask) -> None:
    app = open_app(address="#/operators")
    column = next(column for column in ask("show", "ops", GPU_STEPS)["columns"] if column["name"] == "host_self")
    assert column["definition"] in app.tip(app.page.get_by_role("button", name="Host self", exact=True))


def test_modules_are_indented_as_a_tree(open_app: Open) -> None:
    app = open_app(MODULES, "#/modules")
    pads = app.page.locator('.grid-row [data-column="module"]').evaluate_all(
        "(cells) => cells.map((cell) => parseFloat(getComputedStyle(cell).paddingLeft))"
    )
    assert pads[0] < pads[1] < pads[2] == pads[3]


def test_a_long_table_is_fetched_as_it_is_scrolled(open_app: Open, ask: Ask, long_trace: Path) -> None:
    app = open_app(long_trace, "#/calls")
    rows = ask("show", "calls", long_trace, "--top", "0")["ranks"][0]["rows"]
    assert app.table.row_count == len(rows) > 3000
    assert len(app.table.cells("name")) < 100  # what is out of sight is not in the page
    app.table.scroll_to(2500)
    assert rows[2500]["name"] in app.table.cells("name")
    app.table.grid.focus()
    app.press("End")
    assert app.table.cells("name")[-1] == rows[-1]["name"]
    assert app.table.copied_csv().count("\r\n") == len(rows) + 1


def test_the_keyboard_alone_sorts_filters_and_walks(open_app: Open) -> None:
    app = open_app(address="#/operators")
    app.press("/").type("aten")
    assert app.table.row_count == 5
    app.press("Escape")
    assert app.table.row_count == 8, "the first Escape empties the filter"
    app.press("Tab", "Tab", "Tab", "Tab")
    for _ in range(8):
        if app.page.evaluate("() => document.activeElement.textContent") == "Host self":
            break
        app.press("Tab")
    app.press("Enter")
    assert app.table.sorted_by() == {"Host self": "descending"}
    app.table.grid.focus()
    app.press("ArrowDown", "ArrowDown")
    assert app.page.locator('.grid-row[aria-selected="true"]').get_attribute("aria-rowindex") == "4"


def test_a_row_is_found_in_the_timeline(open_app: Open, ask: Ask) -> None:
    app = open_app(address="#/kernels")
    app.table.grid.focus()
    app.press("ArrowDown", "Enter")
    assert app.view == "Timeline"
    kernels = ask("show", "kernels", GPU_STEPS)["ranks"][0]["rows"]
    assert f"find={kernels[1]['name']}" in app.address
    app.open("#/calls")
    app.table.grid.focus()
    app.press("Enter")
    call = ask("show", "calls", GPU_STEPS)["ranks"][0]["rows"][0]
    begin, end = (int(re.search(rf"\b{name}=(-?\d+)", app.address).group(1)) for name in ("start", "end"))  # type: ignore[union-attr]
    assert begin < call["start"] < call["start"] + call["duration"] < end


def test_lines_lead_to_their_source_where_it_is_known(open_app: Open) -> None:
    app = open_app(SMALL_CNN, "#/lines", ("--source-root", ROOT / "examples/record"))
    app.page.get_by_role("grid").get_by_role("link", name="small_cnn.py:47").first.click()
    app.when_idle()
    assert app.view == "Source"
    assert "line=47" in app.address
    assert "small_cnn.py" in app.address
    without = open_app(SMALL_CNN, "#/lines")
    assert without.page.get_by_role("grid").get_by_role("link").count() == 0
