"""A run of the perceptron on a table, beside a separator: what `trace`, `plot` and `demo` share."""

from dataclasses import replace
from typing import TYPE_CHECKING

from novikoff.cli.decision import decide
from novikoff.cli.options import Run
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.data.table import Table
    from novikoff.theory.trace import Trace

__all__ = ["run_trace"]


def run_trace(table: "Table", run: Run, screen: Screen, *, reference: bool = True) -> "Trace":
    """The run that the options describe, in the file's own words, and a separator beside it."""
    from novikoff.theory.trace import trace
    from novikoff.verdicts.verdict import Separable

    fit_intercept = run.intercept and table.fit_intercept
    separator: Separable | None = None
    if reference:
        verdict = decide(table, fit_intercept, False, screen)
        separator = verdict if isinstance(verdict, Separable) else None
    with screen.working("running the perceptron"):
        made = trace(
            table.X,
            table.signs,
            eta0=run.eta0,
            max_iter=run.max_iter,
            order=run.order,
            tie=run.tie,
            fit_intercept=fit_intercept,
            random_state=run.seed,
            separator=separator,
        )
    problem = replace(table.as_in_file(made.problem), names=table.names)
    return replace(made, problem=problem)
