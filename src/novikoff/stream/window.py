"""The last examples of a stream, kept so that they can be judged together."""

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy import ndarray
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.rows import Floats

__all__ = ["Window"]


class Window:
    """The last `size` examples: rows as flat arrays, or as values and columns, and their signs.

    Flat rows are in a matrix whose oldest row the newest one replaces.
    """

    def __init__(self, size: int) -> None:
        self._size, self._count, self._next = size, 0, 0
        self._matrix = np.empty((0, 0))
        self._pairs: deque[tuple[NDArray[Any], NDArray[Any]]] = deque(maxlen=size)
        self._signs = np.empty(size)

    def __len__(self) -> int:
        return self._count

    def add(self, row: Any, sign: float) -> None:
        """The newest example; the oldest leaves if there is no room. The arrays are copied."""
        at = self._next
        if row.__class__ is ndarray:
            if not self._count:
                self._matrix = np.empty((self._size, len(row)))
            self._matrix[at] = row
        else:
            values, columns = row
            self._pairs.append((values.copy(), columns.copy()))
        self._signs[at] = sign
        self._next = at + 1 if at + 1 < self._size else 0
        if self._count < self._size:
            self._count += 1

    @property
    def signs(self) -> Floats:
        """The labels as −1 and +1, the oldest first."""
        return np.asarray(self._signs[self._order])

    @property
    def _order(self) -> NDArray[np.int64]:
        """Where the examples are, the oldest first."""
        return (np.arange(self._count) + self._next - self._count) % self._size

    def in_any_order(self, d: int) -> tuple[Any, Floats]:
        """The examples as a matrix of d columns, and their signs: not copied, where they are flat.

        The oldest need not come first.
        """
        if self._pairs:
            return self.matrix(d), self.signs
        return self._matrix[: self._count], self._signs[: self._count]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The window as a few arrays, for a checkpoint."""
        values, columns = np.empty(0), np.empty(0)
        lengths = np.full(self._count, self._matrix.shape[1], np.int64)
        if self._pairs:
            values = np.concatenate([values for values, _ in self._pairs])
            columns = np.concatenate([columns for _, columns in self._pairs])
            lengths = np.array([len(values) for values, _ in self._pairs], np.int64)
        elif self._count:
            values = self._matrix[self._order].ravel()
        return {
            "window_values": values,
            "window_columns": columns.astype(np.uint64),
            "window_lengths": lengths,
            "window_signs": self.signs,
        }

    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """The window that `arrays` wrote."""
        values, columns = arrays["window_values"], arrays["window_columns"]
        by_name = len(columns) > 0 or not len(values)  # by name, an example may have no number
        at = 0
        for length, sign in zip(arrays["window_lengths"], arrays["window_signs"], strict=True):
            part = slice(at, at + length)
            row = (values[part], columns[part]) if by_name else values[part]
            self.add(row, float(sign))
            at += length

    def matrix(self, d: int) -> Any:
        """The examples as a matrix of d columns, the oldest first: an array, or CSR."""
        if not self._pairs:
            return self._matrix[self._order]
        bounds = np.cumsum([0, *(len(values) for values, _ in self._pairs)])
        values = np.concatenate([values for values, _ in self._pairs])
        columns = np.concatenate([columns for _, columns in self._pairs]).astype(np.int64)
        return sp.csr_array((values, columns, bounds), shape=(self._count, d))
