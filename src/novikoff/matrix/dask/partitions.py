"""Labelled rows that live on the workers of a cluster, in partitions that follow each other.

Every partition is validated where it lives, once, and described to the client in a few numbers.
Partitions stay in the workers' memory if they all fit there; otherwise each pass reads them again.

`PartitionedRows` is such data as a matrix, for `separate` and `verify`.

A pass over the data is one set of tasks: the weights go to the workers, and each partition answers
with its most violated rows, its proven bounds, or whatever the pass is about. What comes back is
put together in the order of the partitions, so that it depends neither on their number nor on the
workers'.
"""

import time
from collections.abc import Callable, Iterator
from functools import cached_property
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.errors import DataError, LabelError, ShapeError
from novikoff.matrix.batches import Batch
from novikoff.matrix.dask.executor import DaskExecutor
from novikoff.matrix.digest import Sha256
from novikoff.matrix.problem import (
    Signs,
    check_float64_holds,
    check_names,
    default_names,
    distinct,
    two_classes,
)
from novikoff.matrix.remote import Coding, Indices, Part, RemoteMatrix, rows_joined

HELD_SHARE = 0.5  # of the workers' memory: what is held must leave room to work
SAMPLED = 3  # partitions that are looked at where nobody knows how much memory all take, or
SAMPLED_SHARE = 0.25  # fewer, of few


class Block(NamedTuple):
    """A partition on its worker: rows, labels, weights, and the names of the columns."""

    batch: Batch
    names: tuple[str, ...] | None


class Description(NamedTuple):
    """A description of a partition; `labels` are sorted, `counts` how often each occurs.

    `present` is how many rows have a weight above 0.
    """

    n: int
    d: int
    nbytes: int
    names: tuple[str, ...] | None
    labels: NDArray[Any]
    counts: NDArray[np.int64]
    has_weights: bool
    present: int
    dtype: np.dtype[Any]
    is_sparse: bool


def _described(block: Block) -> Description:
    """Look at one partition, on its worker."""
    batch = block.batch
    labels, counts = _counted(batch.y)
    X = batch.X
    stored = (X.data, X.indices, X.indptr) if sp.issparse(X) else (X,)
    nbytes = sum(array.nbytes for array in stored) + batch.y.nbytes
    n, d = X.shape
    has_weights = batch.weights is not None
    present = n if batch.weights is None else int(np.count_nonzero(batch.weights))
    about = (block.names, labels, counts, has_weights, present, X.dtype, bool(sp.issparse(X)))
    return Description(n, d, nbytes, *about)


def _counted(y: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    labels = distinct(y)
    if y.dtype != object:  # the outcome of a regression may be thousands of different counts
        return labels, np.unique(y, return_counts=True)[1].astype(np.int64)
    counts = np.array([np.count_nonzero(y == label) for label in labels], np.int64)
    return labels, counts


def joined_labels(every: list[NDArray[Any]]) -> NDArray[Any]:
    """The labels of several parts, sorted."""
    if len({labels.dtype.kind for labels in every}) > 1:  # text would swallow numbers
        objects = [np.array(labels.tolist(), dtype=object) for labels in every]
        return distinct(np.concatenate(objects))
    return np.unique(np.concatenate(every))


def _present_labels(block: Block) -> NDArray[Any]:
    """The labels of rows that have a weight, in one partition, on its worker."""
    batch = block.batch
    return distinct(batch.y if batch.weights is None else batch.y[batch.weights > 0])


def _estimated_bytes(executor: DaskExecutor, blocks: list[Any]) -> float:
    """How much memory all partitions take, if some that are spread among them are like the rest."""
    most = min(SAMPLED, int(SAMPLED_SHARE * len(blocks)))
    if most == 0:
        return 0.0
    places = np.linspace(0, len(blocks) - 1, most).round().astype(int).tolist()
    found = executor.some("describe", _described, [(k, (blocks[k],)) for k in places])
    return float(np.mean([part.nbytes for part in found])) * len(blocks)


class Partitions:
    """Rows on a cluster: `blocks` are their partitions (`Delayed`, each a `Batch`) in order.

    `nbytes` is how much memory all take, None if that is not known. `source` is what to call them
    in messages. A partition without rows is left out.
    """

    def __init__(
        self, executor: DaskExecutor, blocks: list[Any], nbytes: float | None, source: str
    ) -> None:
        self.executor, self.source = executor, source
        room = HELD_SHARE * executor.memory()
        if nbytes is None:
            nbytes = _estimated_bytes(executor, blocks) if np.isfinite(room) else 0.0
        self.held = nbytes <= room
        if self.held:
            blocks = executor.keep(blocks, "reading")
        found = executor.each("describe", _described, [(block,) for block in blocks])
        kept = [k for k, part in enumerate(found) if part.n]
        if not kept:
            raise ShapeError(f"{source} has 0 sample(s) while a minimum of 1 is required.")
        self.blocks = [blocks[k] for k in kept]
        self.descriptions: list[Description] = [found[k] for k in kept]
        self._check_columns(kept)

    def _check_columns(self, kept: list[int]) -> None:
        first = self.descriptions[0]
        for k, part in zip(kept, self.descriptions, strict=True):
            if part.d != first.d:
                raise ShapeError(
                    f"partition {k} has {part.d} columns, and partition {kept[0]} has {first.d}."
                )
            if part.names != first.names:
                raise ShapeError(
                    f"the columns of partition {k} are not called as those of partition {kept[0]}."
                )
        if first.d == 0:
            raise ShapeError(f"{self.source} has 0 feature(s) while a minimum of 1 is required.")

    @property
    def sizes(self) -> list[int]:
        """How many rows each partition has."""
        return [part.n for part in self.descriptions]

    @cached_property
    def offsets(self) -> list[int]:
        """The number of each partition's first row."""
        return [0, *np.cumsum(self.sizes[:-1]).tolist()]

    @property
    def n(self) -> int:
        """How many rows there are."""
        return sum(self.sizes)

    @property
    def nbytes(self) -> int:
        """How many bytes the rows take."""
        return sum(part.nbytes for part in self.descriptions)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""
        first = self.descriptions[0]
        return default_names(first.d) if first.names is None else check_names(first.names, first.d)

    @property
    def has_names(self) -> bool:
        """Whether the data names its columns."""
        return self.descriptions[0].names is not None

    @cached_property
    def labels(self) -> NDArray[Any]:
        """The labels that occur in any partition, sorted; there are at least two."""
        labels = joined_labels([part.labels for part in self.descriptions])
        if len(labels) < 2:
            only = labels.tolist()[0]
            raise LabelError(f"y has one class only, {only!r}: at least two are needed.")
        return labels

    def present_labels(self) -> NDArray[Any]:
        """The labels of rows that have a weight above 0, sorted; there may be one only."""
        if not self.has_weights:
            return joined_labels([part.labels for part in self.descriptions])
        parts = [(block,) for block in self.blocks]
        found = self.executor.each("find-labels", _present_labels, parts)
        return joined_labels([labels for labels in found if len(labels)] or found[:1])

    @property
    def label_counts(self) -> NDArray[np.int64]:
        """How many rows have each of `labels`."""
        counts = np.zeros(len(self.labels), np.int64)
        for part in self.descriptions:
            counts[np.searchsorted(self.labels, part.labels)] += part.counts
        return counts

    @property
    def has_weights(self) -> bool:
        """Whether the rows have weights."""
        return self.descriptions[0].has_weights

    @property
    def is_without_weight(self) -> bool:
        """Whether no row has a weight above 0."""
        return not any(part.present for part in self.descriptions)

    @property
    def d(self) -> int:
        """How many columns there are."""
        return self.descriptions[0].d


T = TypeVar("T")


class PartitionedRows(RemoteMatrix):
    """The rows of partitions. On the client are one byte a row for the label, and rows asked for.

    `y` are the labels, −1 or +1, and `classes` what these stand for; or `y` is what `coding` makes
    of the labels.
    """

    def __init__(self, partitions: Partitions, coding: Coding | None = None) -> None:
        super().__init__()
        self.executor, self.source = partitions.executor, partitions.source
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
        parts = self.executor.planned("label", _part_of, blocks, *how)
        self._parts = self.executor.keep(parts, "labelling") if partitions.held else parts
        self.y = np.concatenate(self._over("bring-labels", attrgetter("y")))

    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(part, *args)` for each partition, on its worker."""
        started = time.perf_counter()
        found = self._over(_name_of(task, args), task, *args)
        self.rows_a_second = self.shape[0] / max(time.perf_counter() - started, 1e-9)
        return found

    def _over(self, what: str, task: Callable[..., T], *args: Any) -> list[T]:
        return list(self.executor.each(what, task, [(part,) for part in self._parts], *args))

    def fetch(self, rows: Indices) -> Any:
        """These rows, from the partitions that have them."""
        wanted = []
        for k, first in enumerate(self.offsets.tolist()):
            start, end = np.searchsorted(rows, [first, first + self.sizes[k]])
            if end > start:
                wanted.append((k, (self._parts[k], rows[start:end] - first)))
        return rows_joined(self.executor.some("fetch-rows", _rows_of, wanted))

    def blocks(self) -> Iterator[Any]:
        """The matrices of the partitions, brought to the client one after the other."""
        for k, part in enumerate(self._parts):
            yield self.executor.some("bring", attrgetter("X"), [(k, (part,))])[0]

    def new_hash(self) -> Sha256:
        """A hash whose state can travel to the rows."""
        return Sha256()

    def walk(self, task: Callable[[Part, T], T], carried: T) -> T:
        """`carried = task(part, carried)` for each partition in order, on its worker."""
        links = [(k, (part,)) for k, part in enumerate(self._parts)]
        for link in links:  # one at a time: partitions that are not held are read when needed
            carried = self.executor.chain("hash", task, [link], carried)[0]
        return carried


def _name_of(task: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The name of a pass on the dashboard: the innermost function, in words."""
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


def _rows_of(part: Part, rows: Indices) -> Any:
    return part.X[rows]
