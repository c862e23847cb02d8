"""Scores of many rows: fast, and of the right sign always; exactly 0 only where the score is 0."""

import numpy as np

from novikoff.compiled import kernel
from novikoff.exact.accumulator import exact_score
from novikoff.exact.signs import error_bound, norm_bound, row_norms
from novikoff.rows import Floats, Rows, dot, n_entries

__all__ = ["scores"]


@kernel
def scores(rows: Rows, n: int, w: Floats) -> Floats:
    """x_i · w + w[-1] for every row, done exactly where rounding could have changed its sign."""
    norms = row_norms(rows, n, True)
    w_norm = norm_bound(w)
    result = np.empty(n)
    for i in range(n):
        score = dot(rows, i, w) + w[-1]
        if not abs(score) > error_bound(n_entries(rows, i), norms[i] * w_norm):
            score = exact_score(rows, i, w)
        result[i] = score
    return result
