"""Rows of a Gram matrix, computed in blocks when they are asked for and kept within a budget.

The whole matrix exists only where the budget has room for it. A block is made of rows that are
about to be needed, because one product of matrices is faster than many of vectors.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import NotFiniteError
from novikoff.rows import Floats

__all__ = ["Cache", "Gram"]

MOST_ROWS_TOGETHER = 16
# While a block is computed there are up to this many arrays of its size besides the cache.
COPIES_OF_A_BLOCK = 4


class Cache(NamedTuple):
    """The rows at hand: row i is `values[slots[i]]` (−1: not here); `uses` counts its mistakes."""

    values: Floats
    slots: NDArray[np.int64]
    uses: NDArray[np.int64]


class Gram:
    """The rows of an n×n Gram matrix within `max_bytes` (one row and one block at the least)."""

    def __init__(
        self, compute: Callable[[NDArray[np.int64]], Floats], n: int, max_bytes: float
    ) -> None:
        self._compute = compute
        room = int(max_bytes // (8 * n))
        self.block = max(1, min(MOST_ROWS_TOGETHER, room // (2 * COPIES_OF_A_BLOCK), n))
        capacity = max(1, min(n, room - COPIES_OF_A_BLOCK * self.block))
        self.cache = Cache(np.empty((capacity, n)), np.full(n, -1), np.zeros(n, np.int64))
        self._owners = np.full(capacity, -1)
        self._filled = 0
        self.n_computed = 0

    @classmethod
    def of_matrix(cls, matrix: Floats) -> "Gram":
        """A Gram matrix that the user computed: all rows are at hand, and none is copied."""
        gram = cls(_no_rows, len(matrix), 0.0)
        gram.cache = Cache(matrix, np.arange(len(matrix)), np.zeros(len(matrix), np.int64))
        return gram

    def fetch(self, wanted: NDArray[np.int64]) -> None:
        """Compute the first of the rows `wanted` (none is here) in place of the least used.

        Not of the oldest: an epoch passes all rows in turn, and the oldest is the next to come.
        """
        cache = self.cache
        wanted = wanted[: min(self.block, len(cache.values))]
        with np.errstate(over="ignore", invalid="ignore"):  # looked for below
            block = self._compute(wanted)
            _check_finite(block, wanted)
        places = self._places_for(len(wanted))
        cache.values[places] = block
        cache.slots[wanted] = places
        self._owners[places] = wanted
        self.n_computed += len(wanted)

    def _places_for(self, m: int) -> NDArray[np.int64]:
        """Empty slots while there are any, then those of the rows with the fewest mistakes."""
        capacity = len(self.cache.values)
        if self._filled + m <= capacity:
            self._filled += m
            return np.arange(self._filled - m, self._filled)
        self._filled = capacity
        uses = np.where(self._owners < 0, -1, self.cache.uses[self._owners])
        places = np.argpartition(uses, m - 1)[:m]
        leaving = self._owners[places]
        self.cache.slots[leaving[leaving >= 0]] = -1
        return places

    def row(self, i: int) -> Floats:
        """Row i (a view, good until the next one is fetched)."""
        if self.cache.slots[i] < 0:
            self.fetch(np.array([i]))
        self.cache.uses[i] += 1
        row: Floats = self.cache.values[self.cache.slots[i]]
        return row


def _no_rows(wanted: NDArray[np.int64]) -> Floats:
    raise AssertionError(f"rows {wanted} of a given matrix are not at hand")


def _check_finite(block: Floats, wanted: NDArray[np.int64]) -> None:
    if np.isfinite(block.sum()):
        return
    bad = np.argwhere(~np.isfinite(block))
    if len(bad):
        row, column = int(wanted[bad[0, 0]]), int(bad[0, 1])
        raise NotFiniteError(
            f"the kernel of rows {row} and {column} is not finite: scale the data, or choose "
            "a smaller degree or gamma."
        )
