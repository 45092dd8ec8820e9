"""The flame graph: figures on pointing, zoom, search, keyboard, and its place in the address."""

from collections.abc import Callable
from typing import Any

from browser.conftest import GPU_STEPS, MODULES
from browser.driver import AppDriver

Open = Callable[..., AppDriver]
Ask = Callable[..., Any]


def footer(app: AppDriver) -> list[str]:
    """Name, time, own time and place of the call that is pointed at."""
    return app.texts(".flame-footer > b, .flame-footer > span")


def path(app: AppDriver) -> list[str]:
    return app.texts(".flame-path button")


def test_arrow_keys_walk_and_enter_zooms(open_app: Open) -> None:
    app = open_app(MODULES, "#/flame?by=module&step=4")
    app.page.get_by_role("application").focus()
    app.press("ArrowDown")
    everything = footer(app)
    assert "100 % of all" in everything[1]
    app.press("ArrowDown")
    child = footer(app)
    assert child[0] != everything[0]
    app.press("Enter")
    assert path(app) == [everything[0], child[0]]
    assert "node=" in app.address
    app.press("Escape")
    assert path(app) == [everything[0]]


def test_pointing_says_time_and_share(open_app: Open, ask: Ask) -> None:
    app = open_app(MODULES, "#/flame?by=module&step=4")
    app.page.locator("canvas").hover(position={"x": 30, "y": 10})
    app.when_idle()
    assert "100 % of all" in app.page.get_by_role("tooltip").inner_text().replace("\u00a0", " ")


def test_a_click_zooms_and_the_address_restores_it(open_app: Open) -> None:
    app = open_app(MODULES, "#/flame")
    app.page.locator("canvas").click(position={"x": 10, "y": 30})
    app.when_idle()
    assert len(path(app)) == 2
    assert path(open_app(MODULES, app.address)) == path(app)
    app.back()
    assert len(path(app)) == 1


def test_search_tells_the_share_of_what_it_finds(open_app: Open) -> None:
    app = open_app(MODULES, "#/flame?by=module").press("/").type("Block")
    assert any("found" in text and "% of all" in text for text in app.status())
    assert "search=Block" in app.address
    app.type("nothing like this")
    assert "Nothing found" in app.status()


def test_host_and_device_time_are_both_there(open_app: Open) -> None:
    app = open_app(MODULES, "#/flame")
    host = footer(app)
    app.click("Device time")
    assert "time=device" in app.address
    assert footer(app) != host


def test_without_stacks_it_shows_operators_and_says_what_to_switch_on(open_app: Open) -> None:
    app = open_app(GPU_STEPS, "#/flame")
    assert "with_stack=True" in app.empty_note()
    assert "100 % of all" in footer(app)[1]
