"""Which columns of a large matrix are independent modulo a prime, a block of columns at a time.

A column is a pivot if it is no combination of those before it: Gaussian elimination by blocks, with
the residues in float64. The prime is below 2²³, so a product of residues is below 2⁴⁶ and a sum of
64 of them below 2⁵²: BLAS adds them up without rounding. FLINT does the same for longer primes in
one call that nothing can stop; here Python hears Ctrl-C between two blocks.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.progress import in_time
from novikoff.rows import Floats

__all__ = ["SMALL_PRIMES", "pivot_columns"]

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
        rank = _eliminate(M[done:], start, end, prime, factors, found)
        pivots += (start + np.flatnonzero(found)).tolist()
        if len(pivots) == n:
            break
        right = M[done:, end:]
        _solve_unit_lower(factors[:rank], right[:rank], prime)
        step = max(1, BLOCK // max(width - end, 1))
        for first in in_time(range(rank, n - done, step)):
            rows = slice(first, first + step)
            right[rows] -= factors[rows, :rank] @ right[:rank]
            _reduce(right[rows], prime)
    return pivots


def _residues(table: Sequence[Sequence[int]], prime: int) -> Floats:
    return np.array([[float(x % prime) for x in row] for row in in_time(table)])


@kernel
def _eliminate(
    M: Floats, start: int, end: int, prime: int, factors: Floats, found: NDArray[np.bool_]
) -> int:
    """Eliminate in the columns from `start` to `end`, with whole rows swapped; say their rank."""
    n, rank = M.shape[0], 0
    for j in range(start, end):
        at = rank
        while at < n and M[at, j] == 0.0:
            at += 1
        if at == n:
            continue
        if at != rank:
            for k in range(start, M.shape[1]):
                M[at, k], M[rank, k] = M[rank, k], M[at, k]
            for k in range(rank):
                factors[at, k], factors[rank, k] = factors[rank, k], factors[at, k]
        inverse = _inverse(int(M[rank, j]), prime)
        factors[rank, rank] = 1.0
        for i in range(rank + 1, n):
            if M[i, j] == 0.0:
                continue
            factor = int(M[i, j]) * inverse % prime
            factors[i, rank] = factor
            for k in range(j, end):
                M[i, k] = (int(M[i, k]) + (prime - factor) * int(M[rank, k])) % prime
        found[j - start] = True
        rank += 1
    return rank


@kernel
def _inverse(value: int, prime: int) -> int:
    """value^(prime − 2): Fermat."""
    power, result, left = value, 1, prime - 2
    while left > 0:
        if left & 1:
            result = result * power % prime
        power = power * power % prime
        left >>= 1
    return result


@kernel
def _solve_unit_lower(factors: Floats, right: Floats, prime: int) -> None:
    """Replace the right sides by what the factors, 1 on the diagonal, take to them."""
    for i in range(right.shape[0]):
        for t in range(i):
            factor = prime - int(factors[i, t])
            for k in range(right.shape[1]):
                right[i, k] = (int(right[i, k]) + factor * int(right[t, k])) % prime


@kernel
def _reduce(block: Floats, prime: int) -> None:
    """Residues from 0 to prime − 1 of whole numbers below 2⁵³ in size."""
    p, reciprocal = float(prime), 1.0 / prime
    for i in range(block.shape[0]):
        for k in range(block.shape[1]):
            x = block[i, k]
            x -= p * np.floor(x * reciprocal)
            if x < 0.0:  # the quotient was rounded to the next whole number
                x += p
            elif x >= p:
                x -= p
            block[i, k] = x
