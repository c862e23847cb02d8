"""Fractions: as integers over one denominator, and as floats on the safe side of them.

`nearest_float` rounds a rational number once, and keeps its sign where float64 ends. `below` and
`above` round to one side, and so do the roots.
"""

import math
from collections.abc import Iterable, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from fractions import Fraction
from math import ceil, gcd, lcm
from typing import Any, TypeAlias

import flint

Vector: TypeAlias = tuple[Fraction, ...]


def over_one_denominator(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """The least common denominator, and the values times it."""
    values = list(values)
    denominator = lcm(*{value.denominator for value in values})
    return [value.numerator * (denominator // value.denominator) for value in values], denominator


def primitive(values: Iterable[Any]) -> Vector:
    """The values (fractions, or FLINT's) times what makes them integers without common divisor."""
    whole, _ = over_one_denominator(map(_as_fraction, values))
    shared = gcd(*whole) or 1
    return tuple(Fraction(value // shared) for value in whole)


def _as_fraction(value: Any) -> Fraction:
    if isinstance(value, Fraction):
        return value
    rational = flint.fmpq(value)
    return Fraction(int(rational.p), int(rational.q))


def common_divisor(values: Sequence[Fraction]) -> Fraction:
    """The greatest number that all values are whole multiples of; 0 if all of them are 0."""
    counts, denominator = over_one_denominator(values)
    return Fraction(gcd(0, *counts), denominator)


def round_up(value: Fraction, unit: Fraction) -> Fraction:
    """The least multiple of `unit` that is not below `value`."""
    return unit * ceil(value / unit) if unit else Fraction(0)


def total(values: Iterable[Fraction]) -> Fraction:
    """The sum, of many fractions too: one fraction is made, and not one for each value."""
    counts, denominator = over_one_denominator(values)
    return Fraction(sum(counts), denominator)


def denominator_modulo(rest: Any, modulus: Any, most: Any) -> Any:
    """The least q with q · rest at most so large, modulo the modulus: Euclid, stopped halfway."""
    whole = type(modulus)  # Python's integers, or FLINT's
    before, now, q_before, q_now = modulus, rest, whole(0), whole(1)
    while now > most:
        quotient, left = divmod(before, now)
        before, now = now, left
        q_before, q_now = q_now, q_before - quotient * q_now
    return abs(q_now)


LEAST = 5e-324  # the least positive float64
LEAST_NORMAL, FLOATS_END = Fraction(2) ** -1022, Fraction(2) ** 1023
BITS = 64


def nearest_float(value: Fraction) -> float:
    """The nearest float64; an infinity beyond them, and the least number for what would vanish."""
    try:
        rounded = value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    if value and not rounded:
        return LEAST if value > 0 else -LEAST
    return rounded


def decimal_text(value: Fraction, digits: int) -> str:
    """A fraction to so many digits, beyond the range of float64 too."""
    if not value or LEAST_NORMAL <= abs(value) <= FLOATS_END:
        return f"{float(value):.{digits}g}"
    with localcontext(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN):
        return f"{(Decimal(value.numerator) / value.denominator).normalize():e}"


def square_root(value: Fraction) -> Fraction:
    """√value to 64 bits, from below."""
    if not value:
        return Fraction(0)
    # An even power of four makes the quotient at least 2·BITS bits long.
    shift = 2 * BITS - value.numerator.bit_length() + value.denominator.bit_length()
    shift += shift % 2
    scaled = (
        (value.numerator << shift) // value.denominator
        if shift >= 0
        else value.numerator // (value.denominator << -shift)
    )
    root = Fraction(math.isqrt(scaled))
    return root / (1 << (shift // 2)) if shift >= 0 else root * (1 << (-shift // 2))


EXTRA_BITS = 140  # so that the floor of a square root is right to more digits than a float has


def below(value: Fraction) -> float:
    """The greatest float64 that is not above `value`."""
    try:
        nearest = float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.nextafter(math.inf, 0.0)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, -math.inf)


def above(value: Fraction) -> float:
    """The least float64 that is not below `value`."""
    return -below(-value)


def root_below(square: Fraction) -> float:
    """A float64 not above √square, and at most one step from the greatest such."""
    return below(_roots(square)[0])


def root_above(square: Fraction) -> float:
    """A float64 not below √square, and at most one step from the least such."""
    return above(_roots(square)[1])


def _roots(square: Fraction) -> tuple[Fraction, Fraction]:
    """Fractions on both sides of √square, equal if it is one."""
    bits = square.denominator.bit_length() - square.numerator.bit_length()
    shift = max(0, EXTRA_BITS + bits + (bits & 1)) // 2
    scaled = (square.numerator << (2 * shift)) // square.denominator
    root = math.isqrt(scaled)
    low = Fraction(root, 1 << shift)
    return (low, low) if low * low == square else (low, Fraction(root + 1, 1 << shift))
