"""From stored numbers to integers, and back to the same numbers."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from novikoff.exact.integers import as_integers, common_denominator, is_integral, lowest_bit

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=1, max_size=6))
def test_floats_become_integers_and_nothing_else(values):
    X = np.array([values])
    L = common_denominator(X)
    assert [[Fraction(value) * L for value in values]] == as_integers(X, L).tolist()
    assert L == max((Fraction(value).denominator for value in values), default=1)


@given(st.lists(FINITE.filter(bool), min_size=1, max_size=6))
def test_the_lowest_bit(values):
    e = lowest_bit(np.array(values))
    halves = [Fraction(value) / Fraction(2) ** e for value in values]
    assert all(half.denominator == 1 for half in halves)
    assert any(half.numerator % 2 for half in halves)


def test_objects():
    X = np.array([[Fraction(1, 3), Decimal("0.1"), 2, 0.5]], dtype=object)
    assert common_denominator(X) == 30
    assert as_integers(X, 30).tolist() == [[10, 3, 60, 15]]
    assert not is_integral(X)
    assert is_integral(np.array([[1.0, -4.0]]))
    assert not is_integral(np.append(np.zeros(10_000), 0.5))
