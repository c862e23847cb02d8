"""Nearly dependent columns, made well scaled: the same span, whatever roundings hold in it."""

from fractions import Fraction

import numpy as np
from sklearn.preprocessing import SplineTransformer

import novikoff
from novikoff.exact.columns import reconditioned_columns
from novikoff.exact.points import ExactProblem
from novikoff.matrix.sources import as_problem


def changed(X, y):
    points = ExactProblem.of(as_problem(X, y, fit_intercept=True, names=None))
    return reconditioned_columns(points, lambda: None)


def test_a_combination_of_no_dyadic_factors_is_left_out():
    rng = np.random.default_rng(0)
    a, b = rng.integers(-9, 9, (2, 50))
    third = a + b  # a third of it, in units of a third: 3·third = a' + b'
    near = a + np.where(np.arange(50) == 7, 2.0**-40, 0.0)
    X = np.column_stack([3 * a + 0.0, 3 * b, third, near])
    found = changed(X, rng.integers(0, 2, 50))
    assert found.points.problem.d == 3
    # Each new column is the combination of old ones that it says.
    old = [[Fraction(value) for value in row] + [Fraction(1)] for row in X.tolist()]
    for j, combination in enumerate(found.combinations):
        made = [sum(c * row[i] for i, c in combination.items()) for row in old]
        assert made == found.points.problem.X[:, j].tolist()


def test_splines_that_add_up_to_one_but_for_roundings():
    # Three columns of 22 have entries in the same few rows: combinations, of factors that end in
    # no binary digit. Subtracting them had gone on for as many rounds as were allowed.
    rng = np.random.default_rng(5)
    income = np.round(np.exp(rng.normal(10, 1, 400)), 2)
    X = SplineTransformer(20).fit_transform(income[:, None])
    y = (rng.random(400) < 0.3).astype(int)
    rounds = []
    points = ExactProblem.of(as_problem(X, y, fit_intercept=True, names=None))
    found = reconditioned_columns(points, lambda: rounds.append(None))
    assert found is not None
    assert len(rounds) < 6
    verdict = novikoff.separate(X, y)
    assert novikoff.verify(verdict.certificate(), X, y).valid


def test_constant_columns_leave_nothing_to_change():
    assert changed(np.array([[0.0, 2.0], [0.0, 2.0]]), [0, 1]) is None
