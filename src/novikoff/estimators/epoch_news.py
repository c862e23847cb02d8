"""Where a long run is: epoch and mistakes, printed (`verbose`), or told to who asked for them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["news_of", "tell_epochs"]

SECONDS_BETWEEN_MESSAGES = 1.0

News = Callable[[int, int], None]
_listener: ContextVar[News | None] = ContextVar("listener", default=None)


@contextmanager
def tell_epochs(listener: News) -> Iterator[None]:
    """Runs that begin in here tell `listener(epochs so far, mistakes in the last one)`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def news_of(name: str, max_iter: int, verbose: bool, rows: int = 0) -> News | None:
    """Who is told where this run is: the listener, or a printer if `verbose`, or nobody."""
    return _listener.get() or (_printer(name, max_iter, rows) if verbose else None)


def _printer(name: str, max_iter: int, rows: int) -> News:
    """Say where a long run is, at most once a second; with `rows`, how many a second it sees."""
    last, before = time.monotonic(), 0

    def say(epochs: int, mistakes: int) -> None:
        nonlocal last, before
        passed = time.monotonic() - last
        if passed >= SECONDS_BETWEEN_MESSAGES:
            pace = f", {rows * (epochs - before) / passed:,.0f} rows a second" if rows else ""
            last, before = time.monotonic(), epochs
            print(f"[{name}] epoch {epochs} of {max_iter}: {mistakes} mistakes{pace}", flush=True)

    return say
