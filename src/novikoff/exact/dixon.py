"""Mx = b in rational numbers, digit by digit to the base of a prime, so that it can be interrupted.

Dixon's method ("Exact solution of linear equations using p-adic expansions", 1982): M is inverted
modulo a prime; every round gives one digit of x, and what is left of b is divided by the prime.
When there are enough digits, x is read off as fractions over one denominator, and Mx = b is checked
without the prime. FLINT does the same in one call that nothing can stop; here a round takes
milliseconds, and between two of them `check` may raise.
"""

from collections.abc import Callable, Iterator
from math import isqrt, prod
from typing import Any

import flint

__all__ = ["solve_exactly"]

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
            denominator *= _denominator_modulo(rest, modulus, most)
            if denominator > most:
                return None
    numerators = [value * denominator % modulus for value in values]
    return [x if 2 * x < modulus else x - modulus for x in numerators], denominator


def _denominator_modulo(rest: Any, modulus: Any, most: Any) -> Any:
    """The least q with q · rest at most so large, modulo the modulus: Euclid, stopped halfway."""
    before, now, q_before, q_now = modulus, rest, flint.fmpz(0), flint.fmpz(1)
    while now > most:
        quotient, left = divmod(before, now)
        before, now = now, left
        q_before, q_now = q_now, q_before - quotient * q_now
    return abs(q_now)


def _solves_exactly(matrix: Any, found: tuple[list[Any], Any], right: Any) -> bool:
    """Whether M·n = D·b, in integers."""
    numerators, denominator = found
    return bool(matrix * flint.fmpz_mat([[value] for value in numerators]) == denominator * right)
