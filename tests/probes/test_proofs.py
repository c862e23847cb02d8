"""The float64 proofs against fractions: they never claim what exact arithmetic denies."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import separability

from novikoff.probes.devices import CPU
from novikoff.probes.proofs import Prover, _class_shares
from novikoff.probes.search import basis_of


def prover(X):
    return Prover(X, basis_of(X, CPU), CPU)


def exact_scores(X, w, b=0.0):
    weights = [Fraction(float(value)) for value in w]
    return [
        sum((Fraction(float(x)) * v for x, v in zip(row, weights, strict=True)), Fraction(float(b)))
        for row in X
    ]


@given(st.integers(0, 10**6), st.integers(-12, 0))
@settings(deadline=None, max_examples=60)
def test_a_separator_that_is_proven_separates_exactly(seed, power):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((12, 3))
    X = np.column_stack([X, X[:, 0] + 10.0**power * X[:, 1]])
    w = rng.standard_normal((4, 3))
    scores = X.astype(np.float64) @ w
    Y = np.where(scores > np.median(scores, axis=0), 1.0, -1.0).astype(np.float32)
    w[:, 2] = np.nextafter(w[:, 2], 0)
    proof = prover(X).separators(w, Y)
    for j in np.flatnonzero(proof.hold):
        exact = exact_scores(X, proof.weights[:, j], proof.intercepts[j])
        assert all(s * int(y) > 0 for s, y in zip(exact, Y[:, j], strict=True))
        square = sum(Fraction(float(v)) ** 2 for v in proof.weights[:, j])
        spread = exact_scores(X, proof.weights[:, j])
        gap = min(s for s, y in zip(spread, Y[:, j], strict=True) if y > 0)
        gap -= max(s for s, y in zip(spread, Y[:, j], strict=True) if y < 0)
        assert Fraction(float(proof.margins[j])) ** 2 * square <= (gap / 2) ** 2


def test_scores_of_zero_are_not_positive():
    X = np.array([[0.0], [1.0], [1.0], [2.0]], dtype=np.float32)
    Y = np.array([[-1], [-1], [1], [1]], dtype=np.float32)
    assert not prover(X).separators(np.array([[1.0]]), Y).hold[0]


@pytest.mark.parametrize("first", [True, False])
def test_roundings_that_turn_the_order_of_scores_are_seen(first):
    # Three times 0.9·e vanish beside 1, one e does not: floating point puts the rows the wrong way
    # round, if it adds in this order.
    e = 1.2e-16
    w = np.array([[1.0], [e], [e], [e]])
    X = np.array([[1.0, 1.0, 0.0, 0.0], [1.0, 0.9, 0.9, 0.9], [1.5, 0.0, 0.1, 0.0]])
    if not first:
        w, X = w[::-1].copy(), X[:, ::-1].copy()
    Y = np.array([[1.0], [-1.0], [1.0]], dtype=np.float32)
    assert exact_scores(X, w[:, 0])[0] < exact_scores(X, w[:, 0])[1]
    assert not prover(X).separators(w, Y).hold[0]


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_multipliers_that_are_proven_mean_overlapping(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (9, 2)).astype(np.float32)
    Y = rng.choice([-1.0, 1.0], (9, 4)).astype(np.float32)
    Y[0], Y[1] = 1, -1
    proof = prover(X).multipliers(rng.random((9, 4)) + 0.01, Y)
    for j in np.flatnonzero(proof.hold):
        assert separability(X.astype(int).tolist(), Y[:, j].astype(int).tolist(), True) == (
            "overlapping"
        )


def test_multipliers_that_do_not_add_up_prove_nothing():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    separable = np.sign(X[:, :1]).astype(np.float32)
    ones = np.ones((40, 1))
    assert not prover(X).multipliers(ones, separable).hold[0]
    assert not prover(X).multipliers(ones, separable, refined=True).hold[0]
    random = rng.choice([-1.0, 1.0], (40, 1)).astype(np.float32)
    found = prover(X).multipliers(ones, random)
    assert found.hold[0]
    assert prover(X).multipliers(found.alpha, random, refined=True).hold[0]
    off = found.alpha + 1e-6 * rng.random((40, 1)) * (np.arange(40) == 3)[:, None] * 1e3
    assert not prover(X).multipliers(off * (off < off.max()) + 1e-9, random, refined=True).hold[0]


def test_a_gap_is_not_taken_for_an_overlap_however_small():
    X = np.array([[-1.0], [-1e-6], [1e-6], [1.0]], dtype=np.float64)
    Y = np.array([[-1], [-1], [1], [1]], dtype=np.float32)
    alpha = np.array([[1e-6], [1.0], [1.0], [1e-6]])
    for refined in (False, True):
        assert not prover(X).multipliers(alpha, Y, refined=refined).hold[0]


def test_errors_are_counted_with_the_rows_on_the_plane():
    X = np.array([[0.0], [1.0], [1.0], [2.0]])
    Y = np.array([[-1, 1], [-1, 1], [1, -1], [1, -1]], dtype=np.float32)
    assert prover(X).errors(np.ones((1, 2)), -np.ones(2), Y).tolist() == [2, 4]


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=40)
def test_errors_are_at_least_the_exact_ones(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-3, 4, (20, 3)).astype(np.float16)
    Y = rng.choice([-1.0, 1.0], (20, 2)).astype(np.float32)
    w, b = rng.integers(-2, 3, (3, 2)).astype(float), rng.integers(-2, 3, 2).astype(float)
    counted = prover(X).errors(w[prover(X).basis.columns], b, Y)
    for j in range(2):
        exact = exact_scores(X, w[:, j], b[j])
        wrong = sum(s * int(y) <= 0 for s, y in zip(exact, Y[:, j], strict=True))
        assert counted[j] == wrong  # small integers: no score is too near to 0 to tell


def test_the_margin_of_two_points_is_half_their_distance():
    X = np.array([[0.0, 0.0], [6.0, 8.0], [9.0, 1.0]])
    Y = np.array([[-1.0], [1.0], [1.0]], dtype=np.float32)
    upper = prover(X).margins_above(np.array([[2.0], [7.0], [0.0]]), Y)[0]
    assert 5.0 <= upper <= 5.0001
    lower = prover(X).separators(np.array([[3.0], [4.0]]), Y).margins[0]
    assert 3.1 - 1e-9 <= lower <= 3.1


@given(st.integers(0, 10**6))
@settings(deadline=None, max_examples=60)
def test_shares_are_integers_of_one_sum_in_both_classes(seed):
    rng = np.random.default_rng(seed)
    alpha = rng.random((9, 3)) ** 8
    positive = rng.random((9, 3)) < 0.5
    positive[0], positive[1] = True, False
    shares, usable = _class_shares(alpha, positive, np)
    assert usable.all()
    assert (shares == np.round(shares)).all()
    assert (shares >= 0).all()
    for of_class in (positive, ~positive):
        assert (np.where(of_class, shares, 0).sum(axis=0) == 2.0**40).all()


def test_an_upper_bound_on_the_margin_is_above_what_any_plane_reaches():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 4)).astype(np.float32) + 100  # far from the origin
    Y = np.sign(X[:, :1] - np.median(X[:, 0])).astype(np.float32)
    alpha = rng.random((30, 1))
    upper = prover(X).margins_above(alpha, Y)[0]
    w = np.eye(4)[:, :1]
    assert prover(X).separators(w, Y).margins[0] <= upper < np.inf


def test_rows_are_independent_if_and_only_if_there_are_few_and_none_repeats_others():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6, 9)).astype(np.float16)
    assert prover(X).rows_are_independent()
    assert prover(X[:, :5]).rows_are_independent()
    assert not prover(X[:, :4]).rows_are_independent()
    assert not prover(np.vstack([X, X[:1]])).rows_are_independent()
    middle = np.vstack([X.astype(np.float64), (X[:1].astype(np.float64) + X[1:2]) / 2])
    assert not prover(middle).rows_are_independent()


@pytest.mark.parametrize("shape", [(50, 6), (6, 50)])
def test_the_basis_is_orthonormal_and_leads_back_to_weights(shape):
    rng = np.random.default_rng(0)
    X = rng.standard_normal(shape) * np.exp(3 * rng.standard_normal(shape[1])) + 1e3
    basis = basis_of(X, CPU)
    k = basis.Q.shape[1]
    np.testing.assert_allclose(basis.Q.T @ basis.Q, np.eye(k), atol=1e-5)
    u = rng.standard_normal((k, 2))
    w, b = basis.weights(u, CPU)
    np.testing.assert_allclose(X @ w + b, basis.Q @ u, atol=1e-4)
