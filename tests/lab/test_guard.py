"""Who is let in: foreign hosts and origins, tokens, long bodies, and what the headers say."""

import asyncio
import http.client
import json
import threading

import httpx
import pytest
from tests.lab.serving import serving

from novikoff.lab import limits
from novikoff.lab.guard import COOKIE, Address, Guard, is_loopback

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-some-length"


async def echo(_scope, receive, send):
    """Answers with how long the body was."""
    message = await receive()
    body = json.dumps({"length": len(message["body"])}).encode()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": body})


def asked(address, path="/", *, method="GET", **options):
    """A request through the guard, in a thread: a browser of another test may own the loop."""

    async def ask():
        transport = httpx.ASGITransport(app=Guard(echo, address))
        async with httpx.AsyncClient(transport=transport, base_url="http://x") as client:
            return await client.request(method, path, **options)

    answers = []
    thread = threading.Thread(target=lambda: answers.append(asyncio.run(ask())))
    thread.start()
    thread.join()
    return answers[0]


HERE = Address("127.0.0.1", 8650)
OPEN = Address("192.168.1.5", 8650, TOKEN)


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8650", "localhost:8650", "LOCALHOST:8650", "[::1]:8650"]
)
def test_this_machine_is_let_in(host):
    assert asked(HERE, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example:8650",
        "127.0.0.1.evil.example:8650",
        "127.0.0.1:9",
        "127.0.0.1",
        "",
        "localhost",
    ],
)
def test_a_rebound_name_is_not(host):
    answer = asked(HERE, headers={"Host": host})
    assert answer.status_code == 421
    assert "Host" in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://localhost:8650"},
        {"Origin": "http://localhost:9"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_pages_of_other_sites_may_not_ask(headers):
    answer = asked(HERE, headers={"Host": "localhost:8650", **headers})
    assert answer.status_code == 403


def test_the_page_itself_may():
    headers = {"Host": "localhost:8650", "Origin": "http://localhost:8650"}
    assert asked(HERE, headers={**headers, "Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_two_hosts_are_none():
    headers = [("Host", "localhost:8650"), ("Host", "evil.example")]
    assert asked(HERE, headers=headers).status_code == 400


def test_a_form_cannot_post():
    headers = {"Host": "localhost:8650", "Content-Type": "text/plain"}
    assert asked(HERE, method="POST", headers=headers, content=b"{}").status_code == 415


def test_half_a_body_goes_no_further():
    came = iter([{"type": "http.request", "body": b'{"half":', "more_body": True}])
    sent, reached = [], []

    async def receive():
        return next(came, {"type": "http.disconnect"})

    async def send(message):
        sent.append(message.get("status"))

    async def app(*_):
        reached.append(True)

    scope = {"type": "http", "method": "POST", "path": "/", "query_string": b""}
    asyncio.run(
        Guard(app, HERE)({**scope, "headers": [(b"host", b"localhost:8650")]}, receive, send)
    )
    assert (reached, sent[0]) == ([], 400)


def test_long_bodies_are_refused_declared_or_not():
    headers = {"Host": "localhost:8650", "Content-Type": "application/json"}
    body = b"x" * (limits.BODY_BYTES + 1)

    async def pieces():
        for start in range(0, len(body), 1 << 16):
            yield body[start : start + (1 << 16)]

    for content in (body, pieces()):
        assert asked(HERE, method="POST", headers=headers, content=content).status_code == 413
    fits = asked(HERE, method="POST", headers=headers, content=body[:-1])
    assert fits.json() == {"length": limits.BODY_BYTES}


@pytest.mark.parametrize("path", ["/", "/api/about", "/lab.css", "/?token=wrong"])
def test_others_need_the_token(path):
    answer = asked(OPEN, path, headers={"Host": "192.168.1.5:8650"})
    assert answer.status_code == 401
    assert TOKEN not in answer.text


def test_the_token_opens_and_stays_in_a_cookie():
    host = {"Host": "192.168.1.5:8650"}
    first = asked(OPEN, f"/?token={TOKEN}", headers=host)
    assert first.status_code == 303
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    kept = {**host, "Cookie": f"other=1; {COOKIE}={TOKEN}"}
    assert asked(OPEN, headers=kept).status_code == 200
    assert asked(OPEN, headers={**host, "Authorization": f"Bearer {TOKEN}"}).status_code == 200
    assert asked(OPEN, headers={**host, "Authorization": f"Basic {TOKEN}"}).status_code == 401


def test_with_a_token_names_are_still_checked():
    headers = {"Host": "evil.example:8650", "Cookie": f"{COOKIE}={TOKEN}"}
    assert asked(OPEN, headers=headers).status_code == 421


def test_only_an_open_address_has_a_token():
    assert Address.of("127.0.0.1", 1).token is None
    assert Address.of("::1", 1).token is None
    assert len(Address.of("0.0.0.0", 1).token) >= 32
    assert Address.of("0.0.0.0", 1).token != Address.of("0.0.0.0", 1).token
    assert is_loopback("127.3.2.1")
    assert not is_loopback("example.org")


def test_a_refusal_has_the_strict_headers_too():
    for headers in ({"Host": "localhost:8650"}, {"Host": "evil.example"}):
        found = asked(HERE, headers=headers).headers
        policy = found["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert found["x-content-type-options"] == "nosniff"


def raw(port, path, headers):
    """A request as it is, without what a library would mend."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in headers:
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_a_lab_that_runs(lab):
    mine = ("Host", f"127.0.0.1:{lab.port}")
    page, body = raw(lab.port, "/", [mine])
    assert page.status == 200
    assert b"novikoff lab" in body
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert raw(lab.port, "/", [("Host", "evil.example")])[0].status == 421
    assert raw(lab.port, "/api/about", [mine, ("Origin", "http://evil.example")])[0].status == 403
    for path in (
        "/../pyproject.toml",
        "/page/../app.py",
        "/%2e%2e/app.py",
        "//etc/passwd",
        "/app.py",
    ):
        assert raw(lab.port, path, [mine])[0].status == 404


def test_a_lab_for_others_prints_its_token_and_ends_when_interrupted():
    with serving("--host", "0.0.0.0") as running:
        assert "?token=" in running.url
        mine = ("Host", f"127.0.0.1:{running.port}")
        assert raw(running.port, "/api/about", [mine])[0].status == 401
        bearer = ("Authorization", f"Bearer {running.url.partition('token=')[2]}")
        assert raw(running.port, "/api/about", [mine, bearer])[0].status == 200
        status, _errors = running.stop()
    assert status == 0
