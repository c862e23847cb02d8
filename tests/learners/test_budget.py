from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics.pairwise import rbf_kernel
from tests.oracles import forgetron

from novikoff.estimators.kernel import KernelPerceptron
from novikoff.learners.budget import shrink_factor

NUMBERS = st.floats(-3, 3)


@settings(deadline=None, max_examples=200)
@given(st.floats(1e-3, 1), NUMBERS, st.floats(1e-3, 5))
def test_shrinking_is_the_greatest_that_is_allowed(sigma, mu, allowance):
    def deviation(phi):
        return (sigma * phi) ** 2 + 2 * sigma * phi - 2 * sigma * phi * mu * phi

    phi = shrink_factor(sigma, mu, allowance)
    assert 0 < phi <= 1
    assert deviation(phi) <= allowance * (1 + 1e-9)
    if phi < 1:
        assert all(deviation(phi + (1 - phi) * t) > allowance * (1 - 1e-9) for t in (1e-3, 0.1, 1))


def noisy(n=80, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = np.where((X**2).sum(axis=1) + rng.normal(0, 0.3, n) > 1.3, 1, -1)
    return X, y


@pytest.mark.parametrize("budget", [3, 10])
def test_forgetron_matches_the_oracle_bit_for_bit(budget):
    X, y = noisy()
    K = rbf_kernel(X, gamma=0.5)
    model = KernelPerceptron(kernel="precomputed", budget=budget, max_iter=3, tie="mistake")
    model.fit(K, y)
    entries, books = forgetron(K.tolist(), y.tolist(), budget=budget, epochs=3)
    coefs = np.zeros(len(X))
    for row, coef in entries:
        coefs[row] += coef
    assert model.support_.tolist() == np.flatnonzero(coefs).tolist()
    assert model.dual_coef_[0].tolist() == coefs[model.support_].tolist()
    assert model.n_mistakes_ == len(books)
    # What the mistake bound of the paper rests on.
    assert all(Q <= 15 / 32 * M + 1e-9 for Q, M in books)


@pytest.mark.parametrize("removal", ["forgetron", "random"])
def test_no_more_rows_than_the_budget(removal):
    X, y = noisy(300)
    model = KernelPerceptron(budget=7, removal=removal, random_state=0, gamma=0.5)
    for first in range(0, 300, 20):
        model.partial_fit(X[first : first + 20], y[first : first + 20], classes=[-1, 1])
        assert model.support_vectors_.shape[0] <= 7
        assert model.dual_coef_.shape[1] <= 7
    assert model.n_mistakes_ > 30


def test_random_removal_follows_random_state():
    X, y = noisy(200)

    def fitted(seed):
        model = KernelPerceptron(budget=9, removal="random", random_state=seed, max_iter=2)
        return model.fit(X, y).support_.tolist()

    assert fitted(1) == fitted(1)
    assert fitted(1) != fitted(2)


def test_a_budget_that_is_never_spent_changes_nothing():
    X, y = noisy()
    with pytest.warns(UserWarning, match="max_iter"):
        plain = KernelPerceptron(max_iter=2, gamma=0.5).fit(X, y)
    bounded = KernelPerceptron(max_iter=2, gamma=0.5, budget=1000).fit(X, y)
    assert plain.support_.tolist() == bounded.support_.tolist()
    assert plain.dual_coef_.tolist() == bounded.dual_coef_.tolist()
    assert plain.mistakes_per_epoch_.tolist() == bounded.mistakes_per_epoch_.tolist()


def test_batches_are_one_pass_even_on_a_budget():
    X, y = noisy()
    X = np.round(3 * X)  # whole numbers, and a kernel that keeps them whole
    options = {"kernel": "poly", "degree": 2, "gamma": 1.0, "coef0": 1.0}
    for budget in (None, 10):
        with nullcontext() if budget else pytest.warns(UserWarning, match="max_iter"):
            whole = KernelPerceptron(max_iter=1, budget=budget, **options).fit(X, y)
        pieces = KernelPerceptron(budget=budget, **options)
        for first in range(0, 80, 7):
            pieces.partial_fit(X[first : first + 7], y[first : first + 7], classes=[-1, 1])
        assert pieces.n_mistakes_ == whole.n_mistakes_
        assert np.allclose(pieces.decision_function(X), whole.decision_function(X), rtol=1e-9)
