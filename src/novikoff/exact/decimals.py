"""Decimals that were read as float64, recovered: 0.1 is one tenth again.

A float64 whose shortest decimal form has at most 15 significant digits came, if it came from a text
at all, from exactly that text: two such decimals never round to the same float64.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

__all__ = ["DIGITS", "decimal_fraction", "is_decimal_column"]

DIGITS = 15
LARGEST_EXACT_POWER = 22  # 10**22 is a float64, 10**23 is not


def decimal_fraction(value: float) -> Fraction:
    """The decimal that `value` prints as."""
    return Fraction(repr(float(value)))


def is_decimal_column(values: NDArray[np.float64]) -> bool:
    """Whether every value prints as a decimal of at most 15 significant digits."""
    left = np.unique(np.abs(values))
    for power in range(LARGEST_EXACT_POWER + 1):
        if len(left) == 0:
            return True
        # Both m and 10**power are float64 numbers, so their quotient is rounded once: m / 10**power
        # gives the value back exactly if the value is that decimal.
        with np.errstate(over="ignore"):
            numerators = np.rint(left * 10.0**power)
        found = (numerators < 10.0**DIGITS) & (numerators / 10.0**power == left)
        left = left[~found]
    return all(_digits(value) <= DIGITS for value in left.tolist())


def _digits(value: float) -> int:
    return len(Decimal(repr(value)).normalize().as_tuple().digits)
