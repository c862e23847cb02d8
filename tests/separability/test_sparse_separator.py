"""Large sparse data: a separator by Newton's method, or what the other searches say."""

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff
from novikoff.separability import stages

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def planted():
    rng = np.random.default_rng(0)
    X = sp.random_array((12_000, 300), density=0.3, rng=rng, format="csr")
    return X, np.where(X @ rng.standard_normal(300) > 0, 1, -1)


def test_a_separator_is_found_without_the_nearest_points(planted, monkeypatch):
    monkeypatch.setattr(stages.Decision, "_by_nearest_points", lambda _: None)
    monkeypatch.setattr(stages.Decision, "_by_perceptron", lambda _: None)
    monkeypatch.setattr(stages.Decision, "_by_face", lambda _: None)
    verdict = novikoff.separate(*planted, time_limit=60)
    assert verdict.word == "separable"
    assert novikoff.verify(verdict.certificate(), *planted)


def test_the_margin_is_still_known_when_it_is_asked_for(planted):
    verdict = novikoff.separate(*planted, time_limit=60)
    scores = (planted[0] @ verdict.weights + verdict.intercept) * planted[1]
    assert verdict.margin.lower > 0
    assert verdict.margin.upper >= scores.min() / np.linalg.norm(verdict.weights)


def test_labels_turned_round_are_left_to_the_other_searches(planted):
    X, y = planted[0], planted[1].copy()
    y[:1000] *= -1
    verdict = novikoff.separate(X, y)
    assert verdict.word == "overlapping"
    assert novikoff.verify(verdict.certificate(), X, y)
