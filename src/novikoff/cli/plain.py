"""Terminals that know no more than ASCII: what they cannot print is spelled out."""

import codecs
import sys
import unicodedata
from typing import Any

__all__ = ["speak_plainly", "spell_out", "spell_out_rich"]

SPELLED = {
    "·": "*", "×": "x", "−": "-", "–": "-", "…": "...", "≥": ">=", "≤": "<=", "≠": "!=", "≈": "~",
    "±": "+-", "∞": "infinity", "√": "sqrt ", "‖": "||", "→": "->", "←": "<-", "§": "section ",
    "½": "1/2", "“": '"', "”": '"', "‘": "'", "’": "'", "α": "alpha", "β": "beta", "γ": "gamma",
    "δ": "delta", "ε": "epsilon", "η": "eta", "μ": "mu", "σ": "sigma", "τ": "tau", "φ": "phi",
    "ψ": "psi", "Ψ": "Psi", "Σ": "sum ", "\u0302": "^", "ᵀ": "'", "ℝ": "R", "⋮": ":", "ŵ": "w^",
    "ŷ": "y^", "─": "-", "│": "|", "├": "|-", "└": "`-", "╭": "+", "╮": "+", "╰": "+", "╯": "+",
}  # fmt: skip
POWERS = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+", strict=True))


def spell_out(text: str) -> str:
    """The text in ASCII: mathematics as it is typed, anything else by its number."""
    return "".join(map(_spell, text))


def _spell(character: str) -> str:
    if character in POWERS:
        return f"^{POWERS[character]}"
    if character in SPELLED:
        return SPELLED[character]
    base = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return base or character.encode("ascii", "backslashreplace").decode()


def _replace(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return spell_out(error.object[error.start : error.end]), error.end


def speak_plainly() -> None:
    """Let standard output and error spell out what their encoding cannot hold."""
    codecs.register_error("novikoff.plain", _replace)
    for stream in (sys.stdout, sys.stderr):
        encoding = (getattr(stream, "encoding", None) or "").lower().replace("-", "")
        if not encoding.startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="novikoff.plain")


def spell_out_rich(shown: Any) -> Any:
    """What Rich is to show, spelled out before it is laid out: else its columns would not align."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    if hasattr(shown, "__rich__"):
        shown = shown.__rich__()
    if isinstance(shown, str):
        return spell_out(shown)
    if isinstance(shown, Text) and not shown.plain.isascii():
        return Text(spell_out(shown.plain), style=shown.style)
    if isinstance(shown, Panel):
        shown.renderable = spell_out_rich(shown.renderable)
        shown.title = None if shown.title is None else spell_out_rich(shown.title)
    if isinstance(shown, Table):
        for column in shown.columns:
            column.header, column.footer = map(spell_out_rich, (column.header, column.footer))
            column._cells = [spell_out_rich(cell) for cell in column._cells]
    return shown
