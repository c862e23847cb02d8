"""A proposal is believed when it is proven, and not before."""

from fractions import Fraction

import numpy as np
import pytest

from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability.proofs.gordan import solved_multipliers
from novikoff.separability.proofs.separator import proof_of, proven
from novikoff.separability.search.passes import pass_over
from novikoff.separability.search.wolfe import BEST
from novikoff.separability.search.working_set import Found

X = np.array([[0.0, 0.0], [1.0, 0.0], [3.0, 1.0], [4.0, 0.0]])
Y = np.array([0, 0, 1, 1])


def found(points, w_hat):
    """What a search would have found, had it found these weights."""
    w_hat = np.array(w_hat)
    last = pass_over(points, w_hat, 4)
    return Found(w_hat, np.arange(4), np.ones(4), BEST, last, 1)


@pytest.mark.parametrize("w_hat", [[0.0, 1.0, 0.0], [-1.0, 0.0, 2.0], [0.0, 0.0, 1.0]])
def test_weights_that_do_not_separate_have_no_proof(w_hat):
    points = ExactProblem.of(Problem.of(X, Y))
    assert proven(points, found(points, w_hat)) is None
    assert proof_of(points, map(Fraction, w_hat[:-1]), Fraction(w_hat[-1])) is None


@pytest.mark.parametrize("b", [-2.0, 0.0, 100.0])
def test_the_intercept_is_moved_to_the_middle(b):
    points = ExactProblem.of(Problem.of(X, Y))
    proof = proven(points, found(points, [1.0, 0.0, b]))
    assert proof is not None
    assert proof.intercept == pytest.approx(-2.0)
    assert proof.exact_intercept == Fraction(proof.intercept)


def test_without_a_bias_the_intercept_stays_where_it_is():
    points = ExactProblem.of(Problem.of(X, Y, fit_intercept=False))
    assert proven(points, found(points, [1.0, 0.0, 0.0])) is None


def test_a_gap_that_no_float64_intercept_fits_into():
    # 1 and the next float64: the middle of their scores is not a float64, and a fraction does.
    close = np.array([[1.0], [np.nextafter(1.0, 2.0)], [0.5], [1.5]])
    points = ExactProblem.of(Problem.of(close, [0, 1, 0, 1]))
    proof = proven(points, found(points, [1.0, -1.0]))
    assert proof is not None
    assert proof.exact_intercept == -1 - Fraction(1, 2**53)
    assert proof.intercept == -1.0


def test_rows_without_multipliers_have_none():
    points = ExactProblem.of(Problem.of(X, Y))
    assert solved_multipliers(points, np.arange(4)) is None


def test_multipliers_that_are_not_unique_are_not_found():
    doubled = np.array([[0.0, 0.0], [5.0, 5.0], [0.0, 0.0], [-3.0, -3.0]])
    points = ExactProblem.of(Problem.of(doubled, Y))
    assert solved_multipliers(points, np.arange(4)) is None
