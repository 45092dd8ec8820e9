"""How the browser that `skyline open` starts gets to the page: with a code that is good once, never with the token."""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from serve.conftest import TRACE
from serve.served import Served, status_of

# Stays, as a browser does.
BROWSER = """#!/bin/sh
{ echo $$; echo "$1"; env; } >"$SEEN.next"
mv "$SEEN.next" "$SEEN"
sleep 60
"""
NOBODY = 65534


class Started:
    """A server with the browser that it has started."""

    def __init__(self, served: Served, seen: Path) -> None:
        self.served = served
        self.seen = seen.read_text()
        self.browser, self.url = int(self.seen.splitlines()[0]), self.seen.splitlines()[1]
        self.path = urlsplit(self.url).path


@pytest.fixture
def started(skyline_binary: Path, tmp_path: Path) -> Iterator[Started]:
    program, seen = tmp_path / "xdg-open", tmp_path / "seen"
    program.write_text(BROWSER)
    program.chmod(0o755)
    settings = {name: value for name, value in os.environ.items() if not name.startswith(("SSH_", "WAYLAND"))}
    settings |= {"PATH": f"{tmp_path}:/usr/bin:/bin", "DISPLAY": ":0", "SEEN": str(seen)}
    with Served(skyline_binary, [TRACE], opens=True, env=settings) as served:
        while not seen.exists():
            assert served.process.poll() is None
        started = Started(served, seen)
        yield started
        os.killpg(started.browser, signal.SIGKILL)


def test_the_browser_is_not_told_the_token(started: Started) -> None:
    token = started.served.path.strip("/")
    assert started.url.startswith(f"http://{started.served.host}/open/")
    assert token not in started.seen  # neither in its words nor in its environment
    listed = subprocess.run(["ps", "axww", "-o", "args"], capture_output=True, text=True, check=True).stdout
    assert started.url in listed
    assert token not in listed


def test_the_code_leads_to_the_page_once(started: Started) -> None:
    served = started.served
    for verb in ("HEAD", "POST"):
        assert served.status(started.path, verb) == 405
    first = served.get(started.path)
    assert status_of(first) == 303
    assert f"\r\nLocation: {served.path}\r\n".encode() in first
    assert b"\r\nReferrer-Policy: no-referrer\r\n" in first and b"\r\nCache-Control: no-store\r\n" in first
    second = served.get(started.path)
    assert status_of(second) == 410
    assert b"Open the address that skyline printed in its terminal" in second
    assert served.path.encode() not in second
    assert served.status(served.path) == 200


def test_other_sites_and_other_users_cannot_use_the_code(started: Started) -> None:
    served = started.served
    assert served.status(started.path, Host=f"evil.example:{served.port}") == 403
    assert served.status(started.path, Origin="http://evil.example") == 403
    if os.geteuid() == 0:
        get = f"GET {started.path} HTTP/1.1\\r\\nHost: {served.host}\\r\\n\\r\\n"
        ask = f"exec 3<>/dev/tcp/127.0.0.1/{served.port}; printf '{get}' >&3; head -1 <&3"
        asked = subprocess.run(["bash", "-c", ask], user=NOBODY, capture_output=True, text=True, check=True)
        assert asked.stdout.startswith("HTTP/1.1 403")
    assert served.status(started.path) == 303
