"""Long work that can be watched, limited and interrupted: its stages, and how much time is left."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from novikoff.conventions import check_flag, check_positive

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

__all__ = ["OutOfTime", "Watch", "moving_line", "watched"]


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
        self._ends = None if time_limit is None else time.monotonic() + float(time_limit)
        self._say = say

    def is_over(self) -> bool:
        """Whether there is no time left."""
        return self._ends is not None and time.monotonic() > self._ends

    def check(self) -> None:
        """Raise `OutOfTime` if the time is over."""
        if self.is_over():
            raise OutOfTime

    def left(self) -> float | None:
        """Seconds that are left, a millisecond at least; None without a limit."""
        return None if self._ends is None else max(1e-3, self._ends - time.monotonic())

    def within(self, place: str) -> "Watch":
        """The same time limit, with a place before the name of each stage."""
        say = self._say
        inner = Watch(None, None if say is None else lambda text: say(f"{place}: {text}"))
        inner.time_limit, inner._ends = self.time_limit, self._ends
        return inner

    def show(self, text: str) -> None:
        """Name what is being done now."""
        if self._say is not None:
            self._say(text)

    def stage(self, text: str) -> None:
        """Name what is being done now, and check the time."""
        self.show(text)
        self.check()


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
