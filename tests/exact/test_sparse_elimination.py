"""Sparse elimination modulo primes against dense elimination in rational numbers."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from tests.oracles import rank

import novikoff
from novikoff.exact import null_space as spans
from novikoff.exact import sparse_elimination as sparse_null
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.sparse_elimination import sparse_null_space


def dependent(rng, n, p, density=0.3):
    """A sparse matrix some of whose columns are combinations of others."""
    X = rng.integers(-3, 4, (n, p)) * (rng.random((n, p)) < density)
    for j in range(p // 3):
        a, b = rng.choice(np.arange(p // 3, p), 2, replace=False)
        X[:, j] = 5 * X[:, a] - 3 * X[:, b]
    return X.astype(float)


def exactly(X, rows, fit_intercept):
    return [
        [*map(Fraction, row), *([Fraction(1)] if fit_intercept else [])] for row in X[rows].tolist()
    ]


@pytest.mark.parametrize("fit_intercept", [True, False])
@pytest.mark.parametrize("seed", range(12))
def test_the_basis_is_whole_and_orthogonal(seed, fit_intercept):
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(1, 25)), int(rng.integers(3, 20))
    X = dependent(rng, n, p) * rng.choice([1.0, 0.25, 1e-3, 1 / 3], p)
    rows = np.flatnonzero(rng.random(n) < 0.8)
    if len(rows) == 0:
        rows = np.arange(n)
    reading = ExactMatrix(sp.csr_array(X), False)
    basis = sparse_null_space(reading, rows.tolist(), fit_intercept)
    assert basis is not None
    table = exactly(X, rows, fit_intercept)
    assert len(basis) == p + fit_intercept - rank(table)
    assert rank([list(vector) for vector in basis]) == len(basis)
    for vector in basis:
        assert all(sum(a * b for a, b in zip(row, vector, strict=True)) == 0 for row in table)


def test_decimals_are_read_as_they_are_written():
    X = np.array([[0.1, 0.3], [0.2, 0.6], [0.7, 2.1]])
    written = sparse_null_space(ExactMatrix(sp.csr_array(X), True), [0, 1, 2], False)
    assert len(written) == 1
    assert written[0][0] == -3 * written[0][1]
    assert sparse_null_space(ExactMatrix(sp.csr_array(X), False), [0, 1, 2], False) == []


def test_long_fractions_take_several_primes(monkeypatch):
    X = np.array([[123456789.0, 987654321.0], [2 * 123456789.0, 2 * 987654321.0]])
    reading = ExactMatrix(sp.csr_array(X), False)
    (vector,) = sparse_null_space(reading, [0, 1], False)
    assert vector[0] * 123456789 + vector[1] * 987654321 == 0
    monkeypatch.setattr(sparse_null, "MOST_PRIMES", 1)
    assert sparse_null_space(reading, [0, 1], False) is None


def test_an_unlucky_prime_proves_nothing(monkeypatch):
    """Modulo its first prime the rows have the rank 1; they have 2."""
    prime = float(2**31 - 1)
    X = np.array([[1.0, 1.0], [1.0, 1.0 + prime]])
    reading = ExactMatrix(sp.csr_array(X), False)
    assert sparse_null_space(reading, [0, 1], False) is None
    monkeypatch.setattr(spans, "WIDE", 1)
    assert spans.null_space(reading, [0, 1], False) == []


def test_a_wide_overlapping_certificate_must_span():
    """Fixed effects of hundreds of levels: α on the rows of all levels but one is no proof."""
    rng = np.random.default_rng(2)
    levels, n = 300, 3000
    codes = rng.integers(0, levels, (2, n))
    blocks = [sp.csr_array((np.ones(n), (np.arange(n), code))) for code in codes]
    X = sp.csr_array(sp.hstack(blocks))
    y = rng.poisson(3, n)
    found = novikoff.detect_separation(X, y, model="poisson")
    assert found.kind == "none"
    certificate = found.certificate()
    assert novikoff.verify(certificate, X, y).valid
    # x and −x of each row with a count cancel: α = 1 on those of all levels but one.
    first = found.question.first
    used = (y > 0) & (codes[0] != 7)
    rows = np.flatnonzero(used[first]).tolist()
    weak = replace(certificate, rows=tuple(rows), alpha=(Fraction(1),) * len(rows))
    answer = novikoff.verify(weak, X, y)
    assert not answer.valid
    assert "do not span" in answer.reason
    whole = np.flatnonzero((y > 0)[first]).tolist()
    strong = replace(certificate, rows=tuple(whole), alpha=(Fraction(1),) * len(whole))
    assert novikoff.verify(strong, X, y).valid
