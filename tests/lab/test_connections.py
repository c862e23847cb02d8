"""Requests that do not come, or come slowly: their connections are closed, and no others."""

import asyncio
import socket
import threading
import time
from contextlib import ExitStack

import pytest

from novikoff.lab import limits
from novikoff.lab.guard import Address, Guard
from novikoff.lab.server import server_of

SECONDS = 1.0  # for a request to come whole
THINKING = 1.5  # what a slow answer takes


async def echo(scope, receive, send):
    """Answers with the body, at once or after some time."""
    if scope["type"] == "http":
        message = await receive()
        await asyncio.sleep(THINKING if scope["path"] == "/slow" else 0)
        length = str(len(message["body"])).encode()
        headers = [(b"content-length", length)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": message["body"]})


@pytest.fixture
def port(monkeypatch):
    """Where a server with little patience listens."""
    monkeypatch.setattr(limits, "REQUEST_SECONDS", SECONDS)
    bound = socket.create_server(("127.0.0.1", 0))
    port = bound.getsockname()[1]
    server = server_of(Guard(echo, Address("127.0.0.1", port)))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    yield port
    server.should_exit = True
    thread.join()
    bound.close()


def request(port, body=b"[1]", path="/", length="Content-Length: 3"):
    lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
    return "\r\n".join([*lines, length, "", ""]).encode() + body


def connected(stack, port, sent):
    """A connection over which this was sent."""
    connection = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
    connection.sendall(sent)
    return connection


def answered(connection):
    """The body of an answer, or what came of it."""
    got = b""
    while not got.endswith(b"]") and (piece := connection.recv(1)):
        got += piece
    return got.rpartition(b"\r\n\r\n")[2]


def closed(connection):
    """Whether the other side closed a connection, within the time that a socket waits."""
    try:
        return connection.recv(4096) == b""
    except ConnectionResetError:
        return True
    except TimeoutError:
        return False


def test_half_sent_requests_are_closed_and_whole_ones_answered(port):
    whole = request(port)
    chunks = request(port, b"2\r\n[1\r\n", length="Transfer-Encoding: chunked")
    halves = [b"", b"G", whole[:30], whole[:-3], whole[:-1], chunks]
    with ExitStack() as stack:
        halves = [connected(stack, port, halves[i % len(halves)]) for i in range(40)]
        used = [connected(stack, port, whole) for _ in range(10)]
        for i, connection in enumerate(used):  # the second request of a connection
            assert answered(connection) == b"[1]"
            connection.sendall(whole[: -1 - i * 10])
        assert answered(connected(stack, port, whole)) == b"[1]"
        start = time.monotonic()
        assert all(closed(connection) for connection in halves + used)
        assert time.monotonic() - start < 5 * SECONDS
        assert answered(connected(stack, port, whole)) == b"[1]"


def test_a_byte_now_and_then_wins_no_time(port):
    with ExitStack() as stack:
        # One that sends its header so, one that sends a body so, one that was refused before.
        long = request(port, length="Content-Length: 99")
        refused = long.replace(b"127.0.0.1", b"evil.test")
        slow = [connected(stack, port, sent) for sent in (b"GET / HTTP/1.1\r\nA: ", long, refused)]
        assert b" 421 " in slow[2].recv(4096)
        start = time.monotonic()
        for connection in slow:
            connection.settimeout(0.01)
        while slow and time.monotonic() - start < 5 * SECONDS:
            time.sleep(0.1)
            for connection in list(slow):
                try:
                    connection.sendall(b"1")
                    over = closed(connection)
                except (BrokenPipeError, ConnectionResetError):
                    over = True
                if over:
                    slow.remove(connection)
        assert slow == []


def test_a_whole_request_has_all_the_time_that_its_answer_takes(port):
    with ExitStack() as stack:
        both = request(port, path="/slow") + request(port, b"[2]")
        connection = connected(stack, port, both)
        assert answered(connection) == b"[1]"
        assert answered(connection) == b"[2]"
