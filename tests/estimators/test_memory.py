"""What learning needs beside the data: a few numbers a row and a column, and no copy of either."""

import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import Perceptron

pytestmark = pytest.mark.slow

N, D = 40_000, 30


def peak(X, y) -> int:
    """Bytes at the highest point of a fit, after everything has been compiled."""
    Perceptron(max_iter=3).fit(X[:2000], y[:2000])
    tracemalloc.start()
    try:
        Perceptron(max_iter=3).fit(X, y)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("storage", [np.float64, np.float32, np.int64, sp.csr_array])
def test_the_working_set_is_linear_in_rows_plus_columns(storage):
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (N, D)) + 0.0
    y = X @ rng.normal(size=D) + 9 * rng.normal(size=N) > 0
    X = storage(X) if storage is sp.csr_array else X.astype(storage)
    assert peak(X, y) < 12 * 8 * (N + D) + 100_000
