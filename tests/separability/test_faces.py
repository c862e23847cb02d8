"""Facial reduction by the rationals alone, without any help from floating point."""

from collections import Counter

import numpy as np
import pytest
from tests.oracles import separability
from tests.separability.checks import check_proof

from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability.build import not_separable_verdict
from novikoff.separability.proofs import gordan
from novikoff.separability.proofs.facial_reduction import facial_reduction
from novikoff.separability.search.passes import survey


@pytest.mark.parametrize("together", [2, 400])
def test_rationals_alone_decide(monkeypatch, together):
    # With few rows looked at together, separators of those must be checked on all the others.
    monkeypatch.setattr(gordan, "SMALL", together)
    monkeypatch.setattr(gordan, "_guess", lambda points, live, basis, check: (None, live[:1]))
    rng = np.random.default_rng(0)
    words = Counter()
    for _ in range(200):
        n, d = int(rng.integers(2, 12)), int(rng.integers(1, 4))
        X, y = rng.integers(-2, 3, (n, d)), rng.choice([-1, 1], n)
        y[:2] = -1, 1
        bias = bool(rng.integers(2))
        points = ExactProblem.of(Problem.of(X, y, fit_intercept=bias))
        outcome = facial_reduction(points, [0])
        word = separability(X.tolist(), y.tolist(), bias)
        words[word] += 1
        if isinstance(outcome, gordan.Separator):
            assert word == "separable"
            ones = np.column_stack([X, np.ones(n, dtype=int)])[:, : len(outcome.w_hat)]
            assert (y * (ones.astype(object) @ np.array(outcome.w_hat)) > 0).all()
        else:
            verdict = not_separable_verdict(points, survey(points), outcome)
            assert verdict.word == word
            check_proof(verdict, X, y)
    assert min(words.values()) > 10
