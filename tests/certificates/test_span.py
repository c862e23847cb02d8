"""Whether some rows span all rows: against elimination in fractions."""

from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.oracles import rank

import novikoff
from novikoff.certificates import span
from novikoff.certificates.span import PRIMES, span_reason
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.problem import matrix_of


@st.composite
def matrices(draw):
    """Rows of low rank whose columns change their exponents from one part to the next."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, d, inner = int(rng.integers(2, 30)), int(rng.integers(1, 5)), int(rng.integers(1, 5))
    if rng.random() < 0.3:
        n, d = int(rng.integers(2, 5)), int(rng.integers(4, 40))
    X = rng.integers(-2, 3, (n, inner)) @ rng.integers(-2, 3, (inner, d)).astype(float)
    kind = draw(st.sampled_from(["whole", "rows", "columns", "subnormal", "fractions", "decimals"]))
    if kind == "rows":
        X = np.ldexp(X, rng.integers(-900, 900, (n, 1)))
    elif kind == "columns":
        X = np.ldexp(X, rng.integers(-900, 900, (1, d)))
    elif kind == "subnormal":
        X = X * 5e-324
    elif kind == "decimals":
        X = X / 10
    elif kind == "fractions":
        exact = np.empty((n, d), dtype=object)
        for at, value in np.ndenumerate(X):
            exact[at] = Fraction(int(value), int(PRIMES[0] if rng.random() < 0.1 else 3))
        X = exact
    if kind != "fractions" and rng.random() < 0.3:
        X = sp.csr_array(X)
    some = np.flatnonzero(rng.random(n) < rng.choice([0.3, 0.6, 0.9]))
    return X, some.tolist() or [0], kind == "decimals"


@pytest.mark.parametrize("most_dense", [span.MOST_DENSE, 0])
@given(matrices(), st.booleans())
@settings(deadline=None, max_examples=200)
def test_it_is_what_elimination_in_fractions_says(most_dense, case, with_one):
    X, some, decimals = case
    reading = ExactMatrix(matrix_of(X), decimals)
    integers, _ = reading.integers(list(range(X.shape[0])), range(X.shape[1]))
    exact = [[*row, *[1] * with_one] for row in integers.tolist()]
    spans = rank([exact[i] for i in some]) == rank(exact)
    event(f"spans: {spans}, wide: {X.shape[1] > X.shape[0]}")
    with mock.patch.object(span, "MOST_DENSE", most_dense):
        assert (span_reason(reading, some, with_one) is None) == spans


@pytest.mark.parametrize("columns", [3, 5000])
def test_rows_of_rare_dummies_are_found(columns):
    rng = np.random.default_rng(0)
    codes = np.concatenate([np.arange(columns), rng.integers(0, columns, columns)])
    X = sp.csr_array((np.ones(len(codes)), (np.arange(len(codes)), codes)))
    reading = ExactMatrix(matrix_of(X), False)
    assert span_reason(reading, range(columns), False) is None
    missing = np.flatnonzero(codes != columns - 1).tolist()
    assert "do not span" in span_reason(reading, missing, False)


def test_a_wide_overlap_is_verified():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2, 5000))
    X = np.vstack([X[0], X[0], X[1], X[1], X[0]])
    y = [0, 1, 0, 1, 1]
    verdict = novikoff.separate(X, y)
    assert verdict.word == "overlapping"
    assert novikoff.verify(verdict.certificate(), X, y).valid
    reading = ExactMatrix(matrix_of(X), False)
    assert span_reason(reading, [0, 2], True) is None
    assert "row 2 is outside" in span_reason(reading, [0, 1, 4], True)


def test_parts_of_the_rows_are_not_read_on_different_scales():
    # In the first eight rows the last column is even, so that it would be halved there alone.
    odd, even = [(2 * i + 1, 2 * i + 3) for i in range(8)], [(2 * i + 1, 2 * i) for i in range(8)]
    X = np.array([[a, b, a + b] for a, b in odd + even] + [[0, 0, 1]], dtype=float)
    assert "row 16 is outside" in span_reason(ExactMatrix(X, False), range(16), False)
