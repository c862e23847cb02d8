"""The three things a certificate can claim, checked on the numbers themselves.

Each function answers with the reason why the claim fails, or with None.
"""

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.separability.certificate import Certificate
from novikoff.separability.reading import Reading
from novikoff.separability.score_signs import score_signs

__all__ = ["multipliers_reason", "rank_reason", "separator_reason"]

# Ranks modulo a prime are never too large. Each is tried if the one before was unlucky.
PRIMES = (2**61 - 1, 2**59 - 55, 2**57 - 13)
BLOCK = 1 << 20  # numbers made integers together


def separator_reason(claim: Certificate, reading: Reading, y: NDArray[np.int8]) -> str | None:
    """Separable: every yᵢ(w·xᵢ + b) > 0. Touching: every one ≥ 0, and not all of them 0."""
    assert claim.weights is not None
    assert claim.intercept is not None
    sides = score_signs(reading, claim.weights, claim.intercept) * y
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
    denominator = lcm(*(a.denominator for a in claim.alpha))
    signed = [
        a.numerator * (denominator // a.denominator) * int(y[row])
        for row, a in zip(claim.rows, claim.alpha, strict=True)
    ]
    if claim.fit_intercept and sum(signed) != 0:
        return "Σ αy is not 0: the two classes have different shares of α."
    # A block of columns at a time: a factor belongs to a column, so all its rows must be together.
    step = max(1, BLOCK // len(claim.rows))
    edges = [*range(0, claim.d, step), claim.d]
    for start, end in pairwise(edges):
        integers, _ = reading.integers(list(claim.rows), range(start, end))
        sums = flint.fmpz_mat([signed]) * flint.fmpz_mat(integers.tolist())
        for j, total in enumerate(sums.entries(), start):
            if total != 0:
                return f"Σ αyx is not 0 in column {j} ({claim.columns[j]})."
    return None


def rank_reason(claim: Certificate, reading: Reading) -> str | None:
    """Stiemke: the rows of α span what all rows span.

    A rank modulo a prime proves "at least r". If r is less than the number of columns, the null
    vectors of the rows of α must be orthogonal to every row: that proves "at most r" for all rows.
    """
    assert claim.rows is not None
    integers, factors = reading.integers(list(claim.rows), range(claim.d))
    table = integers.tolist()
    if claim.fit_intercept:
        table = [[*row, 1] for row in table]
        factors = [*factors, 1]
    beyond = None
    for prime in PRIMES:
        rows, columns = _independent(table, prime)
        if len(columns) == len(factors):
            return None
        for vector in _null_vectors(table, rows, columns):
            weights = [v * factor for v, factor in zip(vector, factors, strict=True)]
            intercept = weights.pop() if claim.fit_intercept else Fraction(0)
            beyond = np.flatnonzero(score_signs(reading, weights, intercept))
            if len(beyond):
                break
        else:
            return None
        # A prime is unlucky only if the null vector misses a row that it was made from.
        if not set(beyond.tolist()) & set(claim.rows):
            break
    assert beyond is not None
    return (
        f"the rows of α do not span all rows (row {beyond[0]} is outside): "
        "they prove that no plane separates strictly, but not that none touches."
    )


def _independent(table: list[list[int]], prime: int) -> tuple[list[int], list[int]]:
    """Rows and columns of a largest minor that is not 0 modulo `prime`."""
    columns = _pivots(flint.nmod_mat([[x % prime for x in row] for row in table], prime))
    transposed = [[row[j] % prime for row in table] for j in columns]
    rows = _pivots(flint.nmod_mat(transposed, prime)) if columns else []
    return rows, columns


def _pivots(matrix: Any) -> list[int]:
    echelon, rank = matrix.rref()
    pivots, j = [], 0
    for i in range(rank):
        while int(echelon[i, j]) == 0:
            j += 1
        pivots.append(j)
    return pivots


def _null_vectors(
    table: list[list[int]], rows: list[int], columns: list[int]
) -> list[list[Fraction]]:
    """For every other column, the vector that has a 1 there and takes the independent rows to 0."""
    width = len(table[0])
    others = [j for j in range(width) if j not in set(columns)]
    vectors = []
    if rows:
        minor = flint.fmpz_mat([[table[i][j] for j in columns] for i in rows])
        right = flint.fmpz_mat([[table[i][j] for j in others] for i in rows])
        solution = minor.solve(right)
    for k, other in enumerate(others):
        vector = [Fraction(0)] * width
        vector[other] = Fraction(1)
        for position, j in enumerate(columns):
            value = solution[position, k]
            vector[j] = -Fraction(int(value.p), int(value.q))
        vectors.append(vector)
    return vectors
