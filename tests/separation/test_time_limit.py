"""A regression with a time limit: what is known by then, and a sentence about the rest."""

import numpy as np
import pytest

from novikoff import detect_separation, diagnose
from novikoff.errors import OptionError
from novikoff.progress import Watch
from novikoff.regressions.question import ask
from novikoff.separation.coefficients import find


def two_empty_cells():
    """Two dummies that only one class has, beside numbers that tell nothing."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    X[:, 2], X[:, 3] = y * (rng.random(300) < 0.1), y * (rng.random(300) < 0.1)
    return X, y


def test_nothing_is_claimed_when_time_is_over_at_once():
    X, y = two_empty_cells()
    found = detect_separation(X, y, time_limit=1e-9)
    assert found.kind == "undecided"
    assert set(found.coefficients.values()) == {"undecided"}
    assert not found.separated.any()
    assert "the time limit of 1e-09 seconds was reached" in str(found.explain())
    assert diagnose(X, y, time_limit=1e-9).kind == "undecided"
    assert diagnose(X, y, time_limit=60).kind == "quasi-complete"


def test_the_kind_is_kept_when_time_is_over_before_the_coefficients():
    class OverAfterTheVerdict(Watch):
        def is_over(self):
            return True

        def check(self):
            pass

    X, y = two_empty_cells()
    whole = detect_separation(X, y)
    regression = whole.regression
    question = ask(regression.model, regression.X, regression.outcome)
    found = find(question, OverAfterTheVerdict())
    assert found.word == "touching"
    estimates = dict(zip(question.names, found.estimates, strict=True))
    assert estimates.pop("x2") == estimates.pop("x3") == "undecided"
    assert estimates == {n: e for n, e in whole.coefficients.items() if n not in ("x2", "x3")}


def test_progress_is_shown(capsys, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    X, y = two_empty_cells()
    detect_separation(X, y, progress=True)
    assert "coefficient" in capsys.readouterr().err


@pytest.mark.parametrize("limit", [0, -1, float("nan"), "soon"])
def test_a_limit_that_is_none(limit):
    X, y = two_empty_cells()
    with pytest.raises(OptionError, match="time_limit"):
        detect_separation(X, y, time_limit=limit)
