"""The verdict on a table or a scan, in the labels of the file: for `check`, `plot` and `demo`."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from novikoff.cli.screen import Screen
from novikoff.core.progress import Deadline

if TYPE_CHECKING:
    from novikoff.data.scans.columns import Scan
    from novikoff.data.table import Table
    from novikoff.separability.api import Answer

TIME_LIMIT = 120.0  # seconds
TimeLimitOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Stop after this time, with what is known so far; inf: no limit.",
    ),
]


def decide(
    data: "Table | Scan",
    fit_intercept: bool,
    exact: bool,
    screen: Screen,
    time_limit: float = TIME_LIMIT,
) -> "Answer":
    """Ask `novikoff.separate`, and let the verdict speak of the classes as the file names them.

    The rows are a table, or a scan that is read in parts. The margin of a separable verdict is
    worked out as well, in what is left of the time.
    """
    from novikoff.data.table import Table
    from novikoff.separability.api import separate
    from novikoff.separability.verdicts import Separable

    table = data if isinstance(data, Table) else None
    deadline = Deadline(time_limit)
    verdict = separate(
        data if table is None else table.X,
        None if table is None else table.signs,
        fit_intercept=fit_intercept,
        exact=True if exact else "auto",
        decimals=data.decimals,
        names=data.names,
        time_limit=time_limit,
        progress=screen.animated,
    )
    if table is not None:
        verdict = replace(verdict, problem=table.as_in_file(verdict.problem))
    if isinstance(verdict, Separable):
        verdict.measure(time_limit=deadline.seconds_left(), progress=screen.animated)
    return verdict
