"""The example that a separator keeps nearest: its row, and its y·s as a rational number."""

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.compiled import kernel
from novikoff.exact.accumulator import is_less
from novikoff.exact.signs import error_bound, norm_bound, row_norms
from novikoff.rows import Csr, Floats, Rows, dot, n_entries

__all__ = ["least_row", "least_side"]


@kernel
def least_row(rows: Rows, y: Floats, w: Floats) -> int:
    """The row whose y·(x·w + w[-1]) is least, exactly (of equals, the first).

    A fast pass bounds every y·s from both sides; only rows that could be the least are compared.
    """
    n = len(y)
    norms, w_norm = row_norms(rows, n, True), norm_bound(w)
    lower, least_upper = np.empty(n), np.inf
    for i in range(n):
        side = y[i] * (dot(rows, i, w) + w[-1])
        error = error_bound(n_entries(rows, i), norms[i] * w_norm)
        lower[i] = -np.inf
        if np.isfinite(side) and np.isfinite(error):
            lower[i] = side - error
            least_upper = min(least_upper, side + error)
    least = -1
    for i in range(n):
        if lower[i] <= least_upper and (least < 0 or is_less(rows, i, y[i], least, y[least], w)):
            least = i
    return least


def least_side(rows: Rows, y: Any, w: Floats) -> Fraction:
    """min yᵢ(xᵢ·w + w[-1]), without rounding."""
    signs = np.asarray(y, dtype=np.float64)
    i = least_row(rows, signs, w)
    total = Fraction(w[-1])
    if isinstance(rows, Csr):
        stored = slice(int(rows.indptr[i]), int(rows.indptr[i + 1]))
        columns, values = rows.indices[stored].tolist(), rows.data[stored].tolist()
    else:
        columns, values = range(rows.shape[1]), rows[i].tolist()
    for j, value in zip(columns, values, strict=True):
        if value and w[j]:
            total += Fraction(value) * Fraction(w[j])
    return total if signs[i] > 0 else -total
