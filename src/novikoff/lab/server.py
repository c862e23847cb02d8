"""Running the lab: a free port, the server, the browser."""

import socket
import threading
import time
import webbrowser
from collections.abc import Callable

import uvicorn

from novikoff.errors import OptionError
from novikoff.lab.app import make_app
from novikoff.lab.guard import Address

__all__ = ["PORT", "serve"]

PORT = 8650  # if it is free and nobody asks for another
PATIENCE = 60.0  # seconds to wait for the server before the browser is opened
SHUTDOWN = 2


def serve(
    host: str, port: int | None, *, ready: Callable[[Address], None], browser: bool = True
) -> None:
    """Serve until it is interrupted; `ready` is told the address once it answers."""
    bound = _listen(host, port)
    address = Address.of(host, bound.getsockname()[1])
    config = uvicorn.Config(
        make_app(address),
        log_level="warning",
        server_header=False,
        access_log=False,
        timeout_graceful_shutdown=SHUTDOWN,
    )
    server = uvicorn.Server(config)
    threading.Thread(target=_announce, args=(server, address, ready, browser), daemon=True).start()
    try:
        server.run(sockets=[bound])
    except KeyboardInterrupt:
        pass  # the way to end it
    finally:
        bound.close()


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the port that was asked for, or the usual one, or any that is free."""
    for wanted in (PORT, 0) if port is None else (port,):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            return socket.create_server((host, wanted), family=family)
        except (OSError, OverflowError) as error:
            failure = error
    raise OptionError(
        f"--host {host} --port {port or PORT}: cannot be listened to: "
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
