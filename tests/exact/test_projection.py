"""Null spaces of many rows, from a few of them."""

import numpy as np

from novikoff.exact import projection as restriction
from novikoff.exact.reading import ExactMatrix


def test_rows_of_rare_cells_are_taken_in_together(monkeypatch):
    """Each was a round of its own, with all the rows before it eliminated again."""
    n, common, rare = 600, 40, 20
    X = np.zeros((n, common + rare))
    X[np.arange(n), np.arange(n) % common] = 1.0
    lonely = 7 * np.arange(rare) + 3
    X[lonely] = 0.0
    X[lonely, common + np.arange(rare)] = 1.0
    X = np.hstack([X, X.sum(axis=1, keepdims=True)])
    rounds = []
    real = restriction.null_space

    def counted(reading, rows, fit_intercept):
        rounds.append(len(rows))
        return real(reading, rows, fit_intercept)

    monkeypatch.setattr(restriction, "null_space", counted)
    (vector,) = restriction.null_space_of(ExactMatrix(X, False), np.arange(n), False)
    assert len(rounds) == 2
    assert [value / vector[-1] for value in vector] == [-1] * (common + rare) + [1]
