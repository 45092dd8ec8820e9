"""The overview says what the report says, and shows it so that parts add up."""

from collections.abc import Callable
from typing import Any

import pytest

from browser.conftest import CPU_STEPS, GPU_STEPS, MEMORY
from browser.driver import AppDriver, plain

Open = Callable[..., AppDriver]
Ask = Callable[..., Any]


@pytest.mark.parametrize("trace", [GPU_STEPS, CPU_STEPS], ids=["gpu", "cpu"])
def test_the_sentence_and_the_bar_are_the_verdict(open_app: Open, ask: Ask, trace: Any) -> None:
    app = open_app(trace)
    verdict = ask("report", trace)["ranks"][0]["verdict"]
    assert app.view == "Overview"
    assert app.text("h1") == verdict["sentence"]
    parts = {part["name"]: part["time_ns"] for part in verdict["parts"] if part["time_ns"] > 0}
    assert [
        name.split("\n")[0]
        for name in app.page.locator("[data-part]").evaluate_all("(all) => all.map((part) => part.dataset.part)")
    ] == list(parts)
    widths = app.page.locator(".stacked-bar > div").evaluate_all("(all) => all.map((part) => part.clientWidth)")
    assert [width / sum(widths) for width in widths] == pytest.approx(
        [time / verdict["judged_ns"] for time in parts.values()], abs=0.01
    )


def test_every_known_figure_is_there_with_its_definition(open_app: Open, ask: Ask) -> None:
    app = open_app()
    figures = ask("report", GPU_STEPS)["ranks"][0]["figures"]
    known = [name for name, figure in figures.items() if figure["value"] is not None]
    shown = app.page.locator("[data-figure]").evaluate_all("(all) => all.map((figure) => figure.dataset.figure)")
    assert sorted(shown) == sorted(known)
    assert app.text('[data-figure="device.busy"] dd') == "143.9 µs"
    assert app.text('[data-figure="device.busy_share"] dd') == "64 %"
    definition = ask("explain", "device.busy", "--format", "text")
    tip = app.tip(app.page.locator('[data-figure="device.busy"]'))
    assert tip.startswith("device.busy")
    assert plain(tip.split("\n")[1])[:30] in " ".join(definition.split())


def test_health_says_what_is_wrong_and_the_cure(open_app: Open, ask: Ask) -> None:
    app = open_app()
    items = ask("check", GPU_STEPS)["ranks"][0]["items"]
    for item in items:
        if item["level"] != "fine":
            text = app.text(f'[data-health="{item["name"]}"]')
            assert item["sentence"] in text
            assert item["cure"] in text


def test_a_step_leads_to_the_timeline(open_app: Open) -> None:
    app = open_app()
    app.page.get_by_role("button", name="Step 4").click()
    app.when_idle()
    assert app.view == "Timeline"
    assert "step=4" in app.address


def test_views_without_data_say_what_to_switch_on(open_app: Open) -> None:
    app = open_app(GPU_STEPS).goto("Memory")
    assert "profile_memory=True" in app.empty_note()
    app.goto("Tables", "Stacks")
    assert "with_stack=True" in app.empty_note()
    assert "CUDA" in open_app(MEMORY).goto("Tables", "Kernels").empty_note()
