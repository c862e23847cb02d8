"""A few rows of very many columns: every verdict in a second or so, and its certificate."""

import subprocess
import sys

import numpy as np
import pytest
from tests import oracles

import novikoff
from novikoff import sparse as sp
from novikoff.certificates import wide
from novikoff.decision import MOST_GRAM

D = MOST_GRAM + 1000


def wide_cases():
    """Rows, labels, verdicts with an intercept and without."""
    X = np.random.default_rng(0).integers(-(2**20), 2**20, (4, D)) / 1024
    y = np.array([1, -1, 1, -1])
    repeated = np.tile(X[:, :10], (1, D // 10))
    extreme = X[[0, 0, 2, 3]].copy()
    extreme[:, 0] *= 2.0**900
    extreme[:, 1] *= 2.0**-900
    extreme[2, 2] = 5e-324
    return {
        "separable": (X, y, "separable", "separable"),
        "one pair": (X[[0, 0, 2, 3]], y, "touching", "touching"),
        "one pair, columns repeated": (repeated[[0, 0, 2, 3]], y, "touching", "touching"),
        "one pair, extreme": (extreme, y, "touching", "touching"),
        "two pairs": (X[[0, 0, 2, 2]], y, "overlapping", "overlapping"),
        "pairs more than once": (X[[0, 0, 0, 0]], y, "overlapping", "overlapping"),
        "all alike": (np.ones((4, D)), y, "overlapping", "overlapping"),
        "a parallelogram": (
            np.array([X[0], X[1], X[1] + X[2] - X[0], X[2]]),
            y,
            *2 * ["overlapping"],
        ),
    }


@pytest.mark.parametrize("name", wide_cases())
@pytest.mark.parametrize("fit_intercept", [True, False])
def test_four_rows_of_thousands_of_columns(name, fit_intercept):
    X, y, *words = wide_cases()[name]
    for data in (X, sp.csr_array(X)):
        verdict = novikoff.separate(data, y, fit_intercept=fit_intercept)
        assert verdict.word == words[0 if fit_intercept else 1]
        answer = novikoff.verify(verdict.certificate(), data, y)
        assert answer.valid, answer.reason


@pytest.mark.parametrize("seed", range(12))
def test_wide_data_has_the_verdict_of_its_columns(seed):
    # Columns that are combinations of the first few change no verdict.
    rng = np.random.default_rng(seed)
    n, few = int(rng.integers(2, 7)), int(rng.integers(1, 4))
    X = rng.integers(-1, 2, (n, few)).astype(float)
    y = rng.permutation([1, -1, *rng.choice([-1, 1], n - 2)])
    wide_X = np.hstack([X, X @ rng.integers(-3, 4, (few, D))])
    expected = oracles.separability(X.astype(int).tolist(), y.tolist())
    verdict = novikoff.separate(wide_X, y)
    assert verdict.word == expected
    assert novikoff.verify(verdict.certificate(), wide_X, y).valid


def test_a_false_rank_is_refused_at_any_width(monkeypatch):
    # Rows 0 and 1 cancel, and do not span rows 2 and 3.
    monkeypatch.setattr(wide, "WIDE", 3)
    X = np.array([[1.0, 2, 3, 4, 5], [1, 2, 3, 4, 5], [0, 1, 0, 0, 0], [5e-324, 0, 0, 1, 0]])
    y = np.array([0, 1, 0, 1])
    for data in (X, sp.csr_array(X)):
        claim = novikoff.Certificate.overlapping(
            novikoff.problem.Problem.of(data, y), rows=[0, 1], alpha=[1, 1]
        )
        answer = novikoff.verify(claim, data, y)
        assert not answer.valid
        assert "do not span" in answer.reason


def test_long_sparse_rows_do_not_damage_the_heap():
    # Memory that is overwritten ends the process, so another one tries.
    script = """
import numpy as np, novikoff
from novikoff import sparse as sp
from novikoff.exact.reading import Reading
from novikoff.exact.sparse_null import sparse_null_space
rng = np.random.default_rng(0)
X = np.zeros((4, 200_000))
for row in X:
    row[rng.permutation(200_000)[:180_000]] = rng.standard_normal(180_000)
sparse_null_space(Reading(sp.csr_array(X), decimals=False), range(4), True)
print(novikoff.separate(sp.csr_array(X), [0, 1, 0, 1]).word)
X[1] = X[0]
print(novikoff.separate(sp.csr_array(X), [0, 1, 0, 1]).word)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["separable", "touching"]
