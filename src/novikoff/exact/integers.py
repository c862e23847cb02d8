"""Rows as integers: every column divided by a number that makes it whole, for flint to work on.

Scaling a column by a positive number changes no verdict and no sign, and is undone in the weights:
x·w = Σ (x_j / unit_j) · (unit_j · w_j).

For learners, the whole matrix is scaled by one integer instead.

A float64 is an integer times a power of two, a decimal an integer times a power of ten, a fraction
an integer over a denominator. Multiplying all of `X` by one positive integer changes neither a
perceptron's mistakes nor any verdict, and multiplying a *column* by one changes no verdict.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import in_time
from novikoff.exact.decimals import decimal_fraction
from novikoff.exact.rational import over_one_denominator
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


class ScaledIntegers(NamedTuple):
    """Integers with x_ij = entries[i][j] · units[j], where units are positive fractions."""

    entries: list[list[int]]
    units: list[Fraction]

    def matrix(self) -> Any:
        """The entries as a flint matrix."""
        return flint.fmpz_mat(self.entries)


def integer_rows(X: NDArray[Any], decimal: NDArray[np.bool_] | None = None) -> ScaledIntegers:
    """The rows of a dense `X`, exactly; columns marked `decimal` stand for what they print as."""
    if X.dtype.kind in "iub":
        return ScaledIntegers(X.astype(object).tolist(), [Fraction(1)] * X.shape[1])
    if X.dtype == object:
        return _by_column(X, np.ones(X.shape[1], dtype=np.bool_), as_fraction)
    if decimal is not None:
        return _by_column(X, decimal, decimal_fraction)
    return _binary_rows(X.astype(np.float64))


def _by_column(
    X: NDArray[Any], marked: NDArray[np.bool_], convert: Callable[[Any], Fraction]
) -> ScaledIntegers:
    """Marked columns as fractions over a common denominator, the others as they are stored."""
    columns, units = [], []
    for j, is_marked in enumerate(in_time(marked.tolist())):
        values = X[:, j].tolist()
        if not is_marked:
            rows, (unit,) = _binary_rows(X[:, [j]].astype(np.float64))
            columns.append([row[0] for row in rows])
        elif set(map(type, values)) == {int}:  # as fractions they would take ten times as long
            columns.append(values)
            unit = Fraction(1)
        else:
            fractions = [convert(value) for value in in_time(values)]
            column, denominator = over_one_denominator(fractions)
            columns.append(column)
            unit = Fraction(1, denominator)
        units.append(unit)
    return ScaledIntegers([list(row) for row in zip(*columns, strict=True)], units)


def _binary_rows(X: Floats) -> ScaledIntegers:
    """A float64 is an odd integer times a power of two; the least power is the column's unit."""
    odd, powers = odd_times_power(X)
    least = lowest_bits(X)
    shifts = np.where(odd == 0, 0, powers - least)
    units = [Fraction(2) ** power for power in least.tolist()]
    if (np.where(odd == 0, 0, np.frexp(X)[1] - least) <= 62).all():
        return ScaledIntegers((odd << shifts).tolist(), units)
    return ScaledIntegers((odd.astype(object) << shifts.astype(object)).tolist(), units)
