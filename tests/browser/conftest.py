"""Servers and browsers for the tests of the page."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed; ./test browser does it")

from playwright.sync_api import Browser, Page, expect, sync_playwright

from browser.driver import AppDriver

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden"
GPU_STEPS = GOLDEN / "report_says_what_a_gpu_step_waits_for/trace.json"
CPU_STEPS = GOLDEN / "report_says_what_a_cpu_step_waits_for/trace.json"
MODULES = GOLDEN / "show_modules_charges_the_backward_pass_to_the_modules_of_the_forward_pass/trace.json"
MEMORY = GOLDEN / "show_memory_by_role_sums_to_the_peak/trace.json"
SMALL_CNN = ROOT / "examples/traces/small_cnn.json.gz"  # recorded by examples/record
PATIENCE_MS = 240_000
expect.set_options(timeout=PATIENCE_MS)  # of its own accord it waits 5 s

# Chromium in a container: no sandbox of its own, no GPU, and nothing that talks to anybody.
FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()

# So that a test can break the connection: the page's sockets, newest last.
KEEP_SOCKETS = """
window.testSockets = [];
window.WebSocket = class extends WebSocket {
  constructor(...words) { super(...words); window.testSockets.push(this); }
};
"""


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no chromium; ./test browser installs it")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


class Server:
    """One `skyline open`, from its start until stop()."""

    def __init__(self, binary: Path, *arguments: str | Path) -> None:
        command = [str(binary), "open", *map(str, arguments), "--no-open"]
        environment = {name: value for name, value in os.environ.items() if name != "SSH_CONNECTION"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        assert self.url.startswith("http://"), f"{command} printed no address"

    @property
    def port(self) -> str:
        return self.url.split("/")[2].split(":")[1]

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=240)


@pytest.fixture(scope="session")
def serve(skyline_binary: Path) -> Iterator[Callable[..., Server]]:
    """serve(trace, *options): a server; the same one for the same arguments."""
    servers: dict[tuple[str, ...], Server] = {}

    def start(*arguments: str | Path) -> Server:
        key = tuple(map(str, arguments))
        if key not in servers:
            servers[key] = Server(skyline_binary, *arguments)
        return servers[key]

    yield start
    for server in servers.values():
        server.stop()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """open_page(**settings): an empty page in a browser context of its own; settings are those of Playwright."""
    contexts = []

    def make(**settings: Any) -> Page:
        context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | settings))
        contexts.append(context)
        context.set_default_timeout(PATIENCE_MS)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.add_init_script(KEEP_SOCKETS)
        return context.new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def open_app(open_page: Callable[..., Page], serve: Callable[..., Server]) -> Iterator[Callable[..., AppDriver]]:
    """open_app(trace, address, options, **settings): the page on a trace, opened with options of `skyline open`. No
    test may leave errors in the page's console."""
    apps: list[AppDriver] = []

    def make(
        trace: Path = GPU_STEPS, address: str = "", options: tuple[str | Path, ...] = (), **settings: Any
    ) -> AppDriver:
        app = AppDriver(open_page(**settings), serve(trace, *options).url)
        apps.append(app)
        return app.open(address)

    yield make
    assert [error for app in apps for error in app.errors] == []


@pytest.fixture(scope="session")
def ask(skyline_binary: Path) -> Callable[..., Any]:
    """ask("show", "ops", trace): what the command line says, as JSON or, with --format, as text."""

    def run(*arguments: str | Path) -> Any:
        words = [str(word) for word in arguments]
        is_json = "--format" not in words
        command = [str(skyline_binary), *words, *(["--format", "json"] if is_json else [])]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=240)
        assert done.returncode in (0, 1), done.stderr  # 1: there is a finding
        return json.loads(done.stdout) if is_json else done.stdout

    return run


@pytest.fixture(scope="session")
def long_trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace with more operators than a page shows at once."""
    events = [
        {"ph": "X", "cat": "cpu_op", "name": f"op::{at:05}", "pid": 1, "tid": 1, "ts": 10 * at, "dur": 9, "args": {}}
        for at in range(4000)
    ]
    path = tmp_path_factory.mktemp("long") / "trace.json"
    path.write_text(json.dumps({"traceEvents": events}))
    return path
