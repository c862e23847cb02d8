"""`Batches`: labelled rows that are read in batches, again and again, in the same order.

`copy_to_memmap` makes one matrix of them, in a memory-mapped file, for rows in any order.

The file has no name, and is gone when nobody uses the matrix any more. The system keeps in memory
what is being used and has room, so a process needs no more than its labels and weights.
"""

import os
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.files import write_errors
from novikoff.errors import LimitError, OptionError


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
    """Labelled rows that need not fit in memory. `for batch in batches` reads them once.

    Files may be kept in `folder` for a while; it is None if they may not.
    """

    has_weights: bool
    is_sparse: bool
    folder: Path | None

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
    def is_integral(self) -> bool:
        """Whether all numbers are integers."""

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
        """The rows as pieces that several processes can read; None if only one process can."""
        return None

    def agree(self, labels: Sequence[Any], levels: Sequence[Any] | None = None) -> Any:
        """The facts that all pieces must share: from their labels, then from their levels too."""
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


MOST_NUMBERS = 1 << 24  # 128 MB: what is small enough to be loaded unasked
BLOCK = 1 << 20


def copy_to_memmap(batches: Batches, why: str) -> Batch:
    """All rows as one batch in a file; `why` starts the error raised when cache=False."""
    if batches.folder is None:
        raise OptionError(
            f"{why}, which takes a file of all numbers, and a scan with cache=False keeps none: "
            "name a folder (cache=…)."
        )
    labels, weights, lengths = [], [], []
    with _File(batches.folder) as values, _File(batches.folder) as indices:
        for batch in batches:
            labels.append(batch.y)
            if batch.weights is not None:
                weights.append(batch.weights)
            if sp.issparse(batch.X):
                values.write(batch.X.data)
                indices.write(batch.X.indices.astype(np.int32, copy=False))
                lengths.append(np.diff(batch.X.indptr))
            else:
                values.write(batch.X)
        y, shape = np.concatenate(labels), (sum(map(len, labels)), batches.d)
        X = _csr(values, indices, lengths, shape) if lengths else values.array(shape)
    return Batch(X, y, np.concatenate(weights) if weights else None)


def load_rows(batches: Batches, who: str) -> Batch:
    """All rows as one batch in memory, if they are few; `who` would copy them anyway."""
    refuse_many(batches, who)
    return joined_batches(list(batches))


def joined_batches(parts: Sequence[Batch]) -> Batch:
    """Several batches as one."""
    sparse = any(sp.issparse(part.X) for part in parts)
    X = (sp.vstack if sparse else np.concatenate)([part.X for part in parts])
    weights = [part.weights for part in parts if part.weights is not None]
    y = np.concatenate([part.y for part in parts])
    return Batch(sp.csr_array(X) if sparse else X, y, np.concatenate(weights) if weights else None)


def refuse_many(batches: Batches, who: str) -> None:
    """Raise `LimitError` if there are too many rows for `who`, who keeps them all in memory."""
    if batches.n * batches.d > MOST_NUMBERS:
        raise LimitError(
            f"{who} keeps all rows in memory, as exact numbers, and searches among them: a scan of "
            f"{batches.n:,} × {batches.d:,} is refused (at most {MOST_NUMBERS:,} numbers). Read a "
            "part of the file, or all of it (novikoff.read)."
        )


def refuse_labels(y: object, weights: object = None) -> None:
    """Raise `OptionError` if labels or weights are given beside a scan, which has its own."""
    if y is not None or weights is not None:
        raise OptionError("a scan has its labels and weights with it: give no others.")


def refuse_weights(batches: Batches, who: str) -> None:
    """Raise `OptionError` if the rows have weights, which `who` has no use for."""
    if batches.has_weights:
        raise OptionError(f"{who} does not know weights of rows: scan the file without (weights).")


def _csr(values: "_File", indices: "_File", lengths: list[Any], shape: tuple[int, int]) -> Any:
    """The three arrays as CSR, with indices of 32 bits where they will do."""
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(lengths), dtype=np.int64)])
    size = int(indptr[-1])
    columns = indices.array((size,), np.int32)
    if size < 2**31:
        indptr = indptr.astype(np.int32)
    else:
        with _File(indices.folder) as wide:
            for start in range(0, size, BLOCK):
                wide.write(columns[start : start + BLOCK].astype(np.int64))
            columns = wide.array((size,), np.int64)
    X = sp.csr_array(shape)  # given its arrays afterwards: they would be looked through, and copied
    X.data, X.indices, X.indptr = values.array((size,)), columns, indptr
    X.has_canonical_format = True
    return X


class _File:
    """A file without a name that numbers are appended to, and then mapped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __enter__(self) -> "_File":
        with write_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            self._file = tempfile.TemporaryFile(dir=self.folder)
        return self

    def write(self, numbers: NDArray[Any]) -> None:
        """Append numbers; a full disk is an error here, and not when they are used."""
        with write_errors(self.folder):
            self._file.write(np.ascontiguousarray(numbers).data)

    def array(self, shape: tuple[int, ...], kind: Any = np.float64) -> NDArray[Any]:
        """All of them as a read-only array."""
        with write_errors(self.folder):
            self._file.flush()
        if 0 in shape or os.fstat(self._file.fileno()).st_size == 0:
            return np.zeros(shape, kind)
        return np.asarray(np.memmap(self._file, kind, "r", shape=shape))

    def __exit__(self, *error: object) -> None:
        self._file.close()
