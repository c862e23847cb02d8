"""The numbers a certificate speaks of, read without rounding: binary, decimal, or fractions.

A float64 is a binary fraction. With `decimals`, a column whose values all have a shortest decimal
form of at most 15 significant digits stands for those decimals: 0.1 is one tenth. Columns are
scaled to integers by positive factors, which changes no sign of a score and no rank, provided that
the weights are divided by the same factors.

Why 15 digits: two decimals of at most so many never round to the same float64. So a float64 whose
shortest decimal form has no more came, if it came from a text at all, from exactly that text.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.progress import in_time, seconds_in_force
from novikoff.exact.integers import lowest_bits, odd_times_power
from novikoff.exact.rational import over_one_denominator
from novikoff.matrix.problem import Matrix, as_fraction, float64_holds
from novikoff.matrix.remote import Part, RemoteMatrix, over_parts
from novikoff.matrix.rows import Floats, Rows, n_features, rows_of

T = TypeVar("T")

DIGITS = 15
FEWEST = 10.0**DIGITS  # integers below have at most 15 digits
MOST_PLACES = 22  # the last power of ten that is a float64
TENS: Floats = np.array([10.0**k for k in range(MOST_PLACES + 1)])
WHOLE = 2.0**53  # integers up to here are float64 values
BLOCK = 1 << 18  # numbers scaled together

HARD = -1  # a column that needs a closer look
BINARY = -2  # a column that stands for its binary values

# Integer rows z (float64 or Python integers) and a factor for each column, with z = x · factor.
Scaled: TypeAlias = tuple[NDArray[Any], list[int | Fraction]]


@dataclass(frozen=True)
class ExactMatrix:
    """The matrix `X` as exact numbers.

    `known_places` are those of the whole matrix, where this is a part of it.
    """

    X: Matrix
    decimals: bool
    known_places: NDArray[np.int64] | None = None

    def part(self, rows: Any) -> "ExactMatrix":
        """These rows in memory, with the decimal places of the whole matrix."""
        return ExactMatrix(self.X[rows], self.decimals, self.places)

    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(reading, *args)` for each part of the rows; those in memory are one part."""
        if not isinstance(self.X, RemoteMatrix):
            return [task(self, *args)]
        return self.X.over_parts(_on_part, self.decimals, self.places, task, args)

    @cached_property
    def is_float(self) -> bool:
        """Whether the numbers are stored as float64, or fit in it."""
        return self.X.dtype.kind == "f" or all(over_parts(self.X, None, _is_float))

    @cached_property
    def rows(self) -> Rows:
        """The rows for compiled loops."""
        return rows_of(self.X)

    @cached_property
    def places(self) -> NDArray[np.int64]:
        """How many decimal places each column has; `BINARY` where it has none to speak of."""
        if self.known_places is not None:
            return self.known_places
        if not self.decimals or self.X.dtype.kind != "f":
            return np.full(self.X.shape[1], 0 if self.decimals else BINARY)
        parts = np.array(over_parts(self.X, None, _places_of_columns))
        return np.where((parts == BINARY).any(axis=0), BINARY, parts.max(axis=0))

    def integers(self, rows: Any, columns: Sequence[int]) -> Scaled:
        """These rows and columns as Python integers, each column times a factor of its own."""
        scaled = self.whole_floats(rows, columns)
        if scaled is not None:
            return scaled[0].astype(np.int64).astype(object), scaled[1]
        values = self._dense(rows, columns)
        integers = np.empty(values.shape, dtype=object)
        factors: list[int | Fraction] = [1] * len(columns)
        binary = (self.places[list(columns)] == BINARY) & self.is_float
        lowest = np.zeros(len(columns), dtype=np.int64)
        integers[:, binary], lowest[binary] = _binary_integers(values[:, binary])
        for j, is_binary in in_time(enumerate(binary.tolist())):
            if is_binary:
                factors[j] = power_of_two(-int(lowest[j]))
            else:
                integers[:, j], factors[j] = over_one_denominator(self._exact(values[:, j]))
        return integers, factors

    def whole_floats(self, rows: Any, columns: Sequence[int]) -> Scaled | None:
        """`integers` as float64 numbers, or None if they would not fit."""
        if not self.is_float:
            return None
        values = self._dense(rows, columns).astype(np.float64)
        places = self.places[list(columns)]
        if (places > MOST_PLACES).any():
            return None
        factors: list[int | Fraction] = []
        step = max(1, BLOCK // max(len(values), 1))
        for start in in_time(range(0, len(columns), step)):
            block, of_block = values[:, start : start + step], places[start : start + step]
            binary = of_block < 0
            with np.errstate(over="ignore"):
                # The one decimal of at most 15 digits that rounds to the stored number.
                scaled = np.rint(block * TENS[np.maximum(of_block, 0)])
                powers = lowest_bits(block[:, binary])
                scaled[:, binary] = np.ldexp(block[:, binary], -powers)
            if not (np.abs(scaled) <= np.where(binary, WHOLE, FEWEST - 1)).all():
                return None
            values[:, start : start + step] = scaled
            of_binary = iter(powers.tolist())
            factors += [
                power_of_two(-next(of_binary)) if place < 0 else 10**place
                for place in of_block.tolist()
            ]
        return values, factors

    def _exact(self, values: NDArray[Any]) -> list[Fraction]:
        """Decimals as they print; what is no float64, as it is."""
        if self.is_float:
            return [decimal_fraction(value) for value in in_time(values.tolist())]
        return [as_fraction(value) for value in in_time(values.tolist())]

    def _dense(self, rows: Any, columns: Sequence[int]) -> NDArray[Any]:
        part = self.X[rows]
        if columns != range(self.X.shape[1]):
            part = part[:, list(columns)]
        return np.asarray(part.toarray() if sp.issparse(part) else part)


def _on_part(
    part: Part, decimals: bool, places: NDArray[np.int64], task: Callable[..., T], args: Any
) -> T:
    return task(ExactMatrix(part.X, decimals, places), *args)


def _is_float(part: Part) -> bool:
    return bool(part.X.dtype.kind != "O" and float64_holds(part.X))


def _places_of_columns(part: Part) -> NDArray[np.int64]:
    """How many decimal places each column needs; `BINARY` if more digits than decimals have."""
    rows = rows_of(part.X)
    places = np.zeros(n_features(rows), np.int64)
    _core.count_places(rows, TENS, places, seconds_in_force())
    columns = sp.csc_array(part.X) if sp.issparse(part.X) else part.X
    for j in np.flatnonzero(places == HARD).tolist():
        values = columns[:, [j]].data if sp.issparse(columns) else columns[:, j]
        places[j] = _places_of(values)
    return places


def decimal_fraction(value: float) -> Fraction:
    """The decimal that `value` prints as."""
    return Fraction(repr(float(value)))


def is_decimal_column(values: NDArray[np.float64]) -> bool:
    """Whether every value prints as a decimal of at most 15 significant digits."""
    return bool(ExactMatrix(values.reshape(-1, 1), decimals=True).places[0] != BINARY)


@cache
def power_of_two(exponent: int) -> Fraction:
    """2^exponent: one object for all columns that share it."""
    return Fraction(2) ** exponent


def _binary_integers(values: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Float64 numbers as integers times a power of two of each column, and its exponent."""
    floats = values.astype(np.float64)
    mantissa, exponent = odd_times_power(floats)
    lowest = lowest_bits(floats)
    shifts = np.where(mantissa == 0, 0, exponent - lowest)
    return mantissa.astype(object) << shifts.astype(object), lowest


def _places_of(values: NDArray[Any]) -> int:
    """The decimal places of a column with very large, very small or many-digit numbers."""
    places = 0
    for value in map(float, values):
        written = Decimal(repr(value)).normalize().as_tuple()
        if len(written.digits) > DIGITS:
            return BINARY
        places = max(places, -int(written.exponent))
    return places
