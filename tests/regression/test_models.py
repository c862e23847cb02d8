"""Every model against enumeration and against its own likelihood, on random small data."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from statsmodels.tools.sm_exceptions import ConvergenceWarning
from tests.regression import plain
from tests.regression.random_data import MODELS, MORE, random_data

import novikoff

SEEDS = range(15)


def asked(model, X, data):
    without = ("conditional", "cox", "ordinal", "adjacent-category", "continuation-ratio")
    options = {} if model in without else {"fit_intercept": True}
    return novikoff.detect_separation(X, model=model, **data, **options)


@pytest.mark.parametrize("model", [*MODELS, *MORE])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_answer_is_that_of_enumeration(model, seed):
    X, data = random_data(model, seed)
    A = plain.rows(model, X.tolist(), data)
    kind, moved, estimates = plain.answer([row for row, _ in A])
    found = asked(model, X, data)
    assert found.kind == kind
    assert list(found.coefficients.values()) == estimates
    speaking = [rows for (_, rows), off in zip(A, moved, strict=True) if off]
    if model == "cox":
        expected = cox_separated(X, data, A, moved)
    elif model == "conditional":
        resting = {i for (_, rows), off in zip(A, moved, strict=True) if not off for i in rows}
        expected = {i for rows in speaking for i in rows} - resting
    else:
        expected = {i for rows in speaking for i in rows}
    assert set(np.flatnonzero(found.separated).tolist()) == expected
    assert novikoff.verify(found.certificate(), X, **data).valid


def test_multiples_of_long_numbers_are_not_rounded():
    x, y = np.array([[1], [1], [1], [3], [1], [1]]), np.array([0, 1, 2, 3, 3, 3])
    for far in (0, 2.0**52):  # a constant that the thresholds take up
        found = novikoff.detect_separation(x + far, y, model="adjacent-category")
        assert found.kind == "quasi-complete"
        assert novikoff.verify(found.certificate(), x + far, y)


def cox_separated(X, data, A, moved):
    """Behind somebody's event, or ahead of everybody at risk at one's own."""
    pairs = []
    for i in range(len(X)):
        if data["event"][i]:
            pairs += [(i, j) for j in plain.at_risk(data, i) if j != i]
    return behind_or_ahead(dict(zip(pairs, moved, strict=True)))


def behind_or_ahead(off):
    behind = {j for (_, j), is_off in off.items() if is_off}
    ahead = {i for i, _ in off} - {i for (i, _), is_off in off.items() if not is_off}
    return behind | ahead


@pytest.mark.parametrize("seed", SEEDS)
def test_with_exact_ties_events_at_one_time_are_not_compared(seed):
    X, data = random_data("cox", seed)
    data["time"] = [5 if i == 1 else min(t, 3) for i, t in enumerate(data["time"])]  # many tied
    data["entry"] = np.minimum(data["entry"], np.array(data["time"]) - 1).tolist()
    event, time = data["event"], data["time"]
    pairs = [
        (i, j)
        for i in np.flatnonzero(event).tolist()
        for j in plain.at_risk(data, i)
        if not (event[j] and time[j] == time[i])
    ]
    kind, moved, estimates = plain.answer(
        [plain.difference(X[i].tolist(), X[j].tolist()) for i, j in pairs]
    )
    found = novikoff.detect_separation(X, model="cox", ties="exact", **data)
    assert (found.kind, list(found.coefficients.values())) == (kind, estimates)
    off = dict(zip(pairs, moved, strict=True))
    assert set(np.flatnonzero(found.separated).tolist()) == behind_or_ahead(off)


def test_a_tied_event_is_not_behind_another():
    parts = {"time": [1, 1, 2], "event": [1, 1, 0], "ties": "exact"}
    found = novikoff.detect_separation([[2], [1], [1]], model="cox", **parts)
    assert found.separated.tolist() == [True, False, True]


@pytest.mark.parametrize("model", [*MODELS, *MORE])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_likelihood_rises_along_every_direction(model, seed):
    X, data = random_data(model, seed)
    found = asked(model, X, data)
    names = list(found.coefficients)
    rng = np.random.default_rng(seed)
    start = rng.normal(size=len(names)) / 4
    if model == "ordinal":
        start[:2] = [-1, 1]
    if model == "log-binomial":
        start[0] = -9  # probabilities are below 1
    assert (found.directions == ()) == (found.kind == "none")
    for direction in found.directions:
        step = np.array([float(direction.get(name, 0)) for name in names])
        step /= np.abs(step).max()
        values = [
            plain.log_likelihood(model, X.tolist(), data, (start + t * step).tolist())
            for t in (0.0, 1.0, 2.0, 4.0)
        ]
        assert all(before < after for before, after in pairwise(values))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_limit_has_the_supremum_of_the_likelihood(model, seed):
    """With no separation this is a Newton fit that converges to a maximum."""
    X, data = random_data(model, seed)
    found = asked(model, X, data)
    limit = found.limit()
    names = list(found.coefficients)
    if not limit.columns:
        assert all(e != "finite" for e in found.coefficients.values())
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.filterwarnings("error", category=ConvergenceWarning)
        fit = limit.fit()
    beta = np.zeros(len(names))
    beta[limit.places] = np.asarray(fit.result.params)
    far = beta.copy()
    if found.directions:
        step = np.array([float(found.directions[0].get(name, 0)) for name in names])
        scores = np.array(
            [[float(v) for v in row] for row, _ in plain.rows(model, X.tolist(), data)]
        )
        moved = scores @ step
        far = beta + step * (60 + np.abs(scores @ beta).max()) / moved[moved > 1e-9].min()
    best = plain.log_likelihood(model, X.tolist(), data, far.tolist())
    rng = np.random.default_rng(seed)
    for _ in range(20):
        other = far + rng.normal(size=len(names)) * 0.3
        if model == "ordinal" and other[0] >= other[1]:
            continue
        assert plain.log_likelihood(model, X.tolist(), data, other.tolist()) <= best + 1e-6
    slope, curvature = plain.derivatives(model, X.tolist(), data, far.tolist(), limit.places)
    covariance = -np.linalg.inv(curvature)
    assert slope @ covariance @ slope < 1e-8  # how far the maximum is above, times 2
    finite = [name for name, e in found.coefficients.items() if e == "finite"]
    errors = dict(zip(limit.columns, np.sqrt(np.diag(covariance)), strict=True))
    for name in finite:
        assert fit.standard_errors[name] == pytest.approx(errors[name], rel=1e-3)
    assert set(finite) <= set(limit.columns)
    assert all(np.isfinite(fit.coefficients[name]) for name in finite)
    assert all(np.isfinite(fit.standard_errors[name]) for name in finite)
