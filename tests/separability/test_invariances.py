"""What a verdict must not depend on: the order of rows and columns, the labels' names, scales."""

from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings

from novikoff.separability.api import separate


@st.composite
def problems(draw):
    n, d = draw(st.integers(2, 12)), draw(st.integers(1, 4))
    cell = st.integers(-3, 3) if draw(st.booleans()) else st.floats(-4, 4, width=32)
    rows = st.lists(cell, min_size=d, max_size=d)
    X = np.array(draw(st.lists(rows, min_size=n, max_size=n)), dtype=float)
    y = np.array(draw(st.lists(st.sampled_from([0, 1]), min_size=n, max_size=n)))
    y[:2] = 0, 1
    return X, y, draw(st.booleans()), np.random.default_rng(draw(st.integers(0, 99)))


def word(X, y, fit_intercept):
    return separate(X, y, fit_intercept=fit_intercept).word


@settings(max_examples=150, deadline=None)
@given(problems())
def test_the_order_of_rows_and_columns(problem):
    X, y, bias, rng = problem
    rows, columns = rng.permutation(len(X)), rng.permutation(X.shape[1])
    assert word(X[rows], y[rows], bias) == word(X, y, bias) == word(X[:, columns], y, bias)


@settings(max_examples=150, deadline=None)
@given(problems())
def test_which_label_is_positive(problem):
    X, y, bias, _ = problem
    assert word(X, 1 - y, bias) == word(X, y, bias) == word(-X, y, bias)


@settings(max_examples=150, deadline=None)
@given(problems())
def test_scaling_columns_by_powers_of_two(problem):
    X, y, bias, rng = problem
    powers = 2.0 ** rng.integers(-40, 40, X.shape[1])
    assert word(X * powers, y, bias) == word(X, y, bias)


@settings(max_examples=100, deadline=None)
@given(problems())
def test_a_constant_column_adds_nothing_to_a_bias_and_is_one(problem):
    X, y, _, _ = problem
    ones = np.column_stack([X, np.ones(len(X))])
    assert word(ones, y, True) == word(X, y, True) == word(ones, y, False)


@settings(max_examples=100, deadline=None)
@given(problems())
def test_duplicated_rows_and_columns(problem):
    X, y, bias, rng = problem
    again = rng.integers(0, len(X), 5)
    assert word(np.vstack([X, X[again]]), np.append(y, y[again]), bias) == word(X, y, bias)
    assert word(np.column_stack([X, X]), y, bias) == word(X, y, bias)


@settings(max_examples=60, deadline=None)
@given(problems(), st.sampled_from([2.0, 0.25, -8.0]))
def test_margins_scale_with_the_data(problem, scale):
    X, y, bias, _ = problem
    verdict, scaled = (separate(data, y, fit_intercept=bias) for data in (X, scale * X))
    assert verdict.word == scaled.word
    if verdict.word == "separable":
        assert scaled.exact_margin_squared == Fraction(scale) ** 2 * verdict.exact_margin_squared
