"""Exact solves: of long integers, of large solutions, of what floating point calls singular."""

from fractions import Fraction

import flint
import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.exact.lifting import IntegerMatrix, IntegerSystem
from novikoff.exact.points import ExactProblem
from novikoff.exact.solve import signed_integers
from novikoff.matrix.problem import Problem


def nothing():
    """No clock is watched."""


def solved(M, b):
    """The solution by FLINT."""
    x = flint.fmpz_mat(M).solve(flint.fmpz_mat([[value] for value in b]))
    return [Fraction(int(value.p), int(value.q)) for value in x.entries()]


@pytest.mark.parametrize("transposed", [False, True])
def test_entries_of_many_digits_leave_room_for_a_large_solution(transposed):
    """34 bits in the matrix and 20 before the point: no round of digits would fit in 62 bits."""
    rng = np.random.default_rng(0)
    M = rng.integers(-(2**34), 2**34, (12, 12))
    near = rng.integers(-(2**20), 2**20, 12)
    b = ((M.T if transposed else M) @ near + rng.integers(-9, 10, 12)).tolist()
    stored = sp.csr_array(M)
    matrix = IntegerMatrix.of(stored.data, stored.indices, stored.indptr, M.shape)
    found = IntegerSystem.of(matrix).solve(b, transposed=transposed, check=nothing)
    assert found is not None
    numerators, denominator = found
    expected = solved((M.T if transposed else M).tolist(), b)
    assert [Fraction(n, denominator) for n in numerators] == expected


def test_limbs_add_up_to_the_matrix():
    values = np.array([3, -(2**40) - 5, 2**24, -(2**24) + 1])
    matrix = IntegerMatrix.of(values, np.arange(4), np.array([0, 2, 4]), (2, 4))
    parts = matrix.limbs()
    assert len(parts) > 1
    assert all(abs(part).max() < 2**24 for _, part in parts)
    total = sum(part.toarray().astype(object) << shift for shift, part in parts)
    assert (total == matrix.floats().astype(object)).all()


def test_what_floats_call_singular_is_solved_all_the_same():
    """Two columns that differ in the last of 53 digits, among zeros."""
    X = np.zeros((8, 8))
    X[:, :2] = 1 + np.arange(8)[:, None]
    X[7, 1] = np.nextafter(8.0, 9.0)
    X[np.arange(6), np.arange(2, 8)] = 1.0
    X[:6, :2] = 0.0
    points = ExactProblem.of(Problem.of(X, [1, -1] * 4, fit_intercept=False))
    integers = signed_integers(points, np.arange(8))
    columns = np.arange(8)
    solver = integers.square(np.arange(8), columns)
    b = list(range(1, 9))
    found = solver.solve(b, transposed=False, check=nothing)
    assert found is not None
    numerators, denominator = found
    assert integers.score(np.arange(8), columns, numerators) == [denominator * v for v in b]


def test_scores_of_fractions_keep_their_signs():
    X = np.array([[Fraction(1, 3), Fraction(2, 7)], [Fraction(-5, 11), Fraction(1, 2)]])
    points = ExactProblem.of(Problem.of(X, [1, -1]))
    w = (Fraction(6), Fraction(-7), Fraction(1, 5))
    expected = [y * (x[0] * w[0] + x[1] * w[1] + w[2]) for x, y in zip(X, (1, -1), strict=True)]
    scores = signed_integers(points, np.arange(2)).score_all(w)
    assert [s > 0 for s in scores] == [e > 0 for e in expected]
    assert Fraction(scores[0], scores[1]) == expected[0] / expected[1]
