"""The null space of many sparse rows: elimination modulo a prime, then an exact check.

Columns are put in order, the rarest first, and every row is reduced by those before it, so that
rows of dummies stay short. The rank modulo a prime is never above the rank. So if it leaves k
columns free, and k vectors that differ in these are orthogonal to all rows exactly, they are a
basis of what is. The vectors are written as fractions from their residues modulo a few primes.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import isqrt, lcm
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.progress import in_time, seconds_in_force
from novikoff.exact.rational import denominator_modulo, over_one_denominator
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
MOST_ENTRIES = 1 << 23  # of sparse vectors
LONGEST = 1 << 61  # of whole numbers


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
    width = X.shape[1] + fit_intercept
    if (width - X.shape[0]) * width > MOST_NUMBERS:
        return None  # so many columns are free at least
    A = sp.csr_array(X.astype(np.float64))
    A.data = residues_of(whole, A.indices, A.data, k).astype(np.float64)
    if fit_intercept:
        A = sp.csr_array(sp.hstack([A, np.ones((A.shape[0], 1))]))
    A.eliminate_zeros()
    A.sum_duplicates()
    order = np.argsort(np.bincount(A.indices, minlength=width), kind="stable")
    place = np.empty(width, dtype=np.int64)
    place[order] = np.arange(width)
    shortest = np.argsort(np.diff(A.indptr), kind="stable")
    found = _core.sparse_echelon(
        A.indptr.astype(np.int64), place[A.indices], A.data.astype(np.int64), shortest, width,
        prime_below(k), MOST_NUMBERS, seconds_in_force(),
    )  # fmt: skip
    if found is None:
        return None
    _, free, starts, columns, values = found
    if len(free) * width > MOST_NUMBERS:
        return None
    back = sp.csr_array((values, order[columns], starts), shape=(len(free), width))
    return order[free], back.toarray()


def _fractions(found: list[Integers]) -> list[list[Fraction]] | None:
    """The vectors whose residues modulo the first primes these are; None if they need more."""
    values = _spread([vectors.ravel() for vectors in found])
    return None if values is None else [list(row) for row in values.reshape(found[0].shape)]


def _spread(found: list[Integers]) -> NDArray[Any] | None:
    """The fractions with these residues modulo the first primes; None if they need more primes."""
    different, place = np.unique(np.stack(found), axis=1, return_inverse=True)
    modulus = 1
    for k in range(len(found)):
        modulus *= prime_below(k)
    table = np.empty(different.shape[1], dtype=object)
    for at, residues in enumerate(in_time(different.T.tolist())):
        table[at] = fraction_of(_combined(residues), modulus)
        if table[at] is None:
            return None
    return np.asarray(table[place.ravel()])


def _combined(residues: list[int]) -> int:
    """The number below the product of the primes that has these residues."""
    number, modulus = 0, 1
    for k, residue in enumerate(residues):
        prime = prime_below(k)
        number += modulus * ((residue - number) * pow(modulus, -1, prime) % prime)
        modulus *= prime
    return number


def fraction_of(residue: int, modulus: int) -> Fraction | None:
    """The one fraction of numbers up to √(modulus/2) with this residue, if there is one."""
    bound = isqrt(modulus // 2)
    denominator = denominator_modulo(residue, modulus, bound)
    numerator = residue * denominator % modulus
    if 2 * numerator > modulus:
        numerator -= modulus
    return Fraction(numerator, denominator) if 0 < denominator <= bound else None


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


class Elimination(NamedTuple):
    """Rows of a sparse integer matrix that were eliminated, in the order of `makers`.

    The rows of `null` are null vectors of them, each alone in one column of `free`. `form` is the
    echelon form modulo the first prime, as the core returns it, each column at its `place`.
    """

    makers: Integers
    place: Integers
    form: tuple[Integers, ...]
    null: Any
    free: Integers


def eliminate(rows: Any, makers: NDArray[np.intp]) -> Elimination | None:
    """Some rows eliminated, the rarest columns first; None if it is too much, or numbers too long.

    That the vectors are null vectors, and that there are no more, is proven by nobody here.
    """
    width = rows.shape[1]
    order = np.argsort(np.bincount(rows.indices, minlength=width), kind="stable")
    place = np.empty(width, dtype=np.int64)
    place[order] = np.arange(width)
    lengths = np.diff(rows.indptr)
    by_length = makers[np.argsort(lengths[makers], kind="stable")].astype(np.int64)
    starts, columns = rows.indptr.astype(np.int64), place[rows.indices]
    near = sp.csr_array(rows[makers])
    form: Any = None
    found: list[Integers] = []
    shape: tuple[Integers, ...] = ()
    for k in in_time(range(MOST_PRIMES)):
        prime = prime_below(k)
        eliminated = _core.sparse_echelon(
            starts, columns, rows.data % prime, by_length, width, prime, MOST_ENTRIES,
            seconds_in_force(),
        )  # fmt: skip
        if eliminated is None:
            return None
        form, here = form or eliminated[0], eliminated[1:4]
        if found and not all(map(np.array_equal, shape, here)):
            return None  # one of the primes divides a minor
        shape = here
        found.append(eliminated[4])
        null = _whole_vectors(found, shape, order, width)
        if null is None:
            continue
        scores = sparse_product(near, sp.csr_array(null.T))
        if scores is not None and scores.nnz == 0:
            return Elimination(by_length, place, form, null, order[shape[0]])
    return None


def sparse_product(A: Any, B: Any) -> Any | None:
    """The product of sparse int64 matrices, without zeros; None if a number may be too long."""
    sizes = abs(A).astype(np.float64) @ abs(B).astype(np.float64)
    if sizes.data.max(initial=0.0) > 2.0**61:
        return None
    found = sp.csr_array(A @ B)
    found.sum_duplicates()
    found.eliminate_zeros()
    return found


def whole_csr(A: Any, decimals: bool) -> tuple[Any, tuple[Fraction, ...]] | None:
    """Sparse rows as int64, each column times a factor; None if some number is too long."""
    A = sp.csr_of(A).astype(np.float64)
    A.sum_duplicates()
    A.eliminate_zeros()
    whole = whole_rows(ExactMatrix(A, decimals))
    if whole is None or whole.bits > 53:
        return None
    scaled = whole.integers(A.data, A.indices)
    return sp.csr_array((scaled, A.indices, A.indptr), shape=A.shape), whole.factors


def _whole_vectors(
    found: list[Integers], shape: tuple[Integers, ...], order: Integers, width: int
) -> Any | None:
    """The vectors with these residues, times numbers that make them whole; None if too long."""
    _, starts, columns = shape
    values = _spread(found)
    if values is None:
        return None
    whole = np.empty(len(values), dtype=np.int64)
    ends = starts.tolist()
    for a, b in in_time(list(pairwise(ends))):
        some = values[a:b]
        shared = lcm(*{value.denominator for value in some})
        numbers = [int(value * shared) for value in some]
        if max(map(abs, numbers)) >= LONGEST:
            return None
        whole[a:b] = numbers
    return sp.csr_array((whole, order[columns], starts), shape=(len(ends) - 1, width))
