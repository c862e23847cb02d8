"""Null spaces and independent columns of integer rows, exactly.

A rank modulo a prime is never too large. So independent rows and columns are found modulo a prime,
the null vectors are solved for in rational numbers, and the caller checks them on the rows.

For a large matrix, independent columns modulo a prime are found a block of columns at a time.

A column is a pivot if it is no combination of those before it: Gaussian elimination by blocks, with
the residues in float64. The prime is below 2²³, so a product of residues is below 2⁴⁶ and a sum of
64 of them below 2⁵²: BLAS adds them up without rounding. FLINT does the same for longer primes in
one call that nothing can stop; here Python hears Ctrl-C between two blocks.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.progress import in_time, seconds_in_force
from novikoff.exact.rational import Vector, over_one_denominator
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.score_signs import score_signs
from novikoff.exact.sparse_elimination import sparse_null_space
from novikoff.matrix.rows import Floats

SMALL_PRIMES = (8388593, 8388587, 8388581)  # the greatest below 2²³
COLUMNS = 64
BLOCK = 1 << 18  # numbers that are reduced together


def pivot_columns(table: Sequence[Sequence[int]], prime: int) -> list[int]:
    """The columns that are no combination, modulo `prime`, of those before them."""
    M = _residues(table, prime)
    n, width = M.shape
    pivots: list[int] = []
    for start in in_time(range(0, width, COLUMNS)):
        done, end = len(pivots), min(start + COLUMNS, width)
        factors = np.zeros((n - done, end - start))
        found = np.zeros(end - start, np.bool_)
        rank = _core.eliminate_columns(M, done, start, prime, factors, found, seconds_in_force())
        pivots += (start + np.flatnonzero(found)).tolist()
        if len(pivots) == n:
            break
        right = M[done:, end:]
        step = max(1, BLOCK // max(width - end, 1))
        for first in in_time(range(rank, n - done, step)):
            rows = slice(first, first + step)
            right[rows] -= factors[rows, :rank] @ right[:rank]
            last = min(done + first + step, n)
            _core.reduce_block(M, done + first, last, end, prime)
    return pivots


def _residues(table: Sequence[Sequence[int]], prime: int) -> Floats:
    return np.array([[float(x % prime) for x in row] for row in in_time(table)])


WIDE = 256  # columns of a sparse matrix that is eliminated as one

# Each prime is tried if the one before was unlucky, that is, divided a minor.
PRIMES = (2**61 - 1, 2**59 - 55, 2**57 - 13)
ELIMINATED_AT_ONCE = 1 << 29  # multiply-adds that FLINT does in a fraction of a second


def null_space(reading: ExactMatrix, rows: Sequence[int], fit_intercept: bool) -> list[Vector]:
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


def is_wide(reading: ExactMatrix) -> bool:
    """Whether sparse elimination is tried first: it is no quicker with few columns."""
    return sp.issparse(reading.X) and reading.X.shape[1] >= WIDE


def rows_not_orthogonal(
    reading: ExactMatrix, basis: Iterable[Vector], fit_intercept: bool
) -> NDArray[np.intp]:
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
    leading = set(leads_of(echelon, rank))
    return [j for j in range(len(basis[0])) if j not in leading]


def _integers(vectors: list[Vector]) -> list[list[int]]:
    """The directions as integers: each vector times its common denominator."""
    return [over_one_denominator(vector)[0] for vector in vectors]


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
    return leads_of(
        *flint.nmod_mat([[x % prime for x in row] for row in in_time(table)], prime).rref()
    )


def leads_of(echelon: Any, rank: int) -> list[int]:
    """The columns in which the rows of an echelon form begin."""
    leads, j = [], 0
    for i in range(rank):
        while int(echelon[i, j]) == 0:
            j += 1
        leads.append(j)
    return leads


def _unit(j: int, width: int) -> Vector:
    return tuple(Fraction(int(k == j)) for k in range(width))
