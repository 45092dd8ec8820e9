"""How the page of a session reads: one server for all of it, which is looked at in several sizes and hands."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.session_driver import PATIENCE_MS, SessionDriver, SessionServer

FOR_MODELS_S = 12
Look = Callable[..., SessionDriver]
OVERLAPS = """(all) => {
  const boxes = all.map((each) => each.getBoundingClientRect());
  const hits = [];
  for (let i = 0; i < boxes.length; ++i)
    for (let j = i + 1; j < boxes.length; ++j) {
      const [a, b] = [boxes[i], boxes[j]];
      if (a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom - 0.5 && b.top < a.bottom - 0.5)
        hits.push(`${all[i].textContent} and ${all[j].textContent}`);
    }
  return hits;
}"""
COLOURS = """(all) => [...new Set(all.map((each) => getComputedStyle(each).backgroundColor))].sort()"""


@pytest.fixture(scope="module")
def server(skyline_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SessionServer]:
    server = SessionServer(skyline_binary, tmp_path_factory.mktemp("page"), "cnn", FOR_MODELS_S, is_held=True).start()
    yield server
    server.stop()


@pytest.fixture
def look(server: SessionServer, open_page: Callable[..., Page]) -> Look:
    """look(**settings): a page of the session, of which the first profile is complete."""

    def begin(width: int = 1440, height: int = 900) -> SessionDriver:
        server.release()
        driver = SessionDriver(open_page(viewport={"width": width, "height": height}), server)
        driver.open()
        return driver.wait_complete(1)

    return begin


def test_the_first_paint_is_the_source_and_counts_the_seconds(
    server: SessionServer, open_page: Callable[..., Page]
) -> None:
    app = SessionDriver(open_page(), server)
    app.open()
    if not server.gate.exists():
        app.wait(state="starting")
    expect(app.page.locator(".source .cm-line", has_text="def skyline_input_provider")).to_be_visible()
    if not server.gate.exists():
        counted = app.page.locator(".session-say .phase-clock [data-seconds]")
        first = int(counted.get_attribute("data-seconds") or "")
        expect(counted).not_to_have_attribute("data-seconds", str(first), timeout=PATIENCE_MS)
        server.release()
    app.wait_complete(1)


def test_a_line_costs_the_same_on_the_page_and_on_the_terminal(server: SessionServer, look: Look) -> None:
    app = look()
    printed = server.printed_until("is done")
    rows = re.findall(r"^(\w+\.py):(\d+) +[\d.]+ \S+ +<?(\d+) % ", printed, re.MULTILINE)
    assert ("model.py", "18") in {(file, line) for file, line, _ in rows}
    for file, line, share in rows[:3]:
        app.page.locator(".source-tabs").get_by_text(file, exact=True).click()
        app.when_idle()
        row = app.page.locator(".source .cm-lineNumbers .cm-gutterElement").get_by_text(line, exact=True)
        top = row.evaluate("(each) => each.getBoundingClientRect().top")
        texts = app.page.locator(".source .text-gutter span").evaluate_all(
            "(all, top) => all.filter((each) => Math.abs(each.getBoundingClientRect().top - top) < 10)"
            ".map((each) => each.textContent)",
            top,
        )
        assert [re.split(r"\s*%", text)[0] for text in texts] == [share], (file, line)


def test_modules_and_lines_are_found_and_opened_by_hand(look: Look) -> None:
    app = look()
    app.press("/").page.keyboard.type("blocks.1")
    expect(app.page.locator("#session-found li").first).to_contain_text("blocks.1")
    app.press("Enter")
    assert app.crumbs()[-1] == "1"
    app.press("Escape")
    assert len(app.crumbs()) == 1
    app.page.get_by_role("button", name="Open blocks.0").click()
    app.when_idle()
    assert app.crumbs()[-1] == "0"
    app.press("Backspace", "/").page.keyboard.type("entry_point.py:25")
    app.press("Enter")
    assert app.shown_file() == "entry_point.py"
    app.page.locator("#run-time .stack-segment").first.focus()
    app.press("Enter")
    assert len(app.crumbs()) > 1


def box(of: Locator) -> dict[str, float]:
    found = of.bounding_box()
    assert found is not None
    return {**found, "right": found["x"] + found["width"], "bottom": found["y"] + found["height"]}


def test_code_columns_and_bars_stand_side_by_side_on_a_laptop(look: Look) -> None:
    app = look(1100, 700)
    code, columns, side = (box(app.page.locator(f".session-{name}")) for name in ("source", "columns", "side"))
    assert code["right"] <= columns["x"] + 1 and columns["right"] <= side["x"] + 1
    assert code["y"] == columns["y"] == side["y"] and code["bottom"] < 700 and code["width"] > 400
    assert app.root.evaluate("(root) => root.scrollWidth <= root.clientWidth")


@pytest.mark.parametrize("size", [(1440, 900), (1100, 700)])
def test_nothing_covers_what_it_explains_and_every_colour_has_a_legend(look: Look, size: tuple[int, int]) -> None:
    app = look(*size)
    for column in ("run-time", "memory"):
        segments = app.page.locator(f"#{column} .stack-segment")
        for segment in segments.all()[:4]:
            segment.locator(".stack-bar").hover()
            app.when_idle()
            tip, mine = box(app.page.locator(".tip")), box(segment.locator(".stack-bar"))
            assert tip["x"] >= mine["right"] or tip["right"] <= mine["x"] or tip["y"] >= mine["bottom"]
            label = segment.locator(".stack-label")
            if label.count() > 0 and mine["height"] > 20:
                middle = box(label)["y"] + box(label)["height"] / 2
                assert mine["y"] <= middle <= mine["bottom"]
        app.page.mouse.move(1, 1)
        used = app.page.locator(f"#{column} .stack-bar i").evaluate_all(COLOURS)
        legend = app.page.locator(f".session-column:has(#{column}) .session-legend i").evaluate_all(COLOURS)
        assert used == legend
    assert app.page.locator(".chart > svg text").evaluate_all(OVERLAPS) == []
    chart = box(app.page.locator(".chart > svg"))
    for text in app.page.locator(".chart > svg text").all():
        assert chart["x"] - 0.5 <= box(text)["x"] and box(text)["right"] <= chart["right"] + 0.5


def test_the_flame_graph_begins_with_the_program(look: Look) -> None:
    app = look()
    app.page.get_by_role("navigation", name="Views").get_by_text("Flame graph").click()
    app.when_idle()
    search = app.page.get_by_label("Search the flame graph")
    search.fill("worker.py")
    app.when_idle()
    expect(app.page.locator(".flame-path [role=status]")).to_have_text("Nothing found")
    app.page.get_by_role("button", name="All frames").click()
    app.when_idle()
    expect(app.page.locator(".flame-path [role=status]")).to_contain_text("found")
    expect(app.page.locator(".flame-path [role=status]")).not_to_have_text("Nothing found")
