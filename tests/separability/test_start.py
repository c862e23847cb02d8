"""The perceptron that starts a search stops early exactly if it has found a separator."""

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability.search import start


@pytest.mark.parametrize("noise", [0.0, 0.5])
@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_it_stops_at_a_separator(noise, storage):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 6))
    y = np.where(X[:, 0] + 0.2 + noise * rng.standard_normal(300) > 0, 1, -1)
    points = ExactProblem.of(Problem.of(storage(X), y))
    w, _, stopped = start._perceptron(points, most_epochs=200)
    assert stopped == (noise == 0.0)
    assert stopped == bool((y * (X @ w[:-1] + w[-1]) > 0).all())
