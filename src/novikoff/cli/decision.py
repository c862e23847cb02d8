"""The verdict on a table, in the table's own labels: what `check`, `plot` and `demo` share."""

import time
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.data.scans.columns import Scan
    from novikoff.data.table import Table
    from novikoff.separability.api import Answer

TIME_LIMIT = 120.0  # seconds
TimeLimitOption = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Answer by then, if only with what is known so far; inf for no limit.",
    ),
]


def decide(
    table: "Table",
    fit_intercept: bool,
    exact: bool,
    screen: Screen,
    time_limit: float = TIME_LIMIT,
) -> "Answer":
    """Ask `novikoff.separate`, and let the verdict speak of the classes as the file names them.

    The margin is worked out as well, in what is left of the time.
    """
    from novikoff.separability.api import separate

    started = time.monotonic()
    verdict = separate(
        table.X,
        table.signs,
        fit_intercept=fit_intercept,
        exact=True if exact else "auto",
        decimals=table.decimals,
        names=table.names,
        time_limit=time_limit,
        progress=screen.animated,
    )
    verdict = replace(verdict, problem=table.as_in_file(verdict.problem))
    _measure(verdict, started, screen, time_limit)
    return verdict


def decide_scan(
    scan: "Scan", fit_intercept: bool, exact: bool, screen: Screen, time_limit: float
) -> "Answer":
    """Like `decide`, for rows that are read in parts, by this process or by a cluster."""
    from novikoff.separability.api import separate

    started = time.monotonic()
    verdict = separate(
        scan,
        fit_intercept=fit_intercept,
        exact=True if exact else "auto",
        decimals=scan.decimals,
        time_limit=time_limit,
        progress=screen.animated,
    )
    _measure(verdict, started, screen, time_limit)
    return verdict


def _measure(verdict: "Answer", started: float, screen: Screen, time_limit: float) -> None:
    """Work out the margin of a separable verdict in what is left of the time."""
    from novikoff.separability.verdicts import Separable

    if isinstance(verdict, Separable):
        left = max(0.0, time_limit - (time.monotonic() - started))
        verdict.measure(time_limit=left, progress=screen.animated)
