"""A folder of ranks: what they say together, and the way to each of them. A rank is read when it is looked at."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from browser.conftest import GOLDEN
from browser.driver import AppDriver, plain

RANKS = GOLDEN / "report_of_ranks_shows_the_one_that_computes_least/ranks"

Open = Callable[..., AppDriver]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three ranks, for a server of its own: nobody has looked at them."""
    return Path(shutil.copytree(RANKS, tmp_path / "ranks"))


def sentence(app: AppDriver) -> Locator:
    return app.page.locator('[data-test="run"]')


def row(app: AppDriver, rank: str) -> list[str]:
    found = app.page.get_by_role("row").filter(has=app.page.get_by_role("rowheader", name=rank, exact=True))
    return [plain(text) for text in found.locator("th, td").all_inner_texts()]


def test_the_ranks_say_together_what_the_report_says(open_app: Open, ask: Callable[..., Any], folder: Path) -> None:
    app = open_app(folder).goto("Ranks")
    report = ask("report", folder)
    expect(sentence(app)).to_have_text(report["run"]["sentence"])
    assert app.status() == ["3 traces"]
    assert row(app, "rank 10")[2:] == ["0 ns", "1", "100.0 µs", "30 %\n45 %\n25 %", "communication 45 %", "0"]
    ranks = app.page.get_by_role("rowheader")
    assert ranks.all_inner_texts() == ["rank 1", "rank 2", "rank 10"]
    app.click("By need")
    assert ranks.all_inner_texts() == ["rank 10", "rank 2", "rank 1"]
    assert "by=need" in app.address


def test_a_click_on_a_rank_leads_to_its_overview(open_app: Open, folder: Path) -> None:
    app = open_app(folder).goto("Ranks")
    expect(app.page.get_by_role("link", name="rank 10", exact=True)).to_be_visible()
    app.page.get_by_role("link", name="rank 10", exact=True).focus()
    app.press("Enter")
    assert app.view == "Overview"
    assert "communication" in app.text("h1")
    assert app.page.get_by_label("Trace", exact=True).input_value() == "2"
    app.back()
    expect(app.page.locator("tr[aria-current]")).to_contain_text("rank 1")  # the first one, as when the page was opened


def test_a_rank_is_read_when_it_is_chosen(open_app: Open, folder: Path) -> None:
    app = open_app(folder)
    names = app.texts('select[aria-label="Trace"] option')
    assert names == ["rank 1 of 12 · rank_1.json", "rank_2.json", "rank_10.json"]
    app.choose("Trace", "rank_2.json")
    assert app.text("h1").startswith("20 % of the step is communication")  # rank 1 says 15 %
    names = app.texts('select[aria-label="Trace"] option')
    assert names == ["rank 1 of 12 · rank_1.json", "rank 2 of 12 · rank_2.json", "rank_10.json"]


def test_a_rank_that_cannot_be_read_says_why(open_app: Open, folder: Path) -> None:
    (folder / "rank_3.json").write_text("<html>")
    app = open_app(folder).goto("Ranks")
    expect(sentence(app)).to_contain_text("Of 3 ranks, rank 10 computes least.")
    assert "rank_3.json" in row(app, "rank_3.json")[1]
    app.page.get_by_role("link", name="rank_3.json", exact=True).click()
    app.when_idle()
    assert "rank_3.json" in app.text('main [role="alert"]')
    app.choose("Trace", "rank 10")
    assert "communication" in app.text("h1")
