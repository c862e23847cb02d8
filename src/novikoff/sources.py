"""From what a user gave to a `Problem`: arrays and tables at hand, or rows that live elsewhere."""

from collections.abc import Sequence
from typing import Any

from novikoff.batches import Batches
from novikoff.cluster.dask_client import is_dask
from novikoff.cluster.inputs import partitions_of, partitions_of_pieces
from novikoff.cluster.rows import PartitionedRows
from novikoff.conventions import check_flag
from novikoff.errors import OptionError
from novikoff.problem import Problem, check_names
from novikoff.scanned import ScannedRows

__all__ = ["is_elsewhere", "problem_of"]


def problem_of(
    X: object, y: object, *, fit_intercept: bool = True, names: Sequence[str] | None = None
) -> Problem:
    """The validated problem; of a scan, which has its own labels, y must be left out.

    Dask's collections stay on their cluster, and so do Parquet files that its workers can read.
    """
    if not is_elsewhere(X):
        return Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    check_flag("fit_intercept", fit_intercept)
    rows, own = _far_rows(X, y)
    checked = check_names(own if names is None else names, rows.shape[1])
    return Problem(rows, rows.y, fit_intercept, checked, rows.classes)


def is_elsewhere(X: object) -> bool:
    """Whether the rows of `X` are not in memory: a scan, or a collection of Dask's."""
    return isinstance(X, Batches) or is_dask(X)


def _far_rows(X: Any, y: object) -> tuple[ScannedRows | PartitionedRows, tuple[str, ...]]:
    """The rows where they live, and the names of their columns."""
    if is_dask(X):
        partitions = partitions_of(X, y, exact=True)
        return PartitionedRows(partitions), partitions.names
    if y is not None:
        raise OptionError("a scan brings its labels: leave y out.")
    pieces = partitions_of_pieces(X)
    return (ScannedRows(X) if pieces is None else PartitionedRows(pieces)), X.names
