"""What all views share: navigation, keys, themes, several traces, the connection, and how large the page is."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser.conftest import GPU_STEPS, MODULES, ROOT, Server
from browser.driver import AppDriver

Open = Callable[..., AppDriver]
PAGE_KB = 300  # gzipped, without the source pane's editor
FIRST_VIEW_KB = 60


def test_an_address_that_names_no_view_says_so(open_app: Open) -> None:
    assert "no such view" in open_app(address="#/nothing").text('main [role="note"]')


def test_keys_are_listed_and_escape_closes_the_list(open_app: Open) -> None:
    app = open_app(MODULES, "#/flame").press("?")
    dialog = app.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Zoom into the call")
    expect(dialog).to_contain_text("Search")
    app.press("Escape")
    expect(dialog).to_be_hidden()


def test_every_view_is_reached_by_the_keyboard_alone(open_app: Open) -> None:
    app = open_app()
    reached = []
    for _ in range(12):
        app.press("Tab")
        reached.append(app.page.evaluate("() => document.activeElement.textContent"))
    assert reached[:6] == ["Overview", "Timeline", "Flame graph", "Memory", "Source", "Tables"]
    app.page.get_by_role("link", name="Tables").focus()
    app.press("Enter")
    assert app.view == "Operators"


def test_views_move_back_and_forward(open_app: Open) -> None:
    app = open_app().goto("Tables", "Kernels")
    app.back()
    assert app.view == "Operators"
    app.back()
    assert app.view == "Overview"


def test_ranks_are_chosen_and_stay_chosen(open_app: Open, tmp_path: Path) -> None:
    for name, trace in (("a.json", GPU_STEPS), ("b.json", MODULES)):
        (tmp_path / name).write_bytes(trace.read_bytes())
    app = open_app(tmp_path)
    texts = app.page.get_by_label("Trace").locator("option").all_inner_texts()
    assert [re.sub(r".*· ", "", text) for text in texts] == ["a.json", "b.json"]
    app.page.get_by_label("Trace").select_option(index=1)
    app.when_idle().goto("Tables", "Modules")
    assert "Net_0" in app.table.cells("module")
    assert "Net_0" in open_app(tmp_path, app.address).table.cells("module")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_system_chooses_the_theme(open_app: Open, scheme: str) -> None:
    app = open_app(color_scheme=scheme)
    red, green, blue = map(
        int, re.findall(r"\d+", app.page.evaluate("() => getComputedStyle(document.body).backgroundColor"))
    )
    assert (red + green + blue > 3 * 128) == (scheme == "light")


def test_a_broken_connection_is_made_again_and_the_page_goes_on(open_app: Open) -> None:
    app = open_app(address="#/operators")
    before = app.table.cells("name")
    app.lose_connection()
    app.page.wait_for_function("() => window.testSockets.length === 2 && window.testSockets[1].readyState === 1")
    app.when_idle()
    expect(app.page.locator(".shell-notice")).to_be_hidden()
    assert app.table.cells("name") == before
    assert app.table.filter("aten::mm").cells("name") == ["aten::mm"]


def test_a_server_that_ends_is_noticed_and_what_was_seen_stays(
    open_page: Callable[..., Page], skyline_binary: Path
) -> None:
    server = Server(skyline_binary, GPU_STEPS)
    app = AppDriver(open_page(), server.url).open("#/operators")
    server.stop()
    notice = app.page.locator(".shell-notice")
    expect(notice).to_contain_text("The server is gone")
    assert "aten::mm" in app.table.cells("name")
    # One that takes its place has another token: nobody who knows only the old address may ask it.
    second = Server(skyline_binary, GPU_STEPS, "--port", server.port)
    try:
        expect(notice).to_contain_text("open the address that your terminal shows")
    finally:
        second.stop()


def test_the_page_is_small(skyline_binary: Path) -> None:
    dist = ROOT / "web/dist"
    if not dist.is_dir():
        pytest.skip("web/dist is not built; ./skyline does it")
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in dist.rglob("*") if path.is_file()}
    editor = {name for name in sizes if name.startswith("source_editor")}
    assert editor, "CodeMirror has a chunk of its own"
    assert sum(size for name, size in sizes.items() if name not in editor) <= PAGE_KB * 1024
    first = sum(size for name, size in sizes.items() if name.startswith(("index", "overview", "jsx", "format")))
    assert first <= FIRST_VIEW_KB * 1024
