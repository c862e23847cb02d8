"""Labelled rows that live on the workers of a cluster, in partitions that follow each other.

Every partition is validated where it lives, once, and described to the client in a few numbers.
Partitions stay in the workers' memory if they all fit there; otherwise each pass reads them again.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.batches import Batch
from novikoff.cluster.crew import Crew
from novikoff.errors import LabelError, ShapeError
from novikoff.problem import check_names, default_names, distinct

__all__ = ["Block", "Description", "Partitions"]

HELD_SHARE = 0.5  # of the workers' memory: what is held must leave room to work
SAMPLED = 3  # partitions that are looked at where nobody knows how much memory all take, or
SAMPLED_SHARE = 0.25  # fewer, of few


class Block(NamedTuple):
    """A partition on its worker: rows, labels, weights, and the names of the columns."""

    batch: Batch
    names: tuple[str, ...] | None


class Description(NamedTuple):
    """What the client knows of a partition; `labels` are sorted, `counts` how often each occurs.

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


def _estimated_bytes(crew: Crew, blocks: list[Any]) -> float:
    """How much memory all partitions take, if some that are spread among them are like the rest."""
    most = min(SAMPLED, int(SAMPLED_SHARE * len(blocks)))
    if most == 0:
        return 0.0
    places = np.linspace(0, len(blocks) - 1, most).round().astype(int).tolist()
    found = crew.some("describe", _described, [(k, (blocks[k],)) for k in places])
    return float(np.mean([part.nbytes for part in found])) * len(blocks)


class Partitions:
    """Rows on a cluster: `blocks` are their partitions (`Delayed`, each a `Batch`) in order.

    `nbytes` is how much memory all take, None if that is not known. `source` is what to call them
    in messages. A partition without rows is left out.
    """

    def __init__(self, crew: Crew, blocks: list[Any], nbytes: float | None, source: str) -> None:
        self.crew, self.source = crew, source
        room = HELD_SHARE * crew.memory()
        if nbytes is None:
            nbytes = _estimated_bytes(crew, blocks) if np.isfinite(room) else 0.0
        self.held = nbytes <= room
        if self.held:
            blocks = crew.keep(blocks, "reading")
        found = crew.each("describe", _described, [(block,) for block in blocks])
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
        found = self.crew.each("find-labels", _present_labels, parts)
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
