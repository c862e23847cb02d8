"""Equal rows and columns that repeat others, against comparisons of every pair."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from novikoff.exact.duplicates import distinct_columns, equal_rows

SMALL = st.sampled_from([-2.0, -1.0, -0.5, -0.0, 0.0, 0.25, 0.5, 1.0, 3.0])


def matrices(dtype=np.float64):
    shapes = st.tuples(st.integers(1, 7), st.integers(1, 7))
    return shapes.flatmap(lambda shape: hnp.arrays(dtype, shape, elements=SMALL))


def repeats(column, others, with_one):
    """Whether the column is 0, constant beside a 1, or ±2ᵏ times one of the others: plainly."""
    values = [Fraction(float(value)) for value in column]
    if not any(values) or (with_one and len(set(values)) == 1):
        return True
    for other in others:
        pairs = list(zip(values, [Fraction(float(value)) for value in other], strict=True))
        ratios = {a / b for a, b in pairs if b}
        if all((a == 0) == (b == 0) for a, b in pairs) and len(ratios) == 1:
            ratio = abs(ratios.pop())
            if (ratio.numerator & (ratio.numerator - 1)) == 0 and (
                ratio.denominator & (ratio.denominator - 1)
            ) == 0:
                return True
    return False


@given(matrices(), st.booleans())
@settings(deadline=None, max_examples=300)
def test_the_columns_are_those_that_a_plain_comparison_keeps(X, with_one):
    kept: list[int] = []
    for j in range(X.shape[1]):
        if not repeats(X[:, j], [X[:, i] for i in kept], with_one):
            kept.append(j)
    assert distinct_columns(X, with_one=with_one).tolist() == kept


@given(matrices())
@settings(deadline=None, max_examples=300)
def test_rows_have_one_number_if_and_only_if_they_are_equal(X):
    group = equal_rows(X)
    for i in range(len(X)):
        for j in range(len(X)):
            assert (group[i] == group[j]) == bool((X[i] == X[j]).all())


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int64])
def test_every_kind_of_number_is_compared_as_it_is(dtype):
    X = np.array([[1, 2, 3], [4, 8, 3], [1, 2, 3]], dtype=dtype)
    assert distinct_columns(X, with_one=True).tolist() == [0]
    assert distinct_columns(X, with_one=False).tolist() == [0, 2]
    assert equal_rows(X)[0] == equal_rows(X)[2] != equal_rows(X)[1]


def test_a_multiple_that_float64_cannot_hold_is_not_called_one():
    # 2⁻⁶⁰⁰ times the first column would lose its last digits: these columns are independent.
    tiny = np.array([1.0, 1.0 + 2.0**-50])
    X = np.column_stack([np.ldexp(tiny, 1000), np.array([2.0**-1060, 2.0**-1060])])
    assert distinct_columns(X, with_one=False).tolist() == [0, 1]
