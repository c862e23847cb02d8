"""Whether some rows span all rows: against elimination in fractions."""

from fractions import Fraction
from unittest import mock

import flint
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


@pytest.mark.parametrize("divisor", [1, 4])
def test_parts_of_the_rows_are_not_read_on_different_scales(divisor):
    # In the first eight rows the last column is a multiple of four, so that it would be divided
    # there alone; or whole, so that it would be multiplied in the others alone.
    odd, even = [(2 * i + 1, 2 * i + 3) for i in range(8)], [(2 * i + 1, 2 * i) for i in range(8)]
    X = np.array([[a, b, a + b] for a, b in odd + even] + [[0, 0, 1]], dtype=float)
    X[:, 2] /= divisor
    assert "row 16 is outside" in span_reason(ExactMatrix(X, False), range(16), False)


# Sparse rows of many columns, reduced row by row


def sparse_design(seed):
    """Dummies and a few measured columns, some of them combinations of others; and some rows."""
    rng = np.random.default_rng(seed)
    n, d = 90, 64 + seed % 3
    X = rng.integers(-1, 2, (n, d)) * (rng.random((n, d)) < 0.15).astype(float)
    X[:, 5:9] *= [3.0, 0.5, 0.1, 7.0]
    X[:, 9 : 9 + seed % 4] = X[:, 20 : 20 + seed % 4] - 2 * X[:, 30 : 30 + seed % 4]
    X[:, 13] = 0
    some = np.flatnonzero(rng.random(n) < rng.choice([0.75, 0.9, 0.98]))
    return sp.csr_array(X), some


@pytest.mark.parametrize("decimals", [False, True])
def test_many_sparse_columns_are_what_elimination_says(decimals):
    answers = set()
    for seed in range(24):
        X, some = sparse_design(seed)
        reading = ExactMatrix(X, decimals)
        whole, _ = reading.integers(range(X.shape[0]), range(X.shape[1]))
        ranks = [flint.fmpz_mat(part.tolist()).rank() for part in (whole[some], whole)]
        told, reason = span._sparse_reason(reading, some)
        assert told
        assert (
            (reason is None)
            == (ranks[0] == ranks[1])
            == (span_reason(reading, some, False) is None)
        )
        answers.add(reason is None)
    assert answers == {False, True}


def test_without_sparse_null_vectors_others_decide():
    X, some = sparse_design(1)
    reading = ExactMatrix(X, False)
    for rows in (some, np.flatnonzero(X[:, [3]].toarray().ravel() == 0)):
        said = span_reason(reading, rows, False)
        with mock.patch.object(span, "eliminate", return_value=None):
            assert span._sparse_reason(reading, rows) == (False, None)
            assert (span_reason(reading, rows, False) is None) == (said is None)
    assert "do not span" in said


def test_the_intercept_is_a_column_of_many_sparse_ones():
    # One of each dummy: the rows without the last span its column, and the ones, only with it.
    X = sp.csr_array(np.vstack([np.eye(80), np.eye(80)[:1], np.zeros((1, 80))]))
    reading = ExactMatrix(X, False)
    assert span_reason(reading, range(80), False) is None
    assert "row 81 is outside" in span_reason(reading, range(80), True)


def test_sparse_null_vectors_are_not_believed(monkeypatch):
    X, some = sparse_design(3)
    reading, right = (
        ExactMatrix(X, False),
        span.eliminate(span._whole_sparse(ExactMatrix(X, False)), some),
    )
    null, free = right.null, right.free
    assert span._sparse_reason(reading, some) == (True, None)

    def said(null, free):
        wrong = right._replace(null=sp.csr_array(null), free=np.asarray(free))
        monkeypatch.setattr(span, "eliminate", lambda *_: wrong)
        return span._sparse_reason(reading, some)

    assert said(null, free) == (True, None)
    assert said(null[1:], free[1:]) == (False, None)  # too few
    doubled = [0, 1, 0], [0, 1, 1], [0, 1, 2, 2]
    for rows in doubled:  # dependent
        assert said(null[rows], free[rows]) == (False, None)
        assert said(null[rows], free[: len(rows)]) == (False, None)
    none = sp.csr_array(([1, 1, 1, 1], ([0, 0, 2, 3], [0, 1, 2, 3])), shape=(4, len(free)))
    assert said(none.astype(np.int64) @ null, free) == (False, None)  # one of them is 0
    moved = null.tolil()
    moved[0, some[0]] += 1
    told, reason = said(moved, free)
    assert not told or "do not span" in reason
    assert said(null * (1 << 58), free) == (True, None)
    assert said(null * (1 << 60), free) == (False, None)  # products would not fit


def test_whole_sparse_numbers():
    def whole(X, decimals=False):
        found = span._whole_sparse(ExactMatrix(sp.csr_array(X), decimals))
        return None if found is None else found.toarray().tolist()

    assert whole([[1.0, -1.0, 0.5], [0.0, 1.0, 0.25]]) == [[1, -1, 2], [0, 1, 1]]
    assert whole([[1.0, 0.5], [0.1, 0.2]], decimals=True) == [[10, 5], [1, 2]]
    assert whole([[0.1, 1.0], [1e300, 1.0]]) is None
    assert whole([[2.0**53, 1.0], [1.0, 1.0]]) is None
    assert whole([[2.0**53 - 1, 1.0], [1.0, 1.0]]) == [[2**53 - 1, 1], [1, 1]]
    many = np.full((1, span.MOST_MEASURED + 1), 4.0)
    assert whole(many) == many.tolist()  # as they are: integers
    assert whole(many / 8) is None
    assert whole(many[:, 1:]) == [[1] * span.MOST_MEASURED]
    twice = sp.csr_array(
        (np.array([1.0, 1.0, 0.0]), np.array([0, 0, 1]), np.array([0, 3])), shape=(1, 2)
    )
    found = span._whole_sparse(ExactMatrix(twice, False))
    assert (found.toarray().tolist(), found.nnz) == ([[1, 0]], 1)
    assert twice.nnz == 3
