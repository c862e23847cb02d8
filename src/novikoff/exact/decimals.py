"""Decimals that were read as float64, recovered: 0.1 is one tenth again.

A float64 whose shortest decimal form has at most 15 significant digits came, if it came from a text
at all, from exactly that text: two such decimals never round to the same float64.
"""

from decimal import Decimal
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

DIGITS = 15
A_FEW = 256
LARGEST_EXACT_POWER = 22  # 10**22 is a float64, 10**23 is not


def decimal_fraction(value: float) -> Fraction:
    """The decimal that `value` prints as."""
    return Fraction(repr(float(value)))


def is_decimal_column(values: NDArray[np.float64]) -> bool:
    """Whether every value prints as a decimal of at most 15 significant digits."""
    left = np.abs(values)
    few = left[:: max(1, len(left) // A_FEW)]
    # Most columns have one number of places: the one that a few of its values need goes first.
    powers = sorted(
        range(LARGEST_EXACT_POWER + 1),
        key=lambda power: (len(_with_more_places(few, power)), power),
    )
    for part in (few, left):
        for power in powers:
            part = _with_more_places(part, power)
            if len(part) == 0:
                break
        if any(_digits(value) > DIGITS for value in np.unique(part).tolist()):
            return False
    return True


def _with_more_places(values: NDArray[np.float64], power: int) -> NDArray[np.float64]:
    """The values that are not a whole number of at most 15 digits over 10**power.

    Both that number and 10**power are float64 numbers, so their quotient is rounded once: it gives
    the value back exactly if the value is that decimal.
    """
    with np.errstate(over="ignore"):
        numerators = np.rint(values * 10.0**power)
    found = (numerators < 10.0**DIGITS) & (numerators / 10.0**power == values)
    rest: NDArray[np.float64] = values[~found]
    return rest


def _digits(value: float) -> int:
    return len(Decimal(repr(value)).normalize().as_tuple().digits)
