"""Print results to standard output, messages to standard error, and one JSON document.

On a terminal that knows only ASCII, other characters are spelled out.
"""

import codecs
import json
import math
import os
import stat
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from novikoff.core.progress import moving_line

if TYPE_CHECKING:
    from rich.console import Console

SPELLED = {
    "·": "*", "×": "x", "−": "-", "–": "-", "…": "...", "≥": ">=", "≤": "<=", "≠": "!=", "≈": "~",
    "±": "+-", "∞": "infinity", "√": "sqrt", "‖": "||", "→": "->", "←": "<-", "§": "section",
    "½": "1/2", "“": '"', "”": '"', "‘": "'", "’": "'", "α": "alpha", "β": "beta", "γ": "gamma",
    "δ": "delta", "ε": "epsilon", "η": "eta", "μ": "mu", "σ": "sigma", "τ": "tau", "φ": "phi",
    "ψ": "psi", "Ψ": "Psi", "Σ": "sum", "\u0302": "^", "ᵀ": "'", "ℝ": "R", "⋮": ":", "ŵ": "w^",
    "ŷ": "y^", "─": "-", "│": "|", "├": "|-", "└": "`-", "╭": "+", "╮": "+", "╰": "+", "╯": "+",
}  # fmt: skip
POWERS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᴰ", "0123456789-+D", strict=True))
INDICES = dict(zip("₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙ", "0123456789ijkn", strict=True))


def spell_out(text: str, before: str = "", after: str = "") -> str:
    """The text in ASCII: mathematics as it is typed, anything else by its number.

    kγ becomes k gamma: a name stands apart from letters beside it, also those before and after.
    """
    spelled, last = "", before
    for character in text:
        piece = _spell(character, last)
        spelled += f" {piece}" if _runs_together(last, character, piece) else piece
        last = character
    return f"{spelled} " if _runs_together(last, after, after) else spelled


def _runs_together(last: str, character: str, piece: str) -> bool:
    """Whether the text of a character would run into that of the one before it."""
    if not last.isalnum() and not _is_name(last):
        return False
    return (
        piece[:1].isalnum()
        and (_is_name(last) or _is_name(character))
        and not (last in INDICES and character in INDICES)
    )


def _is_name(character: str) -> bool:
    """Whether a character is spelled as a word, gamma or sum, or is an index that ends one."""
    spelled = SPELLED.get(character, "")
    return character in INDICES or (len(spelled) > 1 and spelled.isalpha())


def _spell(character: str, last: str) -> str:
    if character in POWERS:
        return POWERS[character] if last in POWERS else f"^{POWERS[character]}"
    if character in INDICES:
        return INDICES[character] if last in INDICES else f"_{INDICES[character]}"
    if character == "·" and last == "*":  # ŵ*·ŵ
        return " * "
    if character in SPELLED:
        return SPELLED[character]
    base = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return base or character.encode("ascii", "backslashreplace").decode()


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    start, end, text = error.start, error.end, error.object
    return spell_out(text[start:end], text[max(0, start - 1) : start], text[end : end + 1]), end


def install_ascii_fallback() -> None:
    """Let standard output and error spell out what their encoding cannot hold."""
    codecs.register_error("novikoff.plain", _replace)
    for stream in (sys.stdout, sys.stderr):
        encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "")
        if not encoding.startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="novikoff.plain")


def spell_out_rich(shown: Any) -> Any:
    """What Rich is to show, spelled out before it is laid out: else its columns would not align."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    if hasattr(shown, "__rich__"):
        shown = shown.__rich__()
    if isinstance(shown, str):
        return spell_out(shown)
    if isinstance(shown, Text) and not shown.plain.isascii():
        return Text(spell_out(shown.plain), style=shown.style)
    if isinstance(shown, Group):
        return Group(*map(spell_out_rich, shown.renderables))
    if isinstance(shown, Panel):
        shown.renderable = spell_out_rich(shown.renderable)
        shown.title = None if shown.title is None else spell_out_rich(shown.title)
    if isinstance(shown, Table):
        for column in shown.columns:
            column.header, column.footer = map(spell_out_rich, (column.header, column.footer))
            column._cells = [spell_out_rich(cell) for cell in column._cells]
    return shown


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
