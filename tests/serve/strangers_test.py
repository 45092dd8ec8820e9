"""Who has no token takes nothing from who has."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from serve.conftest import TRACE
from serve.served import Served

MANY = 300  # more than the server has places for


@pytest.fixture
def target(skyline_binary: Path) -> Iterator[Served]:
    with Served(skyline_binary, [TRACE]) as served:
        yield served


def strangers(served: Served, stack: ExitStack, request: bytes) -> list[socket.socket]:
    clients = []
    for _ in range(MANY):
        client = stack.enter_context(served.connect())
        with suppress(ConnectionError):  # it has already been sent away
            client.sendall(request)
        clients.append(client)
    return clients


def answer_of(client: socket.socket) -> bytes:
    """All that comes until the server ends the connection."""
    answer = b""
    with suppress(ConnectionError):
        while part := client.recv(1 << 16):
            answer += part
    return answer


def test_connections_without_the_token_are_closed_after_their_answer(target: Served) -> None:
    with ExitStack() as stack:
        for client in strangers(target, stack, f"GET / HTTP/1.1\r\nHost: {target.host}\r\n\r\n".encode()):
            answer = answer_of(client)
            assert answer == b"" or answer.startswith(b"HTTP/1.1 403")  # too many at once are not answered


@pytest.mark.parametrize(
    "request_text",
    [
        "",  # never says a word
        "GET / HTTP/1.1\r\nHost: ",  # never finishes its request
        "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: keep-alive\r\n\r\n",  # would stay and ask again
    ],
    ids=["silent", "slow", "keep-alive"],
)
def test_strangers_do_not_lock_the_owner_out(target: Served, request_text: str) -> None:
    request = request_text.format(host=target.host).encode()
    with target.page() as before, ExitStack() as stack:
        strangers(target, stack, request)
        assert target.status(target.path) == 200
        with target.page() as after:
            assert after.result("hello")["traces"]
        assert before.result("hello")["traces"]
