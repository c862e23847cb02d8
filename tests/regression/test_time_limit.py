"""A regression with a time limit: what is known by then, and a sentence about the rest."""

import time

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff import detect_separation, diagnose
from novikoff.certificates.models.question import build_rows
from novikoff.core.progress import Deadline, OutOfTime, in_time
from novikoff.errors import OptionError
from novikoff.regression.coefficients import find


def two_empty_cells():
    """Two dummies that only one class has, beside numbers that tell nothing."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(0, 2, 300)
    X[:, 2], X[:, 3] = y * (rng.random(300) < 0.1), y * (rng.random(300) < 0.1)
    return X, y


def test_nothing_is_claimed_when_time_is_over_at_once():
    X, y = two_empty_cells()
    found = detect_separation(X, y, time_limit=0)
    assert found.kind == "undecided"
    assert set(found.coefficients.values()) == {"undecided"}
    assert not found.separated.any()
    assert "the time limit of 0 seconds was reached" in str(found.explain())
    assert diagnose(X, y, time_limit=0).kind == "undecided"
    assert diagnose(X, y, time_limit=float("inf")).kind == "quasi-complete"


def test_the_kind_is_kept_when_time_is_over_before_the_coefficients():
    class OverAfterTheVerdict(Deadline):
        def is_over(self):
            return True

        def check(self):
            pass

    X, y = two_empty_cells()
    whole = detect_separation(X, y)
    regression = whole.regression
    question = build_rows(regression.model, regression.X, regression.outcome)
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


@pytest.mark.parametrize("limit", [-1, float("nan"), "soon"])
def test_a_limit_that_is_none(limit):
    X, y = two_empty_cells()
    with pytest.raises(OptionError, match="time_limit"):
        detect_separation(X, y, time_limit=limit)


def matched():
    """10,000 sets of a case and four controls, and conditions that one in a thousand has."""
    rng = np.random.default_rng(0)
    y, n = np.tile([1, 0, 0, 0, 0], 10_000), 50_000
    X = np.column_stack([rng.normal(size=(n, 3)), rng.random((n, 30)) < 1e-3])
    return {"X": X, "y": y, "strata": np.repeat(np.arange(10_000), 5), "model": "conditional"}


def credit():
    """Five classes by dummies of ten categories."""
    rng = np.random.default_rng(0)
    blocks = [
        np.eye(k)[rng.choice(k, 4000, p=rng.dirichlet(np.ones(k)))][:, 1:]
        for k in (5, 10, 10, 5, 4, 4, 5, 60, 20, 30)
    ]
    return {"X": np.column_stack(blocks), "y": rng.integers(0, 5, 4000), "model": "multinomial"}


def gravity():
    """Exporters, importers, years: levels of all pairs of them, and an agreement that some have."""
    rng = np.random.default_rng(7)
    years, countries = 20, 60
    e, i, t = (
        a.ravel()
        for a in np.meshgrid(*map(np.arange, (countries, countries, years)), indexing="ij")
    )
    e, i, t = e[e != i], i[e != i], t[e != i]
    sizes, pair = rng.normal(size=(2, countries)), rng.normal(size=(countries, countries)) * 1.5
    agreed = (t >= rng.integers(0, 25, (countries, countries))[e, i]) * 1.0
    y = rng.poisson(np.exp(sizes[0, e] + sizes[1, i] + pair[e, i] - 1 + 0.3 * agreed))
    codes = [
        np.unique(code, return_inverse=True)[1]
        for code in (e * years + t, i * years + t, e * countries + i)
    ]
    dummies = [sp.csr_array((np.ones(len(y)), (np.arange(len(y)), code))) for code in codes]
    return {"X": sp.csr_array(sp.hstack([*dummies, agreed[:, None]])), "y": y, "model": "poisson"}


@pytest.mark.parametrize("data", [matched, credit, gravity])
def test_the_limit_holds_within_a_second(data):
    """Each takes long deep down in exact arithmetic. Seconds of the processor: load adds none."""
    given, took = data(), []
    for _ in range(4):  # loops are compiled when they are first met
        begin = time.process_time()
        found = detect_separation(**given, time_limit=0.5)
        took.append(time.process_time() - begin)
        assert "undecided" in {found.kind, *found.coefficients.values()}
        if took[-1] < 1.5:
            break
    assert min(took) < 1.5


def test_time_rules_loops_deep_down_and_no_others():
    def slow():
        for _ in in_time(range(10**9)):
            time.sleep(1e-3)

    deadline = Deadline(0.02)
    with deadline.enforced():
        with pytest.raises(OutOfTime):
            slow()
        with Deadline().enforced():
            assert list(in_time([1, 2])) == [1, 2]
        with pytest.raises(OutOfTime):
            list(in_time([1]))
    assert list(in_time([1, 2])) == [1, 2]
