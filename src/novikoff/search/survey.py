"""What is known before the search: where the classes lie, and how wide the columns are."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.rows import Floats, Rows, entry, n_entries, n_features, n_rows, sqnorm

__all__ = ["Survey", "survey"]


class Survey(NamedTuple):
    """Class means (a row each, −1 first), the extent of each column, and the longest row."""

    means: Floats
    least: Floats
    greatest: Floats
    longest: int


def survey(rows: Rows, y: NDArray[np.int8]) -> Survey:
    """One pass over the rows."""
    return Survey(*_survey(rows, y, n_rows(rows), n_features(rows)))


@kernel
def _survey(rows: Rows, y: NDArray[np.int8], n: int, d: int) -> tuple[Floats, Floats, Floats, int]:
    means = np.zeros((2, d))
    least, greatest = np.full(d, np.inf), np.full(d, -np.inf)
    stored = np.zeros(d, np.int64)
    of_class = np.zeros(2)
    for i in range(n):
        of_class[1 if y[i] > 0 else 0] += 1.0
    longest, longest_square = 0, -1.0
    for i in range(n):
        c = 1 if y[i] > 0 else 0
        for k in range(n_entries(rows, i)):
            j, x = entry(rows, i, k)
            means[c, j] += x / of_class[c]
            least[j] = min(least[j], x)
            greatest[j] = max(greatest[j], x)
            stored[j] += 1
        square = sqnorm(rows, i)
        if square > longest_square or not math.isfinite(square):
            longest, longest_square = i, square
    for j in range(d):
        if stored[j] < n:  # the zeros that a sparse row does not store
            least[j] = min(least[j], 0.0)
            greatest[j] = max(greatest[j], 0.0)
    return means, least, greatest, longest
