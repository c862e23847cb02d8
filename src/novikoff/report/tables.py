"""A table as data, and the same table for a terminal; the page has its own way to show it.

Numbers as people read them, never rounded to say more than was proven.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from novikoff.exact.rational import decimal_text

if TYPE_CHECKING:
    from rich.console import Group

DIGITS = 10
LONGEST_FRACTION = 70  # bits of numerator and denominator together, about 21 digits


def at_least(value: float, digits: int = DIGITS) -> str:
    """A lower bound in decimal, rounded down."""
    return _round(value, digits, ROUND_FLOOR)


def at_most(value: float, digits: int = DIGITS) -> str:
    """An upper bound in decimal, rounded up."""
    return _round(value, digits, ROUND_CEILING)


def short(value: float) -> str:
    """A number for a table cell: six significant digits."""
    return f"{value:.6g}".replace("-", "−")


def fraction_text(value: Fraction) -> str:
    """A fraction as it is, or six digits of it where it would not fit in a cell."""
    if value.numerator.bit_length() + value.denominator.bit_length() <= LONGEST_FRACTION:
        return str(value).replace("-", "−")
    return f"≈ {decimal_text(value, 6)}".replace("-", "−")


def _round(value: float, digits: int, rounding: str) -> str:
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    exact = Context(prec=digits, rounding=rounding).create_decimal(Decimal(value))
    return _plain(exact, digits)


def _plain(value: Decimal, digits: int) -> str:
    """Decimal digits, with an exponent where there would be many zeros."""
    if not value:
        return "0"
    value = value.normalize(Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN))
    near = -5 < value.adjusted() < digits
    return (f"{value:f}" if near else f"{value:e}").replace("-", "−")


@dataclass(frozen=True)
class TextTable:
    """A caption, a header, rows of text, and how many more rows were left out."""

    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left_out: int = 0

    @property
    def remark(self) -> str:
        """What to say under the table about the rows that are not in it."""
        return f"and {self.left_out:,} more" if self.left_out else ""


def rich_table(table: TextTable) -> "Group":
    """The table for a terminal: numbers to the right, everything else to the left.

    Parameters
    ----------
    table : Table
        A caption, a header and rows of text, from `novikoff.report.tables`.

    Returns
    -------
    rich.console.Group
        To be printed by Rich.

    Examples
    --------
    >>> from rich.console import Console
    >>> from novikoff.report.tables import TextTable, rich_table
    >>> Console().print(rich_table(TextTable("sizes", ("n", "d"), (("4", "2"),))))
    sizes
    ...
    """
    from rich.console import Group
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable()
    for j, name in enumerate(table.header):
        numeric = all(is_number(row[j]) for row in table.rows)
        shown.add_column(Text(name), justify="right" if numeric else "left")
    for row in table.rows:
        shown.add_row(*(Text(cell) for cell in row))
    remark = [Text(table.remark)] if table.remark else []
    return Group(Text(table.caption, style="bold"), shown, *remark)


def is_number(text: str) -> bool:
    """Whether a cell is a number, so that its column is set to the right."""
    plain = text.replace("−", "-").replace("+", "").replace(",", "").removeprefix("≈ ")
    plain = plain.replace("∞", "0").replace("/", "")
    try:
        float(plain or "0")
    except ValueError:
        return False
    return True
