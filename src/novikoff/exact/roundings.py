"""Floats on the safe side of exact numbers: below, above, and around a square root."""

import math
from fractions import Fraction

__all__ = ["above", "below", "root_above", "root_below"]

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
