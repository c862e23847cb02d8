"""Tables of answers and fits: against statsmodels, and likelihood ratios against plain NumPy."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy import stats
from scipy.optimize import minimize
from scipy.special import expit
from scipy.stats import chi2
from tests.regression.test_limit_fits import ALL, LEVELS, REST, SLOPES, X

from novikoff import detect_separation
from novikoff.errors import OptionError


def found(y="y", model="logit", **options):
    return detect_separation([*SLOPES, "c"], y, data=ALL, model=model, **options)


def test_what_is_finite_is_what_statsmodels_says_of_the_other_rows():
    fit = found().limit().fit()
    theirs = sm.GLM(REST.y, X, family=sm.families.Binomial()).fit()
    names = {"(intercept)": "const", "x": "x", "b": "b"}
    for ours, name in names.items():
        assert fit.params[ours] == pytest.approx(theirs.params[name], rel=1e-6)
        assert fit.bse[ours] == pytest.approx(theirs.bse[name], rel=1e-6)
        assert fit.pvalues[ours] == pytest.approx(theirs.pvalues[name], rel=1e-5)
        for alpha in (0.05, 0.2):
            interval = fit.conf_int(alpha).loc[ours].tolist()
            assert interval == pytest.approx(theirs.conf_int(alpha).loc[name].tolist(), rel=1e-6)
    assert fit.params["c"] == -np.inf
    assert list(fit.params.index) == list(fit.conf_int().index) == list(found().coefficients)


TABLE = ALL.assign(n=np.random.default_rng(2).negative_binomial(2, 0.4, len(ALL)) * (1 - ALL.c))
CLASS = TABLE["class"].map(LEVELS.index).to_numpy()
BY_TIME = np.argsort(-TABLE.t.to_numpy())
EVENT = TABLE.e.to_numpy()[BY_TIME] == 1
STRATA = [  # the rows of the cases, and all choices of as many
    (rows[y == 1], np.array(list(combinations(rows, int(y.sum())))))
    for rows, y in ((group.index.to_numpy(), group.y) for _, group in TABLE.groupby("s"))
]


# Log-likelihoods at the scores of the rows, and at parameters that are no slopes.


def logit(score, a):
    return -np.logaddexp(0, np.where(TABLE.y == 1, -1, 1) * (score + a)).sum()


def poisson(score, a):
    return stats.poisson.logpmf(TABLE.k, np.exp(score + a)).sum()


def negative_binomial(score, a, log_r):
    r = np.exp(log_r)
    return stats.nbinom.logpmf(TABLE.n, r, r / (r + np.exp(score + a))).sum()


def ordinal(score, low, log_step):
    ends = np.array([-np.inf, low, low + np.exp(log_step), np.inf])
    return np.log(expit(ends[CLASS + 1] - score) - expit(ends[CLASS] - score)).sum()


def cox(score):
    at_risk = np.logaddexp.accumulate(score[BY_TIME])  # no two have the same time
    return (score[BY_TIME] - at_risk)[EVENT].sum()


def conditional(score):
    return sum(
        score[cases].sum() - np.logaddexp.reduce(score[choices].sum(axis=1))
        for cases, choices in STRATA
    )


# For each model its log-likelihood, how many parameters are no slopes, and its outcome.
LIKELIHOODS = {
    "logit": (logit, 1, {"y": "y"}),
    "poisson": (poisson, 1, {"y": "k"}),
    "negative-binomial": (negative_binomial, 2, {"y": "n"}),
    "ordinal": (ordinal, 2, {"y": "class", "levels": LEVELS}),
    "cox": (cox, 0, {"time": "t", "event": "e"}),
    "conditional": (conditional, 0, {"y": "y", "strata": "s"}),
}


def profile(model, b):
    """The greatest log-likelihood with the coefficient of c at b."""
    log_likelihood, more, _ = LIKELIHOODS[model]
    shift, slopes = b * TABLE.c.to_numpy() + TABLE.o.to_numpy(), TABLE[SLOPES].to_numpy()

    def loss(beta):
        return -log_likelihood(slopes @ beta[:2] + shift, *beta[2:])

    return -minimize(loss, np.zeros(2 + more), options={"gtol": 1e-4}).fun


@pytest.mark.parametrize("model", LIKELIHOODS)
def test_the_interval_of_an_infinite_coefficient_is_what_the_ratio_does_not_reject(model):
    options = {"data": TABLE, "model": model, "offset": "o", **LIKELIHOODS[model][2]}
    fit = detect_separation([*SLOPES, "c"], **options).limit().fit()
    supremum = profile(model, -30.0)
    lower, upper = fit.conf_int(0.1).loc["c"]
    assert lower == -np.inf
    assert 2 * (supremum - profile(model, upper)) == pytest.approx(chi2.isf(0.1, 1), rel=1e-4)
    p = chi2.sf(2 * (supremum - profile(model, 0.0)), 1)
    assert fit.pvalues["c"] == pytest.approx(p, rel=1e-3)


def test_a_single_column_against_its_likelihood_written_out():
    """Two rows of score a + b, two of score a."""
    y, x = [1, 1, 0, 1], [1.0, 1.0, 0.0, 0.0]
    fit = detect_separation(np.array(x)[:, None], y, names=["x"]).limit().fit()
    lower, upper = fit.conf_int().loc["x"]
    assert upper == np.inf

    def ratio(b):  # the intercept is profiled on a fine grid
        a = np.linspace(-12, 12, 200_001)
        best = (-2 * np.logaddexp(0, -a - b) - np.logaddexp(0, a) - np.logaddexp(0, -a)).max()
        return 2 * (-2 * np.log(2) - best)

    assert ratio(lower) == pytest.approx(chi2.isf(0.05, 1), abs=1e-4)


def test_a_second_infinite_coefficient_is_at_its_limit_while_the_first_is_profiled():
    frame = pd.DataFrame({"y": [0, 0, 1, 0, 1, 1, 0, 0], "g": list("aabbbbcc")})
    fit = detect_separation("y ~ g", frame).limit().fit()
    infinite = [name for name in fit.params.index if np.isinf(fit.params[name])]
    assert len(infinite) >= 2
    intervals = fit.conf_int()
    for name in infinite:
        low, high = intervals.loc[name]
        assert (low == -np.inf) != (high == np.inf)


def test_a_profile_on_which_newtons_method_runs_away():
    """statsmodels' fit of this Cox model is NaN where c is held at 2."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({"x": rng.normal(size=16), "c": rng.integers(0, 2, 16) * 1.0})
    frame["t"] = np.arange(16) + 1.0
    frame["e"] = ((frame.x + rng.normal(size=16) > 0) & (frame.c == 0)).astype(int)
    asked = {"data": frame, "model": "cox", "time": "t", "event": "e"}
    fit = detect_separation(["x", "c"], **asked).limit().fit()
    assert fit.conf_int().loc["c"].tolist() == pytest.approx([-np.inf, 1.287457], abs=1e-5)


def test_multinomial_models_have_no_interval_for_what_is_infinite():
    fit = found("class", "multinomial").limit().fit()
    infinite = np.isinf(fit.params)
    assert infinite.any()
    assert fit.conf_int()[infinite].isna().all(axis=None)
    assert np.isnan(fit.pvalues[infinite]).all()
    assert np.isfinite(fit.conf_int()[np.isfinite(fit.params)]).all(axis=None)


def test_an_impossible_level_is_refused():
    with pytest.raises(OptionError, match="alpha"):
        found().limit().fit().conf_int(1.5)


def test_tables_as_text_html_and_latex():
    fit = found().limit().fit()
    text = fit.summary().as_text()
    assert next(x for x in text.splitlines() if x.startswith("c ")).split()[1] == "−∞"
    assert "<td>c</td><td>−∞</td>" in fit.summary().as_html()
    latex = fit.summary().as_latex()
    assert r"$-$$\infty$" in latex
    body = [line for line in latex.splitlines() if line.endswith(r"\\")]
    assert {line.count(" & ") for line in body} == {5}
    names = detect_separation([[0.0], [1.0]], [0, 1], names=["a_b & <c>"]).summary()
    assert "a_b &amp; &lt;c&gt;" in names.as_html()
    assert r"a\_b \& $<$c$>$" in names.as_latex()


def test_latex_takes_a_name_in_brackets_and_writes_a_minus():
    names = detect_separation([[0.0], [1.0]], [0, 1], names=["[a-b]"]).summary()
    assert "\n{[}a-b] & " in names.as_latex()  # after the end of a line "[" opens an argument
    latex = found().limit().fit().summary().as_latex()
    cells = [line for line in latex.splitlines() if line.endswith(r"\\")][1:]
    assert not any("-" in line.replace("$-$", "") for line in cells)
    assert sum("$-$" in line for line in cells) > 1


def test_answers_as_a_frame_and_a_table():
    answer = found()
    frame = answer.to_frame()
    assert frame.estimate.to_dict() == {n: str(e) for n, e in answer.coefficients.items()}
    assert frame.direction["c"] < 0
    assert frame.direction["x"] == 0
    assert "separated:" in answer.summary().as_text()
    fine = detect_separation([[0.0], [1.0], [0.5]], [0, 1, 1]).to_frame()
    assert (fine.direction != 0).any()


def test_firth_has_profile_intervals():
    pytest.importorskip("firthmodels")
    table = found().firth_summary()
    fitted = found().firth()
    row = next(row for row in table.rows if row[0] == "c")
    place = [*SLOPES, "c"].index("c")
    expected = [fitted.coef_[place], *fitted.conf_int(method="pl")[place]]
    assert [float(cell) for cell in row[1:4]] == pytest.approx(expected, rel=1e-4)
