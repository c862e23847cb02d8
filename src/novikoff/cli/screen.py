"""Where words go: results to standard output, messages to standard error, one JSON document."""

import json
import math
import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from novikoff.cli.plain import spell_out_rich
from novikoff.progress import moving_line

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["Screen"]


@dataclass(frozen=True)
class Screen:
    """What a command writes to. Rich drops colours where there is no terminal, or with NO_COLOR.

    Nothing is markup: a column may well be called [bold].
    """

    json: bool = False
    quiet: bool = False

    @property
    def out(self) -> "Console":
        """Standard output, for results."""
        from rich.console import Console

        class Out(Console):
            """Leaves it to the command what to do when nobody reads on: Rich would exit with 1."""

            def on_broken_pipe(self) -> None:
                raise BrokenPipeError

        return Out(highlight=False, markup=False, emoji=False)

    @property
    def err(self) -> "Console":
        """Standard error, for messages."""
        from rich.console import Console

        return Console(stderr=True, highlight=False, markup=False, emoji=False)

    @property
    def animated(self) -> bool:
        """Whether progress may be shown: in a terminal, not into a pipe, not when quiet."""
        if self.quiet or not sys.stderr.isatty():
            return False
        return not stat.S_ISFIFO(os.fstat(sys.stdout.fileno()).st_mode)

    def show(self, *results: Any) -> None:
        """A result for a person; not there when JSON is asked for."""
        if not self.json:
            console = self.out
            plain = not console.encoding.startswith("utf")
            for result in map(spell_out_rich, results) if plain else results:
                console.print(result, soft_wrap=isinstance(result, str) and not console.is_terminal)

    def document(self, content: dict[str, Any]) -> None:
        """The result for a program, if that is asked for."""
        if self.json:
            encoding = (sys.stdout.encoding or "ascii").lower()
            text = json.dumps(
                _plain(content),
                indent=2,
                ensure_ascii=not encoding.startswith("utf"),
                allow_nan=False,
                default=str,
            )
            sys.stdout.write(text + "\n")

    def say(self, message: str, *, command: str = "") -> None:
        """A message on standard error, unless asked to be quiet.

        A terminal gets lines that end between words. A `command` behind it is not cut, so that it
        can be copied whole.
        """
        if self.quiet:
            return
        if hasattr(sys.stderr, "rich_proxied_file"):
            # Progress is shown: its own console must write the line, above what moves.
            print(f"{message} {command}".strip(), file=sys.stderr)
            return
        from rich.text import Text

        whole = bool(command) or not self.err.is_terminal
        self.err.print(Text(f"{message} {command}".strip(), style="dim"), soft_wrap=whole)

    @contextmanager
    def working(self, what: str) -> Iterator[Callable[[str], None]]:
        """Show that something is going on, as long as it does, where somebody is looking.

        What is yielded takes another text for it.
        """
        if not self.animated:
            yield lambda text: None  # noqa: ARG005
            return
        with moving_line(self.err) as progress:
            task = progress.add_task(what, total=None)
            yield lambda text: progress.update(task, description=text)


def _plain(value: Any) -> Any:
    """JSON has no NaN and no infinity: such a number is written as null."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value
