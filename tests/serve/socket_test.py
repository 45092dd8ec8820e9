"""WebSocket clients, many and bad ones."""

import asyncio
import json
import os
import random
import socket
import struct
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from serve.conftest import TRACE
from serve.served import PATIENCE_S, Served

HELLO = json.dumps({"id": 1, "method": "hello", "params": {}})


def raw_page(served: Served) -> socket.socket:
    """An open WebSocket without a library around it."""
    client = served.connect()
    client.sendall(
        f"GET {served.path}ws HTTP/1.1\r\nHost: {served.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += client.recv(4096)
    assert answer.startswith(b"HTTP/1.1 101"), answer
    return client


def frame(payload: bytes, first: int = 0x81) -> bytes:
    mask = b"\0\0\0\0"
    if len(payload) < 126:
        return struct.pack("!BB", first, 0x80 | len(payload)) + mask + payload
    return struct.pack("!BBQ", first, 0x80 | 127, len(payload)) + mask + payload


def test_200_clients_at_once_are_all_answered(served: Served) -> None:
    async def one() -> Any:
        address = f"ws://{served.host}{served.path}ws"
        async with websockets.connect(address, max_size=None, open_timeout=PATIENCE_S, proxy=None) as client:
            await everybody.wait()
            names = []
            for number in range(5):
                await client.send(json.dumps({"id": number, "method": "overview", "params": {"trace": "0"}}))
                answer = json.loads(await asyncio.wait_for(client.recv(), PATIENCE_S))
                assert answer["id"] == number
                names.append(answer["result"]["trace"]["name"])
            return names

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(one() for _ in range(200)))

    everybody = asyncio.Barrier(200)
    assert asyncio.run(all_of_them()) == [["small_cnn.json.gz"] * 5] * 200


def test_a_socket_needs_token_host_and_origin(served: Served) -> None:
    good = served.path
    for path, headers in [
        ("/", {}),
        (good[:-2] + "/", {}),
        (good, {"Origin": "http://evil.example"}),
        (good, {"Origin": "null"}),
        (good, {"Host": f"evil.example:{served.port}"}),
    ]:
        served.path = path
        try:
            with pytest.raises(InvalidStatus) as refused, served.socket(additional_headers=headers):
                pass
        finally:
            served.path = good
        assert refused.value.response.status_code in (400, 403), (path, headers)


def test_100_megabytes_end_the_connection_with_1009_and_cost_no_memory(served: Served) -> None:
    def resident_bytes() -> int:
        with open(f"/proc/{served.process.pid}/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    before = resident_bytes()
    with raw_page(served) as client:
        # Only its beginning, so that the refusal is not lost among what is still being sent.
        client.sendall(frame(b" " * 100_000_000)[:4096])
        assert client.recv(4096)[:4] == b"\x88\x02" + struct.pack("!H", 1009)
    with served.page() as page, pytest.raises(ConnectionClosed):
        page.socket.send(" " * 100_000_000)
        page.socket.recv(timeout=PATIENCE_S)
    assert resident_bytes() - before < 50_000_000


def test_a_message_in_endless_pieces_ends_the_connection(served: Served) -> None:
    with raw_page(served) as client:
        try:
            client.sendall(frame(b"[", 0x01))
            for _ in range(2000):
                client.sendall(frame(b" " * 1000, 0x00))
            ended = client.recv(4096)
        except OSError:
            return
        assert ended[:4] == b"\x88\x02" + struct.pack("!H", 1009)


def test_garbage_frames_are_survived(served: Served) -> None:
    generator = random.Random(7)
    for _ in range(200):
        with raw_page(served) as client:
            garbage = generator.randbytes(generator.randint(1, 200))
            client.sendall(frame(HELLO.encode()) + garbage if generator.random() < 0.5 else garbage)
            client.shutdown(socket.SHUT_WR)
    with served.page() as page:
        assert page.result("hello")["protocol"] == 1


@pytest.mark.parametrize("request_text", ["", "x", "[]", "{}", '{"id": 1}', "[" * 100_000, '{"id": 1e999}', "\0"])
def test_what_is_no_request_is_answered_with_a_sentence(served: Served, request_text: str) -> None:
    with served.page() as page:
        page.socket.send(request_text)
        answer = json.loads(page.socket.recv(timeout=PATIENCE_S))
        assert answer["id"] == -1 and answer["error"]["sentence"]


def test_clients_that_do_not_read_or_vanish_stall_nobody(served: Served) -> None:
    request = frame(json.dumps({"id": 1, "method": "table", "params": {"trace": "0", "name": "calls"}}).encode())
    stuck = [raw_page(served) for _ in range(20)]

    def flood(client: socket.socket) -> None:
        client.settimeout(3)
        try:
            for _ in range(10_000):
                client.sendall(request)
        except OSError:
            pass

    threads = [threading.Thread(target=flood, args=(client,)) for client in stuck]
    for thread in threads:
        thread.start()
    silent = [served.connect() for _ in range(20)]  # never say a word
    slowest = 0.0
    with served.page() as page:
        for _ in range(20):
            begin = time.monotonic()
            page.result("hello")
            slowest = max(slowest, time.monotonic() - begin)
    for thread in threads:
        thread.join()
    for client in stuck + silent:
        client.close()
    assert slowest < 5


def test_clients_above_the_limit_are_told_so_and_later_ones_are_served(skyline_binary: Path) -> None:
    with Served(skyline_binary, [TRACE]) as served:
        crowd = [raw_page(served) for _ in range(256)]
        assert served.status(served.path) == 503
        for client in crowd:
            client.close()
        deadline = time.monotonic() + PATIENCE_S
        while served.status(served.path) != 200:
            assert time.monotonic() < deadline
