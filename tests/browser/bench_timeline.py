#!/usr/bin/env python3
"""How smoothly the timeline pans and zooms through a large trace, in Chromium without a GPU.

    SKYLINE_BINARY=build/release/bin/skyline tests/browser/bench_timeline.py --events 10000000

A script holds the keys that a user would hold: from the whole trace down to nanoseconds and back at several places,
panning on the way, all tiles cold. A frame that had to be drawn without one of its tiles counts as dropped: its time is
added to that of the next one. Prints frame times; exits 1 only when something is grossly broken, as machines differ.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/bench"))

import generate_kineto  # noqa: E402

BYTES_PER_EVENT = 289  # of text, in what generate_kineto writes
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()
PLACES = ((0.31, 500), (0.72, 900), (0.05, 300))  # share of the trace, and of the canvas in pixels
MANY_SLICES = 2000
GOAL_FPS, GOAL_MS, GOAL_SHARE = 55, 25, 0.95
GROSS_MS = 200  # a median above is no matter of a slow machine


def trace_of(events: int, folder: Path) -> Path:
    path = folder / f"timeline-{events}.json.gz"
    if not path.exists():
        print(f"making {path.name} …", flush=True)
        part = path.with_suffix(".part.json.gz")
        generate_kineto.generate(part, events * BYTES_PER_EVENT, world_size=1, level=1)
        part.rename(path)
    return path


class Server:
    def __init__(self, binary: Path, trace: Path) -> None:
        command = [str(binary), "open", str(trace), "--no-open"]
        begin = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        self.load_s = time.monotonic() - begin

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)


def first_paint_ms(page: Page, url: str) -> float:
    """From the navigation to the first frame with all its tiles."""
    page.goto(url + "#/timeline")
    page.wait_for_function(
        "() => window.skyline?.timeline?.frames().some((frame) => frame.missing === 0 && frame.slices > 0)",
        timeout=600_000,
        polling=5,
    )
    return page.evaluate(
        "() => { const frame = skyline.timeline.frames().find(({ missing, slices }) => missing === 0 && slices > 0);"
        " return frame.atMs + frame.drawMs; }"
    )


def first_answer_ms(page: Page, url: str) -> float:
    """From the navigation to the first view that shows its figures and has answered a key."""
    page.add_init_script(
        """const asking = setInterval(() => {
          if (document.querySelector('dialog[open], [role="dialog"]')) {
            clearInterval(asking);
            window.answeredMs = performance.now();
          } else if (document.querySelector("main table, main dl")) {
            const target = document.activeElement ?? document.body;
            target.dispatchEvent(new KeyboardEvent("keydown", { key: "?", bubbles: true }));
          }
        }, 5)"""
    )
    page.goto(url)
    page.wait_for_function("() => window.answeredMs !== undefined", timeout=60_000)
    return page.evaluate("() => window.answeredMs")


def empty_page_ms(page: Page) -> list[float]:
    """Frame times of a page that draws nothing: what the machine gives at best while others use it too."""
    page.goto("about:blank")
    script = """() => new Promise((resolve) => {
        const times = [];
        const step = (now) => (times.push(now), times.length < 180 ? requestAnimationFrame(step) : resolve(times));
        requestAnimationFrame(step);
    })"""
    times = page.evaluate(script)
    return [after - before for before, after in zip(times, times[1:])]


def hold(page: Page, key: str, ms: int) -> None:
    page.keyboard.down(key)
    page.wait_for_timeout(ms)
    page.keyboard.up(key)


def level(page: Page) -> int:
    return page.evaluate("() => skyline.timeline.frames().at(-1).level")


def travel(page: Page) -> None:
    """Down to nanoseconds and up again, panning on the way."""
    box = page.locator(".timeline-canvas canvas").bounding_box()
    assert box is not None
    for share, x in PLACES:
        page.keyboard.press("0")
        page.evaluate("() => skyline.whenIdle()")
        page.mouse.move(box["x"] + share * box["width"], box["y"] + 200)
        hold(page, "w", 900)
        page.mouse.move(box["x"] + x, box["y"] + 300)
        while level(page) > 1:
            hold(page, "w", 700)
            hold(page, "d", 500)
            hold(page, "a", 900)
        hold(page, "d", 500)
        for _ in range(40):
            before = level(page)
            hold(page, "s", 600)
            hold(page, "a", 300)
            if level(page) == before:
                break


def frame_times(frames: list[dict]) -> list[float]:
    """Milliseconds per frame that was whole, while frames followed each other."""
    times, last = [], None
    for before, frame in zip(frames, frames[1:]):
        if frame["atMs"] - before["atMs"] > 400:  # the view was at rest
            last = None
        elif last is None:
            last = before["atMs"]
        if last is not None and frame["missing"] == 0:
            times.append(frame["atMs"] - last)
            last = frame["atMs"]
    return times


def quantile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def tell(what: str, frames: list[dict]) -> dict[str, float]:
    times = frame_times(frames)
    drawn = [frame["drawMs"] for frame in frames]
    missing = sum(frame["missing"] > 0 for frame in frames)
    figures = {
        "frames": len(frames),
        "levels": len({frame["level"] for frame in frames}),
        "median_slices": statistics.median(frame["slices"] for frame in frames),
        "missing_a_tile": missing,
        "fps_median": 1000 / statistics.median(times),
        "ms_p95": quantile(times, 0.95),
        "share_below_25_ms": sum(ms < GOAL_MS for ms in times) / len(times),
        "draw_ms_median": statistics.median(drawn),
        "draw_ms_p95": quantile(drawn, 0.95),
    }
    print(f"{what}: " + ", ".join(f"{name} {value:.4g}" for name, value in figures.items()), flush=True)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--events", type=int, default=10_000_000)
    parser.add_argument("--trace", type=Path, help="an own trace instead of a made one")
    parser.add_argument("--folder", type=Path, default=ROOT / "build/bench-data", help="where traces are made")
    parser.add_argument("--frames", type=Path, help="writes every frame there, as JSON")
    options = parser.parse_args()
    binary = Path(os.environ.get("SKYLINE_BINARY", ROOT / "build/release/bin/skyline"))
    options.folder.mkdir(parents=True, exist_ok=True)
    server = Server(binary, options.trace or trace_of(options.events, options.folder))
    print(f"loaded in {server.load_s:.1f} s", flush=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            idle = empty_page_ms(page)
            share = sum(ms < GOAL_MS for ms in idle) / len(idle)
            print(f"an empty page here: ms_p95 {quantile(idle, 0.95):.4g}, share_below_25_ms {share:.4g}", flush=True)
            answer = first_answer_ms(browser.new_page(viewport={"width": 1280, "height": 800}), server.url)
            print(f"first view: shown and answering {answer:.0f} ms after the navigation", flush=True)
            paint = first_paint_ms(page, server.url)
            print(f"first paint: {paint:.0f} ms after the navigation", flush=True)
            page.evaluate("() => skyline.timeline.clearFrames()")
            travel(page)
            frames = page.evaluate("() => skyline.timeline.frames()")
            browser.close()
    finally:
        server.stop()
    if options.frames:
        options.frames.write_text(json.dumps(frames))
    figures = tell("all frames", frames)
    many = [frame for frame in frames if frame["slices"] >= MANY_SLICES]
    if many:
        tell(f"frames of at least {MANY_SLICES} slices", many)
    met = figures["fps_median"] >= GOAL_FPS and figures["share_below_25_ms"] >= GOAL_SHARE
    print(f"goal of {GOAL_FPS} fps and {GOAL_SHARE:.0%} below {GOAL_MS} ms: {'met' if met else 'missed'}")
    return 1 if not many or 1000 / figures["fps_median"] > GROSS_MS else 0


if __name__ == "__main__":
    sys.exit(main())
