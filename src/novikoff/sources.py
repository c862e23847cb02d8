"""From what a user gave to a `Problem`: arrays and tables at hand, or rows that live elsewhere."""

from collections.abc import Callable, Sequence
from typing import Any

from numpy.typing import NDArray

from novikoff.batches import Batches
from novikoff.cluster.dask_client import is_dask
from novikoff.cluster.inputs import partitions_of, partitions_of_pieces
from novikoff.cluster.partitions import Partitions
from novikoff.cluster.rows import PartitionedRows
from novikoff.conventions import check_flag
from novikoff.errors import OptionError
from novikoff.far import Coding
from novikoff.problem import Problem, check_names
from novikoff.scanned import ScannedRows

__all__ = ["coded_rows", "is_elsewhere", "problem_of"]


def problem_of(
    X: object, y: object, *, fit_intercept: bool = True, names: Sequence[str] | None = None
) -> Problem:
    """The validated problem; of a scan, which has its own labels, y must be left out.

    Dask's collections stay on their cluster, and so do Parquet files that its workers can read.
    """
    if not is_elsewhere(X):
        return Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    check_flag("fit_intercept", fit_intercept)
    rows, own = coded_rows(X, y)
    checked = check_names(own if names is None else names, rows.shape[1])
    return Problem(rows, rows.y, fit_intercept, checked, rows.classes)


def is_elsewhere(X: object) -> bool:
    """Whether the rows of `X` are not in memory: a scan, or a collection of Dask's."""
    return isinstance(X, Batches) or is_dask(X)


def coded_rows(
    X: Any,
    y: object,
    weights: object = None,
    coding_of: Callable[[Callable[[], NDArray[Any]]], Coding] | None = None,
) -> tuple[ScannedRows | PartitionedRows, tuple[str, ...]]:
    """The rows where they live, and the names of their columns.

    Their bytes are the signs of two classes, or what the coding says that `coding_of` makes; it may
    ask for the labels that occur in rows of a weight above 0.
    """
    if is_dask(X):
        partitions = partitions_of(X, y, weights, exact=True)
        return _partitioned(partitions, coding_of), partitions.names
    if y is not None or weights is not None:
        raise OptionError("a scan brings its labels and weights: leave y and weights out.")
    pieces = partitions_of_pieces(X)
    if pieces is not None:
        return _partitioned(pieces, coding_of), X.names
    # A scan leaves out rows whose weight is 0.
    coding = None if coding_of is None else coding_of(lambda: X.labels)
    return ScannedRows(X, coding), X.names


def _partitioned(partitions: Partitions, coding_of: Any) -> PartitionedRows:
    coding = None if coding_of is None else coding_of(partitions.present_labels)
    return PartitionedRows(partitions, coding)
