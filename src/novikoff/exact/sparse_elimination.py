"""The null space of many sparse rows: elimination modulo a prime, then an exact check.

Columns are put in order, the rarest first, and every row is reduced by those before it, so that
rows of dummies stay short. The rank modulo a prime is never above the rank. So if it leaves k
columns free, and k vectors that differ in these are orthogonal to all rows exactly, they are a
basis of what is. The vectors are written as fractions from their residues modulo a few primes.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.progress import in_time, seconds_in_force
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.residues import (
    ResidueRows,
    prime_below,
    residues_of,
    scores_are_zero,
    whole_rows,
)

Integers: TypeAlias = NDArray[np.int64]

MOST_PRIMES = 12  # some 180 bits for a numerator, and as many for a denominator
MOST_NUMBERS = 1 << 24  # of a basis


def sparse_null_space(
    reading: ExactMatrix, rows: Sequence[int], fit_intercept: bool
) -> list[tuple[Fraction, ...]] | None:
    """A basis of the (w, b) with w·xᵢ + b = 0 on these rows; None if sparse elimination is no help.

    The matrix is sparse.
    """
    whole = whole_rows(reading)
    if whole is None or len(rows) == 0:
        return None
    chosen = np.asarray(rows, dtype=np.intp)
    found: list[Integers] = []
    free: Integers | None = None
    for k in in_time(range(MOST_PRIMES)):
        eliminated = _eliminated(whole, reading.X[chosen], fit_intercept, k)
        if eliminated is None:
            return None
        if free is not None and not np.array_equal(free, eliminated[0]):
            return None  # one of the primes divides a minor
        free = eliminated[0]
        found.append(eliminated[1])
        vectors = _fractions(found)
        if vectors is not None and _are_orthogonal(whole, chosen, vectors, fit_intercept):
            factors = (*whole.factors, Fraction(1)) if fit_intercept else whole.factors
            return [
                tuple(value * factor for value, factor in zip(vector, factors, strict=True))
                for vector in in_time(vectors)
            ]
    return None


def _eliminated(
    whole: ResidueRows, X: Any, fit_intercept: bool, k: int
) -> tuple[Integers, Integers] | None:
    """The free columns, and the null vectors that are 1 in one of them and 0 in the others.

    None if that is too much work.
    """
    A = sp.csr_array(X.astype(np.float64))
    A.data = residues_of(whole, A.indices, A.data, k).astype(np.float64)
    if fit_intercept:
        A = sp.csr_array(sp.hstack([A, np.ones((A.shape[0], 1))]))
    A.eliminate_zeros()
    A.sum_duplicates()
    width = A.shape[1]
    order = np.argsort(np.bincount(A.indices, minlength=width), kind="stable")
    place = np.empty(width, dtype=np.int64)
    place[order] = np.arange(width)
    shortest = np.argsort(np.diff(A.indptr), kind="stable")
    found = _core.null_vectors(
        A.indptr.astype(np.int64), place[A.indices], A.data.astype(np.int64), shortest, width,
        prime_below(k), MOST_NUMBERS, seconds_in_force(),
    )  # fmt: skip
    if found is None:
        return None
    free, vectors = found
    back = np.empty_like(vectors)
    back[:, order] = vectors
    return order[free], back


def _fractions(found: list[Integers]) -> list[list[Fraction]] | None:
    """The vectors whose residues modulo the first primes these are; None if they need more."""
    stacked = np.stack([vectors.ravel() for vectors in found])
    different, place = np.unique(stacked, axis=1, return_inverse=True)
    modulus = 1
    for k in range(len(found)):
        modulus *= prime_below(k)
    values = []
    for residues in in_time(different.T.tolist()):
        value = _fraction(_combined(residues), modulus)
        if value is None:
            return None
        values.append(value)
    table = np.empty(len(values), dtype=object)
    table[:] = values
    spread = table[place.ravel()].reshape(found[0].shape)
    return [list(row) for row in spread]


def _combined(residues: list[int]) -> int:
    """The number below the product of the primes that has these residues."""
    number, modulus = 0, 1
    for k, residue in enumerate(residues):
        prime = prime_below(k)
        number += modulus * ((residue - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return number


def _fraction(residue: int, modulus: int) -> Fraction | None:
    """The one fraction of numbers up to √(modulus/2) with this residue, if there is one."""
    bound = isqrt(modulus // 2)
    a, b, s, t = modulus, residue, 0, 1
    while b > bound:
        quotient = a // b
        a, b, s, t = b, a - quotient * b, t, s - quotient * t
    return Fraction(b, t) if 0 < abs(t) <= bound else None


def _are_orthogonal(
    whole: ResidueRows, rows: NDArray[np.intp], vectors: list[list[Fraction]], fit_intercept: bool
) -> bool:
    """Whether every row is exactly orthogonal to every vector."""
    for vector in in_time(vectors):
        whole_vector, _ = over_one_denominator(vector)
        w, b = (whole_vector[:-1], whole_vector[-1]) if fit_intercept else (whole_vector, 0)
        zero = scores_are_zero(whole, rows, w, b)
        if zero is None or not zero.all():
            return False
    return True
