"""Conditional regressions of large strata: the answers of their pairs, from their rows."""

import numpy as np
import pytest

import novikoff
from novikoff.errors import DataError
from novikoff.regression import detect


@pytest.mark.parametrize("seed", range(40))
def test_the_rows_answer_as_the_pairs_do(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 40))
    X = rng.integers(-2, 3, (n, 3)).astype(float)
    X[:, 2] *= rng.random(n) if seed % 3 else rng.random(n) < 0.2
    y, strata = rng.integers(0, 2, n), rng.integers(0, 1 + seed % 3, n)
    y[X[:, 0] == 2] = seed % 2
    y[:2], strata[:2] = (0, 1), 0
    asked = {"model": "conditional", "strata": strata}
    monkeypatch.setattr("novikoff.regression.strata.PAIRS_A_ROW", 0)
    found = novikoff.detect_separation(X, y, **asked)
    monkeypatch.setattr(detect, "find_by_strata", lambda *_: None)
    plain = novikoff.detect_separation(X, y, **asked)
    assert found.kind == plain.kind
    assert found.coefficients == plain.coefficients
    assert found.separated.tolist() == plain.separated.tolist()
    assert (found.finding.on_plane == np.sort(plain.finding.on_plane)).all()
    assert found.limit().columns == plain.limit().columns
    assert novikoff.verify(found.certificate(), X, y, strata=strata).valid


def test_too_many_pairs_are_refused_before_memory_is_taken():
    """10,000 cases and 30,000 controls have 300 million pairs."""
    y = np.arange(40_000) % 4 == 0
    with pytest.raises(DataError, match="have 300,000,000 pairs"):
        novikoff.detect_separation(np.ones((40_000, 1)), y, model="conditional", strata=0 * y)


def test_a_logit_of_the_strata_with_both_outcomes_separates_the_same_rows():
    """What the error about too many pairs advises."""
    separated = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-2, 3, (10, 2)).astype(float), rng.integers(0, 2, 10)
        strata = rng.integers(0, 3, 10)
        y[:2], strata[:2] = (0, 1), 0
        both = np.isin(strata, np.intersect1d(strata[y == 0], strata[y == 1]))
        asked = {"model": "conditional", "strata": strata}
        found = novikoff.detect_separation(X, y, **asked).separated
        columns = strata[:, None] == np.unique(strata[both])
        design = np.hstack([X, columns])[both]
        alike = novikoff.detect_separation(design, y[both], fit_intercept=False).separated
        assert (found[both] == alike).all()
        assert not found[~both].any()
        separated += found.any()
    assert separated > 5
