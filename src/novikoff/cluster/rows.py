"""Partitions as a matrix whose rows live on other machines: what `separate` and `verify` ask of it.

A pass over the data is one set of tasks: the weights go to the workers, and each partition answers
with its most violated rows, its proven bounds, or whatever the pass is about. What comes back is
put together in the order of the partitions, so that it depends neither on their number nor on the
workers'.
"""

import time
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.cluster.partitions import Block, Partitions
from novikoff.errors import DataError
from novikoff.far import Coding, Far, Indices, Part, rows_joined
from novikoff.problem import Signs, check_float64_holds, two_classes
from novikoff.sha256 import Sha256

__all__ = ["PartitionedRows"]

T = TypeVar("T")


class PartitionedRows(Far):
    """The rows of partitions. On the client are one byte a row for the label, and rows asked for.

    `y` are the labels, −1 or +1, and `classes` what these stand for; or `y` is what `coding` makes
    of the labels.
    """

    def __init__(self, partitions: Partitions, coding: Coding | None = None) -> None:
        super().__init__()
        self.crew, self.source = partitions.crew, partitions.source
        self.classes = two_classes(partitions.labels) if coding is None else (-1, 1)
        coding = Signs(self.classes[1]) if coding is None else coding
        types = {part.dtype for part in partitions.descriptions}
        if np.dtype(object) in types:
            raise DataError(
                f"float64 cannot hold the numbers of {self.source}: convert them, or compute() the "
                "data if it fits in memory."
            )
        self.dtype = np.result_type(*types)
        self.is_sparse = any(part.is_sparse for part in partitions.descriptions)
        self.offsets = np.array(partitions.offsets, dtype=np.int64)
        self.sizes = np.array(partitions.sizes, dtype=np.int64)
        self.shape = (partitions.n, partitions.d)
        firsts = self.offsets.tolist()
        blocks = [(k, (firsts[k], block)) for k, block in enumerate(partitions.blocks)]
        how = (coding, self.dtype, self.is_sparse)
        parts = self.crew.planned("label", _part_of, blocks, *how)
        self._parts = self.crew.keep(parts, "labelling") if partitions.held else parts
        self.y = np.concatenate(self._over("bring-labels", _labels_of))

    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(part, *args)` for each partition, on its worker."""
        started = time.perf_counter()
        found = self._over(_name_of(task, args), task, *args)
        self.rows_a_second = self.shape[0] / max(time.perf_counter() - started, 1e-9)
        return found

    def _over(self, what: str, task: Callable[..., T], *args: Any) -> list[T]:
        return list(self.crew.each(what, task, [(part,) for part in self._parts], *args))

    def fetch(self, rows: Indices) -> Any:
        """These rows, from the partitions that have them."""
        wanted = []
        for k, first in enumerate(self.offsets.tolist()):
            start, end = np.searchsorted(rows, [first, first + self.sizes[k]])
            if end > start:
                wanted.append((k, (self._parts[k], rows[start:end] - first)))
        return rows_joined(self.crew.some("fetch-rows", _rows_of, wanted))

    def blocks(self) -> Iterator[Any]:
        """The matrices of the partitions, brought to the client one after the other."""
        for k, part in enumerate(self._parts):
            yield self.crew.some("bring", _matrix_of, [(k, (part,))])[0]

    def new_hash(self) -> Sha256:
        """A hash whose state can travel to the rows."""
        return Sha256()

    def walk(self, task: Callable[[Part, T], T], carried: T) -> T:
        """`carried = task(part, carried)` for each partition in order, on its worker."""
        links = [(k, (part,)) for k, part in enumerate(self._parts)]
        for link in links:  # one at a time: partitions that are not held are read when needed
            carried = self.crew.chain("hash", task, [link], carried)[0]
        return carried


def _name_of(task: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """What the dashboard calls a pass: the innermost function, in words."""
    inner = [value for value in args if callable(value) and hasattr(value, "__name__")]
    name = str((inner[-1] if inner else task).__name__)
    return name.strip("_").replace("_", "-")


def _part_of(
    first: int, block: Block, coding: Coding, dtype: np.dtype[Any], is_sparse: bool
) -> Part:
    X = block.batch.X
    if dtype.kind == "f":  # partitions of integers beside others of floats
        check_float64_holds(X)
    if is_sparse:
        X = sp.csr_array(X).astype(dtype, copy=False)
    else:
        X = np.ascontiguousarray(X, dtype=dtype)
    return Part(X, coding(block.batch.y, block.batch.weights, first))


def _labels_of(part: Part) -> NDArray[np.int8]:
    return part.y


def _rows_of(part: Part, rows: Indices) -> Any:
    return part.X[rows]


def _matrix_of(part: Part) -> Any:
    return part.X
