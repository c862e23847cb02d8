"""Rational numbers as float64: rounded once, and refused by name where float64 ends."""

import math
from fractions import Fraction

__all__ = ["LEAST", "nearest_float", "square_root"]

LEAST = 5e-324  # the least positive float64
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
