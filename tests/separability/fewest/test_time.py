"""Time is looked at often enough, whatever the shape of the data."""

import math
from fractions import Fraction

import numpy as np
import pytest
from tests.separability.fewest.cases import breast_cancer, grid

import novikoff
from novikoff.core.progress import Deadline
from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability.fewest import instance
from novikoff.separability.fewest import search as hitting
from novikoff.separability.fewest.instance import Instance, descend
from novikoff.separability.fewest.search import ErrorSearch


def test_directions_in_many_dimensions():
    rng = np.random.default_rng(0)
    U = rng.standard_normal((50, 300))
    _, loss = descend(
        U / np.linalg.norm(U, axis=1, keepdims=True), np.ones(50), U[0], 30, rng, lambda: False
    )
    assert loss < 25


@pytest.mark.parametrize(("n", "d", "errors"), [(60, 2, None), (12, 30, 1)])
def test_data_that_is_not_turned(n, d, errors, monkeypatch):
    """Where an SVD would take long, columns stay as they are, or are as many as rows."""
    X, y = grid(n, d, 3)
    X[1], y[:2] = X[0], (-1, 1)
    found = novikoff.fewest_errors(X, y)
    monkeypatch.setattr(instance, "is_quick", lambda A: False)
    again = novikoff.fewest_errors(X, y)
    assert again.optimal
    assert again.errors == found.errors
    assert errors in (None, again.errors.upper)
    assert novikoff.verify(again.certificate(), X, y)


def test_thousands_of_wrong_rows_leave_time_for_a_bound(monkeypatch):
    """Exchanges end after a quarter of the time that is left."""
    X, y = grid(400, 2, 0)
    clock = iter(range(10**9))
    monkeypatch.setattr(hitting.time, "monotonic", lambda: next(clock) * 1.0)
    U = np.column_stack([X, np.ones(400)]) * y[:, None]
    search = ErrorSearch(Instance(U, np.ones(400), 1.0, 4), Deadline(1000.0))
    search.plane = np.array([0.0, 0.0, 1e-20])
    search.exchange()
    assert search.seconds_left > 500


@pytest.mark.slow
def test_kicks_find_what_line_searches_miss():
    """20 errors, where 150,000 line searches stay at 21 or more."""
    points = ExactProblem.of(Problem.of(*breast_cancer(10)), decimals=False)
    ones = [Fraction(1)] * points.problem.n
    made, _ = instance.instance_of(points, instance.groups_of(points, ones), ones)
    search = ErrorSearch(made, Deadline(math.inf))
    search.find_planes(700)
    search.exchange()
    assert search.upper > 20
    search.exchange(hitting.KICKS)
    assert search.upper == 20
