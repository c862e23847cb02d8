"""The numbers that a lift multiplies: columns scaled so that products stay exact where they can.

Multiplying a column by a positive number changes no verdict, on the raw points and on any products.
So decimals and fractions become whole numbers, and columns whose products float64 would lose at
either end of its range are moved to its middle by a power of two. Where whole numbers outgrow the
53 bits of a float64, Python's own numbers are lifted instead, and nothing is rounded.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.preprocessing import PolynomialFeatures

from novikoff import sparse as sp
from novikoff.errors import DataError
from novikoff.exact.decimals import decimal_fraction, is_decimal_column
from novikoff.exact.scaling import common_denominator, lowest_bit
from novikoff.problem import Matrix, as_fraction
from novikoff.rows import Floats

__all__ = ["Columns", "ExactProducts", "as_floats", "columns_of", "is_exact"]

BITS = 53
LARGEST_EXACT = 2.0**BITS
# Powers of two between which a float64 keeps all its digits.
LOWEST, HIGHEST = -1074, 1023


@dataclass(frozen=True)
class Columns:
    """How the columns of `X` become the numbers that are lifted.

    `denominators`: whole numbers that make columns whole (1: as it is). `powers`: powers of two
    that move them to the middle of float64's range. `exact`: they are Python's numbers, unscaled.
    """

    decimal: NDArray[np.bool_]
    denominators: tuple[int, ...]
    powers: NDArray[np.int64]
    exact: bool

    def numbers(self, matrix: Matrix) -> Matrix:
        """What is lifted of a matrix with these columns."""
        if self.exact:
            return self._rational(matrix)
        if matrix.dtype == object:
            fractions = self._rational(matrix) * np.array(self.denominators, dtype=object)
            return as_floats(fractions)
        values = matrix.astype(np.float64, copy=False)
        if any(denominator != 1 for denominator in self.denominators):
            values = self._whole(values)
        if not self.powers.any():
            return values
        if sp.issparse(values):
            scaled = _scaled(values.data, self.powers[values.indices])
            return sp.csr_array((scaled, values.indices, values.indptr), shape=values.shape)
        return _scaled(values, self.powers)

    def _rational(self, matrix: Matrix) -> NDArray[Any]:
        dense = matrix.toarray() if sp.issparse(matrix) else matrix
        rational = np.empty(dense.shape, dtype=object)
        for j, is_decimal in enumerate(self.decimal.tolist()):
            convert = decimal_fraction if is_decimal else as_fraction
            rational[:, j] = [convert(value) for value in dense[:, j].tolist()]
        return rational

    def _whole(self, values: Floats) -> Floats:
        """Decimals times their denominators: their numerators, wherever float64 can tell."""
        scales = np.array(self.denominators, dtype=np.float64)
        with np.errstate(over="ignore"):
            products = values * scales
            numerators = np.rint(products)
        # Both are float64 numbers, so that their quotient is rounded once: it is the value itself
        # if the value is that decimal.
        found = (np.abs(numerators) < LARGEST_EXACT) & (numerators / scales == values)
        whole: Floats = np.where(found, numerators, products)
        return whole


def _scaled(values: Floats, powers: NDArray[Any]) -> Floats:
    with np.errstate(over="ignore"):
        scaled: Floats = np.ldexp(values, powers)
    if not np.isfinite(scaled).all():
        raise DataError(
            "a number is beyond float64 once its column is scaled as for the lift: the points "
            "that were lifted first are too small beside it."
        )
    return scaled


def columns_of(matrix: Matrix, *, decimals: bool, max_degree: int) -> Columns:
    """How to scale the columns of `matrix` for products of up to `max_degree` of them."""
    d = matrix.shape[1]
    decimal, denominators = np.zeros(d, dtype=np.bool_), [1] * d
    if matrix.dtype == object:
        denominators = [common_denominator(matrix[:, j]) for j in range(d)]
    elif decimals and not sp.issparse(matrix) and matrix.dtype.kind == "f":
        for j, column in enumerate(np.asarray(matrix, np.float64).T):
            decimal[j] = is_decimal_column(column)
            if decimal[j]:
                values = [decimal_fraction(value) for value in np.unique(column)]
                denominators[j] = common_denominator(np.array(values, dtype=object))
    plain = Columns(decimal, tuple(denominators), np.zeros(d, np.int64), exact=False)
    if not _float64_holds(matrix, plain):
        return Columns(decimal, (1,) * d, plain.powers, exact=True)
    return Columns(decimal, plain.denominators, _powers(plain.numbers(matrix), max_degree), False)


def _float64_holds(matrix: Matrix, columns: Columns) -> bool:
    """Whether the scaled columns are float64 numbers."""
    if matrix.dtype.kind in "iu":
        values = matrix.data if sp.issparse(matrix) else matrix
        if not values.size:
            return True
        return max(-int(values.min()), int(values.max())) <= LARGEST_EXACT
    if max(columns.denominators) >= LARGEST_EXACT:
        return False
    for j, denominator in enumerate(columns.denominators):
        if matrix.dtype == object or denominator != 1:
            convert = decimal_fraction if columns.decimal[j] else as_fraction
            largest = max(abs(convert(value)) for value in matrix[:, j].tolist())
            if largest * denominator >= LARGEST_EXACT:
                return False
    return True


def _powers(base: Matrix, max_degree: int) -> NDArray[np.int64]:
    """For each column the power of two that moves it to where `max_degree` factors fit; often 0."""
    powers = np.zeros(base.shape[1], np.int64)
    lowest, highest = _range_of(base)
    if max_degree * lowest >= LOWEST and max_degree * highest <= HIGHEST:
        return powers
    size = abs(base).max(axis=0)
    largest = np.asarray(size.toarray() if sp.issparse(size) else size, dtype=np.float64).ravel()
    powers[largest > 0] = -np.frexp(largest[largest > 0])[1]
    return powers


def _range_of(base: Matrix) -> tuple[int, int]:
    """The powers of two between which all bits of all numbers lie; 0 and 0 if all are 0."""
    values = base.data if sp.issparse(base) else base
    if values.size == 0 or not values.any():
        return 0, 0
    return lowest_bit(values), int(np.frexp(np.abs(values).max())[1])


def is_exact(base: Matrix, degree: int) -> bool:
    """Whether products of so many of the numbers are surely exact: in 53 bits, and in range."""
    if degree <= 1 or base.dtype == object:
        return degree >= 1
    lowest, highest = _range_of(base)
    return (
        degree * (highest - lowest) <= BITS
        and degree * lowest >= LOWEST
        and degree * highest <= HIGHEST
    )


def as_floats(numbers: NDArray[Any]) -> Floats:
    """Python's numbers as the nearest float64."""
    try:
        return np.array([[float(value) for value in row] for row in numbers])
    except OverflowError as error:
        raise DataError(
            f"X holds a number beyond float64 ({error}), and RBF features are float64: scale the "
            "data, or ask for no RBF features (rbf=())."
        ) from error


class ExactProducts:
    """`PolynomialFeatures` for Python's own numbers: the same columns, none of them rounded."""

    def __init__(self, degree: int) -> None:
        self._model = PolynomialFeatures(degree, include_bias=False)

    def fit_transform(self, base: NDArray[Any]) -> NDArray[Any]:
        """Note the number of columns, and multiply."""
        self._model.fit(np.zeros((1, base.shape[1])))
        return self.transform(base)

    def transform(self, base: NDArray[Any]) -> NDArray[Any]:
        """All products of up to so many of the columns."""
        lifted = np.empty((len(base), len(self._model.powers_)), dtype=object)
        for k, powers in enumerate(self._model.powers_.tolist()):
            column = np.full(len(base), Fraction(1), dtype=object)
            for j, power in enumerate(powers):
                if power:
                    column = column * base[:, j] ** power
            lifted[:, k] = column
        return lifted

    def get_feature_names_out(self, names: list[str]) -> NDArray[Any]:
        """The products' names."""
        return np.asarray(self._model.get_feature_names_out(names))
