"""From what a user gave to a `Problem`: arrays and tables at hand, or rows that live elsewhere."""

from collections.abc import Sequence

from novikoff.batches import Batches
from novikoff.conventions import check_flag
from novikoff.errors import OptionError
from novikoff.problem import Problem, check_names
from novikoff.scanned import ScannedRows

__all__ = ["problem_of"]


def problem_of(
    X: object, y: object, *, fit_intercept: bool = True, names: Sequence[str] | None = None
) -> Problem:
    """The validated problem; of a scan, which has its own labels, y must be left out."""
    if not isinstance(X, Batches):
        return Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    check_flag("fit_intercept", fit_intercept)
    if y is not None:
        raise OptionError("a scan brings its labels: leave y out.")
    rows = ScannedRows(X)
    checked = check_names(X.names if names is None else names, rows.shape[1])
    return Problem(rows, rows.y, fit_intercept, checked, rows.classes)
