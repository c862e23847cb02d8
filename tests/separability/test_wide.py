"""A few rows of very many columns: every verdict in a second or so, and its certificate."""

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from tests import oracles

import novikoff
from novikoff.core import sparse as sp
from novikoff.regression import cells as columns
from novikoff.regression.why_not import OverlapProof, why_not
from novikoff.separability import stages as decision
from novikoff.separability.stages import MOST_GRAM

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


@pytest.mark.parametrize("is_sparse", [False, True])
def test_no_gram_matrix_of_columns_is_made_for_four_rows(monkeypatch, is_sparse):
    widths = []

    def proposals(points, A, watch):
        widths.append(A.shape[1])
        return face_proposals(points, A, watch)

    face_proposals = decision.face_proposals
    monkeypatch.setattr(decision, "face_proposals", proposals)
    for name, (X, y, word, _) in wide_cases().items():
        data = sp.csr_array(X[:, :600]) if is_sparse else X[:, :600]
        assert novikoff.separate(data, y).word == word, name
    assert max(widths, default=0) <= 5


def test_a_page_of_reasons_is_made_in_passes_over_all_columns(monkeypatch):
    passes = []

    def counted(X):
        passes.append(X.shape)
        return row_blocks(X)

    row_blocks = columns.row_blocks
    monkeypatch.setattr(columns, "row_blocks", counted)
    X, y, *_ = wide_cases()["one pair"]
    for data in (X, sp.csr_array(X)):
        passes.clear()
        verdict = novikoff.separate(data, y)
        assert len(verdict.explain().single_columns) > 100
        assert len(passes) <= 3


def test_why_not_reads_the_columns_that_it_names():
    X, y, *_ = wide_cases()["two pairs"]
    wide, narrow = why_not(X, y), why_not(X[:, :9], y)
    assert wide.sentences[0] == narrow.sentences[0]
    proof = OverlapProof.of(wide.verdict, dict.fromkeys((0, 1), Fraction(1)))
    assert {len(point) for point in proof.points.values()} == {9}


def test_a_false_rank_is_refused_at_any_width():
    # Rows 0 and 1 cancel, and do not span rows 2 and 3.
    X = np.array([[1.0, 2, 3, 4, 5], [1, 2, 3, 4, 5], [0, 1, 0, 0, 0], [5e-324, 0, 0, 1, 0]])
    y = np.array([0, 1, 0, 1])
    for data in (X, sp.csr_array(X)):
        claim = novikoff.Certificate.overlapping(
            novikoff.matrix.problem.Problem.of(data, y), rows=[0, 1], alpha=[1, 1]
        )
        answer = novikoff.verify(claim, data, y)
        assert not answer.valid
        assert "do not span" in answer.reason


def test_long_sparse_rows_do_not_damage_the_heap():
    # Memory that is overwritten ends the process, so another one tries.
    script = """
import numpy as np, novikoff
from novikoff.core import sparse as sp
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.sparse_elimination import sparse_null_space
rng = np.random.default_rng(0)
X = np.zeros((4, 200_000))
for row in X:
    row[rng.permutation(200_000)[:180_000]] = rng.standard_normal(180_000)
sparse_null_space(ExactMatrix(sp.csr_array(X), decimals=False), range(4), True)
print(novikoff.separate(sp.csr_array(X), [0, 1, 0, 1]).word)
X[1] = X[0]
print(novikoff.separate(sp.csr_array(X), [0, 1, 0, 1]).word)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["separable", "touching"]
