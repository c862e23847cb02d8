"""Real statsmodels models, fitted and not, and what it says of them itself."""

import sys
import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf

from novikoff.decide import separate
from novikoff.errors import LabelError, MissingDependencyError, OptionError
from novikoff.explain.diagnose import diagnose

TABLE = pd.DataFrame(
    {
        "cured": [0, 1, 0, 1, 1, 1, 0, 1],
        "drug": list("aabbccab"),
        "age": [31.0, 42.0, 53.0, 21.0, 55.0, 32.0, 64.0, 20.0],
    }
)
CLASSIC = sm.add_constant(np.array([-1.0, 0.0, 0.0, 1.0]))


def estimates(explanation):
    return {c.name: c.estimate for c in explanation.coefficients}


def fitted(model):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(disp=0) if not isinstance(model, sm.GLM) else model.fit()


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
    assert found.separation == "quasi-complete"
    assert estimates(found) == {
        "Intercept": "finite",
        "C(drug)[T.b]": "finite",
        "C(drug)[T.c]": "+inf",
        "age": "finite",
    }
    assert found.rows_on_plane == (0, 1, 2, 3, 6, 7)
    assert [column.name for column in found.single_columns] == ["C(drug)[T.c]"]


def test_what_statsmodels_itself_says_of_the_classic():
    result = fitted(sm.Logit([0, 0, 1, 1], CLASSIC))
    # A slope and a standard error like any other: nothing here says that the slope is infinite.
    assert np.isfinite(result.params).all()
    assert np.isfinite(result.bse).all()
    assert result.bse[1] > 1000
    assert estimates(diagnose(result)) == {"const": "finite", "x1": "+inf"}


def test_finite_means_finite_and_infinite_grows():
    model = smf.logit("cured ~ C(drug) + age", TABLE)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        short, long = (model.fit(disp=0, maxiter=k, method="newton").params for k in (9, 15))
    assert long["C(drug)[T.c]"] > short["C(drug)[T.c]"] + 4
    on_plane = TABLE[TABLE.drug != "c"]
    alone = fitted(smf.logit("cured ~ C(drug) + age", on_plane)).params
    for name in ("Intercept", "C(drug)[T.b]", "age"):
        assert long[name] == pytest.approx(alone[name], rel=1e-3)


def test_an_ordinary_model_has_an_estimate():
    rng = np.random.default_rng(0)
    X = sm.add_constant(rng.normal(size=(60, 2)))
    y = rng.integers(0, 2, 60)
    found = diagnose(sm.Logit(y, X))
    assert found.separation == "none"
    assert set(estimates(found).values()) == {"finite"}


def test_counts_of_successes_and_failures():
    counts = np.array([[3, 1], [0, 4], [0, 5]])
    x = sm.add_constant(np.array([0.0, 1.0, 2.0]))
    found = diagnose(sm.GLM(counts, x, family=sm.families.Binomial()))
    assert found.separation == "quasi-complete"
    assert estimates(found) == {"const": "finite", "x1": "-inf"}
    assert found.n == 3
    assert found.rows_on_plane == (0,)


def test_rows_without_weight_do_not_count():
    y, weights = [0, 1, 0, 1, 0], np.array([1, 1, 1, 1, 0])
    x = sm.add_constant(np.array([1.0, 3.0, 2.0, 4.0, 9.0]))
    family = sm.families.Binomial()
    assert diagnose(sm.GLM(y, x, family=family)).separation == "none"
    weighted = sm.GLM(y, x, family=family, freq_weights=weights)
    assert diagnose(weighted).separation == "complete"
    flipped = sm.GLM(1 - np.array(y), x, family=family, freq_weights=weights)
    assert diagnose(flipped).separation == "complete"
    assert diagnose(flipped).n == 4


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
        assert found.separation == alone.separation
        assert estimates(found) == estimates(alone)
        assert found.rows_on_plane == tuple(np.flatnonzero(kept)[list(alone.rows_on_plane)])
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
    assert found.rows_on_plane == (1, 2, 3, 5, 8, 9)  # of TABLE: 0, 1, 2, 3, 6, 7


def test_a_design_matrix_with_labels():
    found = diagnose(TABLE[["age"]], TABLE["cured"])
    assert [c.name for c in found.coefficients] == ["age", "(intercept)"]
    own = diagnose(CLASSIC, [0, 0, 1, 1], names=["const", "x"])
    assert estimates(own) == {"const": "finite", "x": "+inf"}
    assert diagnose(CLASSIC, [0, 0, 1, 1], fit_intercept=True).idle_dimension == 1
    x = [[-1.0], [0.0], [0.0], [1.0]]
    assert diagnose(x, [0, 0, 1, 1]) == separate(x, [0, 0, 1, 1]).explain()


def test_decimals_are_an_option():
    x = np.array([[0.1], [0.2], [0.3]])
    assert diagnose(x, [0, 1, 0], decimals=True).separation == "none"


def test_models_of_something_else_are_refused():
    x = sm.add_constant(np.arange(6.0))
    with pytest.raises(OptionError, match="OLS"):
        diagnose(sm.OLS(np.arange(6.0), x))
    with pytest.raises(OptionError, match="GLM"):
        diagnose(sm.GLM(np.arange(6.0), x, family=sm.families.Poisson()))
    with pytest.raises(OptionError, match="MNLogit"):
        diagnose(sm.MNLogit([0, 1, 2, 0, 1, 2], x))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # statsmodels warns of unsafe links
        log = sm.families.Binomial(link=sm.families.links.Log())
        model = sm.GLM([0, 1, 0, 1, 0, 1], x, family=log)
    with pytest.raises(OptionError, match="link Log"):
        diagnose(model)
    with pytest.raises(OptionError, match="labels"):
        diagnose([[1.0], [2.0]])


def test_one_class_is_an_error():
    with pytest.raises(LabelError, match="one class"):
        diagnose(sm.GLM(np.ones(4), CLASSIC, family=sm.families.Binomial()))


def test_statsmodels_is_needed_for_its_models_only(monkeypatch):
    model = sm.Logit([0, 0, 1, 1], CLASSIC)
    monkeypatch.setitem(sys.modules, "statsmodels.discrete.discrete_model", None)
    with pytest.raises(MissingDependencyError, match="statsmodels"):
        diagnose(model)
    assert diagnose(CLASSIC, [0, 0, 1, 1]).separation == "quasi-complete"
