"""Mean and deviation of each column, row after row: the same bits however rows come in batches.

The sums are carried with their rounding errors (Neumaier), so that a million rows lose no digits.
"""

from collections.abc import Callable, Iterable

import numpy as np

from novikoff.compiled import kernel
from novikoff.rows import Floats

__all__ = ["standard_scale"]


@kernel
def _add(
    X: Floats, centre: Floats, squared: bool, totals: Floats, tails: Floats, ends: Floats
) -> None:
    """Add xⱼ − centreⱼ of each row, or its square, to the totals; `ends` are least and greatest."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            x = X[i, j]
            ends[0, j], ends[1, j] = min(ends[0, j], x), max(ends[1, j], x)
            x -= centre[j]
            x = x * x if squared else x
            total = totals[j] + x
            if abs(totals[j]) >= abs(x):
                tails[j] += (totals[j] - total) + x
            else:
                tails[j] += (x - total) + totals[j]
            totals[j] = total


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
        _add(np.ascontiguousarray(X), middle, centre is not None, sums[0], sums[1], ends)
        n += len(X)
    return (sums[0] + sums[1]) / n, ends, n
