"""Decimals recovered from float64: what at most 15 digits say."""

from decimal import Decimal
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from novikoff.exact.reading import decimal_fraction, is_decimal_column


@settings(max_examples=300, deadline=None)
@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(-30, 30))
def test_fifteen_digits_come_back(digits, power):
    text = f"{digits}e{power}"
    assert is_decimal_column(np.array([float(text)]))
    assert decimal_fraction(float(text)) == Fraction(text)


@settings(max_examples=300, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_the_digits_that_print_decide(value):
    digits = len(Decimal(repr(value)).normalize().as_tuple().digits)
    assert is_decimal_column(np.array([value])) == (digits <= 15)


@pytest.mark.parametrize("bad", [1 / 3, 0.1 + 0.2, 2.0**-40 + 1.0, 9007199254740993.0])
def test_one_value_is_enough_to_say_no(bad):
    assert not is_decimal_column(np.array([0.1, 0.25, bad, 1e-7]))
