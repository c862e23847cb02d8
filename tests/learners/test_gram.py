import tracemalloc

import numpy as np
import pytest
from sklearn.metrics.pairwise import rbf_kernel

from novikoff.errors import NotFiniteError
from novikoff.learners.kernel import Gram

X = np.random.default_rng(0).normal(size=(60, 4))
K = rbf_kernel(X)


def some_rows(wanted):
    return rbf_kernel(X[wanted], X)


def test_every_row_is_right_however_small_the_cache():
    rng = np.random.default_rng(1)
    for room in (0, 8 * 60, 20 * 8 * 60, 1e9):
        gram = Gram(some_rows, 60, room)
        for i in rng.integers(0, 60, 300):
            np.testing.assert_allclose(gram.row(int(i)), K[i], rtol=1e-12)
        held = gram.cache.slots[gram.cache.slots >= 0]
        assert len(set(held.tolist())) == len(held) <= len(gram.cache.values)


def test_rows_that_fit_are_computed_once():
    gram = Gram(some_rows, 60, 1e6)
    for i in [*range(60), *range(60)]:
        gram.row(i)
    assert gram.n_computed == 60


def test_the_most_used_rows_stay():
    gram = Gram(some_rows, 60, 16 * 8 * 60)
    for _ in range(5):
        gram.row(7)
    for i in range(8, 60):
        gram.row(i)
    before = gram.n_computed
    gram.row(7)
    assert gram.n_computed == before


def test_the_budget_holds_for_the_cache_and_the_block_in_work():
    n = 2000
    points = np.random.default_rng(0).normal(size=(n, 3))
    budget = 4 * 2**20
    tracemalloc.start()
    try:
        gram = Gram(lambda wanted: rbf_kernel(points[wanted], points), n, budget)
        for first in range(0, n, 10):
            missing = np.arange(first, first + 10)
            gram.fetch(missing[gram.cache.slots[missing] < 0])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < budget + 200_000  # a few arrays of n numbers
    assert 8 * n * n > 7 * budget  # the whole matrix would not have fitted


def test_a_given_matrix_is_not_copied():
    gram = Gram.of_matrix(K)
    assert gram.row(3).base is K
    assert gram.n_computed == 0


def test_a_kernel_that_overflows_names_the_rows():
    def overflowing(wanted):
        block = K[wanted].copy()
        block[wanted == 5, 9] = np.inf
        return block

    gram = Gram(overflowing, 60, 1e6)
    gram.row(4)
    with pytest.raises(NotFiniteError, match="the kernel of rows 5 and 9 is not finite"):
        gram.row(5)
