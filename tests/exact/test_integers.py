"""Rows made whole: every entry is the number that was stored times the factor of its column."""

from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.problem import as_fraction

finite = st.floats(allow_nan=False, allow_infinity=False)


def integer_rows(X, *, decimals=False):
    entries, factors = ExactMatrix(X, decimals).integers(slice(None), range(X.shape[1]))
    return entries.tolist(), [1 / Fraction(factor) for factor in factors]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(finite, finite), min_size=1, max_size=5))
def test_floats_are_integers_times_a_power_of_two(values):
    X = np.array(values)
    entries, units = integer_rows(X)
    for row, given_row in zip(entries, X.tolist(), strict=True):
        for entry, unit, value in zip(row, units, given_row, strict=True):
            assert isinstance(entry, int)
            assert entry * unit == Fraction(value)
    assert all(unit > 0 for unit in units)


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1, -2], [2**62, 0]]),
        np.array([[1, 255]], dtype=np.uint8),
        np.array([[True, False]]),
        np.array([[Fraction(1, 3), Fraction(-5, 7)], [Fraction(1, 6), Fraction(0)]]),
        np.array([[Decimal("0.1"), 10**40], [Decimal("-2.50"), 0.75]], dtype=object),
        np.zeros((2, 2)),
        np.array([[0.1, 3.0]], dtype=np.float32),
    ],
)
def test_every_kind_of_number(X):
    entries, units = integer_rows(X)
    for row, given_row in zip(entries, X.tolist(), strict=True):
        for entry, unit, value in zip(row, units, given_row, strict=True):
            assert entry * unit == as_fraction(value)


def test_columns_of_decimals_stand_for_what_they_print_as():
    X = np.array([[0.1, 1 / 3], [0.3, 1.0]])
    entries, units = integer_rows(X, decimals=True)
    assert [row[0] * units[0] for row in entries] == [Fraction(1, 10), Fraction(3, 10)]
    assert [row[1] * units[1] for row in entries] == [Fraction(1 / 3), Fraction(1)]
