"""From numbers as they are stored to integers, without changing one of them.

A float64 is an integer times a power of two, a decimal an integer times a power of ten, a fraction
an integer over a denominator. Multiplying all of `X` by one positive integer changes neither a
perceptron's mistakes nor any verdict, and multiplying a *column* by one changes no verdict.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.problem import Matrix, as_fraction

__all__ = ["as_integers", "common_denominator", "is_integral", "lowest_bit"]

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
    mantissa, exponent = np.frexp(values.astype(np.float64, copy=False))
    integers = (mantissa * 2.0**53).astype(np.int64)
    _, lowest = np.frexp((integers & -integers).astype(np.float64))
    bits = exponent + (lowest - 1) - 53
    return int(np.min(bits, where=integers != 0, initial=2000)) if integers.any() else 0


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
