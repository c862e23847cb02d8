"""Real models of statsmodels and scikit-learn, fitted and not, and what they say themselves."""

import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy.stats import gumbel_l
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.pipeline import make_pipeline
from statsmodels.discrete.conditional_models import (
    ConditionalLogit,
    ConditionalMNLogit,
    ConditionalPoisson,
)
from statsmodels.discrete.truncated_model import HurdleCountModel, TruncatedLFPoisson
from statsmodels.miscmodels.ordinal_model import OrderedModel

from novikoff import detect_separation, diagnose
from novikoff.errors import MissingDependencyError, OptionError

TABLE = pd.DataFrame(
    {
        "cured": [0, 1, 0, 1, 1, 1, 0, 1],
        "drug": list("aabbccab"),
        "age": [31.0, 42.0, 53.0, 21.0, 55.0, 32.0, 64.0, 20.0],
    }
)
CLASSIC = sm.add_constant(np.array([-1.0, 0.0, 0.0, 1.0]))


def estimates(separation):
    return dict(separation.coefficients)


def on_plane(separation):
    return np.flatnonzero(~separation.separated).tolist()


def fitted(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(disp=0) if not isinstance(model, (sm.GLM, sm.PHReg)) else model.fit()


@pytest.mark.parametrize(
    "model",
    [
        smf.logit("cured ~ C(drug) + age", TABLE),
        smf.probit("cured ~ C(drug) + age", TABLE),
        smf.glm("cured ~ C(drug) + age", TABLE, family=sm.families.Binomial()),
        smf.glm(
            "cured ~ C(drug) + age",
            TABLE,
            family=sm.families.Binomial(link=sm.families.links.CLogLog()),
        ),
    ],
    ids=["logit", "probit", "glm", "cloglog"],
)
@pytest.mark.parametrize("fit", [False, True], ids=["model", "result"])
def test_a_formula_speaks_in_its_own_names(model, fit):
    found = diagnose(fitted(model) if fit else model)
    assert found.kind == "quasi-complete"
    assert estimates(found) == {
        "Intercept": "finite",
        "C(drug)[T.b]": "finite",
        "C(drug)[T.c]": "+∞",
        "age": "finite",
    }
    assert on_plane(found) == [0, 1, 2, 3, 6, 7]
    assert "where C(drug)[T.c] is 1, y is 1 in every row (2 rows)" in found.explain().reasons


def test_what_statsmodels_itself_says_of_the_classic():
    result = fitted(sm.Logit([0, 0, 1, 1], CLASSIC))
    # A slope and a standard error like any other: nothing here says that the slope is infinite.
    assert np.isfinite(result.params).all()
    assert np.isfinite(result.bse).all()
    assert result.bse[1] > 1000
    assert estimates(diagnose(result)) == {"const": "finite", "x1": "+∞"}


def test_finite_means_finite_and_infinite_grows():
    model = smf.logit("cured ~ C(drug) + age", TABLE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        short, long = (model.fit(disp=0, maxiter=k, method="newton").params for k in (9, 15))
    assert long["C(drug)[T.c]"] > short["C(drug)[T.c]"] + 4
    alone = fitted(smf.logit("cured ~ C(drug) + age", TABLE[TABLE.drug != "c"])).params
    limit = diagnose(model).limit().fit()
    for name in ("Intercept", "C(drug)[T.b]", "age"):
        assert long[name] == pytest.approx(alone[name], rel=1e-3)
        assert limit.coefficients[name] == pytest.approx(alone[name], rel=1e-6)
    assert limit.coefficients["C(drug)[T.c]"] == np.inf


def test_an_ordinary_model_has_an_estimate():
    rng = np.random.default_rng(0)
    X = sm.add_constant(rng.normal(size=(60, 2)))
    y = rng.integers(0, 2, 60)
    found = diagnose(sm.Logit(y, X))
    assert found.kind == "none"
    assert set(estimates(found).values()) == {"finite"}


def test_counts_of_successes_and_failures():
    counts = np.array([[3, 1], [0, 4], [0, 5]])
    x = sm.add_constant(np.array([0.0, 1.0, 2.0]))
    found = diagnose(sm.GLM(counts, x, family=sm.families.Binomial()))
    assert found.kind == "quasi-complete"
    assert estimates(found) == {"const": "finite", "x1": "−∞"}
    assert found.n == 3
    assert on_plane(found) == [0]


def test_shares_are_both_outcomes():
    y, x = [0.3, 1.0, 0.0, 0.6, 0.0, 0.0], [1.0, 3.0, 2.0, 4.0, 0.0, 0.0]
    design = sm.add_constant(pd.DataFrame({"x": x, "rare": [0.0, 0, 0, 0, 1, 1]}))
    found = diagnose(sm.Logit(y, design))
    assert estimates(found) == {"const": "finite", "x": "finite", "rare": "−∞"}
    assert found.separated.tolist() == [False] * 4 + [True] * 2
    theirs = sm.Logit(y[:4], design[["const", "x"]][:4]).fit(disp=0)
    fit = found.limit().fit()
    assert fit.coefficients["x"] == pytest.approx(theirs.params["x"], rel=1e-5)


def test_rows_without_weight_do_not_count():
    y, weights = [0, 1, 0, 1, 0], np.array([1, 1, 1, 1, 0])
    x = sm.add_constant(np.array([1.0, 3.0, 2.0, 4.0, 9.0]))
    family = sm.families.Binomial()
    assert diagnose(sm.GLM(y, x, family=family)).kind == "none"
    weighted = sm.GLM(y, x, family=family, freq_weights=weights)
    assert diagnose(weighted).kind == "complete"
    flipped = sm.GLM(1 - np.array(y), x, family=family, freq_weights=weights)
    assert diagnose(flipped).kind == "complete"
    assert diagnose(flipped).separated.tolist() == [True] * 4 + [False]


@pytest.mark.parametrize("kind", ["freq_weights", "var_weights"])
def test_a_row_of_no_weight_of_any_kind_is_as_if_it_were_not_there(kind):
    """Every small model: the answer with zero weights is that of the model without those rows."""
    rng = np.random.default_rng(5)
    compared = 0
    for _ in range(40):
        x, y = rng.integers(-3, 4, 7).astype(float), rng.integers(0, 2, 7)
        weights = rng.integers(0, 2, 7) * rng.choice([0.5, 1.0, 3.0], 7)
        kept = weights > 0
        if len(set(y[kept])) < 2 or len(set(x[kept])) < 2:
            continue
        family = sm.families.Binomial()
        found = diagnose(sm.GLM(y, sm.add_constant(x), family=family, **{kind: weights}))
        alone = diagnose(sm.GLM(y[kept], sm.add_constant(x[kept]), family=family))
        assert found.kind == alone.kind
        assert estimates(found) == estimates(alone)
        assert found.separated[kept].tolist() == alone.separated.tolist()
        assert not found.separated[~kept].any()
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("formula", [True, False])
def test_rows_dropped_for_nan_keep_the_numbers_of_the_others(formula):
    missing = TABLE.iloc[[0]].assign(age=np.nan)
    table = pd.concat([missing, TABLE.iloc[:3], missing, TABLE.iloc[3:]], ignore_index=True)
    if formula:
        model = smf.logit("cured ~ C(drug) + age", table)
    else:
        exog = pd.get_dummies(table[["drug", "age"]], drop_first=True, dtype=float).assign(one=1.0)
        model = sm.Logit(table.cured, exog, missing="drop")
    found = diagnose(model)
    assert found.n == 8
    assert found.explain().reasons[0] == "separated: 2 of 8 rows: 6, 7"  # of TABLE: 4, 5


def test_a_design_matrix_with_labels():
    found = diagnose(TABLE[["age"]], TABLE["cured"])
    assert list(found.coefficients) == ["(intercept)", "age"]
    own = diagnose(CLASSIC, [0, 0, 1, 1], names=["const", "x"])
    assert estimates(own) == {"const": "finite", "x": "+∞"}
    twice = diagnose(CLASSIC, [0, 0, 1, 1], fit_intercept=True)
    assert estimates(twice) == {"(intercept)": "finite", "x0": "aliased", "x1": "+∞"}


def test_decimals_are_an_option():
    x = np.array([[0.1], [0.2], [0.3]])
    assert diagnose(x, [0, 1, 0], decimals=True).kind == "none"


def table_of_many(seed=3, n=40):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "x": rng.integers(-3, 4, n).astype(float),
            "g": rng.choice(list("abc"), n),
            "y": rng.integers(0, 2, n),
            "k": np.where(rng.random(n) < 0.5, 0, rng.poisson(2, n)),
            "c": rng.choice(["low", "mid", "high"], n),
            "s": rng.integers(0, 6, n),
            "t": rng.integers(2, 9, n).astype(float),
            "e": rng.integers(0, 2, n),
        }
    ).assign(
        # Group c never counts anything, is never "high", has no case and no event.
        k=lambda f: f.k.where(f.g != "c", 0),
        c=lambda f: pd.Categorical(
            f.c.where((f.g != "c") | (f.c != "high"), "low"), ["low", "mid", "high"], ordered=True
        ),
        y=lambda f: f.y.where(f.g != "c", 0),
        e=lambda f: f.e.where(f.g != "c", 0),
    )


MANY = table_of_many()
PARTS = {"strata": "s", "time": "t", "event": "e"}


@pytest.mark.parametrize(
    ("build", "model", "parts", "infinite"),
    [
        (lambda: smf.poisson("k ~ g + x", MANY), "poisson", {}, ["g[T.c]"]),
        (lambda: smf.negativebinomial("k ~ g + x", MANY), "negative-binomial", {}, ["g[T.c]"]),
        (
            lambda: smf.glm("k ~ g + x", MANY, family=sm.families.Poisson()),
            "poisson",
            {},
            ["g[T.c]"],
        ),
        (
            lambda: smf.glm("k ~ g + x", MANY, family=sm.families.NegativeBinomial(alpha=1.0)),
            "negative-binomial",
            {},
            ["g[T.c]"],
        ),
        (
            lambda: sm.MNLogit(
                MANY.c.astype(str), sm.add_constant(dummies("g", "x")), check_rank=False
            ),
            "multinomial",
            {},
            ["low: g[T.c]", "mid: g[T.c]"],
        ),
        (
            lambda: OrderedModel(MANY.c, dummies("g", "x"), distr="logit"),
            "ordinal",
            {},
            [],
        ),
        (
            lambda: ConditionalLogit(MANY.y, dummies("g", "x"), groups=MANY.s),
            "conditional",
            {"strata"},
            ["g[T.c]"],
        ),
        (
            lambda: sm.PHReg(MANY.t, dummies("g", "x"), status=MANY.e, strata=MANY.s),
            "cox",
            {"strata", "time", "event"},
            ["g[T.c]"],
        ),
        (
            lambda: smf.phreg("t ~ g + x", MANY, status="e", ties="efron"),
            "cox",
            {"time", "event"},
            ["g[T.c]"],
        ),
    ],
    ids=["poisson", "nb", "glm", "glm-nb", "mnlogit", "ordered", "conditional", "phreg", "cox"],
)
def test_every_model_of_statsmodels(build, model, parts, infinite):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        built = build()
        found = diagnose(built)
        assert diagnose(fitted(built)).coefficients == found.coefficients
    assert found.model.name == model
    signs = {found.coefficients[name] for name in infinite}
    assert signs <= {"+∞", "−∞"}
    assert [n for n, e in found.coefficients.items() if e in ("+∞", "−∞")] == infinite
    y = {"poisson": "k", "negative-binomial": "k", "conditional": "y", "cox": None}.get(model, "c")
    ours = detect_separation(
        f"{y or ''} ~ g + x", data=MANY, model=model, **{part: PARTS[part] for part in parts}
    )
    assert ours.kind == found.kind
    assert ours.separated.tolist() == found.separated.tolist()


def dummies(group, x):
    frame = pd.DataFrame({f"{group}[T.{k}]": (MANY[group] == k) * 1.0 for k in "bc"})
    return frame.assign(**{x: MANY[x]})


def test_late_entry_is_read_as_statsmodels_reads_it():
    """There, who enters at t is at risk at t; here, and in R, after t."""
    x = np.array([[1.0], [0.0], [1.0]])
    time, entry = np.array([3.0, 4.0, 5.0]), np.array([0.0, 3.0, 0.0])
    theirs = diagnose(sm.PHReg(time, x, status=np.array([1, 0, 0]), entry=entry))
    assert theirs.kind == "quasi-complete"
    ours = detect_separation(x, model="cox", time=time, event=[1, 0, 0], entry=entry)
    assert dict(ours.coefficients) == {"x0": "aliased"}


def test_scikit_learn_with_its_data():
    X, y = TABLE[["age"]].assign(c=TABLE.drug == "c"), TABLE.cured
    found = diagnose(LogisticRegression(), X, y)
    assert estimates(found) == {"(intercept)": "finite", "age": "finite", "c": "+∞"}
    assert list(diagnose(LogisticRegression(fit_intercept=False), X, y).coefficients) == [
        "age",
        "c",
    ]
    three = diagnose(LogisticRegression().fit(X, TABLE.drug), X, TABLE.drug)
    assert three.model.name == "multinomial"
    assert estimates(three)["c: c"] == "+∞"


@pytest.mark.parametrize(
    ("model", "named"),
    [
        (lambda x: sm.OLS(np.arange(6.0), x), "OLS"),
        (lambda x: sm.GLM(np.arange(6.0), x), "Gaussian"),
        (
            lambda x: sm.GLM(
                np.arange(6.0), x, family=sm.families.Poisson(sm.families.links.Sqrt())
            ),
            "the model has Sqrt",
        ),
        (
            lambda x: sm.GLM(
                [0, 1] * 3, x, family=sm.families.Binomial(link=sm.families.links.Log())
            ),
            "link Log",
        ),
        (lambda x: sm.ZeroInflatedPoisson(np.arange(6), x), "ZeroInflatedPoisson"),
        (
            lambda x: ConditionalPoisson(np.arange(6), x[:, 1:], groups=np.array([0, 1] * 3)),
            "ConditionalPoisson",
        ),
        (
            lambda x: sm.GEE(
                [0, 1] * 3, x, groups=[0, 0, 1, 1, 2, 2], family=sm.families.Binomial()
            ),
            "GEE",
        ),
        (lambda x: sm.MixedLM(np.arange(6.0), x, groups=[0, 0, 1, 1, 2, 2]), "MixedLM"),
        (lambda x: sm.RLM(np.arange(6.0), x), "RLM"),
        (lambda x: sm.NegativeBinomialP(np.arange(6), x), "NegativeBinomialP"),
        (lambda x: sm.GeneralizedPoisson(np.arange(6), x), "GeneralizedPoisson"),
        (lambda x: HurdleCountModel(np.arange(6), x), "HurdleCountModel"),
        (lambda x: TruncatedLFPoisson(np.arange(1, 7), x), "TruncatedLFPoisson"),
        (
            lambda x: ConditionalMNLogit(
                np.array([0, 1, 2] * 2), x[:, 1:], groups=np.array([0] * 3 + [1] * 3)
            ),
            "ConditionalMNLogit",
        ),
        (lambda x: OrderedModel([0, 1, 2] * 2, x[:, 1:], distr=gumbel_l), "gumbel_l"),
        (
            lambda x: sm.GLM(
                [0, 1] * 3, x, family=sm.families.Binomial(sm.families.links.Cauchy())
            ),
            "link Cauchy",
        ),
        (lambda x: sm.SurvfuncRight(np.arange(1, 7), [1] * 6), "SurvfuncRight"),
        (lambda x: "a model", "str"),
        (lambda x: SGDClassifier(loss="log_loss"), "SGDClassifier"),
        (lambda x: LinearRegression(), "LinearRegression"),
        (lambda x: make_pipeline(LogisticRegression()), "Pipeline"),
        (lambda x: LogisticRegression(), "keeps no data"),
        (lambda x: x, "labels"),
    ],
)
def test_what_it_cannot_take_it_refuses_by_name(model, named):
    x = sm.add_constant(np.arange(6.0))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels warns of unsafe links
        built = model(x)
    with pytest.raises(OptionError, match=named):
        diagnose(built)


def test_what_was_fitted_with_constraints_or_lost_its_data_is_refused():
    model = smf.logit("cured ~ age", TABLE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        constrained = model.fit_constrained("age = 0", disp=0)
        emptied = fitted(sm.Logit(TABLE.cured, sm.add_constant(TABLE[["age"]])))
        emptied.remove_data()
    with pytest.raises(OptionError, match="Logit was fitted with constraints"):
        diagnose(constrained)
    with pytest.raises(OptionError, match="data of this Logit was removed"):
        diagnose(emptied)


def test_a_penalty_is_looked_through():
    """A penalised fit is finite; what is asked is whether it would be without the penalty."""
    model = smf.logit("cured ~ C(drug) + age", TABLE)
    penalised = model.fit_regularized(alpha=0.1, disp=0)
    assert estimates(diagnose(penalised)) == estimates(diagnose(model))


def test_weights_of_rows_that_bring_none():
    x, y, weights = [[1.0], [3.0], [2.0], [4.0], [9.0]], [0, 1, 0, 1, 0], [1, 1, 1, 1, 0]
    assert diagnose(x, y).kind == "none"
    assert diagnose(x, y, weights=weights).kind == "complete"
    assert diagnose(LogisticRegression(), x, y, weights=weights).kind == "complete"
    with pytest.raises(OptionError, match="takes no weights"):
        diagnose(sm.Logit([0, 0, 1, 1], CLASSIC), weights=weights)


def test_one_class_only_is_complete_separation():
    found = diagnose(sm.GLM(np.ones(4), CLASSIC, family=sm.families.Binomial()))
    assert found.kind == "complete"
    assert estimates(found) == {"const": "+∞", "x1": "not determined"}


def test_statsmodels_is_needed_for_its_models_only(monkeypatch):
    model = sm.Logit([0, 0, 1, 1], CLASSIC)
    adapter = "novikoff.regression.libraries.statsmodels_models"
    monkeypatch.delitem(sys.modules, adapter, raising=False)
    monkeypatch.setitem(sys.modules, "statsmodels.discrete.discrete_model", None)
    with pytest.raises(MissingDependencyError, match="statsmodels"):
        diagnose(model)
    assert diagnose(CLASSIC, [0, 0, 1, 1]).kind == "quasi-complete"
