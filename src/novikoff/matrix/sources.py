"""Make a `Problem` of what a user gave: arrays, tables, scans or Dask collections.

`ScannedRows` is a scan as a matrix: every pass over the data reads the file once.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.options import check_flag
from novikoff.errors import DataError
from novikoff.matrix.batches import Batches, refuse_labels
from novikoff.matrix.dask.inputs import is_dask, partitions_of, partitions_of_pieces
from novikoff.matrix.dask.partitions import PartitionedRows, Partitions
from novikoff.matrix.problem import Problem, Signs, check_names, matrix_of, two_classes
from novikoff.matrix.remote import Coding, Indices, Part, RemoteMatrix, rows_joined

T = TypeVar("T")


class ScanMatrix(RemoteMatrix):
    """The rows of a scan. In memory are a batch, one byte a row for the label, and rows asked for.

    `y` are the labels, −1 or +1, and `classes` what these stand for; or `y` is what `coding` makes
    of the labels.
    """

    def __init__(self, batches: Batches, coding: Coding | None = None) -> None:
        super().__init__()
        self.batches = batches
        self.classes = two_classes(batches.labels) if coding is None else (-1, 1)
        coding = Signs(self.classes[1]) if coding is None else coding
        labels, types, first = [], set(), [0]
        self.is_sparse = False
        for batch in batches:
            X = matrix_of(batch.X, first_row=first[-1])
            if X.dtype == object:
                raise DataError(
                    f"float64 cannot hold the numbers in rows {first[-1]} and following: "
                    "read the data whole (novikoff.read)."
                )
            self.is_sparse = sp.issparse(X)
            types.add(X.dtype)
            labels.append(coding(batch.y, batch.weights, first[-1]))
            first.append(first[-1] + len(batch.y))
        self.y = np.concatenate(labels)
        self.offsets = np.array(first[:-1], dtype=np.int64)
        self.shape = (first[-1], batches.d)
        self.dtype = np.result_type(*types)

    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(part, *args)` for each batch."""
        return [
            task(Part(X, self.y[first : first + X.shape[0]]), *args)
            for first, X in zip(self.offsets.tolist(), self.blocks(), strict=True)
        ]

    def fetch(self, rows: Indices) -> Any:
        """These rows, read in one pass that ends with the last of them."""
        found, read = [], 0
        for first, X in zip(self.offsets.tolist(), self.blocks(), strict=True):
            start, end = np.searchsorted(rows, [first, first + X.shape[0]])
            if end > start:
                found.append(X[rows[start:end] - first])
                read = int(end)
            if read == len(rows):
                break
        return rows_joined(found)

    def blocks(self) -> Iterator[Any]:
        """The matrices of the batches."""
        for batch in self.batches:
            X = batch.X
            if sp.issparse(X):
                yield X.astype(self.dtype, copy=False)
            else:
                yield np.ascontiguousarray(X, dtype=self.dtype)


def as_problem(
    X: object, y: object, *, fit_intercept: bool = True, names: Sequence[str] | None = None
) -> Problem:
    """The validated problem; of a scan, which has its own labels, y must be left out.

    Dask's collections stay on their cluster, and so do Parquet files that its workers can read.
    """
    if not is_remote(X):
        return Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    check_flag("fit_intercept", fit_intercept)
    rows, own = coded_rows(X, y)
    checked = check_names(own if names is None else names, rows.shape[1])
    return Problem(rows, rows.y, fit_intercept, checked, rows.classes)


def is_remote(X: object) -> bool:
    """Whether the rows of `X` are not in memory: a scan, or a collection of Dask's."""
    return isinstance(X, Batches) or is_dask(X)


def coded_rows(
    X: Any,
    y: object,
    weights: object = None,
    coding_of: Callable[[Callable[[], NDArray[Any]]], Coding] | None = None,
) -> tuple[ScanMatrix | PartitionedRows, tuple[str, ...]]:
    """The rows where they live, and the names of their columns.

    Their bytes are the signs of two classes, or what the coding says that `coding_of` makes; it may
    ask for the labels that occur in rows of a weight above 0.
    """
    if is_dask(X):
        partitions = partitions_of(X, y, weights, exact=True)
        return _partitioned(partitions, coding_of), partitions.names
    refuse_labels(y, weights)
    pieces = partitions_of_pieces(X)
    if pieces is not None:
        return _partitioned(pieces, coding_of), X.names
    # A scan leaves out rows whose weight is 0.
    coding = None if coding_of is None else coding_of(lambda: X.labels)
    return ScanMatrix(X, coding), X.names


def _partitioned(partitions: Partitions, coding_of: Any) -> PartitionedRows:
    coding = None if coding_of is None else coding_of(partitions.present_labels)
    return PartitionedRows(partitions, coding)
