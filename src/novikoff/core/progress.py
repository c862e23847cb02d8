"""Long work that can be watched, limited and interrupted: its stages, and how much time is left.

Whoever has a `Watch` at hand asks it. Loops deep down, in exact arithmetic above all, have none:
they run over `in_time(items)`, which looks at the watch of whoever set a limit (`Watch.rules`).

Where the time goes: seconds by part of the work.
"""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from novikoff.core.options import check_flag, check_positive

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["Clock", "OutOfTime", "Watch", "in_time", "moving_line", "watched"]

T = TypeVar("T")


class OutOfTime(Exception):  # noqa: N818
    """The time limit was reached; whoever set it says what is known by then."""


class Watch:
    """Says which stage the work is in, and ends it by `OutOfTime` when its time is over."""

    def __init__(
        self, time_limit: float | None = None, say: Callable[[str], None] | None = None
    ) -> None:
        if time_limit is not None:
            check_positive("time_limit", time_limit)
        self.time_limit = time_limit
        self.ends = None if time_limit is None else time.monotonic() + float(time_limit)
        self._say = say

    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self.ends is not None and time.monotonic() > self.ends

    def check(self) -> None:
        """Raise `OutOfTime` if the time is over."""
        if self.is_over():
            raise OutOfTime

    @contextmanager
    def rules(self) -> Iterator[None]:
        """While this lasts, `in_time` ends with this watch, in all that is called from here."""
        before = _ruling.set(self)
        try:
            yield
        finally:
            _ruling.reset(before)

    def left(self) -> float | None:
        """Seconds that are left, a millisecond at least; None without a limit."""
        return None if self.ends is None else max(1e-3, self.ends - time.monotonic())

    def within(self, place: str) -> "Watch":
        """The same time limit, with a place before the name of each stage."""
        say = self._say
        inner = Watch(None, None if say is None else lambda text: say(f"{place}: {text}"))
        inner.time_limit, inner.ends = self.time_limit, self.ends
        return inner

    def show(self, text: str) -> None:
        """Name what is being done now."""
        if self._say is not None:
            self._say(text)

    def stage(self, text: str) -> None:
        """Name what is being done now, and check the time."""
        self.show(text)
        self.check()


_ruling: ContextVar[Watch | None] = ContextVar("_ruling", default=None)


def in_time(items: Iterable[T]) -> Iterable[T]:
    """The items, one after the other; `OutOfTime` when the time of the ruling watch is over."""
    watch = _ruling.get()
    return items if watch is None or watch.ends is None else _until(watch.ends, items)


def _until(ends: float, items: Iterable[T]) -> Iterator[T]:
    now = time.monotonic
    for item in items:
        if now() > ends:
            raise OutOfTime
        yield item


@contextmanager
def watched(wanted: bool, time_limit: float | None = None) -> Iterator[Watch]:
    """A watch whose stages are shown on the terminal, if that is wanted."""
    check_flag("progress", wanted)
    if not wanted:
        yield Watch(time_limit)
        return
    from rich.console import Console

    with moving_line(Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=None)
        yield Watch(time_limit, lambda text: bar.update(task, description=text, advance=1))


def moving_line(console: "Console") -> "Progress":
    """A line for somebody who waits: what turns, what is being done, and for how long.

    It stays one line, in the narrowest terminal too, and nothing in it is markup.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    kind = "dots" if _knows_more_than_ascii() else "line"
    said = TextColumn(
        "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")
    )
    columns = (SpinnerColumn(kind), said, TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def _knows_more_than_ascii() -> bool:
    encoding = (getattr(sys.stderr, "encoding", None) or "ascii").lower()
    return encoding.startswith("utf")


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
