"""Solve Mx = b in rational numbers: by lifting from a floating-point factorisation, or p-adically.

Every round solves with the float LU factors of M, keeps the digits that are right, and puts what is
left, computed without rounding, back as the next right-hand side: some thirty bits of x a round
(Wan, "An algorithm to solve integer linear systems exactly using numerical methods", 2006). When
there are enough, x is written over one denominator. The price is that of one factorisation and of
as many rounds as the solution is long; what the determinant could be does not matter.

The p-adic solver works digit by digit to the base of a prime, so that it can be interrupted.

Dixon's method ("Exact solution of linear equations using p-adic expansions", 1982): M is inverted
modulo a prime; every round gives one digit of x, and what is left of b is divided by the prime.
When there are enough digits, x is read off as fractions over one denominator, and Mx = b is checked
without the prime. FLINT does the same in one call that nothing can stop; here a round takes
milliseconds, and between two of them `check` may raise.

SciPy has no sparse matrix of integers of any length. In an `IntegerMatrix` SciPy moves the places
of the entries about; the integers themselves lie in one array beside it, int64 where they fit and
Python's otherwise.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from math import isqrt, prod
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import linalg as la
from novikoff.core import sparse as sp
from novikoff.exact.rational import denominator_modulo

SOLVED_AT_ONCE = 64  # unknowns: FLINT's one call takes milliseconds
LARGEST = 1 << 62  # of the primes

Solution = tuple[list[int], int]


def solve_exactly(matrix: Any, b: list[int], check: Callable[[], None]) -> Solution | None:
    """Numerators of x, and their one denominator above 0, for a square integer matrix.

    None if the matrix is singular.
    """
    if matrix.nrows() <= SOLVED_AT_ONCE:
        return _at_once(matrix, b)
    dividing, most = 1, _largest_determinant(matrix)
    for prime in _primes():
        check()
        try:
            inverse = flint.nmod_mat(matrix, prime).inv()
        except ZeroDivisionError:
            dividing *= prime  # it divides the determinant; so many of them divide only 0
            if dividing > most:
                return None
        else:
            return _lifted(matrix, inverse, b, prime, check)
    raise AssertionError("there are enough primes")


def _primes() -> Iterator[int]:
    """Primes below `LARGEST`, from above."""
    return (number for number in range(LARGEST - 1, 2, -2) if flint.fmpz(number).is_prime())


def _largest_determinant(matrix: Any) -> int:
    """Hadamard's bound: the product of the lengths of the rows."""
    lengths = (isqrt(sum(int(x) ** 2 for x in row)) + 1 for row in matrix.table())
    return prod(lengths)


def _at_once(matrix: Any, b: list[int]) -> Solution | None:
    try:
        solved = matrix.solve(flint.fmpz_mat([[value] for value in b]))
    except ZeroDivisionError:
        return None
    numerators, denominator = solved.numer_denom()
    sign = 1 if denominator > 0 else -1
    return [sign * int(value) for value in numerators.entries()], sign * int(denominator)


def _lifted(
    matrix: Any, inverse: Any, b: list[int], prime: int, check: Callable[[], None]
) -> Solution:
    """The solution, from as many digits as it turns out to have."""
    rest = right = flint.fmpz_mat([[value] for value in b])
    digits: list[Any] = []
    enough = 8
    while True:
        check()
        lowest = inverse * flint.nmod_mat(rest, prime)
        digit = flint.fmpz_mat([[int(value)] for value in lowest.entries()])
        left = rest - matrix * digit
        rest = flint.fmpz_mat([[value // prime] for value in left.entries()])
        digits.append(digit)
        if len(digits) >= enough:
            enough += enough // 3  # a longer step would make digits that are not needed
            found = _as_fractions(
                _joined(digits, flint.fmpz(prime)), flint.fmpz(prime) ** len(digits)
            )
            if found is not None and _solves_exactly(matrix, found, right):
                numerators, denominator = found
                return [int(value) for value in numerators], int(denominator)


def _joined(digits: list[Any], base: Any) -> list[Any]:
    """The numbers with these digits, the last of which counts most: pairs, then pairs of pairs."""
    while len(digits) > 1:
        pairs = zip(digits[::2], digits[1::2], strict=False)
        joined = [low + base * high for low, high in pairs]
        digits, base = joined + digits[2 * len(joined) :], base * base
    return list(digits[0].entries())


def _as_fractions(values: list[Any], modulus: Any) -> tuple[list[Any], Any] | None:
    """Short integers n and D with n = D·value modulo the modulus; None if there are none."""
    most = (modulus // 2).isqrt()
    denominator = flint.fmpz(1)
    for value in values:
        rest = value * denominator % modulus
        if min(rest, modulus - rest) > most:
            denominator *= denominator_modulo(rest, modulus, most)
            if denominator > most:
                return None
    numerators = [value * denominator % modulus for value in values]
    return [x if 2 * x < modulus else x - modulus for x in numerators], denominator


def _solves_exactly(matrix: Any, found: tuple[list[Any], Any], right: Any) -> bool:
    """Whether M·n = D·b, in integers."""
    numerators, denominator = found
    return bool(matrix * flint.fmpz_mat([[value] for value in numerators]) == denominator * right)


INT64 = 1 << 62  # sums below are safe
LIMB = 24  # bits


class IntegerMatrix(NamedTuple):
    """Entry k of the CSR matrix `places` stands for the integer values[places.data[k]]."""

    places: Any
    values: NDArray[Any]

    @classmethod
    def of(cls, data: NDArray[Any], indices: Any, indptr: Any, shape: Any) -> "IntegerMatrix":
        """From the three arrays of a CSR matrix."""
        at = np.arange(len(data), dtype=np.int64)
        return cls(sp.csr_array((at, indices, indptr), shape=shape), data)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.places.shape  # type: ignore[no-any-return]

    @property
    def data(self) -> NDArray[Any]:
        """The stored integers, in the order of the places."""
        return np.asarray(self.values[self.places.data])

    def take(self, rows: Any, columns: Any = None) -> "IntegerMatrix":
        """Some rows, and some columns."""
        chosen = self.places[rows]
        if columns is not None:
            chosen = chosen[:, columns]
        return IntegerMatrix(sp.csr_array(chosen), self.values)

    def transpose(self) -> "IntegerMatrix":
        """Rows for columns."""
        return IntegerMatrix(sp.csr_array(self.places.T), self.values)

    def floats(self) -> NDArray[np.float64]:
        """A dense array of the nearest floats."""
        places = self.places
        data = self.data.astype(np.float64)
        dense = sp.csr_array((data, places.indices, places.indptr), shape=places.shape).toarray()
        return np.asarray(dense, dtype=np.float64)

    def times(self, x: Sequence[int]) -> list[int]:
        """The product with a vector, without rounding."""
        places, data = self.places, self.data
        if len(data) == 0:
            return [0] * self.shape[0]
        if data.dtype != object:
            matrix = sp.csr_array((data, places.indices, places.indptr), shape=places.shape)
            most = max(1, int(abs(matrix).sum(axis=1).max()))
            if max(map(abs, x), default=0) * most < INT64:
                product: list[int] = (matrix @ np.array(x, dtype=np.int64)).tolist()
                return product
        products = data.astype(object) * np.array(x, dtype=object)[places.indices]
        sums = np.zeros(self.shape[0], dtype=object)
        filled = np.flatnonzero(np.diff(places.indptr))  # reduceat knows no empty rows
        sums[filled] = np.add.reduceat(products, places.indptr[filled])
        return [int(value) for value in sums.tolist()]

    def modulo(self, prime: int) -> Any:
        """The residues as a CSR matrix of int64."""
        places = self.places
        residues = (self.data % prime).astype(np.int64)
        return sp.csr_array((residues, places.indices, places.indptr), shape=places.shape)

    def limbs(self) -> list[tuple[int, Any]]:
        """The matrix as Σ 2^shift · part, with parts of int64, those of long integers below 2²⁴."""
        places, data = self.places, self.data
        if data.dtype != object and np.abs(data).max(initial=0) >> LIMB == 0:
            matrix = sp.csr_array((data, places.indices, places.indptr), shape=places.shape)
            return [(0, matrix)]
        signs = np.where(data < 0, -1, 1)
        sizes, shift, parts = np.abs(data), 0, []
        while sizes.any():
            low = ((sizes & ((1 << LIMB) - 1)) * signs).astype(np.int64)
            part = sp.csr_array((low, places.indices, places.indptr), shape=places.shape)
            parts.append((shift, part))
            sizes, shift = sizes >> LIMB, shift + LIMB
        return parts or [(0, sp.csr_array(places.shape, dtype=np.int64))]


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
    """The residual b − Mx, times 2^step; None if a sum would not fit in int64."""
    if float(np.abs(digits).max(initial=0.0)) * 2.0 ** _room_for_sums(limbs) >= 2.0**ROOM:
        return None
    whole = digits.astype(np.int64)
    left = rest * (1 << step)
    for shift, part in limbs:
        left = left - (part @ whole).astype(object) * (1 << shift)
    return np.asarray(left, dtype=object)


def _is_smaller(left: NDArray[Any], rest: NDArray[Any], step: int) -> bool:
    """Whether the digits were right: they made what is left at least 8 times smaller."""
    before = int(max(abs(value) for value in rest.tolist())) << step
    return before == 0 or 8 * int(max(abs(value) for value in left.tolist())) < before


def _over_one_denominator(digits: list[int], bits: int) -> tuple[list[int], int] | None:
    """Integers n and D with every digits / 2^bits close to n / D; None if D is not short."""
    one, half = 1 << bits, bits // 2
    denominator = 1
    for x in digits:
        rest = (x * denominator) % one
        if min(rest, one - rest) >> half:
            denominator *= denominator_modulo(rest, one, (1 << half) - 1)
            if denominator.bit_length() > half:
                return None
    numerators = [(x * denominator + (one >> 1)) >> bits for x in digits]
    return numerators, denominator


def _solves(matrix: IntegerMatrix, found: tuple[list[int], int], b: list[int]) -> bool:
    """Whether Mn = D·b modulo two primes: no proof, so the caller checks it on the rows."""
    numerators, denominator = found
    for prime in PRIMES:
        residues = matrix.modulo(prime)
        x = np.array([value % prime for value in numerators], dtype=np.int64)
        right = np.array([value * denominator % prime for value in b], dtype=np.int64)
        residues.data = residues.data * x[residues.indices] % prime
        if ((residues.sum(axis=1) - right) % prime).any():
            return False
    return True
