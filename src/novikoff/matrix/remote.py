"""A matrix that is not in memory: a scanned file, or Dask partitions.

Two things can be done with them. Some rows are fetched (`matrix[rows]`), and a function is run over
all of them, part by part, in their order (`over_parts`): that is what a pass over the data is.
Whatever is put together from the answers of the parts must not depend on where the parts begin.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.errors import DataError, OptionError

T = TypeVar("T")
# (labels, weights or None, number of the first row) -> one byte for each label. The number is for
# error messages only.
Coding: TypeAlias = Callable[[NDArray[Any], "NDArray[np.float64] | None", int], NDArray[np.int8]]
Indices = NDArray[np.intp]

MOST_REMEMBERED = 1 << 22  # numbers in fetched rows that are kept
MOST_AT_HAND = 1 << 25  # numbers of a sparse matrix that is fetched whole


class Part(NamedTuple):
    """Some rows that follow each other, in memory: a matrix and a byte for each label, −1 or +1.

    A regression has other bytes: `novikoff.certificates.models.rows` says which.
    """

    X: Any
    y: NDArray[np.int8]


class RemoteMatrix(ABC):
    """A matrix of n × d numbers that is not in memory. It stands where a matrix stands.

    `y` has the byte of each row, `dtype` is that of the numbers, and `offsets` are the first rows
    of the parts; `rows_a_second` is how fast the last pass was, if that was measured. Rows that
    were fetched, or that a pass has found, are remembered for a while: they are the ones asked for
    next.
    """

    y: NDArray[np.int8]
    shape: tuple[int, int]
    dtype: np.dtype[Any]
    is_sparse: bool
    offsets: NDArray[np.int64]
    ndim = 2
    rows_a_second = 0.0

    def __init__(self) -> None:
        self._remembered: dict[int, Any] = {}

    @abstractmethod
    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(part, *args)` for each part; the answers in the order of the rows."""

    @abstractmethod
    def fetch(self, rows: Indices) -> Any:
        """These rows, which are sorted and distinct, in memory."""

    @abstractmethod
    def blocks(self) -> Iterator[Any]:
        """The matrices of the parts, one after the other, in memory."""

    def at_hand(self) -> Any:
        """All rows as one CSR matrix, if they are sparse and few enough; else this one."""
        found, size = [], 0
        for X in self.blocks() if self.is_sparse else ():
            size += X.nnz
            if size > MOST_AT_HAND:
                return self
            found.append(X)
        return rows_joined(found) if found else self

    def new_hash(self) -> Any:
        """An empty SHA-256 that `walk` can carry past the rows."""
        return hashlib.sha256()

    def walk(self, task: Callable[[Part, T], T], carried: T) -> T:
        """`carried = task(part, carried)` for each part in order; what is left at the end."""
        for first, X in zip(self.offsets.tolist(), self.blocks(), strict=True):
            carried = task(Part(X, self.y[first : first + X.shape[0]]), carried)
        return carried

    def __getitem__(self, rows: Any) -> Any:
        """Some rows in memory, in the order in which they are named."""
        if isinstance(rows, (tuple, slice)):
            raise _not_at_hand()
        wanted = np.asarray(rows, dtype=np.intp)
        distinct = np.unique(wanted)
        missing = np.array([i for i in distinct.tolist() if i not in self._remembered], np.intp)
        if len(missing) == len(distinct) or len(missing) * self.shape[1] > MOST_REMEMBERED:
            fetched = self.fetch(distinct)
            self.remember(distinct, fetched)
            return fetched[np.searchsorted(distinct, wanted)]
        if len(missing):
            self.remember(missing, self.fetch(missing), forget=False)
        return rows_joined([self._remembered[i] for i in wanted.tolist()])

    def remember(self, rows: NDArray[np.integer], X: Any, *, forget: bool = True) -> None:
        """Keep these rows in memory, if they are few."""
        if len(rows) * self.shape[1] > MOST_REMEMBERED:
            return
        if forget and (len(self._remembered) + len(rows)) * self.shape[1] > MOST_REMEMBERED:
            self._remembered.clear()
        for at, i in enumerate(rows.tolist()):
            self._remembered[i] = X[[at]]

    def __array__(self, *args: object, **kwargs: object) -> NoReturn:
        raise _not_at_hand()


def _not_at_hand() -> DataError:
    return DataError(
        "this needs all rows in memory, and they are in a file or on other machines: "
        "read the data whole (novikoff.read) if it fits in memory."
    )


def refuse_remote(X: object, who: str, advice: str) -> None:
    """Raise `OptionError` if `X` is not in memory, where `who` needs it there."""
    if isinstance(X, RemoteMatrix):
        raise OptionError(
            f"{who} needs all rows in memory, and they are in a file or on other machines: "
            f"{advice}, or read the data whole if it fits."
        )


def over_parts(X: Any, y: Any, task: Callable[..., T], *args: Any) -> list[T]:
    """`task(part, *args)` for each part of the rows; those in memory are one part."""
    return X.over_parts(task, *args) if isinstance(X, RemoteMatrix) else [task(Part(X, y), *args)]


def rows_joined(parts: list[Any]) -> Any:
    """Rows of several matrices as one."""
    if sp.issparse(parts[0]):
        return sp.csr_array(sp.vstack(parts))
    return np.concatenate(parts)
