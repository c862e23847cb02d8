"""The sign of a score, never guessed: a fast dot product, an error bound, exact work if need be.

For any order of summation the computed score differs from x̂·ŵ by at most
(d+3)·u·(1+ε)·‖x̂‖·‖ŵ‖ plus what underflow can lose, u = 2⁻⁵³ (Higham, "Accuracy and Stability of
Numerical Algorithms", §3.1, with Cauchy–Schwarz). The bound costs O(1) a row, because ‖x̂ᵢ‖ is known
once and ‖ŵ‖ is carried along. What it cannot decide, the accumulator does. So a sign depends on the
stored numbers alone and not on storage, batch or thread.
"""

import math

import numpy as np

from novikoff.compiled import kernel
from novikoff.exact.accumulator import exact_sign
from novikoff.rows import Floats, Rows, dot, entry, n_entries, sqnorm

__all__ = ["norm_after_update", "norm_bound", "row_norms", "score_sign"]

UNIT = 2.0**-53
SMALLEST = 5e-324
# A square in this range has lost nothing to underflow and overflows nothing when summed.
SAFE_LOW, SAFE_HIGH = 1e-280, 1e280
# Far above what underflow can lose in an update, far below any score that matters.
TINY = 1e-300
# Room for the rounding of the bounds themselves.
INFLATE = 1.0 + 2.0**-40


@kernel
def score_sign(rows: Rows, i: int, w: Floats, row_norm: float, w_norm: float) -> int:
    """The sign of x_i · w + w[-1], given upper bounds on ‖x̂_i‖ and ‖ŵ‖."""
    score = dot(rows, i, w) + w[-1]
    terms = n_entries(rows, i) + 1
    error = (terms + 2) * UNIT * INFLATE * (row_norm * w_norm) + (terms + 2) * SMALLEST
    if score > error:
        return 1
    if score < -error:
        return -1
    return exact_sign(rows, i, w)


@kernel
def _norm_from_scratch(values: Floats) -> float:
    """‖values‖ from above, where squares would overflow or vanish."""
    largest = 0.0
    for value in values:
        largest = max(largest, abs(value))
    if largest == 0.0:
        return 0.0
    total = 0.0
    for value in values:
        total += (value / largest) ** 2
    return largest * math.sqrt(total) * (1.0 + len(values) * 4 * UNIT) * INFLATE + TINY


@kernel
def norm_bound(w: Floats) -> float:
    """An upper bound on ‖w‖ that is right to many digits."""
    total = 0.0
    for value in w:
        total += value * value
    if SAFE_LOW < total < SAFE_HIGH:
        return math.sqrt(total) * (1.0 + len(w) * UNIT) * INFLATE
    return _norm_from_scratch(w)


@kernel
def row_norms(rows: Rows, n: int, with_bias: bool) -> Floats:
    """An upper bound on ‖x̂ᵢ‖ for each row (augmented by a 1 if there is a bias)."""
    norms = np.empty(n)
    one = 1.0 if with_bias else 0.0
    for i in range(n):
        total = sqnorm(rows, i) + one
        entries = n_entries(rows, i)
        if SAFE_LOW < total < SAFE_HIGH:
            norms[i] = math.sqrt(total) * (1.0 + (entries + 1) * UNIT) * INFLATE
        else:
            values = np.empty(entries + 1)
            for k in range(entries):
                values[k] = entry(rows, i, k)[1]
            values[entries] = one
            norms[i] = _norm_from_scratch(values)
    return norms


@kernel
def norm_after_update(w_norm: float, step: float, row_norm: float) -> float:
    """An upper bound on ‖ŵ + step·x̂‖ after a mistake on x̂.

    A mistake means that step·(ŵ·x̂) ≤ 0, so ‖ŵ + step·x̂‖² ≤ ‖ŵ‖² + step²‖x̂‖²: the second inequality
    of the convergence proof, put to work. The inflation covers the rounding of the update.
    """
    return math.hypot(w_norm, step * row_norm) * (1.0 + 8 * UNIT) + TINY
