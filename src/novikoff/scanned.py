"""A scan as a matrix whose rows live in a file: every pass over the data reads the file once."""

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from novikoff import sparse as sp
from novikoff.batches import Batches
from novikoff.errors import DataError
from novikoff.far import Coding, Far, Indices, Part, rows_joined
from novikoff.problem import Signs, matrix_of, two_classes

__all__ = ["ScannedRows"]

T = TypeVar("T")


class ScannedRows(Far):
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
