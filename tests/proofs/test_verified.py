"""Multipliers proven in floating point: never where the exact ones are not positive."""

from fractions import Fraction

import numpy as np
import pytest

from novikoff.exact.points import Points
from novikoff.problem import Problem
from novikoff.proofs.multipliers import exact_multipliers
from novikoff.proofs.verified import verified_multipliers


def simplex_around_origin(d, rng):
    """d + 2 points of both classes whose hulls meet in one point, in general position."""
    while True:
        X, y = rng.normal(size=(d + 2, d)), np.where(np.arange(d + 2) % 2, 1, -1)
        points = Points.of(Problem.of(X, y))
        found = verified_multipliers(points, np.arange(d + 2))
        if found is not None:
            return X, y, found


@pytest.mark.parametrize("d", [1, 2, 4])
def test_verified_multipliers_are_close_to_the_exact_ones(d):
    rng = np.random.default_rng(d)
    X, y, found = simplex_around_origin(d, rng)
    exact = exact_multipliers(Problem.of(X, y), np.arange(d + 2))
    total = sum(exact)
    assert all(value > 0 for value in exact)
    np.testing.assert_allclose(found, [float(value / total) for value in exact], rtol=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_a_multiplier_of_zero_is_not_positive(seed):
    # Three rows of a line settle it; a fourth, off the line, has α = 0 exactly.
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-50, 50, (2, 2)).astype(float)
    X = np.array([a, b, (a + b) / 2, rng.normal(size=2)]) / 3.0
    X[2] = (X[0] + X[1]) / 2
    points = Points.of(Problem.of(X, [0, 0, 1, 1]))
    middle = [Fraction(p) + Fraction(q) for p, q in zip(X[0].tolist(), X[1].tolist(), strict=True)]
    if [2 * Fraction(value) for value in X[2].tolist()] == middle:
        assert verified_multipliers(points, np.arange(4)) is None


def test_too_few_rows_prove_nothing():
    points = Points.of(Problem.of([[0.0, 0.0], [0.0, 0.0]], [0, 1]))
    assert verified_multipliers(points, np.arange(2)) is None


def test_a_singular_system_proves_nothing():
    points = Points.of(Problem.of(np.zeros((4, 2)), [0, 1, 0, 1]))
    assert verified_multipliers(points, np.arange(4)) is None
