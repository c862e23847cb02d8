"""Linear systems in rational numbers by Dixon's method: the same as FLINT's, and interruptible."""

import random

import flint
import pytest

from novikoff.exact import lifting as dixon
from novikoff.exact.lifting import solve_exactly


def system(n, bits, seed):
    rng = random.Random(seed)
    table = [[rng.getrandbits(bits) - (1 << (bits - 1)) for _ in range(n)] for _ in range(n)]
    return flint.fmpz_mat(table), [rng.getrandbits(bits) for _ in range(n)]


@pytest.mark.parametrize("bits", [2, 9, 60, 200])
@pytest.mark.parametrize("n", [1, 2, 5, 17])
def test_it_is_the_solution(n, bits, monkeypatch):
    matrix, b = system(n, bits, seed=n)
    if matrix.det() == 0:
        matrix = matrix + flint.fmpz_mat([[int(i == j) for j in range(n)] for i in range(n)])
    expected = matrix.solve(flint.fmpz_mat([[value] for value in b])).entries()
    for at_once in (0, 64):
        monkeypatch.setattr(dixon, "SOLVED_AT_ONCE", at_once)
        numerators, denominator = solve_exactly(matrix, b, lambda: None)
        assert denominator > 0
        assert [flint.fmpq(value, denominator) for value in numerators] == expected


@pytest.mark.parametrize("n", [2, 5, 70])
def test_a_singular_system_has_none(n, monkeypatch):
    monkeypatch.setattr(dixon, "SOLVED_AT_ONCE", 0)
    matrix, b = system(n, 30, seed=3)
    table = matrix.table()
    table[-1] = [x + y for x, y in zip(table[0], table[1 % (n - 1)], strict=True)]
    assert solve_exactly(flint.fmpz_mat(table), b, lambda: None) is None


def test_a_prime_that_divides_the_determinant_is_passed_over(monkeypatch):
    monkeypatch.setattr(dixon, "SOLVED_AT_ONCE", 0)
    prime = next(dixon._primes())
    assert solve_exactly(flint.fmpz_mat([[prime, 0], [0, 2]]), [1, 1], lambda: None) == (
        [2, prime],
        2 * prime,
    )


def test_zero_is_a_solution(monkeypatch):
    monkeypatch.setattr(dixon, "SOLVED_AT_ONCE", 0)
    assert solve_exactly(flint.fmpz_mat([[3, 1], [1, 2]]), [0, 0], lambda: None) == ([0, 0], 1)


def test_it_ends_between_two_digits():
    matrix, b = system(100, 60, seed=1)
    calls = []

    def check():
        calls.append(1)
        if len(calls) == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve_exactly(matrix, b, check)
