"""The sign of a score, never guessed: a fast dot product, an error bound, exact work if need be.

For any order of summation the computed score differs from x̂·ŵ by at most
(d+3)·u·(1+ε)·‖x̂‖·‖ŵ‖ plus what underflow can lose, u = 2⁻⁵³ (Higham, "Accuracy and Stability of
Numerical Algorithms", §3.1, with Cauchy–Schwarz). The bound costs O(1) a row, because ‖x̂ᵢ‖ is known
once and ‖ŵ‖ is carried along. What it cannot decide, the accumulator does. So a sign depends on the
stored numbers alone and not on storage, batch or thread.

The example that a separator keeps nearest: its row, and its y·s as a rational number.
"""

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numba.extending import overload

from novikoff import _core
from novikoff.core.compiled import kernel
from novikoff.exact.accumulator import exact_sign
from novikoff.matrix.rows import Csr, Floats, Rows, dot, entry, n_entries, sqnorm

__all__ = [
    "error_bound",
    "least_side",
    "norm_after_update",
    "norm_bound",
    "row_norm",
    "row_norms",
    "score_sign",
    "signed_score",
    "surely_right",
]

UNIT = 2.0**-53
# A square in this range has lost nothing to underflow and overflows nothing when summed.
SAFE_LOW, SAFE_HIGH = 1e-280, 1e280
# Far above what underflow can lose, far below any score that matters; and not a subnormal, which
# processors add slowly.
TINY = 1e-300
# Room for the rounding of the bounds themselves.
INFLATE = 1.0 + 2.0**-40


@kernel
def surely_right(rows: Rows, i: int, y: float, w: Floats, bound: float) -> bool:
    """Whether y·(x_i · w + w[-1]) > 0 beyond doubt, given bound ≥ ‖x̂_i‖·‖ŵ‖; only y's sign counts.

    The question most rows answer with yes, kept apart so that loops can ask it cheaply.
    """
    return bool(signed_score(rows, i, y, w) > error_bound(n_entries(rows, i), bound))


@kernel
def signed_score(rows: Rows, i: int, y: float, w: Floats) -> float:
    """y·(x_i · w + w[-1]), rounded; only y's sign counts."""
    return float((dot(rows, i, w) + w[-1]) * (1.0 if y > 0.0 else -1.0))


@kernel
def error_bound(entries: int, bound: float) -> float:
    """How far a computed score can be from the true one, given bound ≥ ‖x̂‖·‖ŵ‖."""
    return (entries + 3) * UNIT * INFLATE * bound + TINY


@kernel
def score_sign(rows: Rows, i: int, w: Floats, bound: float, exact_below: float) -> int:
    """The sign of x_i · w + w[-1], given bound ≥ ‖x̂_i‖·‖ŵ‖.

    Where all numbers are integers, sums below `exact_below` = 2⁵³ are exact as they stand (for
    other numbers it is 0): data on a grid is full of ties, and they should cost nothing.
    """
    score = dot(rows, i, w) + w[-1]
    error = error_bound(n_entries(rows, i), bound)
    if score > error:
        return 1
    if score < -error:
        return -1
    if bound < exact_below:
        return int(score > 0) - int(score < 0)
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


def norm_bound(w: Floats) -> float:
    """An upper bound on ‖w‖ that is right to many digits."""
    return _core.norm_bound(w)


@kernel
def _norm_bound(w: Floats) -> float:
    total = 0.0
    for value in w:
        total += value * value
    if SAFE_LOW < total < SAFE_HIGH:
        return math.sqrt(total) * (1.0 + len(w) * UNIT) * INFLATE
    return _norm_from_scratch(w)


def row_norms(rows: Rows, n: int, with_bias: bool) -> Floats:
    """An upper bound on ‖x̂ᵢ‖ for each row (augmented by a 1 if there is a bias)."""
    norms = np.empty(n)
    _core.row_norms(rows, with_bias, norms)
    return norms


@kernel
def _row_norms(rows: Rows, n: int, with_bias: bool) -> Floats:
    norms = np.empty(n)
    bias = 1.0 if with_bias else 0.0
    for i in range(n):
        norms[i] = row_norm(rows, i, bias)
    return norms


@kernel
def row_norm(rows: Rows, i: int, bias: float) -> float:
    """An upper bound on ‖x̂ᵢ‖, where the bias (0 or 1) is one more entry of the row."""
    total = sqnorm(rows, i) + bias
    if SAFE_LOW < total < SAFE_HIGH:
        return math.sqrt(total) * (1.0 + (n_entries(rows, i) + 1) * UNIT) * INFLATE
    return _row_norm_from_scratch(rows, i, bias)


@kernel
def _row_norm_from_scratch(rows: Rows, i: int, bias: float) -> float:
    entries = n_entries(rows, i)
    values = np.empty(entries + 1)
    for k in range(entries):
        values[k] = entry(rows, i, k)[1]
    values[entries] = bias
    return _norm_from_scratch(values)


@kernel
def norm_after_update(w_norm: float, step: float, row_norm: float) -> float:
    """An upper bound on ‖ŵ + step·x̂‖ after a mistake on x̂.

    A mistake means that step·(ŵ·x̂) ≤ 0, so ‖ŵ + step·x̂‖² ≤ ‖ŵ‖² + step²‖x̂‖²: the second inequality
    of the convergence proof, put to work. The inflation covers the rounding of the update.
    """
    gained = step * row_norm
    total = w_norm * w_norm + gained * gained
    if not SAFE_LOW < total < SAFE_HIGH:
        return math.hypot(w_norm, gained) * (1.0 + 8 * UNIT) + TINY
    return math.sqrt(total) * (1.0 + 8 * UNIT) + TINY


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


# Python calls the core; the loops that Numba compiles call what is compiled with them.


@overload(norm_bound)
def _norm_bound_in_loops(w):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda w: _norm_bound(w)


@overload(row_norms)
def _row_norms_in_loops(rows, n, with_bias):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda rows, n, with_bias: _row_norms(rows, n, with_bias)
