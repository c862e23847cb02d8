"""Columns that span all others, for matrices with more columns than rows.

A rank is at most the number of rows. So at most that many columns span all columns, and every
question about signs of Aw or about Aᵀα = 0 has the same answer on them alone. The work is in
vectors of one number a row: the columns are eliminated modulo a prime, a block at a time, until
there are as many as rows. If there stay fewer, what is orthogonal to the chosen ones is worked out
exactly, and checked against every column. A rank modulo a prime is never too large, so nothing
rests on the prime.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.residues import (
    ResidueRows,
    combination_is_zero,
    prime_below,
    residues_of,
    whole_rows,
)

Integers: TypeAlias = NDArray[np.int64]

MOST_NUMBERS = 1 << 26  # of the matrix without its empty columns: half a gigabyte of residues
MOST_STEPS = 1 << 31  # multiplications modulo one prime: some ten seconds
MOST_PRIMES = 3  # each is tried if the one before divides a minor
BLOCK = 1 << 18  # numbers made integers together


def spanning_columns(reading: ExactMatrix, *, with_one: bool) -> list[int] | None:
    """Independent columns of which every other one is a combination, exactly; None if too large.

    With `with_one` a column of ones is among those that may be combined, and is not listed.
    """
    stored = stored_columns(reading)
    n, width = reading.X.shape[0], len(stored)
    if n * width > MOST_NUMBERS or n * n * width > MOST_STEPS:
        return None
    if width < reading.X.shape[1]:
        reading = _without_the_empty(reading, stored)
    whole = whole_rows(reading)
    for k in range(MOST_PRIMES):
        chosen, rank = _independent(reading, whole, with_one, k)
        if rank == n or _span_all(reading, whole, chosen, with_one):
            return stored[chosen].tolist()  # type: ignore[no-any-return]
    return None


def stored_columns(reading: ExactMatrix) -> NDArray[np.intp]:
    """The columns that have an entry: all of a dense matrix."""
    X = reading.X
    return np.unique(X.indices).astype(np.intp) if sp.issparse(X) else np.arange(X.shape[1])


def _without_the_empty(reading: ExactMatrix, stored: NDArray[np.intp]) -> ExactMatrix:
    """The matrix with only the columns that have an entry."""
    X = reading.X
    places = np.searchsorted(stored, X.indices)
    compact = sp.csr_array((X.data, places, X.indptr), shape=(X.shape[0], len(stored)))
    return ExactMatrix(compact, reading.decimals, reading.places[stored])


def _independent(
    reading: ExactMatrix, whole: ResidueRows | None, with_one: bool, k: int
) -> tuple[list[int], int]:
    """The last columns that are independent modulo the k-th prime, in order, and the rank.

    The rank counts the column of ones.
    """
    prime, n = prime_below(k), reading.X.shape[0]
    transform = np.eye(n, dtype=np.int64)
    chosen: list[int] = []
    rank = 0
    for start, residues in _residues_from_the_last(reading, whole, with_one, k):
        block = _product(transform, residues, prime)
        while rank < n:
            alive = np.flatnonzero(block[rank:].any(axis=0))
            if len(alive) == 0:
                break
            at = int(alive[-1])
            _eliminate(transform, block, rank, at, prime)
            rank += 1
            if start >= 0:
                chosen.append(start + at)
        if rank == n:
            break
    return sorted(chosen), rank


def _residues_from_the_last(
    reading: ExactMatrix, whole: ResidueRows | None, with_one: bool, k: int
) -> Iterator[tuple[int, Integers]]:
    """Blocks of columns modulo the k-th prime, the last block first; ones before all, at −1."""
    n, d = reading.X.shape
    if with_one:
        yield -1, np.ones((n, 1), dtype=np.int64)
    step = max(1, BLOCK // n)
    X = sp.csc_array(reading.X) if sp.issparse(reading.X) else reading.X
    for end in range(d, 0, -step):
        start = max(0, end - step)
        columns = np.arange(start, end)
        if whole is None:
            integers, _ = reading.integers(range(n), columns.tolist())
            yield start, (integers % prime_below(k)).astype(np.int64)
            continue
        part = X[:, start:end]
        values = np.asarray(part.toarray() if sp.issparse(part) else part, dtype=np.float64)
        flat = residues_of(whole, np.tile(columns.astype(np.int32), n), values.ravel(), k)
        yield start, flat.reshape(values.shape)


def _product(left: Integers, right: Integers, prime: int) -> Integers:
    """The product of two matrices modulo the prime: a term at a time, each below 2⁶²."""
    total = np.zeros((left.shape[0], right.shape[1]), dtype=np.int64)
    for i in range(left.shape[1]):
        total = (total + left[:, [i]] * right[i]) % prime
    return total


def _eliminate(transform: Integers, block: Integers, rank: int, at: int, prime: int) -> None:
    """Make the column `at` of the block 0 below row `rank`, by operations on whole rows."""
    row = rank + int(np.flatnonzero(block[rank:, at])[0])
    inverse = pow(int(block[row, at]), -1, prime)
    for matrix in (transform, block):
        matrix[[rank, row]] = matrix[[row, rank]]
    factors = block[rank + 1 :, [at]] * inverse % prime
    for matrix in (transform, block):
        matrix[rank + 1 :] = (matrix[rank + 1 :] - factors * matrix[rank]) % prime


def _span_all(
    reading: ExactMatrix, whole: ResidueRows | None, chosen: list[int], with_one: bool
) -> bool:
    """Whether all that is orthogonal to the chosen columns is orthogonal to every column."""
    n, d = reading.X.shape
    rows = reading.integers(range(n), chosen)[0].tolist() if chosen else [[]] * n
    hats = [[*row, 1] if with_one else row for row in rows]
    if not hats[0]:
        orthogonal: Any = flint.fmpz_mat([[int(i == j) for j in range(n)] for i in range(n)])
    else:
        kernel, nullity = flint.fmpz_mat(hats).transpose().nullspace()
        orthogonal = flint.fmpz_mat(kernel.transpose().table()[:nullity])
    left = []
    for vector in orthogonal.table():
        factors = [int(value) for value in vector]
        zero = None if whole is None else combination_is_zero(whole, np.arange(n), factors)
        if zero is False:
            return False
        if zero is None:
            left.append(factors)
    step = max(1, BLOCK // n)
    for start in range(0, d if left else 0, step):
        integers, _ = reading.integers(range(n), range(start, min(start + step, d)))
        if any((flint.fmpz_mat(left) * flint.fmpz_mat(integers.tolist())).entries()):
            return False
    return True
