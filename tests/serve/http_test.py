"""What HTTP clients get, and what they do not."""

import gzip
import random

import pytest

from serve.served import Served, status_of

FORBIDDEN = b"This address needs the token that skyline printed when it started.\n"


def body_of(answer: bytes) -> bytes:
    return answer.split(b"\r\n\r\n", 1)[1]


def headers_of(answer: bytes) -> dict[str, str]:
    lines = answer.split(b"\r\n\r\n", 1)[0].decode().split("\r\n")[1:]
    return {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}


def test_the_page_comes_with_strict_headers(served: Served) -> None:
    answer = served.get(served.path)
    assert status_of(answer) == 200
    headers = headers_of(answer)
    body = body_of(answer)
    assert len(body) == int(headers["content-length"])
    if headers.get("content-encoding") == "gzip":
        body = gzip.decompress(body)
    assert body.lower().startswith(b"<!doctype html>")
    assert headers["content-type"] == "text/html; charset=utf-8"
    assert headers["cache-control"] == "no-store"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert headers["content-security-policy"].startswith("default-src 'none'; script-src 'self'; ")
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_nothing_is_said_without_the_token(served: Served) -> None:
    token = served.path.strip("/")
    assert len(token) >= 22
    answers = {
        served.get(path)
        for path in [
            "/",
            "/index.html",
            "/ws",
            "/favicon.ico",
            "/robots.txt",
            f"/{token[:-1]}/",
            f"/{token}x/",
            f"/{token.swapcase()}/",
            f"//{token}/",
            f"/%2e/{token}/",
            f"/?{token}",
            "/" + "x" * 8000,
        ]
    }
    answers |= {served.get("/", verb) for verb in ("POST", "OPTIONS", "TRACE")}
    assert len(answers) == 1
    answer = answers.pop()
    assert status_of(answer) == 403 and body_of(answer) == FORBIDDEN
    assert token.encode() not in answer and str(served.port).encode() not in answer


def test_other_hosts_and_origins_are_refused(served: Served) -> None:
    port = served.port
    for host in (f"localhost:{port}", f"[::1]:{port}"):
        assert served.status(served.path, Host=host) == 200
    for host in ("", "127.0.0.1", f"127.0.0.1:{port + 1}", f"evil.example:{port}", f"127.0.0.1.evil.example:{port}"):
        assert served.status(served.path, Host=host) == 403, host
    assert served.status(served.path, Origin=f"http://{served.host}") == 200
    for origin in ("null", "http://evil.example", f"https://{served.host}", f"http://{served.host}.evil.example"):
        assert served.status(served.path, Origin=origin) == 403, origin


def test_no_path_leads_out_of_the_bundle(served: Served) -> None:
    outs = ["..", "%2e%2e", "%2E.", "..%2f..", "..\\..", "....//", "%c0%ae%c0%ae", "%252e%252e"]
    paths = [f"{out}/" * 6 + "etc/passwd" for out in outs]
    for path in [*paths, "/etc/passwd", "%2fetc%2fpasswd", "file:///etc/passwd", "index.html%00", "./index.html"]:
        answer = served.get(served.path + path)
        assert status_of(answer) == 404, path
        assert b"root:" not in answer


def test_only_get_and_head_are_answered(served: Served) -> None:
    for verb in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "FOO"):
        assert served.status(served.path, verb) in (400, 405), verb
    head = served.get(served.path, "HEAD")
    assert status_of(head) == 200 and body_of(head) == b""


def test_who_does_not_take_gzip_is_told_so(served: Served) -> None:
    if headers_of(served.get(served.path)).get("content-encoding") != "gzip":
        pytest.skip("this binary was built without the page")
    assert served.status(served.path, Accept_Encoding="identity") == 406


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\r\n\r\n",
        b"\0" * 1000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),  # TLS
        b"GET /\r\n\r\n",
        b"GET / HTTP/3.0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello",
        b"GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 20_000 + b"\r\n",
    ],
)
def test_what_is_no_request_is_refused(served: Served, request_bytes: bytes) -> None:
    try:
        answer = served.send(request_bytes)
    except (ConnectionResetError, BrokenPipeError):
        return
    assert answer == b"" or status_of(answer) in (400, 403)
    assert b"200 OK" not in answer


def test_any_bytes_are_survived(served: Served) -> None:
    generator = random.Random(6)
    good = f"GET {served.path} HTTP/1.1\r\nHost: {served.host}\r\nAccept-Encoding: gzip\r\n\r\n".encode()
    for _ in range(300):
        request = bytearray(good)
        for _ in range(generator.randint(1, 8)):
            request[generator.randrange(len(request))] = generator.randrange(256)
        with served.connect() as client:
            client.settimeout(2)
            client.sendall(bytes(request))
            try:
                client.shutdown(1)
                client.recv(1 << 16)
            except OSError:
                pass
    assert served.status(served.path) == 200
