"""Where the time goes: seconds by part of the work."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Clock"]


class Clock:
    """Adds up the seconds that parts of the work take, by their names, in the order they begin."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        """Count what is done inside for this part."""
        start = time.perf_counter()
        self.seconds.setdefault(part, 0.0)
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - start
