"""Data that is read in batches, again and again, in the same order: what learners ask of it."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import OptionError

__all__ = ["Batch", "Batches", "Piece", "refuse_batches"]


class Batch(NamedTuple):
    """Some rows that follow each other: a matrix, their labels, their weights if they have any."""

    X: Any
    y: NDArray[Any]
    weights: NDArray[np.float64] | None


class Piece(ABC):
    """Rows that follow each other in a file, for another process to read; it can be pickled.

    What is asked of it comes in this order; what all pieces have answered to one question is put
    together by `Batches.agree` before the next.
    """

    @abstractmethod
    def labels(self) -> Any:
        """How many rows it has, and which labels occur in them."""

    @abstractmethod
    def levels(self, agreed: Any) -> Any:
        """Which values occur in the columns that become several, in rows that take part."""

    @abstractmethod
    def whole(self, agreed: Any) -> Batch:
        """All its rows that take part."""


class Batches(ABC):
    """Labelled rows that need not fit in memory. `for batch in batches` reads them once."""

    @property
    @abstractmethod
    def n(self) -> int:
        """How many rows there are."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of the columns."""

    @property
    @abstractmethod
    def labels(self) -> NDArray[Any]:
        """The labels that occur, sorted."""

    @property
    @abstractmethod
    def has_weights(self) -> bool:
        """Whether the rows have weights."""

    @property
    @abstractmethod
    def is_integral(self) -> bool:
        """Whether all numbers are integers."""

    @property
    @abstractmethod
    def is_sparse(self) -> bool:
        """Whether batches are CSR matrices."""

    @property
    @abstractmethod
    def folder(self) -> Path | None:
        """Where files may be kept for a while; None if nowhere."""

    @abstractmethod
    def __iter__(self) -> Iterator[Batch]:
        """All rows, a batch at a time, in the order of the file."""

    def label_counts(self) -> NDArray[np.int64]:
        """How many rows have each of `labels`: a pass over all of them."""
        counts = np.zeros(len(self.labels), np.int64)
        for batch in self:
            places = np.searchsorted(self.labels, batch.y)
            counts += np.bincount(places, minlength=len(counts))
        return counts

    def pieces(self) -> Sequence[Piece] | None:
        """The same rows as pieces that several processes can read; None if only one can."""
        return None

    def agree(self, labels: Sequence[Any], levels: Sequence[Any] | None = None) -> Any:
        """What pieces need to know of each other: from their labels, then from their levels too."""
        raise NotImplementedError

    @property
    def d(self) -> int:
        """How many columns there are."""
        return len(self.names)


def refuse_batches(X: object, who: str, reason: str) -> None:
    """Raise `OptionError` if `X` is read in batches, which `who` cannot use, and say why."""
    if isinstance(X, Batches):
        raise OptionError(
            f"{who} cannot work on data that is read in batches (scan): {reason}. "
            "Read it whole (novikoff.read), if it fits in memory."
        )
