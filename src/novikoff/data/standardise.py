"""Mean and deviation of each column, row after row: the same bits however rows come in batches.

The extension carries the sums with their rounding errors, so that a million rows lose no digits.
"""

from collections.abc import Callable, Iterable

import numpy as np

from novikoff import _core
from novikoff.rows import Floats

__all__ = ["standard_scale"]


def standard_scale(
    blocks: Callable[[], Iterable[Floats]],
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mean and standard deviation of each column; a constant column is left as wide as it is.

    `blocks()` gives all rows, some at a time, and is called twice.
    """
    mean, _, _ = _means(blocks(), None)
    squares, ends, _ = _means(blocks(), mean)
    scale = np.sqrt(squares)
    scale[(scale == 0) | (ends[0] == ends[1])] = 1.0
    return tuple(mean.tolist()), tuple(scale.tolist())


def _means(blocks: Iterable[Floats], centre: Floats | None) -> tuple[Floats, Floats, int]:
    """The mean of each column, or of its squared distance from `centre`; its ends; the rows."""
    n, sums, ends = 0, np.zeros((2, 0)), np.zeros((2, 0))
    for X in blocks:
        d = X.shape[1]
        if n == 0:
            sums = np.zeros((2, d))
            ends = np.vstack([np.full(d, np.inf), np.full(d, -np.inf)])
        middle = np.zeros(d) if centre is None else centre
        rows = np.ascontiguousarray(X, np.float64)
        _core.add_columns(rows, middle, centre is not None, sums[0], sums[1], ends)
        n += len(X)
    return (sums[0] + sums[1]) / n, ends, n
