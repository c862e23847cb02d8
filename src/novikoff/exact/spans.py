"""What a few integer rows span, and what is orthogonal to all of it: exactly.

A rank modulo a prime is never too large. So independent rows and columns are found modulo a prime,
the null vectors are solved for in rational numbers, and whoever uses them checks them on the rows.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.exact.rank_profile import SMALL_PRIMES, pivot_columns
from novikoff.exact.reading import Reading
from novikoff.exact.score_signs import score_signs
from novikoff.exact.sparse_null import sparse_null_space
from novikoff.progress import in_time

__all__ = ["Vector", "independent_columns", "is_wide", "null_space", "outside"]

Vector: TypeAlias = tuple[Fraction, ...]

WIDE = 256  # columns of a sparse matrix that is eliminated as one

# Each prime is tried if the one before was unlucky, that is, divided a minor.
PRIMES = (2**61 - 1, 2**59 - 55, 2**57 - 13)
ELIMINATED_AT_ONCE = 1 << 29  # multiply-adds that FLINT does in a fraction of a second


def null_space(reading: Reading, rows: Sequence[int], fit_intercept: bool) -> list[Vector]:
    """A basis of the (w, b) with w·xᵢ + b = 0 on these rows; of the w if there is no intercept."""
    if is_wide(reading):
        found = sparse_null_space(reading, rows, fit_intercept)
        if found is not None:
            return found
    integers, factors = reading.integers(list(rows), range(reading.X.shape[1]))
    table = integers.tolist()
    if fit_intercept:
        table = [[*row, 1] for row in table]
        factors = [*factors, 1]
    for attempt in range(len(PRIMES)):
        vectors = _null_vectors(table, attempt)
        if not vectors or _all_zero(table, vectors):
            break
    else:
        vectors = _null_vectors_slowly(table)
    return [
        tuple(value * factor for value, factor in zip(vector, factors, strict=True))
        for vector in vectors
    ]


def is_wide(reading: Reading) -> bool:
    """Whether sparse elimination is tried first: it is no quicker with few columns."""
    return sp.issparse(reading.X) and reading.X.shape[1] >= WIDE


def outside(reading: Reading, basis: Iterable[Vector], fit_intercept: bool) -> NDArray[np.intp]:
    """The rows that are not orthogonal to the basis: those of the first vector that has any."""
    for vector in in_time(basis):
        weights, intercept = (vector[:-1], vector[-1]) if fit_intercept else (vector, Fraction(0))
        signs = reading.over_parts(score_signs, weights, intercept)
        found = np.flatnonzero(np.concatenate(signs))
        if len(found):
            return found
    return np.empty(0, dtype=np.intp)


def independent_columns(basis: list[Vector]) -> list[int]:
    """Columns that are independent, as many as can be, on the rows whose null space this is.

    A null vector that is 0 in the leading columns of the basis is 0, so the others are independent.
    """
    echelon, _, rank = flint.fmpz_mat(_integers(basis)).rref()
    leading = set(_leads(echelon, rank))
    return [j for j in range(len(basis[0])) if j not in leading]


def _integers(vectors: list[Vector]) -> list[list[int]]:
    """The same directions, without denominators."""
    whole = []
    for vector in vectors:
        denominator = lcm(*(value.denominator for value in vector))
        whole.append([int(value * denominator) for value in vector])
    return whole


def _all_zero(table: list[list[int]], vectors: list[Vector]) -> bool:
    """Whether every row is orthogonal to every vector: if not, the prime was unlucky."""
    products = flint.fmpz_mat(table) * flint.fmpz_mat(_integers(vectors)).transpose()
    return not any(products.entries())


def _null_vectors(table: list[list[int]], attempt: int) -> list[Vector]:
    """Vectors that take a largest set of rows, independent modulo a prime, to 0."""
    columns = _pivots(table, attempt)
    width = len(table[0])
    chosen = set(columns)
    others = [j for j in range(width) if j not in chosen]
    if not columns or not others:
        return [_unit(j, width) for j in others]
    rows = _pivots([[row[j] for row in table] for j in columns], attempt)
    minor = flint.fmpz_mat([[table[i][j] for j in columns] for i in rows])
    right = flint.fmpz_mat([[table[i][j] for j in others] for i in rows])
    solution = minor.solve(right).table()
    vectors = []
    for k, other in enumerate(others):
        vector = list(_unit(other, width))
        for j, values in zip(columns, solution, strict=True):
            vector[j] = -Fraction(int(values[k].p), int(values[k].q))
        vectors.append(tuple(vector))
    return vectors


def _null_vectors_slowly(table: list[list[int]]) -> list[Vector]:
    kernel, nullity = flint.fmpz_mat(table).nullspace()
    columns = kernel.transpose().table()[:nullity]
    return [tuple(Fraction(int(value)) for value in column) for column in columns]


def _pivots(table: list[list[int]], attempt: int) -> list[int]:
    """Columns that are independent modulo a prime of this attempt, as many as can be."""
    n, width = len(table), len(table[0])
    if n * width * min(n, width) > ELIMINATED_AT_ONCE:
        return pivot_columns(table, SMALL_PRIMES[attempt])
    prime = PRIMES[attempt]
    return _leads(
        *flint.nmod_mat([[x % prime for x in row] for row in in_time(table)], prime).rref()
    )


def _leads(echelon: Any, rank: int) -> list[int]:
    """The columns in which the rows of an echelon form begin."""
    leads, j = [], 0
    for i in range(rank):
        while int(echelon[i, j]) == 0:
            j += 1
        leads.append(j)
    return leads


def _unit(j: int, width: int) -> Vector:
    return tuple(Fraction(int(k == j)) for k in range(width))
