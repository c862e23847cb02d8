"""Running the lab: a free port, the server, the browser."""

import asyncio
import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from novikoff.errors import OptionError
from novikoff.lab import limits
from novikoff.lab.app import make_app
from novikoff.lab.guard import Address

PORT = 8650  # if it is free and nobody asks for another
PATIENCE = 60.0  # seconds to wait for the server before the browser is opened
SHUTDOWN = 2


def serve(
    host: str, port: int | None, *, ready: Callable[[Address], None], browser: bool = True
) -> None:
    """Serve until it is interrupted; `ready` is told the address once it answers."""
    bound = _listen(host, port)
    address = Address.of(host, bound.getsockname()[1])
    server = server_of(make_app(address))
    threading.Thread(target=_announce, args=(server, address, ready, browser), daemon=True).start()
    try:
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        bound.close()


def server_of(app: ASGIApp) -> uvicorn.Server:
    """A server for the application, which closes connections that only dawdle."""
    config = uvicorn.Config(
        app,
        http=_Connection,
        log_level="warning",
        server_header=False,
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN,
    )
    return uvicorn.Server(config)


class _Connection(H11Protocol):
    """A connection that is closed if a request does not come whole in time.

    Uvicorn itself limits only how long a connection is kept after an answer.
    """

    _patience: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._watch()

    def handle_events(self) -> None:  # called for all that comes, and after each answer
        super().handle_events()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._relax()

    def _watch(self) -> None:
        """Let the time run while a request is still to come or on its way, and only then."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._relax()
        elif self._patience is None:
            self._patience = self.loop.call_later(limits.REQUEST_SECONDS, self.transport.close)

    def _relax(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the port that was asked for, or the usual one, or any that is free."""
    for wanted in (PORT, 0) if port is None else (port,):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, wanted), family=family)
        except (OSError, OverflowError) as error:
            failure = error
    raise OptionError(
        f"--host {host} --port {port or PORT}: the lab cannot listen there: "
        f"{getattr(failure, 'strerror', None) or failure}. Choose another (--port 0 takes any)."
    ) from failure


def _announce(
    server: uvicorn.Server, address: Address, ready: Callable[[Address], None], browser: bool
) -> None:
    waited = time.monotonic() + PATIENCE
    while not server.started and time.monotonic() < waited:
        time.sleep(0.02)
    if server.started:
        ready(address)
        if browser:
            webbrowser.open(address.url)
