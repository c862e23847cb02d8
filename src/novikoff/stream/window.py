"""The last examples of a stream, kept so that they can be judged together."""

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.rows import Floats

__all__ = ["Window"]


class Window:
    """The last `size` examples: rows as flat arrays, or as values and columns, and their signs."""

    def __init__(self, size: int) -> None:
        self._rows: deque[Any] = deque(maxlen=size)
        self._signs: deque[float] = deque(maxlen=size)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Any, sign: float) -> None:
        """The newest example; the oldest leaves if there is no room. The arrays are copied."""
        copied = row.copy() if isinstance(row, np.ndarray) else tuple(part.copy() for part in row)
        self._rows.append(copied)
        self._signs.append(sign)

    @property
    def signs(self) -> Floats:
        """The labels as −1 and +1, the oldest first."""
        return np.array(self._signs, np.float64)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The window as a few arrays, for a checkpoint."""
        parts = [(row, np.empty(0)) if isinstance(row, np.ndarray) else row for row in self._rows]
        values = np.concatenate([values for values, _ in parts]) if parts else np.empty(0)
        columns = np.concatenate([columns for _, columns in parts]) if parts else np.empty(0)
        return {
            "window_values": values,
            "window_columns": columns.astype(np.uint64),
            "window_lengths": np.array([len(values) for values, _ in parts], np.int64),
            "window_signs": self.signs,
        }

    def set_arrays(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """The window that `arrays` wrote."""
        values, columns = arrays["window_values"], arrays["window_columns"]
        at = 0
        for length, sign in zip(arrays["window_lengths"], arrays["window_signs"], strict=True):
            part = slice(at, at + length)
            row = (values[part], columns[part]) if len(columns) else values[part]
            self.add(row, float(sign))
            at += length

    def matrix(self, d: int) -> Any:
        """The examples as a matrix of d columns, the oldest first: an array, or CSR."""
        rows = list(self._rows)
        if rows and isinstance(rows[0], np.ndarray):
            return np.array(rows)
        lengths = [len(values) for values, _ in rows]
        parts: tuple[NDArray[Any], NDArray[Any]] = (
            np.concatenate([values for values, _ in rows]) if rows else np.empty(0),
            np.concatenate([columns for _, columns in rows]) if rows else np.empty(0),
        )
        bounds = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        return sp.csr_array((parts[0], parts[1].astype(np.int64), bounds), shape=(len(rows), d))
