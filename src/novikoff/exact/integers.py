"""Rows as integers: every column divided by a number that makes it whole, for flint to work on.

Scaling a column by a positive number changes no verdict and no sign, and is undone in the weights:
x·w = Σ (x_j / unit_j) · (unit_j · w_j).
"""

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.decimals import decimal_fraction
from novikoff.problem import as_fraction

__all__ = ["IntegerRows", "integer_rows"]


class IntegerRows(NamedTuple):
    """Integers with x_ij = entries[i][j] · units[j], where units are positive fractions."""

    entries: list[list[int]]
    units: list[Fraction]

    def matrix(self) -> Any:
        """The entries as a flint matrix."""
        return flint.fmpz_mat(self.entries)


def integer_rows(X: NDArray[Any], decimal: NDArray[np.bool_] | None = None) -> IntegerRows:
    """The rows of a dense `X`, exactly; columns marked `decimal` stand for what they print as."""
    columns, units = [], []
    for j in range(X.shape[1]):
        as_decimal = decimal is not None and bool(decimal[j])
        column, unit = _integer_column(X[:, j], as_decimal)
        columns.append(column)
        units.append(unit)
    return IntegerRows([list(row) for row in zip(*columns, strict=True)], units)


def _integer_column(values: NDArray[Any], as_decimal: bool) -> tuple[list[int], Fraction]:
    if values.dtype.kind in "iub":
        return [int(value) for value in values.tolist()], Fraction(1)
    if values.dtype == object or as_decimal:
        convert = decimal_fraction if as_decimal else as_fraction
        fractions = [convert(value) for value in values.tolist()]
        denominator = lcm(1, *(value.denominator for value in fractions))
        integers = [value.numerator * (denominator // value.denominator) for value in fractions]
        return integers, Fraction(1, denominator)
    return _binary_column(values.astype(np.float64))


def _binary_column(values: NDArray[np.float64]) -> tuple[list[int], Fraction]:
    """A float64 is an odd integer times a power of two; the least power is the column's unit."""
    if (values == np.rint(values)).all() and (np.abs(values) < 2.0**62).all():
        return values.astype(np.int64).tolist(), Fraction(1)
    fractions, exponents = np.frexp(values)
    integers = (fractions * 2.0**53).astype(np.int64)
    exponents = exponents.astype(np.int64) - 53
    lowest_bits = np.maximum(integers & -integers, 1)
    zeros = np.frexp(lowest_bits.astype(np.float64))[1].astype(np.int64) - 1
    integers, exponents = integers >> zeros, exponents + zeros
    nonzero = integers != 0
    least = int(exponents[nonzero].min())
    shifts = np.where(nonzero, exponents - least, 0)
    unit = Fraction(2) ** least
    if int(shifts.max()) + 53 < 63:
        return (integers << shifts).tolist(), unit
    return [m << s for m, s in zip(integers.tolist(), shifts.tolist(), strict=True)], unit
