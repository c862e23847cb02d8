"""Σ αᵢaᵢ with a proven error: the upper bound on a margin, by weak duality.

For any α ≥ 0 with Σ α = 1 in each group, no separator has a margin above ‖Σ αᵢaᵢ‖ (half of it, when
the groups are the classes). The sum cancels almost entirely when the margin is small, so it is
taken in twice the working precision (Ogita, Rump and Oishi, "Accurate sum and dot product", 2005):
|fl − exact| ≤ u|exact| + γ²Σ|terms|. That Σ α = 1 costs nothing: the sum is written as the bases
plus Σ αᵢ(aᵢ − base), and what α the base has is whatever is missing to 1.
"""

import math

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.rows import Floats

__all__ = ["UNDERFLOW", "length_above", "norm_above"]

UNIT = 2.0**-53
SPLITTER = 134217729.0  # 2**27 + 1
UNDERFLOW = 1e-308  # far more than a term can lose by it


def norm_above(
    A: Floats, group: NDArray[np.int64], alpha: Floats, n_groups: int, *, rounded: bool
) -> float:
    """An upper bound on ‖Σ αᵢaᵢ‖, infinity where none was found; the last rows are the bases."""
    k = len(A) - n_groups
    shares = [alpha[:k][group[:k] == g].sum() for g in range(n_groups)]
    # The base's share must not be negative either; a sum of floats is off by less than this.
    if (alpha[:k] < 0).any() or max(shares) > 1.0 - 2 * (k + 2) * UNIT:
        return math.inf
    values, sizes = _combine(A, group, alpha, n_groups)
    terms = 2.0 * k + n_groups + 2.0
    errors = 2 * UNIT * np.abs(values) + (2 * terms * UNIT) ** 2 * sizes + terms * UNDERFLOW
    if rounded:
        errors = errors + 4 * UNIT * sizes
    return length_above(np.abs(values) + errors)


def length_above(bounds: Floats) -> float:
    """An upper bound on the length of a vector of such sizes, none of them subnormal or all 0."""
    largest = float(bounds.max())
    if not math.isfinite(largest):  # splitting a product overflowed
        return math.inf
    total = float(((bounds / largest) ** 2).sum())
    return largest * math.sqrt(total) * (1.0 + (len(bounds) + 8) * UNIT)


@kernel
def _combine(
    A: Floats, group: NDArray[np.int64], alpha: Floats, n_groups: int
) -> tuple[Floats, Floats]:
    """The sum, column by column, in doubled precision, and the sum of the terms' sizes."""
    k, d = len(A) - n_groups, A.shape[1]
    values, low, sizes = np.zeros(d), np.zeros(d), np.zeros(d)
    for g in range(n_groups):
        for j in range(d):
            _add(values, low, sizes, j, A[k + g, j], 1.0)
    for i in range(k):
        base = k + group[i]
        for j in range(d):
            _add(values, low, sizes, j, A[i, j], alpha[i])
            _add(values, low, sizes, j, -A[base, j], alpha[i])
    for j in range(d):
        values[j] += low[j]
    return values, sizes


@kernel
def _add(values: Floats, low: Floats, sizes: Floats, j: int, x: float, a: float) -> None:
    """Add x·a to values[j], and what both operations round away to low[j]."""
    product = x * a
    split = SPLITTER * x
    x_high = split - (split - x)
    x_low = x - x_high
    split = SPLITTER * a
    a_high = split - (split - a)
    a_low = a - a_high
    lost = x_low * a_low - (((product - x_high * a_high) - x_low * a_high) - x_high * a_low)
    total = values[j] + product
    part = total - values[j]
    lost += (values[j] - (total - part)) + (product - part)
    values[j] = total
    low[j] += lost
    sizes[j] += abs(product)
