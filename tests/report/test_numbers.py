from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from novikoff.report.tables import at_least, at_most, fraction_text

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, st.integers(1, 17))
def test_bounds_are_rounded_outwards(value: float, digits: int) -> None:
    lower, upper = (Decimal(f(value, digits).replace("−", "-")) for f in (at_least, at_most))
    assert lower <= Decimal(value) <= upper
    assert len(lower.as_tuple().digits) <= digits


def test_a_rounded_bound_never_says_more_than_was_proven() -> None:
    assert at_least(1 / 3, 4) == "0.3333"
    assert at_most(1 / 3, 4) == "0.3334"
    assert at_most(-1 / 3, 4) == "−0.3333"


def test_whole_numbers_stay_whole() -> None:
    assert at_most(0.0) == "0"
    assert at_most(float("inf")) == "∞"
    assert at_least(float("-inf")) == "−∞"


def test_very_small_and_very_large_numbers_are_short() -> None:
    assert at_least(4.137136842e-5, 4) == "4.137e−5"
    assert at_most(1.445928977e16, 4) == "1.446e+16"
    assert at_least(1633.5) == "1633.5"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(-2, 3), "−2/3"),
        (Fraction(7), "7"),
        (Fraction(1, 10**30 + 1), "≈ 1e−30"),
        (Fraction(10**400 + 1, 3), "≈ 3.33333e+399"),
        (Fraction(-(10**5000) - 1, 10**5000 - 1), "≈ −1"),
    ],
)
def test_fractions_are_shown_while_they_fit(value: Fraction, text: str) -> None:
    assert fraction_text(value) == text
