"""Fractions as integers over one denominator."""

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm
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
