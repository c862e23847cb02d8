"""Numbers as integers times powers: of whole matrices for learners, and of each column for FLINT.

A float64 is an integer times a power of two, a decimal an integer times a power of ten, a fraction
an integer over a denominator. Multiplying all of `X` by one positive integer changes neither a
perceptron's mistakes nor any verdict, and multiplying a *column* by one changes no verdict.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.matrix.problem import Matrix, as_fraction
from novikoff.matrix.rows import Floats

MOST_EXPONENT = 2000  # above that of every float64
BLOCK = 4096


def is_integral(values: NDArray[Any]) -> bool:
    """Whether every number is an integer. Looks at a block at a time, and stops at the first no."""
    if values.dtype.kind in "iub":
        return True
    flat = values.reshape(-1)
    if values.dtype == object:
        return all(as_fraction(value).denominator == 1 for value in flat)
    return all(
        bool((block == np.trunc(block)).all())
        for block in (flat[start : start + BLOCK] for start in range(0, flat.size, BLOCK))
    )


def common_denominator(values: NDArray[Any]) -> int:
    """The least positive integer L such that every value times L is an integer."""
    if values.dtype.kind in "iub" or values.size == 0:
        return 1
    if values.dtype == object:
        return math.lcm(*(as_fraction(value).denominator for value in values.flat))
    return 1 << max(0, -lowest_bit(values))


def lowest_bit(values: NDArray[Any]) -> int:
    """The greatest e such that every value is an integer times 2^e (0 if all are 0)."""
    return int(lowest_bits(values.reshape(-1, 1).astype(np.float64, copy=False))[0])


def lowest_bits(values: Floats) -> NDArray[np.int64]:
    """For each column the greatest k such that all are integers times 2^k; 0 if all are 0."""
    mantissa, exponent = odd_times_power(values)
    lowest = np.where(mantissa != 0, exponent, MOST_EXPONENT).min(axis=0, initial=MOST_EXPONENT)
    return np.where(lowest == MOST_EXPONENT, 0, lowest)


def odd_times_power(values: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Odd integers m (or 0) and k with value = m · 2^k."""
    fraction, exponent = np.frexp(values)
    mantissa = np.ldexp(fraction, 53).astype(np.int64)
    lowest = np.maximum(mantissa & -mantissa, 1)
    trailing = np.frexp(lowest.astype(np.float64))[1].astype(np.int64) - 1
    return mantissa >> trailing, exponent.astype(np.int64) - 53 + trailing


def as_integers(X: Matrix, denominator: int) -> NDArray[Any]:
    """X · denominator as Python integers (an object array); the denominator must make them so."""
    scaled = np.empty(X.shape, dtype=object)
    for at, value in np.ndenumerate(X):
        if isinstance(value, (np.integer, int)):
            scaled[at] = int(value) * denominator
        else:
            fraction = as_fraction(value)
            scaled[at] = fraction.numerator * (denominator // fraction.denominator)
    return scaled
