"""The fewest errors that any hyperplane makes on labelled points, found in two independent ways."""

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from novikoff import separate


def by_integer_program(X, y, largest_weight=1000.0, slack=1e5):
    """(number of errors, ŵ): minimise Σ zᵢ with yᵢ ŵ·x̂ᵢ ≥ 1 − slack·zᵢ and zᵢ in {0, 1} (HiGHS)."""
    n, p = X.shape[0], X.shape[1] + 1
    A = np.hstack([y[:, None] * np.column_stack([X, np.ones(n)]), slack * np.eye(n)])
    limits = np.concatenate([np.full(p, largest_weight), np.ones(n)])
    answer = milp(
        np.concatenate([np.zeros(p), np.ones(n)]),
        constraints=LinearConstraint(A, 1.0),
        integrality=np.concatenate([np.zeros(p), np.ones(n)]),
        bounds=Bounds(np.concatenate([np.full(p, -largest_weight), np.zeros(n)]), limits),
    )
    assert answer.success
    return round(answer.fun), answer.x[:p]


def by_certificates(X, y):
    """How many rows must go before the rest is separable, proven.

    Whoever makes the rest separable must drop a row of every certificate: try each of one.
    """
    kept = {tuple(range(len(y)))}
    for errors in range(len(y)):
        narrowed = set()
        for rows in kept:
            chosen = list(rows)
            if len(set(y[chosen])) < 2:
                return errors
            verdict = separate(X[chosen], y[chosen], exact=True)
            if verdict.word == "separable":
                return errors
            for i in verdict.rows:
                narrowed.add(rows[: int(i)] + rows[int(i) + 1 :])
        kept = narrowed
    raise AssertionError("one row is always separable")
