"""A search that can be watched: passes, the closing interval of γ, and the working set."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

__all__ = ["Progress", "shown"]


class Progress(NamedTuple):
    """The margin so far, as a candidate interval, and the size of the working set."""

    passes: int
    lower: float
    upper: float
    working: int


@contextmanager
def shown(wanted: bool) -> Iterator[Callable[[Progress], None] | None]:
    """A function to tell about each pass, shown as a Rich bar; None if nobody watches."""
    if not wanted:
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("pass 0", total=None)

        def tell(now: Progress) -> None:
            text = (
                f"pass {now.passes}: γ in [{now.lower:.6g}, {now.upper:.6g}], "
                f"working set of {now.working} rows"
            )
            bar.update(task, description=text, advance=1)

        yield tell
