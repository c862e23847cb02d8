"""A table as data, and the same table for a terminal; the page has its own way to show it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Group

__all__ = ["Table", "rich_table"]


@dataclass(frozen=True)
class Table:
    """A caption, a header, rows of text, and how many more rows were left out."""

    caption: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    left_out: int = 0

    @property
    def remark(self) -> str:
        """What to say under the table about the rows that are not in it."""
        return f"and {self.left_out:,} more" if self.left_out else ""


def rich_table(table: Table) -> "Group":
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
    >>> from novikoff.report.tables import Table, rich_table
    >>> Console().print(rich_table(Table("sizes", ("n", "d"), (("4", "2"),))))
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
