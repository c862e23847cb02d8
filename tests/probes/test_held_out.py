"""Averaged perceptrons in blocks against the textbook's, and what is measured on held-out rows."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score
from tests.oracles import averaged

import novikoff
from novikoff.core.progress import Deadline
from novikoff.probes import held_out as module
from novikoff.probes.devices import CPU
from novikoff.probes.held_out import averaged_perceptrons, held_out_scores, split


@pytest.mark.parametrize("n", [5, 64, 65, 150])
def test_blocks_make_the_updates_of_the_textbook(n, monkeypatch):
    # Small integers, so that nothing is rounded: the averages are equal, not nearly.
    monkeypatch.setattr(module, "EPOCHS", 3)
    rng = np.random.default_rng(n)
    X = rng.integers(-3, 4, (n, 3)).astype(np.float32)
    Y = rng.choice([-1, 1], (n, 4)).astype(np.int8)
    as_they_are = np.zeros(3), np.ones(3)
    w, b = averaged_perceptrons(X, Y, np.arange(n), as_they_are, CPU, Deadline())
    for j in range(4):
        expected = averaged(X.astype(int).tolist(), Y[:, j].tolist(), epochs=3, number=Fraction)
        found = [*w[:, j].tolist(), float(b[j])]
        np.testing.assert_allclose(found, [float(value) for value in expected], rtol=1e-14)


def test_the_area_under_the_curve_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 5, (40, 3)).astype(float)  # with ties
    positive = rng.random((40, 3)) < 0.4
    areas = module._areas(scores, positive)
    for j in range(3):
        assert areas[j] == pytest.approx(roc_auc_score(positive[:, j], scores[:, j]))
    assert np.isnan(module._areas(scores, np.zeros((40, 3), bool))).all()


def test_what_is_linear_generalises_and_what_is_random_does_not():
    rng = np.random.default_rng(0)
    X = (rng.standard_normal((600, 10)) * 50 + 300).astype(np.float16)
    Y = np.column_stack([np.sign(X[:, 0].astype(float) - 300.01), rng.choice([-1, 1], 600)])
    found = held_out_scores(X, Y.astype(np.int8), split(600, None, 0.25, rng), CPU, Deadline())
    assert found.accuracy[0] > 0.95
    assert found.auc[0] > 0.98
    assert 0.35 < found.accuracy[1] < 0.65


def test_a_column_that_does_not_vary_does_no_harm():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.standard_normal(50), np.full(50, 3.0)])
    Y = np.sign(X[:, :1]).astype(np.int8)
    found = held_out_scores(X, Y, split(50, None, 0.5, rng), CPU, Deadline())
    assert found.accuracy[0] > 0.8


@pytest.mark.parametrize("share", [0.1, 0.25, 0.9])
def test_groups_are_held_out_as_a_whole(share):
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 12, 300)
    train, test = split(300, groups, share, rng)
    assert not set(groups[train]) & set(groups[test])
    assert sorted([*train, *test]) == list(range(300))
    assert len(set(groups[test])) == max(1, round(share * 12))


@pytest.mark.parametrize("share", [0, 1, 1.5, -0.1, True, "half"])
def test_a_share_that_is_none_is_refused(share):
    with pytest.raises(novikoff.NovikoffError, match="test must be a share"):
        split(10, None, share, np.random.default_rng(0))


def test_one_row_cannot_be_split():
    with pytest.raises(novikoff.NovikoffError, match="cannot be split"):
        split(1, None, 0.5, np.random.default_rng(0))
