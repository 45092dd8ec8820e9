"""A live session in a browser: `skyline interactive` on a copy of an example, and what a user does on its page."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from browser.driver import AppDriver, plain

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_MS = int(
    os.environ.get("SKYLINE_BROWSER_PATIENCE_MS", "300000")
)  # a profile on a machine that does other things as well
TORCH_PYTHON = "SKYLINE_TORCH_PYTHON"  # an interpreter with torch, if that of the tests has none


def torch_python() -> str:
    for python in filter(None, [os.environ.get(TORCH_PYTHON), sys.executable]):
        if subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
            return python
    pytest.skip(f"torch is not installed; ./test browser does it, or {TORCH_PYTHON} names a Python that has it")


class SessionServer:
    """One `skyline interactive` with its project, which can be killed and started again. With `is_held` its Python
    starts when release() says so."""

    def __init__(self, binary: Path, folder: Path, example: str, budget_s: int, is_held: bool = False) -> None:
        self.binary = binary
        self.gate = folder / "may_start"
        self.is_held = is_held
        self.budget_s = budget_s
        self.folder = folder / example
        shutil.copytree(ROOT / "examples" / example, self.folder, ignore=shutil.ignore_patterns("__pycache__"))
        self.python = torch_python()
        self.process: subprocess.Popen[str] | None = None
        self.url = ""

    def start(self) -> "SessionServer":
        command = [self.binary, "interactive", self.folder / "entry_point.py", "--no-open"]
        settings = {
            "OMP_NUM_THREADS": "1",
            "XDG_CACHE_HOME": os.environ.get("XDG_CACHE_HOME", str(ROOT / "build/training-cache")),
            "SSH_CONNECTION": "",
        }
        words = [*map(str, command), "--python", self.held_python(), "--budget", str(self.budget_s)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ | settings)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), f"{words} printed no address"
        return self

    def held_python(self) -> str:
        if not self.is_held:
            return self.python
        script = self.gate.with_name("python")
        wait = f'case "$*" in *_zygote*) while [ ! -e "{self.gate}" ]; do sleep 0.1; done ;; esac'
        script.write_text(f'#!/bin/sh\n{wait}\nexec "{self.python}" "$@"\n')
        script.chmod(0o755)
        return str(script)

    def release(self) -> None:
        self.gate.touch()

    def printed_until(self, words: str) -> str:
        """What the terminal shows, up to the first line with these words."""
        assert self.process is not None and self.process.stdout is not None
        text = ""
        for line in self.process.stdout:
            text += line
            if words in line:
                return text
        raise AssertionError(f"the server ended without {words!r}: {text}")

    @property
    def token(self) -> str:
        return self.url.split("/")[3]

    def read(self, name: str) -> str:
        return (self.folder / name).read_text()

    def save(self, name: str, text: str) -> None:
        """As editors do: the file is there as a whole or not at all."""
        draft = self.folder / f".{name}.draft"
        draft.write_text(text)
        draft.replace(self.folder / name)

    def replace(self, name: str, old: str, new: str) -> None:
        text = self.read(name)
        assert text.count(old) == 1
        self.save(name, text.replace(old, new))

    def worker(self) -> int:
        """The process that runs the user's code: the youngest descendant."""
        assert self.process is not None
        return max(descendants(self.process.pid), key=started)

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(timeout=240)

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(timeout=240)


def descendants(pid: int) -> list[int]:
    children = [int(word) for path in Path(f"/proc/{pid}/task").glob("*/children") for word in path.read_text().split()]
    return children + [each for child in children for each in descendants(child)]


def started(pid: int) -> int:
    """In ticks since the machine was; numbers of processes begin anew at times."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19])


class SessionDriver(AppDriver):
    """The page of a session. States are waited for by the attributes of the view's root."""

    def __init__(self, page: Page, server: SessionServer) -> None:
        super().__init__(page, server.url)
        self.server = server
        page.set_default_timeout(PATIENCE_MS)

    # ---- States. ----

    @property
    def root(self) -> Locator:
        return self.page.locator(".session")

    def value(self, name: str) -> str:
        return self.root.get_attribute(f"data-{name}") or ""

    def wait(self, **values: Any) -> "SessionDriver":
        """wait(state="ready", result=2): until the view says so, and is at rest."""
        conditions = "".join(f'[data-{name}="{value}"]' for name, value in values.items())
        try:
            self.page.locator(f".session{conditions}").wait_for(timeout=PATIENCE_MS)
        except Exception as error:
            now = self.root.evaluate("(root) => JSON.stringify(root.dataset)")
            raise AssertionError(f"waited for {values}, but the view says {now}: {self.headline}") from error
        self.when_idle()
        return self

    def wait_complete(self, save: int) -> "SessionDriver":
        return self.wait(state="ready", result=save, complete="true")

    # ---- Eyes. ----

    @property
    def headline(self) -> str:
        return self.text(".session-say h1")

    @property
    def small_print(self) -> str:
        return self.text(".session-say p")

    @property
    def rate(self) -> float:
        """Samples per second, as the bar shows them."""
        return number(self.text('[data-metric="throughput"] .metric-figure b'))

    @property
    def peak(self) -> float:
        return number(self.text('[data-metric="memory"] .metric-figure b'))

    def segments(self, column: str) -> dict[str, int]:
        """Value of each segment by its key: ns of "run-time", bytes of "memory"."""
        script = "(all) => all.map((each) => [each.dataset.key, Number(each.dataset.value)])"
        return dict(self.page.locator(f"#{column} .stack-segment").evaluate_all(script))

    def segment(self, column: str, key: str) -> Locator:
        return self.page.locator(f'#{column} .stack-segment[data-key="{key}"]')

    def strangers(self) -> list[str]:
        """Bars and labels whose middle belongs to something else."""
        script = """(all) => all.filter((each) => {
            const { x, y, width, height } = each.getBoundingClientRect();
            const found = document.elementFromPoint(x + width / 2, y + height / 2);
            return found?.closest(".stack-segment") !== each.closest(".stack-segment");
        }).map((each) => `${each.className} of ${each.closest(".stack-segment").dataset.key}`)"""
        return self.page.locator(".stack-bar, .stack-label").evaluate_all(script)

    def crumbs(self) -> list[str]:
        return [text for text in self.text(".session-crumbs").replace("›", "\n").split("\n") if text.strip()]

    def lit_lines(self) -> list[str]:
        """Lines of the shown file that belong to what is pointed at."""
        return [plain(text) for text in self.page.locator(".source .cm-line.lit").all_inner_texts()]

    def shown_file(self) -> str:
        return self.text('.source-tabs [aria-selected="true"]')

    def literal(self) -> str:
        """The previewed batch size in the code; fails if there is none."""
        return self.text(".literal")

    # ---- Hands. ----

    def bar(self, metric: str) -> Locator:
        return self.page.locator(f'[data-metric="{metric}"]').get_by_role("slider")

    def wait_draggable(self, metric: str) -> "SessionDriver":
        expect(self.bar(metric)).to_have_attribute("aria-disabled", "false", timeout=PATIENCE_MS)
        return self

    def drag_by_touch(self, element: Locator, start: float, end: float) -> "SessionDriver":
        """One finger, between two fractions of the element's width; the page must have a touch screen."""
        box = element.bounding_box()
        assert box is not None
        screen = self.page.context.new_cdp_session(self.page)

        def touch(kind: str, *points: tuple[float, float]) -> None:
            places = [{"x": x, "y": y} for x, y in points]
            screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

        y = box["y"] + box["height"] / 2
        touch("touchStart", (box["x"] + start * box["width"], y))
        for part in range(1, 6):
            touch("touchMove", (box["x"] + (start + (end - start) * part / 5) * box["width"], y))
        touch("touchEnd")
        self.when_idle()
        return self

    def open_segment(self, column: str, key: str) -> "SessionDriver":
        self.segment(column, key).locator(".stack-bar").dblclick()
        self.when_idle()
        return self

    def pick(self, column: str, key: str) -> "SessionDriver":
        self.segment(column, key).locator(".stack-bar").click()
        self.when_idle()
        return self

    def point_at(self, column: str, key: str) -> "SessionDriver":
        self.segment(column, key).locator(".stack-bar").hover()
        self.when_idle()
        return self


def number(text: str) -> float:
    return float(re.sub(r"[^\d.]", "", text))
