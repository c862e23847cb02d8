"""Norms with an upper bound, and the row that a separator keeps nearest.

How the sign of a score is decided stands in `core/signs.hpp`: a fast dot product, an error bound,
and exact sums where the bound cannot decide.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff import _core
from novikoff.matrix.rows import Csr, Floats, Rows


def norm_bound(w: Floats) -> float:
    """An upper bound on ‖w‖ that is right to many digits."""
    return _core.norm_bound(w)


def row_norms(rows: Rows, n: int, with_bias: bool) -> Floats:
    """An upper bound on ‖x̂ᵢ‖ for each row (augmented by a 1 if there is a bias)."""
    norms = np.empty(n)
    _core.row_norms(rows, with_bias, norms)
    return norms


def least_side(rows: Rows, y: Any, w: Floats) -> Fraction:
    """min yᵢ(xᵢ·w + w[-1]), without rounding."""
    signs = np.asarray(y, dtype=np.float64)
    i = _core.least_row(rows, signs, w)
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
