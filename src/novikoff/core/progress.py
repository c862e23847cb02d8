"""Time limits, and progress on the terminal.

A `Deadline` is passed to long work, which reports its stages to it and asks it whether time is up.
Inner loops without a deadline of their own run over `in_time(items)`, which obeys the deadline that
a caller has put in force with `Deadline.enforced`.

`time_limit` means the same everywhere: seconds; 0 allows no search at all, None and infinity allow
any. What is known when the time is up is returned.
"""

import math
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from novikoff.core.options import check_flag, check_seconds

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

T = TypeVar("T")


class OutOfTime(Exception):  # noqa: N818
    """The time limit was reached. The caller that set it answers with what is known."""


class Deadline:
    """The time at which work ends, and the display of its stages."""

    def __init__(
        self, time_limit: float | None = None, say: Callable[[str], None] | None = None
    ) -> None:
        if time_limit is not None:
            check_seconds("time_limit", time_limit)
        self.time_limit = math.inf if time_limit is None else float(time_limit)
        self.ends = time.monotonic() + self.time_limit
        self._say = say

    def is_over(self) -> bool:
        """Whether there is no time left."""
        return time.monotonic() >= self.ends

    def check(self) -> None:
        """Raise `OutOfTime` if the time is over."""
        if self.is_over():
            raise OutOfTime

    def cancel(self) -> None:
        """End the time now."""
        self.ends = -math.inf

    @contextmanager
    def enforced(self) -> Iterator[None]:
        """Within this block, every `in_time` loop ends with this deadline."""
        before = _in_force.set(self)
        try:
            yield
        finally:
            _in_force.reset(before)

    def seconds_left(self) -> float:
        """Seconds that are left: 0 when time is over, infinity without a limit."""
        return max(0.0, self.ends - time.monotonic())

    def within(self, place: str) -> "Deadline":
        """A deadline of equal time, with `place` before the name of each stage."""
        say = self._say
        inner = Deadline(None, None if say is None else lambda text: say(f"{place}: {text}"))
        inner.time_limit, inner.ends = self.time_limit, self.ends
        return inner

    def show(self, text: str) -> None:
        """Show what is being done now."""
        if self._say is not None:
            self._say(text)

    def stage(self, text: str) -> None:
        """Show what is being done now, and check the time."""
        self.show(text)
        self.check()

    @property
    def reason(self) -> str:
        """Why an answer is missing when the time is over."""
        return f"the time limit of {self.time_limit:g} seconds was reached"


_in_force: ContextVar[Deadline | None] = ContextVar("_in_force", default=None)


def seconds_in_force() -> float:
    """Seconds that the deadline in force leaves to a compiled loop; infinity without one."""
    deadline = _in_force.get()
    return math.inf if deadline is None else deadline.seconds_left()


def in_time(items: Iterable[T]) -> Iterable[T]:
    """The items, one after the other; `OutOfTime` once the deadline in force is over."""
    deadline = _in_force.get()
    if deadline is None or deadline.ends == math.inf:
        return items
    return _until(deadline.ends, items)


def _until(ends: float, items: Iterable[T]) -> Iterator[T]:
    now = time.monotonic
    for item in items:
        if now() >= ends:
            raise OutOfTime
        yield item


@contextmanager
def start_deadline(progress: bool, time_limit: float | None = None) -> Iterator[Deadline]:
    """A deadline from now on. With `progress` its stages are shown on the terminal."""
    check_flag("progress", progress)
    if not progress:
        yield Deadline(time_limit)
        return
    from rich.console import Console

    with moving_line(Console(stderr=True)) as bar:
        task = bar.add_task("starting", total=None)
        yield Deadline(time_limit, lambda text: bar.update(task, description=text, advance=1))


def moving_line(console: "Console") -> "Progress":
    """A progress line: a spinner, what is being done, and for how long.

    It stays one line in the narrowest terminal. Text in it is not read as markup.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.table import Column

    kind = "dots" if _is_unicode_terminal() else "line"
    said = TextColumn(
        "{task.description}", markup=False, table_column=Column(no_wrap=True, overflow="ellipsis")
    )
    columns = (SpinnerColumn(kind), said, TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)


def _is_unicode_terminal() -> bool:
    encoding = (getattr(sys.stderr, "encoding", None) or "ascii").lower()
    return encoding.startswith("utf")


class Clock:
    """Seconds of work, added up by the name of its parts, in the order they begin."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        """Add the seconds of this block to `part`."""
        start = time.perf_counter()
        self.seconds.setdefault(part, 0.0)
        try:
            yield
        finally:
            self.seconds[part] += time.perf_counter() - start
