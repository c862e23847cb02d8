"""Pivot columns by blocks: those of FLINT's echelon form, whatever the rank."""

import flint
import numpy as np
import pytest

from novikoff.exact import null_space as spans
from novikoff.exact.null_space import SMALL_PRIMES, pivot_columns


def of_rank(n, width, rank, seed):
    """Whole numbers, longer than a float holds, with columns and rows of zeros."""
    rng = np.random.default_rng(seed)
    left = rng.integers(-(2**40), 2**40, (n, rank)).astype(object)
    table = left @ rng.integers(-(2**40), 2**40, (rank, width)).astype(object)
    table[:, rng.random(width) < 0.2] = 0
    table[rng.random(n) < 0.2] = 0
    return table.tolist()


@pytest.mark.parametrize("prime", SMALL_PRIMES)
def test_the_primes(prime):
    assert flint.fmpz(prime).is_prime()
    assert 64 * (prime - 1) ** 2 + prime < 2**53


@pytest.mark.parametrize(
    ("n", "width", "rank"),
    [(1, 1, 1), (5, 70, 3), (70, 5, 5), (130, 140, 130), (140, 130, 66), (200, 65, 64)],
)
@pytest.mark.parametrize("seed", range(3))
def test_as_flint_finds_them(n, width, rank, seed):
    table = of_rank(n, width, rank, seed)
    reduced, r = flint.fmpz_mat(table).rref()[::2]
    expected = [next(j for j in range(width) if reduced[i, j] != 0) for i in range(r)]
    assert pivot_columns(table, SMALL_PRIMES[0]) == expected


def test_a_prime_that_divides_everything():
    table = [[SMALL_PRIMES[0], 0], [0, SMALL_PRIMES[0]]]
    assert pivot_columns(table, SMALL_PRIMES[0]) == []
    assert pivot_columns(table, SMALL_PRIMES[1]) == [0, 1]


@pytest.mark.parametrize("unlucky", [False, True])
def test_null_vectors_are_the_same_either_way(monkeypatch, unlucky):
    table = of_rank(40, 30, 20, 7)
    if unlucky:
        table = [[x * SMALL_PRIMES[0] for x in row] for row in table]
    expected = spans._null_vectors(table, 0)
    monkeypatch.setattr(spans, "ELIMINATED_AT_ONCE", 0)
    found = spans._null_vectors(table, 0)
    assert spans._all_zero(table, expected)
    assert spans._all_zero(table, found) is not unlucky
    assert spans._null_vectors(table, 1) == expected
