"""The browser that `skyline open` starts: from the one-time address to the page."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from browser.conftest import GPU_STEPS
from browser.driver import AppDriver
from serve.served import Served


def test_a_one_time_address_leads_to_the_page_which_then_works_as_ever(
    open_page: Callable[..., Page], skyline_binary: Path, tmp_path: Path
) -> None:
    program, seen = tmp_path / "xdg-open", tmp_path / "seen"
    program.write_text(f'#!/bin/sh\necho "$1" >"{seen}.next" && mv "{seen}.next" "{seen}"\n')
    program.chmod(0o755)
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("SSH_", "WAYLAND"))}
    settings |= {"PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":0"}
    with Served(skyline_binary, [GPU_STEPS], opens=True, env=settings) as served:
        while not seen.exists():
            assert served.process.poll() is None
            time.sleep(0.02)
        address = seen.read_text().strip()
        app = AppDriver(open_page(), address).open()
        assert app.page.url.removesuffix("#/overview") == served.url
        assert app.goto("Tables").table.cells("name")
        app.reload()
        assert app.view == "Operators"
        assert app.errors == []
        again = open_page()
        again.goto(address)
        expect(again.locator("body")).to_contain_text("Open the address that skyline printed in its terminal instead")
        again.goto(served.url)
        AppDriver(again, served.url).when_idle()
