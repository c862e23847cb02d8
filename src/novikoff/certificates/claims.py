"""What a certificate can claim of separability, checked on the numbers themselves.

Each function answers with the reason why the claim fails, or with None.
"""

from fractions import Fraction
from itertools import pairwise
from math import lcm

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.floating_point import positive_solution_reason
from novikoff.certificates.span import span_reason
from novikoff.exact.reading import Reading
from novikoff.exact.score_signs import score_signs
from novikoff.exact.whole import combination_is_zero, whole_rows

__all__ = [
    "existence_reason",
    "multipliers_reason",
    "rank_reason",
    "separator_reason",
    "sum_reason",
]

BLOCK = 1 << 20  # numbers made integers together
FEW = 64


def separator_reason(claim: Certificate, reading: Reading, y: NDArray[np.int8]) -> str | None:
    """Separable: every yᵢ(w·xᵢ + b) > 0. Touching: every one ≥ 0, and not all of them 0."""
    assert claim.weights is not None
    assert claim.intercept is not None
    signs = reading.over_parts(score_signs, claim.weights, claim.intercept)
    sides = np.concatenate(signs) * y
    wrong = np.flatnonzero(sides < 0)
    if len(wrong):
        return f"row {wrong[0]} is on the wrong side: y(w·x + b) < 0."
    if claim.kind == "separable":
        on_plane = np.flatnonzero(sides == 0)
        return f"row {on_plane[0]} is on the plane: y(w·x + b) = 0." if len(on_plane) else None
    return None if sides.any() else "every row is on the plane: w·x + b = 0 throughout."


def multipliers_reason(claim: Certificate, reading: Reading, y: NDArray[np.int8]) -> str | None:
    """Gordan: Σ αᵢ yᵢ x̂ᵢ = 0 (α > 0 and distinct rows are checked when a certificate is made)."""
    assert claim.rows is not None
    assert claim.alpha is not None
    return sum_reason(claim, reading, y, claim.rows, claim.alpha)


def sum_reason(
    claim: Certificate,
    reading: Reading,
    y: NDArray[np.int8],
    rows: tuple[int, ...],
    alpha: tuple[Fraction, ...],
) -> str | None:
    """Why Σ αᵢ yᵢ x̂ᵢ over the rows is not 0, or None."""
    denominator = lcm(*(a.denominator for a in alpha))
    signed = [
        a.numerator * (denominator // a.denominator) * int(y[row])
        for row, a in zip(rows, alpha, strict=True)
    ]
    if claim.fit_intercept and sum(signed) != 0:
        return "Σ αy is not 0: the two classes have different shares of α."
    near = reading.part(list(rows))
    # A handful of rows is quicker to add up than residues are to work out.
    whole = whole_rows(near) if len(rows) > FEW else None
    if whole is not None and combination_is_zero(whole, np.arange(len(rows)), signed):
        return None
    # A block of columns at a time: a factor belongs to a column, so all its rows must be together.
    step = max(1, BLOCK // len(rows))
    edges = [*range(0, claim.d, step), claim.d]
    for start, end in pairwise(edges):
        integers, _ = near.integers(range(len(rows)), range(start, end))
        sums = flint.fmpz_mat([signed]) * flint.fmpz_mat(integers.tolist())
        for j, total in enumerate(sums.entries(), start):
            if total != 0:
                return f"Σ αyx is not 0 in column {j} ({claim.columns[j]})."
    return None


def existence_reason(claim: Certificate, reading: Reading, y: NDArray[np.int8]) -> str | None:
    """Whether a positive solution near α is proven to exist, every rounding bounded.

    The proof needs rows of full column rank, so it settles the rank as well.
    """
    assert claim.rows is not None
    assert claim.alpha is not None
    with_one = claim.fit_intercept
    return positive_solution_reason(reading, y, claim.rows, claim.alpha, with_one=with_one)


def rank_reason(
    claim: Certificate,
    reading: Reading,
    y: NDArray[np.int8],  # noqa: ARG001 (signs do not change a rank)
) -> str | None:
    """Stiemke: the rows of α span what all rows span."""
    assert claim.rows is not None
    return span_reason(reading, claim.rows, claim.fit_intercept)
