"""Checks of a request before it is answered: host, origin, content type, token.

A page on another site can make a browser send requests to 127.0.0.1, and with a rebound DNS name
it could even read the answers. So the Host must be this server's own, the Origin its own too, and
what is posted must be JSON, which no foreign form can send. A server that others can reach needs a
token besides.
"""

import ipaddress
import json
import secrets
import socket
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from novikoff.errors import NovikoffError
from novikoff.lab import limits

COOKIE = "novikoff-lab"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server bound to `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Address:
    """What the server is bound to, and the token that it asks for (None: no token)."""

    host: str
    port: int
    token: str | None = field(default=None, repr=False)

    @classmethod
    def of(cls, host: str, port: int) -> "Address":
        """With a fresh token where others than this machine can reach it."""
        token = None if is_loopback(host) else secrets.token_urlsafe(24)
        return cls(host, port, token)

    @property
    def url(self) -> str:
        """What to open in a browser."""
        everywhere = self.host in ("0.0.0.0", "::")
        shown = socket.gethostname() if everywhere else self.host
        shown = f"[{shown}]" if ":" in shown else shown
        return f"http://{shown}:{self.port}/" + (f"?token={self.token}" if self.token else "")

    def is_ours(self, host: str) -> bool:
        """Whether a Host header names this server: a rebound name never does."""
        name, _, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
        if port != str(self.port) and not (port == "" and self.port == 80):
            return False
        name = name.strip("[]").lower()
        if self.token is None:
            return name == "localhost" or is_loopback(name)
        known = {self.host.lower(), socket.gethostname().lower(), "localhost"}
        return name in known or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class RefusedError(NovikoffError):
    """A request that is not answered: the status and the sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


class Guard:
    """The outermost layer: refuses what must not pass, limits bodies, sets the headers."""

    def __init__(self, app: ASGIApp, address: Address) -> None:
        self.app = app
        self.address = address

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, and pass it on with its body read and counted."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        try:
            headers = _headers_of(scope)
            self._check_sender(headers)
            if self._brings_token(scope):
                await _let_in(send, self.address)
                return
            self._check_token(headers)
            body = await _body_of(headers, receive)
        except RefusedError as refused:
            await _refuse(send, refused)
            return
        await self.app(scope, _replay(body, receive), _with_headers(send))

    def _check_sender(self, headers: dict[str, str]) -> None:
        host = headers.get("host", "")
        if not self.address.is_ours(host):
            raise RefusedError(
                421, "this server does not accept that Host: open the printed address."
            )
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host}".lower():
            raise RefusedError(403, "the lab refuses requests from a page of another origin.")
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise RefusedError(403, "the lab refuses requests from a page of another site.")

    def _brings_token(self, scope: Scope) -> bool:
        """Whether this is the first visit, by the address that was printed."""
        if self.address.token is None or scope["path"] != "/" or scope["method"] != "GET":
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        return secrets.compare_digest(given.encode(), self.address.token.encode())

    def _check_token(self, headers: dict[str, str]) -> None:
        if self.address.token is None:
            return
        cookies = (part.strip().partition("=") for part in headers.get("cookie", "").split(";"))
        given = [value for name, _, value in cookies if name == COOKIE]
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given += [bearer.strip()] if scheme.lower() == "bearer" else []
        expected = self.address.token.encode()
        if not any(secrets.compare_digest(value.encode(), expected) for value in given):
            raise RefusedError(
                401, "a token is needed: open the address that `novikoff lab` printed."
            )


def _headers_of(scope: Scope) -> dict[str, str]:
    """The headers; one that must be single and is not counts as foreign."""
    found: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        if name in found and name in ("host", "origin"):
            raise RefusedError(400, f"more than one {name} header.")
        found[name] = value.decode("latin-1")
    return found


async def _body_of(headers: dict[str, str], receive: Receive) -> bytes:
    """The whole body, which is JSON and not too long."""
    declared = headers.get("content-length", "0")
    if declared.isdigit() and int(declared) > limits.BODY_BYTES:
        raise _too_long()
    body = bytearray()
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise RefusedError(400, "the request ended before its body was whole.")
        body += message.get("body", b"")
        if len(body) > limits.BODY_BYTES:
            raise _too_long()
        more = message.get("more_body", False)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if body and kind != "application/json":
        raise RefusedError(415, "the body must be JSON: Content-Type: application/json.")
    return bytes(body)


def _too_long() -> RefusedError:
    return RefusedError(413, f"the request is longer than {limits.BODY_BYTES // 2**20} MiB.")


def _replay(body: bytes, receive: Receive) -> Receive:
    """A channel that gives the body once more, and then what really comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message.get("headers", []), *HEADERS]}
        await send(message)

    return sending


async def _refuse(send: Send, refused: RefusedError) -> None:
    body = json.dumps({"error": str(refused)}).encode()
    kind = (b"content-type", b"application/json")
    start = {"type": "http.response.start", "status": refused.status, "headers": [kind, *HEADERS]}
    await send(start)
    await send({"type": "http.response.body", "body": body})


async def _let_in(send: Send, address: Address) -> None:
    """Keep the token in a cookie that no script can read, and take it out of the address bar."""
    cookie = f"{COOKIE}={address.token}; HttpOnly; SameSite=Strict; Path=/"
    headers = [(b"location", b"/"), (b"set-cookie", cookie.encode()), *HEADERS]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})
