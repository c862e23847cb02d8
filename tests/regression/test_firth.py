"""Firth's fit: what was published, and the pasted lines against the one call."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff
from novikoff.errors import DataError, OptionError
from novikoff.regression.firth import firth_table

CASES = Path(__file__).parents[1] / "cases" / "separation"


def test_what_heinze_and_schemper_published():
    table = pd.read_csv(CASES / "endometrial.csv")
    found = novikoff.detect_separation("HG ~ NV + PI + EH", table)
    rows = {row.name: row for row in firth_table(found, found.firth())}
    published = {"NV": (2.93, 0.61, 7.85), "PI": (-0.03, -0.12, 0.04), "EH": (-2.60, -4.37, -1.23)}
    for name, numbers in published.items():
        row = rows[name]
        assert (row.estimate, row.lower, row.upper) == pytest.approx(numbers, abs=0.006)
    assert list(rows) == ["(intercept)", "NV", "PI", "EH"]


def frame(n=40):
    rng = np.random.default_rng(4)
    x = pd.DataFrame({"a": rng.integers(0, 3, n) * 1.0, "b": rng.integers(-4, 5, n) / 2})
    return x.assign(c=x.a + 2 * x.b), rng  # c is aliased


def logit(rng, n):
    return {"y": pd.Series(rng.integers(0, 2, n))}


def binomial(rng, n):
    trials = pd.Series(rng.integers(1, 5, n))
    return {"y": pd.Series(rng.integers(0, trials + 1)), "trials": trials}


def cox(rng, n):
    return {"time": pd.Series(rng.integers(1, 9, n)), "event": pd.Series(rng.random(n) < 0.6)}


@pytest.mark.parametrize("extra", [(), ("weights",), ("offset",), ("weights", "offset")], ids=str)
@pytest.mark.parametrize("outcome", [logit, binomial, cox])
def test_the_lines_to_paste_do_what_the_call_does(outcome, extra):
    X, rng = frame()
    data = outcome(rng, len(X))
    if "weights" in extra:
        data["weights"] = pd.Series(rng.integers(0, 3, len(X)))
    if "offset" in extra:
        data["offset"] = pd.Series(rng.normal(size=len(X)))
    found = novikoff.detect_separation(X, model=outcome.__name__, **data)
    if outcome is cox and "offset" in extra:
        for refused in (found.firth, found.firth_code):
            with pytest.raises(OptionError, match="offset"):
                refused()
        return
    ours = found.firth(max_iter=100)
    names = {"successes": data.get("y"), "X": X} | data
    lines = found.firth_code().replace("print", "shown = ")
    exec(lines, names)
    theirs = names["fit"]
    assert ours.coef_ == pytest.approx(theirs.coef_, abs=1e-6)
    assert list(ours.feature_names_in_) == list(theirs.feature_names_in_) == ["a", "b"]
    if outcome is not cox:
        assert float(ours.intercept_) == pytest.approx(float(theirs.intercept_), abs=1e-6)


def test_what_it_cannot_fit_is_an_error_of_ours():
    x = np.arange(1, 41) / 10
    found = novikoff.detect_separation(np.column_stack([x, 3 * x]), np.arange(40) % 2)
    assert found.coefficients["x1"] == "finite"  # 3x is rounded, so that it is no multiple of x
    with pytest.raises(DataError, match="rank deficient"):
        found.firth()


def test_a_binomial_fit_is_the_fit_of_its_single_trials():
    X, rng = frame()
    data = binomial(rng, len(X))
    grouped = novikoff.detect_separation(X[["a", "b"]], model="binomial", **data).firth()
    y = np.concatenate([[1] * s + [0] * (t - s) for s, t in zip(*data.values(), strict=True)])
    single = novikoff.detect_separation(X[["a", "b"]].loc[X.index.repeat(data["trials"])], y)
    assert grouped.coef_ == pytest.approx(single.firth().coef_, abs=1e-6)


def test_without_events_at_one_time_all_ways_with_ties_are_the_same():
    X = [[4.0, 1.0], [3.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 0.0]]
    data = {"model": "cox", "time": [1, 2, 3, 3, 4], "event": [1, 1, 0, 1, 1]}
    fits = [
        novikoff.detect_separation(X, **data, ties=ties).firth()
        for ties in ("breslow", "efron", "exact")
    ]
    assert all(np.array_equal(fit.coef_, fits[0].coef_) for fit in fits)
    for more in ({"time": [1, 1, 3, 3, 4]}, {"weights": [2, 1, 1, 1, 1]}):
        with pytest.raises(OptionError, match="'efron'"):
            novikoff.detect_separation(X, **(data | more), ties="efron").firth()


@pytest.mark.parametrize(
    ("model", "data", "named"),
    [
        ("probit", {"y": [0, 0, 1, 1]}, "'probit'"),
        ("cloglog", {"y": [0, 0, 1, 1]}, "'cloglog'"),
        ("poisson", {"y": [0, 0, 1, 1]}, "'poisson'"),
        ("negative-binomial", {"y": [0, 0, 1, 1]}, "'negative-binomial'"),
        ("multinomial", {"y": [0, 1, 2, 1]}, "'multinomial'"),
        ("ordinal", {"y": [0, 1, 2, 1]}, "'ordinal'"),
        ("conditional", {"y": [0, 1, 0, 1], "strata": [1, 1, 2, 2]}, "'conditional'"),
        ("cox", {"time": [1, 2, 3, 4], "entry": [0, 0, 1, 1]}, "late entry"),
        ("cox", {"time": [1, 2, 3, 4], "strata": [1, 1, 2, 2]}, "strata"),
        ("cox", {"time": [1, 2, 2, 4], "ties": "efron"}, "'efron'"),
        ("cox", {"time": [1, 2, 3, 4], "weights": [1, 0.5, 1, 1]}, "weights"),
    ],
)
def test_what_firthmodels_does_not_fit_is_refused_by_name(model, data, named):
    found = novikoff.detect_separation([[4.0], [3.0], [2.0], [1.0]], model=model, **data)
    for refused in (found.firth, found.firth_code):
        with pytest.raises(OptionError, match=named):
            refused()
    assert not any("firth" in step for step in found.explain().advice)
