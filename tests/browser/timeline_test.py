"""The timeline: what is found, selected, measured and moved, and that the address shows it again.

GPU_STEPS begins with step 3 (104 µs), followed by step 4 (134 µs); its kernels run on streams 7 and 20.
"""

import json
import shutil

import pytest

from browser.conftest import GOLDEN, GPU_STEPS, MODULES
from browser.driver import AppDriver, plain

RANKS = GOLDEN / "report_of_ranks_shows_the_one_that_computes_least/ranks"
EMPTY = GOLDEN / "bad_input_without_any_events/trace.json"


class Timeline:
    """The timeline as a user sees and moves it."""

    def __init__(self, app: AppDriver) -> None:
        self.app = app
        self.page = app.page
        self.page.wait_for_function("() => window.skyline?.timeline !== undefined")
        app.when_idle()

    def probe(self, call: str):
        return self.page.evaluate(f"() => window.skyline.timeline.{call}")

    @property
    def canvas(self) -> dict:
        box = self.page.locator(".timeline-canvas canvas").bounding_box()
        assert box is not None
        return box

    @property
    def view_us(self) -> tuple[float, float]:
        view = self.probe("view()")
        return view["startNs"] / 1000, view["endNs"] / 1000

    @property
    def dur_us(self) -> float:
        return self.view_us[1] - self.view_us[0]

    def look_at(self, start_us: float, end_us: float) -> None:
        self.probe(f"lookAt({start_us * 1000}, {end_us * 1000})")
        self.app.when_idle()

    def tracks(self) -> list[str]:
        return self.app.texts("button.timeline-name:not(.is-heading) b")

    def find(self, text: str) -> None:
        self.app.press("/")
        self.page.keyboard.press("Control+A")
        self.app.type(text)

    def found(self) -> str:
        return self.app.text(".timeline-search small")

    def select(self, text: str, index: int = 0) -> dict[str, str]:
        """Clicks on a slice that search has found; gives what the panel says of it."""
        self.find(text)
        point = self.probe(f"pointOfMatch({index})")
        self.page.mouse.click(self.canvas["x"] + point["x"], self.canvas["y"] + point["y"])
        self.app.when_idle()
        return self.selected()

    def selected(self) -> dict[str, str]:
        panel = self.page.get_by_role("region", name="Selected slice")
        if panel.count() == 0:
            return {}
        names = [plain(text) for text in panel.locator("dt").all_inner_texts()]
        values = [plain(text) for text in panel.locator("dd").all_inner_texts()]
        return {"Name": plain(panel.locator(".timeline-title").inner_text()), **dict(zip(names, values))}

    def links(self, title: str) -> list[str]:
        """Names of the slices below a heading of the panel."""
        panel = self.page.get_by_role("region", name="Selected slice")
        return [plain(text) for text in panel.locator(f'h2:text-is("{title}") + ul button').all_inner_texts()]

    def drag(self, begin: tuple[float, float], end: tuple[float, float]) -> None:
        box = self.canvas
        self.page.mouse.move(box["x"] + begin[0], box["y"] + begin[1])
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + end[0], box["y"] + end[1], steps=4)
        self.page.mouse.up()
        self.app.when_idle()


@pytest.fixture
def open_timeline(open_app):
    def make(trace=GPU_STEPS, address: str = "", **settings) -> Timeline:
        return Timeline(open_app(trace, "#/timeline" + address, **settings))

    return make


def test_threads_and_streams_are_shown_and_all_of_the_trace_fits(open_timeline):
    timeline = open_timeline()
    tracks = timeline.tracks()
    assert len(tracks) == 4
    assert any("stream 7" in name for name in tracks) and any("stream 20" in name for name in tracks)
    start, end = timeline.view_us
    assert -10 < start <= 0 and 240.25 <= end < 255
    last = timeline.probe("frames().at(-1)")
    assert last["missing"] == 0
    events = json.loads(GPU_STEPS.read_text())["traceEvents"]
    assert last["slices"] == sum(event["ph"] == "X" for event in events)


def test_search_counts_matches_and_enter_goes_from_one_to_the_next(open_timeline):
    timeline = open_timeline()
    timeline.find("sgemm")
    assert timeline.found().startswith("4")
    timeline.app.press("Enter")
    assert timeline.found().startswith("1 of 4")
    assert timeline.selected()["Start"] == "34.1 µs"
    timeline.app.press("Enter", "Enter")
    assert timeline.found().startswith("3 of 4")
    assert timeline.selected()["Start"] == "167.4 µs"
    timeline.app.press("Shift+Enter")
    assert timeline.selected()["Start"] == "64.5 µs"


def test_search_without_a_match_says_so(open_timeline):
    timeline = open_timeline()
    timeline.find("no such kernel")
    assert timeline.found() == "no match"


def test_a_kernel_leads_back_to_its_launch_and_its_operator(open_timeline):
    timeline = open_timeline()
    details = timeline.select("sliced1x4_tn")
    assert details["Name"] == "ampere_sgemm_32x32_sliced1x4_tn"
    assert details["Duration"] == details["Self"] == "30.0 µs"
    assert details["Step"] == "3"
    assert details["Category"] == "kernel"
    assert timeline.links("Launched by") == ["cudaLaunchKernel"]
    assert timeline.links("Called by") == ["aten::addmm"]
    assert sorted(flow.split()[0] for flow in timeline.probe("flows()")) == ["activity", "launch"]


def test_a_link_of_the_panel_selects_what_it_names(open_timeline):
    timeline = open_timeline()
    timeline.select("sliced1x4_tn")
    timeline.app.click("aten::addmm")
    details = timeline.selected()
    assert (details["Name"], details["Duration"]) == ("aten::addmm", "16.0 µs")
    assert timeline.links("Runs on the device") == ["ampere_sgemm_32x32_sliced1x4_tn"]


def test_forward_and_backward_are_linked(open_timeline):
    timeline = open_timeline(MODULES)
    timeline.select("aten::linear")
    backward = timeline.links("Its backward")
    assert backward and "AddmmBackward0" in backward[0]
    timeline.app.click(backward[0])
    assert "aten::linear" in timeline.links("Its forward")


def test_arrow_keys_go_to_neighbours_parents_and_children(open_timeline):
    timeline = open_timeline()
    timeline.select("aten::addmm")
    timeline.page.locator(".timeline-canvas canvas").focus()
    timeline.app.press("ArrowUp")
    assert timeline.selected()["Name"] == "aten::linear"
    timeline.app.press("ArrowDown")
    assert timeline.selected()["Name"] == "aten::addmm"
    timeline.app.press("ArrowUp", "ArrowLeft")
    assert timeline.selected()["Name"] == "aten::copy_"
    timeline.app.press("ArrowRight")
    assert timeline.selected()["Name"] == "aten::linear"


def test_a_measured_range_tells_its_duration_and_what_runs_within(open_timeline):
    timeline = open_timeline()
    timeline.look_at(0, 208)
    width = timeline.canvas["width"]
    timeline.drag((1, 30), (width / 2, 30))
    panel = timeline.page.get_by_role("region", name="Measured range")
    dur = float(plain(panel.locator(".timeline-figure").inner_text()).removesuffix(" µs"))
    assert 103 < dur < 105
    rows = [[plain(cell) for cell in row.locator("td").all_inner_texts()] for row in panel.locator("tr").all()]
    by_name = {row[0]: row[1:] for row in rows if row}
    assert by_name["kernel"][:2] == ["4", "65.0 µs"]
    assert by_name["ampere_sgemm_32x32_sliced1x4_tn"] == ["1", "30.0 µs"]
    timeline.app.press("Escape")
    assert panel.count() == 0


def test_keys_zoom_pan_and_fit(open_timeline):
    timeline = open_timeline()
    whole = timeline.dur_us
    box = timeline.canvas
    timeline.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 200)
    timeline.app.press("w", "w")
    zoomed = timeline.dur_us
    assert zoomed < 0.8 * whole
    start = timeline.view_us[0]
    timeline.app.press("d")
    assert timeline.view_us[0] > start
    assert timeline.dur_us == pytest.approx(zoomed)
    timeline.app.press("s", "0")
    assert timeline.dur_us == pytest.approx(whole)
    timeline.select("aten::linear")
    timeline.page.locator(".timeline-canvas canvas").focus()
    timeline.app.press("f")
    assert timeline.dur_us == pytest.approx(20 / 0.6, rel=0.01)


def test_wheel_scrolls_and_with_ctrl_zooms_at_the_mouse(open_timeline):
    timeline = open_timeline(viewport={"width": 1000, "height": 300})
    box = timeline.canvas
    timeline.page.mouse.move(box["x"] + 300, box["y"] + 100)
    timeline.page.mouse.wheel(0, 60)
    timeline.app.when_idle()
    assert timeline.probe("view()")["scroll"] == 60
    start, end = timeline.view_us
    under = start + (end - start) * 300 / box["width"]
    timeline.page.keyboard.down("Control")
    timeline.page.mouse.wheel(0, -400)
    timeline.page.keyboard.up("Control")
    timeline.app.when_idle()
    start, end = timeline.view_us
    assert end - start < 150
    assert start + (end - start) * 300 / box["width"] == pytest.approx(under, abs=0.01)


def test_dragging_moves_time_with_the_hand(open_timeline):
    timeline = open_timeline()
    timeline.look_at(50, 150)
    timeline.drag((500, 400), (600, 400))
    moved = 100 * 100 / timeline.canvas["width"]
    assert timeline.view_us[0] == pytest.approx(50 - moved, abs=0.01)


def test_double_click_zooms_to_a_slice(open_timeline):
    timeline = open_timeline()
    timeline.find("AllReduce")
    point = timeline.probe("pointOfMatch(0)")
    timeline.page.mouse.dblclick(timeline.canvas["x"] + point["x"], timeline.canvas["y"] + point["y"])
    timeline.app.when_idle()
    assert timeline.dur_us == pytest.approx(16 / 0.6, rel=0.01)


def test_the_address_shows_the_same_again(open_timeline):
    timeline = open_timeline()
    timeline.select("sliced1x4_tn", 1)
    timeline.look_at(120, 220)
    timeline.drag((100, 30), (300, 30))
    before = (timeline.app.address, timeline.view_us, timeline.selected(), timeline.found())
    assert "slice=" in before[0] and "find=sliced1x4_tn" in before[0] and "range=" in before[0]
    timeline.app.reload()
    again = Timeline(timeline.app)
    assert (again.app.address, again.selected(), again.found()) == (before[0], before[2], before[3])
    assert again.view_us == pytest.approx(before[1], abs=0.002)


def test_escape_drops_one_thing_after_the_other(open_timeline):
    timeline = open_timeline()
    timeline.select("sliced1x4_tn")
    timeline.page.locator(".timeline-canvas canvas").focus()
    timeline.app.press("/", "Escape")
    assert timeline.selected() != {}, "in the field, Escape leaves the field"
    timeline.app.press("Escape")
    assert timeline.selected() == {}
    assert "find=" in timeline.app.address
    timeline.app.press("Escape")
    assert "find=" not in timeline.app.address


def test_marks_are_kept_in_the_address(open_timeline):
    timeline = open_timeline()
    timeline.look_at(0, 100)
    box = timeline.canvas
    timeline.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 300)
    timeline.app.press("m")
    marks = [int(word.removeprefix("marks=")) for word in timeline.app.address.split("&") if "marks=" in word]
    assert marks == [pytest.approx(50_000, abs=150)]
    timeline.app.press("m")
    assert "marks=" not in timeline.app.address


def test_folded_processes_stay_folded(open_timeline):
    timeline = open_timeline()
    heading = timeline.page.locator("button.timeline-name.is-heading").first
    heading.click()
    timeline.app.when_idle()
    assert len(timeline.tracks()) == 2
    timeline.app.reload()
    assert len(Timeline(timeline.app).tracks()) == 2


def test_ranks_of_one_run_stand_below_each_other_once_they_were_looked_at(open_timeline, tmp_path):
    shutil.copytree(RANKS, tmp_path / "ranks")  # a server of its own: nobody has looked at them
    timeline = open_timeline(tmp_path / "ranks")
    assert not any("Rank" in heading for heading in timeline.app.texts(".timeline-name.is-heading"))
    for place in (1, 0):
        timeline.page.get_by_label("Trace", exact=True).select_option(index=place)
        timeline.app.when_idle()
    headings = timeline.app.texts(".timeline-name.is-heading")
    assert {heading.split(" · ")[0].removeprefix("▾").strip() for heading in headings} >= {"Rank 1", "Rank 2"}
    timeline.page.get_by_label("all ranks").click()
    timeline.app.when_idle()
    assert "alone=1" in timeline.app.address
    assert not any("Rank 2" in heading for heading in timeline.app.texts(".timeline-name.is-heading"))


def test_the_help_lists_the_keys(open_timeline):
    timeline = open_timeline()
    timeline.app.press("?")
    text = timeline.app.text("dialog.help")
    for what in ("Zoom in at the mouse", "Next match", "Fit everything", "Set a mark"):
        assert what in text


def test_a_trace_without_slices_says_why_nothing_is_shown(open_app):
    app = open_app(EMPTY, "#/timeline")
    assert "holds no slices" in app.empty_note()
