"""The verdict on a table, in the table's own labels: what `check`, `plot` and `demo` share."""

from dataclasses import replace
from typing import TYPE_CHECKING

from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.data.table import Table
    from novikoff.decide import Answer

__all__ = ["decide"]


def decide(table: "Table", fit_intercept: bool, exact: bool, screen: Screen) -> "Answer":
    """Ask `novikoff.separate`, and let the verdict speak of the classes as the file names them."""
    from novikoff.decide import separate

    verdict = separate(
        table.X,
        table.signs,
        fit_intercept=fit_intercept,
        exact=True if exact else "auto",
        decimals=table.decimals,
        names=table.names,
        progress=screen.animated,
    )
    problem = replace(verdict.problem, classes=table.classes)
    return replace(verdict, problem=problem)
