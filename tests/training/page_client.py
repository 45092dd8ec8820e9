"""A page of a live session, as far as messages go: asks, listens, and holds every message against the schema."""

import json
import re
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import jsonschema
from websockets.sync.client import connect

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "protocol/schema.json").read_text())

Message = dict[str, Any]


def check(name: str, message: Any) -> None:
    """Fails unless the message is one of the protocol's type `name`."""
    jsonschema.validate(message, {"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


class Refused(Exception):
    """The server's answer is an error; its sentence."""


class PageClient:
    """One WebSocket. Events are kept in order; answers go to who has asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.events: list[tuple[str, Message]] = []
        self.answers: dict[int, Message] = {}
        self.changed = threading.Condition()
        self.next_id = 0
        self.is_over = False
        self.open = ExitStack()
        self.socket = self.open.enter_context(connect(re.sub("^http", "ws", url) + "ws", max_size=None))
        self.thread = threading.Thread(target=self.listen, daemon=True)
        self.thread.start()

    def listen(self) -> None:
        for text in self.socket:
            message = json.loads(text)
            with self.changed:
                if "event" in message:
                    check(SCHEMA["events"][message["event"]], message["data"])
                    self.events.append((message["event"], message["data"]))
                else:
                    self.answers[message["id"]] = message
                self.changed.notify_all()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def ask(self, method: str, **params: Any) -> Any:
        check(SCHEMA["methods"][method]["params"], params)
        with self.changed:
            number, self.next_id = self.next_id, self.next_id + 1
        self.socket.send(json.dumps({"id": number, "method": method, "params": params}))
        with self.changed:
            assert self.changed.wait_for(lambda: number in self.answers or self.is_over, 240), method
            answer = self.answers.pop(number)
        if "error" in answer:
            check("Problem", answer["error"])
            raise Refused(answer["error"]["sentence"])
        check(SCHEMA["methods"][method]["result"], answer["result"])
        return answer["result"]

    def event(self, name: str, wanted: Callable[[Message], bool], patience_s: float = 300.0) -> Message:
        """The first event of this name for which `wanted` holds, from the first one heard on."""
        found: list[Message] = []

        def is_there() -> bool:
            found[:] = [data for kind, data in self.events if kind == name and wanted(data)]
            return bool(found) or self.is_over

        with self.changed:
            self.changed.wait_for(is_there, patience_s)
        assert found, f"no such {name} event among {[kind for kind, _ in self.events]}"
        return found[0]

    def close(self) -> None:
        self.open.close()
        self.thread.join(timeout=240)


def first_line(process: "subprocess.Popen[bytes]", patience_s: float = 240.0) -> str:
    """What a program prints first, however long it goes on."""
    assert process.stdout is not None
    until = time.monotonic() + patience_s
    line = process.stdout.readline().decode()
    assert line and time.monotonic() < until, f"nothing was printed; exit code {process.poll()}"
    return line.strip()
