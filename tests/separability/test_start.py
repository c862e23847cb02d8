"""The perceptron that starts a search, in slices: they change nothing but the time."""

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.exact.points import ExactProblem
from novikoff.matrix.problem import Problem
from novikoff.separability.search import start


@pytest.mark.parametrize("noise", [0.0, 0.5])
@pytest.mark.parametrize("storage", [np.asarray, sp.csr_array])
def test_slices_change_no_bit(noise, storage, monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((300, 6))
    y = np.where(X[:, 0] + 0.2 + noise * rng.standard_normal(300) > 0, 1, 0)
    points = ExactProblem.of(Problem.of(storage(X), y))
    w, average, stopped = start._perceptron(points, most_epochs=200)
    monkeypatch.setattr(start, "SLICE", 1)
    again = start._perceptron(points, most_epochs=200)
    assert stopped == (noise == 0.0) == again[2]
    assert again[0].tobytes() == w.tobytes()
    assert again[1].tobytes() == average.tobytes()
