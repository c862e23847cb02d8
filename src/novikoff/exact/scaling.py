"""From numbers as they are stored to integers, without changing one of them.

A float64 is an integer times a power of two, a decimal an integer times a power of ten, a fraction
an integer over a denominator. Multiplying all of `X` by one positive integer changes neither a
perceptron's mistakes nor any verdict, and multiplying a *column* by one changes no verdict.
"""

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.problem import Matrix, as_fraction

__all__ = ["as_integers", "common_denominator", "is_integral"]


def is_integral(values: NDArray[Any]) -> bool:
    """Whether every number is an integer."""
    if values.dtype.kind in "iub":
        return True
    if values.dtype == object:
        return all(as_fraction(value).denominator == 1 for value in values.flat)
    with np.errstate(invalid="ignore"):
        return bool((values == np.trunc(values)).all())


def common_denominator(values: Iterable[Any]) -> int:
    """The least positive integer L such that every value times L is an integer."""
    return math.lcm(1, *(as_fraction(value).denominator for value in values))


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
