"""A running `skyline open`, and clients for it."""

import json
import signal
import socket
import subprocess
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

PATIENCE_S = 240


class Served:
    def __init__(self, binary: Path, words: Sequence[str | Path], opens: bool = False, **settings: Any) -> None:
        self.process = subprocess.Popen(
            [binary, "open", *words, *([] if opens else ["--no-open"])],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            **settings,
        )
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            self.process.wait(PATIENCE_S)
            assert self.process.stderr is not None
            raise AssertionError(f"no address, but: {self.process.stderr.read()}")
        parts = urlsplit(self.url)
        self.host, self.port, self.path = parts.netloc, int(parts.port or 0), parts.path

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE_S)

    def stop(self, with_signal: int = signal.SIGINT) -> tuple[int, str]:
        self.process.send_signal(with_signal)
        _, complaints = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, complaints

    # ---- HTTP, byte by byte: libraries would mend what is to be sent wrong. ----

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def send(self, request: bytes) -> bytes:
        """All that comes back until the server ends the connection."""
        with self.connect() as client:
            client.sendall(request)
            answer = b""
            while part := client.recv(1 << 16):
                answer += part
            return answer

    def get(self, path: str, verb: str = "GET", **headers: str) -> bytes:
        lines = {"Host": self.host, "Accept-Encoding": "gzip", "Connection": "close"}
        lines |= {name.replace("_", "-"): value for name, value in headers.items()}
        text = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
        return self.send(f"{verb} {path} HTTP/1.1\r\n{text}\r\n".encode())

    def status(self, path: str, verb: str = "GET", **headers: str) -> int:
        return status_of(self.get(path, verb, **headers))

    # ---- WebSocket. ----

    def page(self, **options: Any) -> "Page":
        return Page(self.socket(**options))

    def socket(self, **options: Any) -> AbstractContextManager[ClientConnection]:
        address = f"ws://{self.host}{self.path}ws"
        return connect(address, max_size=None, open_timeout=PATIENCE_S, proxy=None, **options)


def status_of(answer: bytes) -> int:
    assert answer.startswith(b"HTTP/1.1 "), answer[:100]
    return int(answer[9:12])


class Page:
    """Asks one thing after another. What the server says by itself is kept in `events`."""

    def __init__(self, connecting: AbstractContextManager[ClientConnection]) -> None:
        self.connecting = connecting
        self.last_id = 0
        self.events: list[Any] = []

    def __enter__(self) -> "Page":
        self.socket = self.connecting.__enter__()
        return self

    def __exit__(self, *error: Any) -> None:
        self.connecting.__exit__(*error)

    def ask(self, method: str, **params: Any) -> Any:
        """The frame that answers: an object, or bytes."""
        self.send(method, **params)
        return self.receive()

    def send(self, method: str, **params: Any) -> None:
        self.last_id += 1
        self.socket.send(json.dumps({"id": self.last_id, "method": method, "params": params}))

    def receive(self) -> Any:
        """The answer to what was sent last."""
        while True:
            answer = self.socket.recv(timeout=PATIENCE_S)
            if isinstance(answer, bytes):
                assert int.from_bytes(answer[:8], "little") == self.last_id
                return answer
            frame = json.loads(answer)
            if "event" not in frame:
                assert frame["id"] == self.last_id
                return frame
            self.events.append(frame)

    def event(self, name: str, is_wanted: Callable[[Any], bool]) -> Any:
        """The data of the next event like that; one that has come already counts."""
        while True:
            while self.events:
                frame = self.events.pop(0)
                if frame["event"] == name and is_wanted(frame["data"]):
                    return frame["data"]
            self.events.append(json.loads(self.socket.recv(timeout=PATIENCE_S)))

    def result(self, method: str, **params: Any) -> Any:
        frame = self.ask(method, **params)
        assert isinstance(frame, bytes) or "result" in frame, frame
        return frame if isinstance(frame, bytes) else frame["result"]
