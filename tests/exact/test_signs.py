"""Signs of scores: right on every float64, whatever the storage."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from novikoff import _core
from novikoff._core import exact_comparison, exact_dot, exact_score, norm_after_update, score_sign
from novikoff.exact.bounds import norm_bound, row_norms
from novikoff.matrix.rows import rows_of

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)
NEAR = st.sampled_from([0.0, 1.0, -1.0, 0.1, 0.2, -0.3, 2.0**53, -(2.0**53), 5e-324, 1e-200, 1e200])


@st.composite
def rows_and_weights(draw):
    d = draw(st.integers(1, 5))
    numbers = st.one_of(NEAR, FINITE)
    X = draw(hnp.arrays(np.float64, (2, d), elements=numbers))
    w = draw(hnp.arrays(np.float64, d + 1, elements=numbers))
    return X, w


def score(x, w) -> Fraction:
    return sum((Fraction(a) * Fraction(b) for a, b in zip(x, w, strict=False)), Fraction(w[-1]))


def exact_signs(rows, i, w) -> int:
    signs = np.empty(1, np.int8)
    _core.exact_signs(rows, np.ones(2, np.int8), np.array([i]), w, signs, math.inf)
    return int(signs[0])


@settings(max_examples=300, deadline=None)
@given(rows_and_weights())
def test_every_sign_is_exact(case):
    X, w = case
    exact = [score(x, w) for x in X]
    for rows in (rows_of(X), rows_of(sp.csr_array(X))):
        norms = row_norms(rows, 2, True)
        for i in range(2):
            sign = (exact[i] > 0) - (exact[i] < 0)
            assert exact_signs(rows, i, w) == sign
            with np.errstate(all="ignore"):  # infinity times 0: then nothing is surely right
                bound = norms[i] * norm_bound(w)
            assert score_sign(rows, i, w, bound, 0.0) == sign
            assert exact_comparison(rows, i, w, np.zeros_like(w)) == sign
        assert _core.least_row(rows, np.array([1.0, -1.0]), w) == int(-exact[1] < exact[0])


@settings(max_examples=200, deadline=None)
@given(rows_and_weights())
def test_a_score_is_rounded_once(case):
    X, w = case
    value, exact = exact_score(rows_of(X), 0, w), score(X[0], w)
    assert value == nearest(exact)
    u, v = np.append(X[0], 1.0), w
    assert exact_dot(u, v) == value


def nearest(exact: Fraction) -> float:
    """Python's own division of integers is rounded once; what would vanish keeps its sign."""
    try:
        rounded = exact.numerator / exact.denominator
    except OverflowError:
        rounded = math.inf if exact > 0 else -math.inf
    if rounded == 0 and exact != 0:
        return math.copysign(5e-324, exact)
    return rounded


@pytest.mark.parametrize(
    ("x", "w", "expected"),
    [
        ([1.0, 2.0**-53], [1.0, 1.0, 0.0], 1.0),  # half way: to the even one
        ([1.0, 2.0**-53], [1.0 + 2.0**-52, 1.0, 0.0], 1.0 + 2.0**-51),
        ([1.0, 2.0**-53, 2.0**-200], [1.0, 1.0, 1.0, 0.0], 1.0 + 2.0**-52),
        ([2.0**-500], [2.0**-575, 0.0], 5e-324),  # half of the least: it may not vanish
        ([2.0**-500, 2.0**-600], [2.0**-574, 2.0**-475, 0.0], 2 * 5e-324),
        ([2.0**1000], [2.0**1000, 0.0], math.inf),
        ([2.0**1023, 2.0**970], [1.0, -1.5, 2.0**1023], 1.7976931348623157e308),
    ],
)
def test_rounding_at_the_edges(x, w, expected):
    assert exact_score(rows_of(np.array([x])), 0, np.array(w)) == expected


@settings(max_examples=200, deadline=None)
@given(rows_and_weights())
def test_norms_are_bounds(case):
    X, w = case
    norm = norm_bound(w)
    if np.isfinite(norm):
        assert Fraction(norm) ** 2 >= sum(Fraction(value) ** 2 for value in w)
    augmented = row_norms(rows_of(X), 2, True)[0]
    if np.isfinite(augmented):
        assert Fraction(augmented) ** 2 >= sum(Fraction(value) ** 2 for value in X[0]) + 1


@settings(max_examples=200, deadline=None)
@given(rows_and_weights(), st.sampled_from([1.0, -1.0, 0.1, -3.0]))
def test_the_norm_after_an_update_is_a_bound(case, step):
    X, w = case
    x_hat = np.append(X[0], 1.0)
    if Fraction(step) * score(X[0], w) > 0:
        step = -step
    bound = norm_after_update(norm_bound(w), step, row_norms(rows_of(X), 2, True)[0])
    with np.errstate(all="ignore"):
        after = w + step * x_hat
    if np.isfinite(bound) and np.isfinite(after).all():
        assert Fraction(bound) ** 2 >= sum(Fraction(value) ** 2 for value in after)
