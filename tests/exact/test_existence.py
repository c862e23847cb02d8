"""A positive α proven to exist in floating point: never where the exact one is not positive."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import separability

from novikoff.exact.existence import near_solution, positive_solution_exists
from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability.proofs.gordan import solved_multipliers


def proven(points, rows, alpha=None):
    """α near a positive solution that is proven to exist, or None."""
    near = near_solution(points, rows, alpha)
    return near if near is not None and positive_solution_exists(points, rows, near) else None


def simplex_around_origin(d, rng):
    """d + 2 points of both classes whose hulls meet in one point, in general position."""
    while True:
        X, y = rng.normal(size=(d + 2, d)), np.where(np.arange(d + 2) % 2, 1, -1)
        points = ExactProblem.of(Problem.of(X, y))
        found = proven(points, np.arange(d + 2))
        if found is not None:
            return points, found


@pytest.mark.parametrize("d", [1, 2, 4])
def test_what_is_near_a_solution_is_close_to_it(d):
    points, found = simplex_around_origin(d, np.random.default_rng(d))
    exact = solved_multipliers(points, np.arange(d + 2)).alpha
    np.testing.assert_allclose(found, [float(value / sum(exact)) for value in exact], rtol=1e-10)


@pytest.mark.parametrize("seed", range(20))
def test_a_multiplier_of_zero_is_not_positive(seed):
    # Three rows of a line settle it; a fourth, off the line, has α = 0 exactly.
    rng = np.random.default_rng(seed)
    a, b = rng.integers(-50, 50, (2, 2)).astype(float)
    X = np.array([a, b, (a + b) / 2, rng.normal(size=2)]) / 3.0
    X[2] = (X[0] + X[1]) / 2
    points = ExactProblem.of(Problem.of(X, [0, 0, 1, 1]))
    middle = [Fraction(p) + Fraction(q) for p, q in zip(X[0].tolist(), X[1].tolist(), strict=True)]
    if [2 * Fraction(value) for value in X[2].tolist()] == middle:
        assert proven(points, np.arange(4)) is None


def test_too_few_rows_prove_nothing():
    points = ExactProblem.of(
        Problem.of([[0.0, 1.0, 4.0], [0.0, 1.0, 4.0], [1.0, 2.0, 0.0]], [0, 1, 1])
    )
    assert proven(points, np.arange(2)) is None


def test_rows_of_a_lower_rank_prove_nothing():
    X = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 9.0], [3.0, 5.0], [4.0, 2.0]])
    X = np.column_stack([X, X.sum(axis=1)])
    points = ExactProblem.of(Problem.of(X, [0, 1, 0, 1, 0]))
    assert proven(points, np.arange(5), np.ones(5)) is None


@pytest.mark.parametrize("extra", ["zeros", "constant", "copy", "negative double"])
def test_columns_that_repeat_others_do_not_hinder_the_proof(extra):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1, 1], 40)
    more = {
        "zeros": np.zeros(40),
        "constant": np.full(40, 0.3),
        "copy": X[:, 1],
        "negative double": -2.0 * X[:, 0],
    }[extra]
    points = ExactProblem.of(Problem.of(np.column_stack([X, more]), y))
    assert proven(points, np.arange(40), np.ones(40)) is not None


def test_a_column_that_is_constant_on_the_rows_of_alpha_only_hinders_it():
    # Without the last row the third column is constant: the rows of α span less than all rows.
    rng = np.random.default_rng(0)
    X, y = np.column_stack([rng.normal(size=(41, 2)), np.ones(41)]), rng.choice([-1, 1], 41)
    X[40, 2] = 2.0
    points = ExactProblem.of(Problem.of(X, y))
    assert proven(points, np.arange(40), np.ones(40)) is None


@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(4, 12))
@settings(deadline=None, max_examples=300)
def test_what_is_proven_is_overlapping(seed, d, n):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-2, 3, (n, d)).astype(float), rng.choice([-1, 1], n)
    y[:2] = -1, 1
    points = ExactProblem.of(Problem.of(X, y))
    if proven(points, np.arange(n), rng.random(n)) is not None:
        assert separability(X.astype(int).tolist(), y.tolist(), True) == "overlapping"


def test_a_tiny_overlap_is_seen_and_a_tiny_gap_is_not_taken_for_one():
    for gap, expected in ((-1e-9, True), (1e-9, False)):
        X = np.array([[-1.0], [0.0 - gap], [0.0 + gap], [1.0]])
        points = ExactProblem.of(Problem.of(X, [0, 0, 1, 1]))
        alpha = np.array([1e-9, 0.5, 0.5, 1e-9])
        assert (proven(points, np.arange(4), alpha) is not None) == expected
