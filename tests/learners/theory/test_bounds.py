"""R, margins, the bound, the inequalities, the reductions."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import novikoff
from novikoff.errors import DataError

SQUARE = np.array([[0.0, 0.0], [3.0, 4.0]]), np.array([-1, 1])


def test_radius():
    X, _ = SQUARE
    assert novikoff.radius(X, fit_intercept=False) == pytest.approx(5.0)
    assert novikoff.radius(X) == pytest.approx(np.sqrt(26.0))
    assert novikoff.radius(sp.csr_array(X)) == novikoff.radius(X)


def test_margins_are_three_and_named():
    found = novikoff.margins(([3.0, 4.0], -5.0), *SQUARE)
    assert found.functional == 5.0
    assert found.geometric == pytest.approx(1.0)
    assert found.augmented == pytest.approx(5 / np.sqrt(50))


def test_the_bound_of_any_separator():
    bound = novikoff.mistake_bound_of(([3.0, 4.0], -5.0), *SQUARE)
    assert bound == pytest.approx(26 / (25 / 50))
    with pytest.raises(DataError, match="not a separator"):
        novikoff.mistake_bound_of(([-3.0, 4.0], -50.0), *SQUARE)


def test_training_error_and_the_tie_rule():
    X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    assert novikoff.training_error(([1.0], 0.0), X, y) == pytest.approx(2 / 3)
    assert novikoff.training_error(([1.0], 0.0), X, y, tie="+1") == pytest.approx(1 / 3)
    assert novikoff.training_error(([1.0], 0.0), X, y, tie="-1") == pytest.approx(2 / 3)


@st.composite
def separable(draw):
    """Integer points on both sides of an integer plane, with that plane."""
    d = draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    w, b = rng.integers(-3, 4, d), int(rng.integers(-3, 4))
    X = rng.integers(-6, 7, (30, d))
    score = X @ w + b
    X, y = X[score != 0], np.sign(score[score != 0])
    if len(set(y.tolist())) < 2:
        w, b, X, y = np.eye(d, dtype=int)[0], 0, np.vstack([np.eye(d), -np.eye(d)]), [1, -1] * d
        y = np.sign(X @ w + 0.5)
        b = 0.5
    return X, y, (w, b)


@settings(max_examples=60, deadline=None)
@given(separable(), st.sampled_from(["cyclic", "shuffled", "random", "worst"]), st.sampled_from(["mistake", "+1", "-1"]), st.sampled_from([0.25, 1.0, 3.0]))  # fmt: skip # noqa: E501
def test_both_inequalities_hold_for_every_order_tie_and_step(case, order, tie, eta0):
    X, y, separator = case
    run = novikoff.trace(
        X, y, order=order, tie=tie, eta0=eta0, random_state=0, separator=separator, max_iter=100_000
    )
    assert run.status is novikoff.Status.CONVERGED
    proof = novikoff.inequalities(run)
    assert proof.hold
    assert run.n_mistakes <= proof.mistake_bound
    assert (proof.cosine <= 1 + 1e-12).all()
    assert (proof.cosine * (1 + 1e-9) >= proof.cosine_bound).all()


def test_inequalities_need_a_separator():
    run = novikoff.trace(*SQUARE)
    with pytest.raises(DataError, match="reference"):
        novikoff.inequalities(run)
    with pytest.raises(DataError, match="not a separator"):
        novikoff.inequalities(run, ([-1.0, 0.0], 0.0))


class TestReductions:
    def test_augmentation(self):
        X = np.array([[1.0, 2.0], [0.0, 3.0]])
        assert novikoff.augment(X).tolist() == [[1, 2, 1], [0, 3, 1]]
        assert novikoff.augment(sp.csr_array(X)).toarray().tolist() == [[1, 2, 1], [0, 3, 1]]

    def test_the_unit_ball(self):
        ball = novikoff.into_unit_ball(sp.csr_array([[3.0, 4.0], [1.0, 0.0]]))
        assert ball.R == 5.0
        assert ball.X.toarray() == pytest.approx(np.array([[0.6, 0.8], [0.2, 0.0]]))

    def test_the_positive_side(self):
        X, y = np.array([[1.0, 2.0], [0.0, 3.0]]), [1, -1]
        assert novikoff.to_positive_side(X, y).tolist() == [[1, 2, 1], [0, -3, -1]]
        flipped = novikoff.to_positive_side(sp.csr_array(X), y, fit_intercept=False)
        assert flipped.toarray().tolist() == [[1, 2], [0, -3]]
