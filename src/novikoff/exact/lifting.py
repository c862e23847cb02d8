"""Mx = b in rational numbers, from a factorisation in floating point.

Every round solves with the float LU factors of M, keeps the digits that are right, and puts what is
left, computed without rounding, back as the next right-hand side: some thirty bits of x a round
(Wan, "An algorithm to solve integer linear systems exactly using numerical methods", 2006). When
there are enough, x is written over one denominator. The price is that of one factorisation and of
as many rounds as the solution is long; what the determinant could be does not matter.
"""

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import linalg as la
from novikoff.exact.integer_matrix import IntegerMatrix

__all__ = ["IntegerSystem"]

MOST_BITS = 1 << 15  # of the digits that are lifted
ROOM = 61  # bits of an int64 that sums may use
PRIMES = ((1 << 31) - 1, (1 << 31) - 19)


class IntegerSystem(NamedTuple):
    """A square integer matrix, and its LU factors in float64."""

    matrix: IntegerMatrix
    factors: Any

    @classmethod
    def of(cls, matrix: IntegerMatrix) -> "IntegerSystem | None":
        """The system of a square matrix; None if floating point finds it singular."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", la.LinAlgWarning)
            factors = la.lu_factor(matrix.floats(), check_finite=False, overwrite_a=True)
        pivots = np.abs(np.diagonal(factors[0]))
        return cls(matrix, factors) if (pivots > 0).all() and np.isfinite(pivots).all() else None

    def solve(
        self, b: list[int], *, transposed: bool, check: Callable[[], None]
    ) -> tuple[list[int], int] | None:
        """Numerators and the one denominator of x with Mx = b (or Mᵀx = b).

        None where the matrix is too close to a singular one, or the solution too long.
        """
        matrix = self.matrix.transpose() if transposed else self.matrix
        limbs = matrix.limbs()
        most = min(40, ROOM - 1 - _room_for_sums(limbs))
        step, bits, next_look = most, 0, 64
        digits, rest = [0] * len(b), np.array(b, dtype=object)
        while bits <= MOST_BITS and step >= 4:
            check()
            part = self._digits(rest, step, 1 if transposed else 0)
            left = None if part is None else _left(limbs, rest, part, step)
            if part is None or left is None:
                step //= 2  # fewer digits this time: more would not have fitted
                continue
            if not _is_smaller(left, rest, step):
                most = step = step // 2  # fewer from now on: more would not have been right
                continue
            rest = left
            digits = [(x << step) + int(d) for x, d in zip(digits, part.tolist(), strict=True)]
            bits, step = bits + step, most
            if bits >= next_look or not rest.any():
                found = _over_one_denominator(digits, bits)
                if found is not None and _solves(matrix, found, b):
                    return found
                next_look *= 2
        return None

    def _digits(self, rest: NDArray[Any], step: int, trans: int) -> NDArray[np.float64] | None:
        """x·2^step rounded, where x solves the system for what is left; None if it overflows."""
        # A common power of two brings long numbers into the range of float64.
        shift = max(0, max(abs(value) for value in rest.tolist()).bit_length() - 900)
        floats = np.array([float(value >> shift) for value in rest.tolist()])
        x = la.lu_solve(self.factors, floats, trans=trans, check_finite=False)
        x = np.ldexp(x, step + shift)
        return np.rint(x) if np.isfinite(x).all() else None


def _room_for_sums(limbs: list[tuple[int, Any]]) -> int:
    """The bits of the largest sum of sizes in a row of any part."""
    largest = max((int(abs(part).sum(axis=1).max()) for _, part in limbs if part.nnz), default=0)
    return largest.bit_length()


def _left(
    limbs: list[tuple[int, Any]], rest: NDArray[Any], digits: NDArray[np.float64], step: int
) -> NDArray[Any] | None:
    """What is left of the right-hand side, times 2^step; None if a sum would not fit in int64."""
    if float(np.abs(digits).max(initial=0.0)) * 2.0 ** _room_for_sums(limbs) >= 2.0**ROOM:
        return None
    whole = digits.astype(np.int64)
    left = rest * (1 << step)
    for shift, part in limbs:
        left = left - (part @ whole).astype(object) * (1 << shift)
    return np.asarray(left, dtype=object)


def _is_smaller(left: NDArray[Any], rest: NDArray[Any], step: int) -> bool:
    """Whether the digits were worth their while: what is left has not grown by 2^step."""
    before = int(max(abs(value) for value in rest.tolist())) << step
    return before == 0 or 8 * int(max(abs(value) for value in left.tolist())) < before


def _over_one_denominator(digits: list[int], bits: int) -> tuple[list[int], int] | None:
    """Integers n and D with every digits / 2^bits close to n / D; None if D is not short."""
    one, half = 1 << bits, bits // 2
    denominator = 1
    for x in digits:
        rest = (x * denominator) % one
        if min(rest, one - rest) >> half:
            denominator *= _denominator_near(rest, one, half)
            if denominator.bit_length() > half:
                return None
    numerators = [(x * denominator + (one >> 1)) >> bits for x in digits]
    return numerators, denominator


def _denominator_near(rest: int, one: int, half: int) -> int:
    """The q with q · rest close to a multiple of `one`: Euclid's algorithm, stopped halfway."""
    before, now = one, rest
    q_before, q_now = 0, 1
    while now >> half:
        quotient = before // now
        before, now = now, before - quotient * now
        q_before, q_now = q_now, q_before + quotient * q_now
    return q_now


def _solves(matrix: IntegerMatrix, found: tuple[list[int], int], b: list[int]) -> bool:
    """Whether Mn = D·b modulo two primes: enough to stop; whoever asked proves it on the rows."""
    numerators, denominator = found
    for prime in PRIMES:
        residues = matrix.modulo(prime)
        x = np.array([value % prime for value in numerators], dtype=np.int64)
        right = np.array([value * denominator % prime for value in b], dtype=np.int64)
        residues.data = residues.data * x[residues.indices] % prime
        if ((residues.sum(axis=1) - right) % prime).any():
            return False
    return True
