"""AppDriver: what a user does to the page and reads from it.

Everything waits with the page's own whenIdle() (web/src/base/idle.ts): no request under way, nothing to be drawn.
"""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

__all__ = ["AppDriver", "TableDriver", "plain"]


def plain(text: str) -> str:
    """Without the page's thin and unbreakable spaces."""
    return re.sub(r"[\u202f\u00a0]", " ", text).strip()


class AppDriver:
    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.errors: list[str] = []  # what the page complained about in its console
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)

    # ---- Where. ----

    def open(self, address: str = "") -> "AppDriver":
        """Loads the page at an address like "#/kernels?sort=-calls"."""
        self.page.goto(self.url + address)
        return self.when_idle()

    def reload(self) -> "AppDriver":
        self.page.reload()
        return self.when_idle()

    def when_idle(self) -> "AppDriver":
        self.page.wait_for_function("() => window.skyline !== undefined")
        self.page.evaluate("() => window.skyline.whenIdle()")
        return self

    def goto(self, *titles: str) -> "AppDriver":
        """Follows the navigation: goto("Memory"), goto("Tables", "Kernels")."""
        for title in titles:
            self.page.locator(".shell-header nav").get_by_role("link", name=title, exact=True).click()
            self.when_idle()
        return self

    @property
    def address(self) -> str:
        return self.page.evaluate("() => location.hash")

    def back(self) -> "AppDriver":
        self.page.evaluate("() => history.back()")
        return self.when_idle()

    @property
    def view(self) -> str:
        """The title of the view that the navigation says is shown; of a group, the innermost."""
        return self.page.locator('.shell-header nav a[aria-current="page"]').last.inner_text()

    # ---- Hands. ----

    def press(self, *keys: str) -> "AppDriver":
        for key in keys:
            self.page.keyboard.press(key)
            self.when_idle()
        return self

    def type(self, text: str) -> "AppDriver":
        self.page.keyboard.type(text)
        return self.when_idle()

    def click(self, name: str) -> "AppDriver":
        """A button by its words."""
        self.page.get_by_role("button", name=name, exact=True).click()
        return self.when_idle()

    def choose(self, label: str, option: str) -> "AppDriver":
        """An option, by the beginning of its words, of the list with this label."""
        box = self.page.get_by_label(label, exact=True)
        texts = [plain(text) for text in box.locator("option").all_inner_texts()]
        box.select_option(index=next(at for at, text in enumerate(texts) if text.startswith(option)))
        return self.when_idle()

    def drag(self, target: Locator, begin: float, end: float) -> "AppDriver":
        """From one place to another of a box, as shares of its width."""
        box = target.bounding_box()
        assert box is not None
        middle = box["y"] + box["height"] / 2
        self.page.mouse.move(box["x"] + begin * box["width"], middle)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + end * box["width"], middle, steps=5)
        self.page.mouse.up()
        return self.when_idle()

    def lose_connection(self) -> "AppDriver":
        """As if the network had dropped it; the server is still there. Needs a page of `open_app`."""
        self.page.evaluate("() => window.testSockets.at(-1).close()")
        return self

    # ---- Eyes. ----

    def text(self, selector: str) -> str:
        return plain(self.page.locator(selector).first.inner_text())

    def texts(self, selector: str) -> list[str]:
        return [plain(text) for text in self.page.locator(selector).all_inner_texts()]

    def tip(self, target: Locator) -> str:
        """What hovering over something says."""
        target.hover()
        self.when_idle()
        tooltip = self.page.get_by_role("tooltip")
        expect(tooltip).to_be_visible()
        return plain(tooltip.inner_text())

    def status(self) -> list[str]:
        return [text for text in self.texts('main [role="status"]') if text]

    def empty_note(self) -> str:
        """Why there is nothing to show."""
        return self.text('main [role="note"]')

    @property
    def table(self) -> "TableDriver":
        return TableDriver(self)

    def clipboard(self) -> str:
        return self.page.evaluate("() => navigator.clipboard.readText()")

    def screenshot(self, path: Path) -> None:
        self.page.screenshot(path=path)


class TableDriver:
    """The table in the view."""

    def __init__(self, app: AppDriver) -> None:
        self.app = app
        self.grid = app.page.get_by_role("grid")

    @property
    def titles(self) -> list[str]:
        return [plain(text).removesuffix(" ↓").removesuffix(" ↑") for text in self._headers().all_inner_texts()]

    @property
    def row_count(self) -> int:
        return int(self.grid.get_attribute("aria-rowcount") or 0) - 1

    def cells(self, column: str) -> list[str]:
        """The shown texts of a column, by its name, in the order of the rows."""
        script = """(grid, column) => [...grid.querySelectorAll('.grid-row')]
            .sort((a, b) => a.ariaRowIndex - b.ariaRowIndex)
            .map((row) => row.querySelector(`[data-column="${column}"]`)?.innerText ?? '')"""
        return [plain(text) for text in self.grid.evaluate(script, column)]

    def row(self, first_cell: str) -> dict[str, str]:
        """Shown texts by column of the row that begins like this."""
        script = """(grid) => [...grid.querySelectorAll('.grid-row')].map((row) =>
            [...row.querySelectorAll('[data-column]')].map((cell) => [cell.dataset.column, cell.innerText]))"""
        rows = [{name: plain(text) for name, text in cells} for cells in self.grid.evaluate(script)]
        return next(row for row in rows if next(iter(row.values()), "") == first_cell)

    def sort(self, title: str) -> "TableDriver":
        self._headers().get_by_role("button", name=title).first.click()
        self.app.when_idle()
        return self

    def sorted_by(self) -> dict[str, str]:
        """Title of the column that the table is sorted by, and the way."""
        found = self.app.page.locator('[role="columnheader"]:is([aria-sort="ascending"], [aria-sort="descending"])')
        return {plain(head.inner_text()).rstrip(" ↓↑"): head.get_attribute("aria-sort") or "" for head in found.all()}

    def filter(self, text: str) -> "TableDriver":
        self.app.page.locator('main input[type="search"]').fill(text)
        self.app.when_idle()
        return self

    def group_by(self, group: str) -> "TableDriver":
        self.app.choose("Group by", group)
        return self

    def scroll_to(self, row: int) -> "TableDriver":
        self.grid.evaluate("(grid, top) => { grid.scrollTop = top; }", row * 26)
        self.app.when_idle()
        return self

    def copied_csv(self) -> str:
        self.app.click("Copy as CSV")
        return self.app.clipboard()

    def _headers(self) -> Locator:
        return self.grid.get_by_role("columnheader")
