"""Fitted models of other libraries, against the question asked of the data itself."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import FixedThresholdClassifier, GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    StandardScaler,
)
from sklearn.svm import LinearSVC

from novikoff import detect_separation, diagnose
from novikoff.errors import DataError, OptionError, ShapeError

pytestmark = pytest.mark.filterwarnings("ignore")  # these libraries warn of each other's versions


def table(n=120):
    """Group c has no event, no success and no counts."""
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(
        {
            "x": rng.normal(size=n).round(2),
            "g": rng.choice(list("abc"), n, p=[0.5, 0.3, 0.2]),
            "s": rng.integers(0, 3, n),
            "r": rng.choice(["north", "south"], n),
            "w": rng.integers(1, 4, n).astype(float),
            "t": rng.permutation(n) + 1.0,
        }
    )
    kept = frame.g != "c"
    frame["e"] = ((rng.random(n) < 0.6) & kept).astype(int)
    frame["y"] = ((frame.x + rng.logistic(size=n) > 0) & kept).astype(int)
    frame["k"] = rng.poisson(np.exp(0.3 * frame.x)) * kept
    return frame


ALL = table()
DUMMIES = pd.get_dummies(ALL[["x", "g"]], drop_first=True, dtype=float)


def same(found, expected):
    """Whether two answers agree, whatever their columns are called."""
    assert found.kind == expected.kind
    assert list(found.coefficients.values()) == list(expected.coefficients.values())
    assert found.separated.tolist() == expected.separated.tolist()


def cox(**more):
    return detect_separation("~ x + g", data=ALL, model="cox", time="t", event="e", **more)


class TestLifelines:
    """`CoxPHFitter`."""

    FRAME = DUMMIES.assign(t=ALL.t, e=ALL.e, w=ALL.w, s=ALL.s)

    @pytest.fixture(autouse=True)
    def library(self):
        self.lifelines = pytest.importorskip("lifelines")

    def fitter(self, columns, *args, **options):
        return self.lifelines.CoxPHFitter().fit(self.FRAME[columns], *args, **options)

    def test_plain(self):
        model = self.fitter(["x", "g_b", "g_c", "t", "e"], "t", "e")
        found = diagnose(model, self.FRAME)
        same(found, cox())
        assert found.kind == "quasi-complete"
        assert found.coefficients["g_c"] == "−∞"
        assert found.model.ties == "efron"
        same(diagnose(model, pl.from_pandas(self.FRAME)), found)
        same(
            diagnose(model, self.FRAME.assign(note=[1, "a"] * 60)), found
        )  # no Arrow table holds it

    def test_formula_weights_and_strata(self):
        model = self.lifelines.CoxPHFitter()
        columns = ALL[["x", "g", "s", "w", "t", "e"]]
        model.fit(columns, "t", "e", formula="x + g", strata=["s"], weights_col="w", robust=True)
        found = diagnose(model, ALL)
        same(found, cox(strata="s", weights="w"))
        assert list(found.coefficients) == ["x", "g[T.b]", "g[T.c]"]
        assert found.coefficients["g[T.c]"] == "−∞"

    def test_what_cannot_be_asked(self):
        with pytest.raises(OptionError, match="detect_separation"):
            diagnose(self.lifelines.CoxPHFitter(), self.FRAME)
        model = self.fitter(["x", "t", "e"], "t", "e")
        with pytest.raises(OptionError, match="keeps no data"):
            diagnose(model)
        with pytest.raises(ShapeError, match="7 rows"):
            diagnose(model, self.FRAME.head(7))
        with pytest.raises(OptionError, match="WeibullAFTFitter"):
            diagnose(self.lifelines.WeibullAFTFitter(), self.FRAME)
        with pytest.raises(ShapeError, match="the times in the frame"):
            diagnose(model, self.FRAME.assign(t=self.FRAME.t + 1))
        with pytest.raises(DataError, match="'x'"):
            diagnose(model, self.FRAME.drop(columns="x"))
        with pytest.raises(OptionError, match="ndarray"):
            diagnose(model, self.FRAME.to_numpy())

    def test_late_entry_and_columns_that_vary_in_time(self):
        frame = pd.DataFrame(
            {
                "start": [1.0, 2, 2, 3, 2, 3, 0],
                "stop": [2.0, 3, 6, 6, 5, 4, 1],
                "e": [0, 0, 1, 1, 0, 1, 1],
                "a": [1.0, 1, 0, 0, 0, 2, 0],
                "b": [2.0, 2, 2, 1, 0, 1, 0],
            }
        )
        asked = {"data": frame, "model": "cox", "time": "stop", "event": "e"}
        expected = detect_separation(["a", "b"], **asked, entry="start")
        assert expected.kind == "quasi-complete"
        assert detect_separation(["a", "b"], **asked).kind == "none"  # all of them from 0 on
        late = self.lifelines.CoxPHFitter(penalizer=0.1)
        same(diagnose(late.fit(frame, "stop", "e", entry_col="start"), frame), expected)
        varying = self.lifelines.CoxTimeVaryingFitter(penalizer=0.1)
        same(diagnose(varying.fit(frame, "e", "start", "stop"), frame), expected)


def test_scikit_survival():
    linear = pytest.importorskip("sksurv.linear_model")
    y = pytest.importorskip("sksurv.util").Surv.from_arrays(ALL.e.astype(bool), ALL.t)
    model = linear.CoxPHSurvivalAnalysis(ties="efron")
    found = diagnose(model.fit(DUMMIES, y), DUMMIES, y)
    same(found, cox())
    assert found.coefficients["g_c"] == "−∞"
    same(diagnose(linear.CoxPHSurvivalAnalysis(), DUMMIES.to_numpy(), y), cox())
    same(diagnose(linear.CoxnetSurvivalAnalysis(), DUMMIES, y), found)
    with pytest.raises(OptionError, match="two fields"):
        diagnose(model, DUMMIES, ALL.t)
    with pytest.raises(OptionError, match="IPCRidge"):
        diagnose(linear.IPCRidge(), DUMMIES, y)
    with pytest.raises(OptionError, match="takes no weights"):
        diagnose(model, DUMMIES, y, weights=ALL.w)
    # The fit of the last step may have failed: the steps before it are fitted.
    pipe = make_pipeline(StandardScaler(), linear.CoxPHSurvivalAnalysis())
    pipe[:-1].fit(DUMMIES)
    found = diagnose(pipe, DUMMIES, y)
    same(found, cox())
    assert list(found.coefficients) == ["x", "g_b", "g_c"]


def test_firthmodels():
    firth = pytest.importorskip("firthmodels")
    found = diagnose(firth.FirthLogisticRegression().fit(DUMMIES, ALL.y), DUMMIES, ALL.y)
    same(found, detect_separation("y ~ x + g", ALL))
    assert found.coefficients["g_c"] == "−∞"
    outcome = (ALL.e.to_numpy(bool), ALL.t.to_numpy())
    same(diagnose(firth.FirthCoxPH().fit(DUMMIES, outcome), DUMMIES, outcome), cox())
    with pytest.raises(OptionError, match="keeps no data"):
        diagnose(firth.FirthCoxPH())
    with pytest.raises(DataError, match="event is"):
        diagnose(firth.FirthCoxPH(), DUMMIES, outcome[::-1])


class TestGlum:
    """Regressors with arrays, categories and formulas."""

    @pytest.fixture(autouse=True)
    def library(self):
        self.glum = pytest.importorskip("glum")

    def fitted(self, family, X, y=None, **options):
        return self.glum.GeneralizedLinearRegressor(family=family, alpha=0.01, **options).fit(X, y)

    @pytest.mark.parametrize(("family", "y"), [("binomial", "y"), ("poisson", "k")])
    def test_families(self, family, y):
        model = {"binomial": "logit"}.get(family, family)
        expected = detect_separation(f"{y} ~ x + g", ALL, model=model)
        assert expected.kind == "quasi-complete"
        plain = self.fitted(family, DUMMIES, ALL[y])
        same(diagnose(plain, DUMMIES, ALL[y]), expected)
        coded = ALL[["x", "g"]].astype({"g": "category"})
        found = diagnose(self.fitted(family, coded, ALL[y], drop_first=True), coded, ALL[y])
        same(found, expected)
        assert list(found.coefficients) == ["(intercept)", "x", "g[b]", "g[c]"]
        formula = self.fitted(family, ALL, formula=f"{y} ~ x + C(g)", drop_first=True)
        same(diagnose(formula, ALL), expected)
        same(diagnose(formula, pl.from_pandas(ALL)), expected)

    def test_frames_of_other_kinds_and_matrices_of_its_own(self):
        tabmat = pytest.importorskip("tabmat")
        coded = ALL[["x", "g"]].astype({"g": "category"})
        expected = detect_separation("k ~ x + g", ALL, model="poisson")
        model = self.fitted("poisson", coded, ALL.k, drop_first=True)
        same(diagnose(model, pl.from_pandas(coded), ALL.k), expected)
        own = tabmat.from_df(coded, drop_first=True)
        same(diagnose(self.fitted("poisson", own, ALL.k), own, ALL.k), expected)

    def test_at_the_end_of_a_pipeline(self):
        regressor = self.glum.GeneralizedLinearRegressor(family="poisson", alpha=0.01)
        pipe = make_pipeline(StandardScaler(), regressor).fit(DUMMIES, ALL.k)
        found = diagnose(pipe, DUMMIES, ALL.k)
        same(found, detect_separation("k ~ x + g", ALL, model="poisson"))
        assert list(found.coefficients) == ["(intercept)", "x", "g_b", "g_c"]

    def test_shares_are_both_outcomes(self):
        share = np.array([0.3, 1.0, 0.0, 0.6])
        X = pd.DataFrame({"x": [1.0, 3.0, 2.0, 4.0]})
        assert diagnose(self.fitted("binomial", X, share), X, share).kind == "none"

    def test_other_families_are_refused(self):
        model = self.fitted("gamma", DUMMIES, ALL.t)
        with pytest.raises(OptionError, match="GammaDistribution"):
            diagnose(model, DUMMIES, ALL.t)


def mixed(**options):
    text = OneHotEncoder(drop="first")
    scaled = make_pipeline(FunctionTransformer(feature_names_out="one-to-one"), StandardScaler())
    return ColumnTransformer([("text", text, ["g", "r"]), ("numbers", scaled, ["x"])], **options)


def test_a_pipeline_speaks_of_the_columns_as_they_came():
    pipe = make_pipeline(mixed(), LogisticRegression()).fit(ALL, ALL.y)
    found = diagnose(pipe, ALL, ALL.y)
    assert {name: str(e) for name, e in found.coefficients.items()} == {
        "(intercept)": "finite", "g_b": "finite", "g_c": "−∞", "r_south": "finite", "x": "finite",
    }  # fmt: skip
    expected = detect_separation("y ~ g + r + x", ALL)
    same(found, expected)
    frame = pl.from_pandas(ALL)
    for rows in (frame, frame.to_arrow(), duckdb.from_arrow(frame.to_arrow())):
        same(diagnose(pipe, rows, ALL.y), expected)
    ours, theirs = found.limit().fit(), expected.limit().fit()
    assert ours.coefficients["x"] == pytest.approx(theirs.coefficients["x"])  # not of a scaled x


def test_two_underscores_of_a_name_stay_where_they_are():
    frame = ALL.assign(house__rent=ALL.t)
    numbers = ("house", StandardScaler(), ["house__rent", "x"])
    inner = make_pipeline(ColumnTransformer([numbers], remainder="drop"), MinMaxScaler())
    for steps, names in (
        ([inner], ["house__rent", "x"]),
        ([ColumnTransformer([("all", inner, list(frame))])], ["house__rent", "x"]),
        ([ColumnTransformer([numbers], verbose_feature_names_out=False)], ["house__rent", "x"]),
        ([inner, PolynomialFeatures((2, 2), include_bias=False)],
         ["house__rent^2", "house__rent x", "x^2"]),
    ):  # fmt: skip
        pipe = make_pipeline(*steps, LogisticRegression()).fit(frame, ALL.y)
        assert list(diagnose(pipe, frame, ALL.y).coefficients) == ["(intercept)", *names]


def test_scaling_that_rounds_changes_no_answer():
    """Columns in decimals that touch; after scaling, rounding decides what they do."""
    rng = np.random.default_rng(0)
    rounded = 0
    for _ in range(4):
        X = rng.integers(-9, 10, (12, 3)) / 8.0
        X = np.column_stack([X, X.sum(axis=1)])
        y = (X @ [1.0, 2.0, 0.0, 0.0] > 0.4).astype(int)
        if len(set(y)) < 2:
            continue
        same_columns = make_pipeline(MinMaxScaler(), StandardScaler(), LogisticRegression())
        found = diagnose(same_columns.fit(X, y), X, y)
        same(found, detect_separation(X, y))
        scaled = detect_separation(same_columns[:-1].transform(X), y)
        rounded += dict(scaled.coefficients) != dict(found.coefficients)
    assert rounded


def test_other_steps_are_followed():
    union = FeatureUnion([("same", StandardScaler()), ("squares", PolynomialFeatures(2))])
    X = ALL[["x"]]
    pipe = make_pipeline(union, LogisticRegression()).fit(X, ALL.y)
    found = diagnose(pipe, X, ALL.y)
    assert list(found.coefficients) == [
        "(intercept)",
        "same__x",
        "squares__1",
        "squares__x",
        "squares__x^2",
    ]
    nameless = make_pipeline(FunctionTransformer(np.asarray), LogisticRegression()).fit(X, ALL.y)
    assert list(diagnose(nameless, X, ALL.y).coefficients) == ["(intercept)", "x0"]


def test_without_an_intercept_centring_matters_and_is_kept():
    X, y = np.array([[1.0], [2.0], [3.0]]), [0, 0, 1]
    pipe = make_pipeline(StandardScaler(), LogisticRegression(fit_intercept=False)).fit(X, y)
    assert diagnose(pipe, X, y).kind == "quasi-complete"  # 2 is at the origin
    raw = make_pipeline(LogisticRegression(fit_intercept=False)).fit(X, y)
    assert diagnose(raw, X, y).kind == "none"


def test_the_pipeline_of_the_user_is_not_changed():
    pipe = make_pipeline(mixed(), LogisticRegression()).fit(ALL, ALL.y)
    before = pipe.decision_function(ALL)
    diagnose(pipe, ALL, ALL.y)
    assert np.array_equal(pipe.decision_function(ALL), before)


def test_what_a_search_chose_is_asked_inside_a_pipeline_and_around_one():
    pipe = make_pipeline(mixed(), LogisticRegression())
    search = GridSearchCV(pipe, {"logisticregression__C": [0.1, 1.0]}, cv=2).fit(ALL, ALL.y)
    nested = make_pipeline(mixed(), GridSearchCV(LogisticRegression(), {"C": [1.0]}, cv=2))
    threshold = FixedThresholdClassifier(clone(pipe)).fit(ALL, ALL.y)
    expected = detect_separation("y ~ g + r + x", ALL)
    for model in (search, nested.fit(ALL, ALL.y), threshold):
        found = diagnose(model, ALL, ALL.y)
        same(found, expected)
        assert "g_c" in found.coefficients
    with pytest.raises(OptionError, match="GridSearchCV holds no fitted model"):
        diagnose(clone(search), ALL, ALL.y)


def test_pipelines_with_another_end_are_refused():
    with pytest.raises(OptionError, match="LinearSVC"):
        diagnose(make_pipeline(LinearSVC()), ALL[["x"]], ALL.y)
    with pytest.raises(OptionError, match="is not fitted"):
        diagnose(make_pipeline(StandardScaler(), LogisticRegression()), ALL[["x"]], ALL.y)


class TestPyfixest:
    """Formulas with fixed effects."""

    @pytest.fixture(autouse=True)
    def library(self):
        reason = "pip install --group test-more"
        self.pyfixest = pytest.importorskip("pyfixest", reason=reason)

    def test_rows_that_it_drops_are_in_the_frame(self):
        model = self.pyfixest.fepois("k ~ x | g", ALL)
        assert model._N < len(ALL)
        assert diagnose(model).kind == "none"  # of what it kept
        found = diagnose(model, ALL)
        expected = detect_separation("k ~ x + g", ALL, model="poisson")
        assert found.kind == expected.kind == "quasi-complete"
        assert found.separated_rows == expected.separated_rows
        assert list(found.coefficients) == ["x", "g::a", "g::b", "g::c"]
        assert found.coefficients["g::c"] == "−∞"

    @pytest.mark.parametrize("family", ["logit", "probit"])
    def test_two_factors_and_missing_values(self, family):
        frame = ALL.assign(x=ALL.x.where(ALL.index != 3))
        model = self.pyfixest.feglm("y ~ x | g + s", frame, family=family, separation_check=[])
        found = diagnose(model, frame)
        expected = detect_separation("y ~ x + C(s) + g", frame.drop(index=3), model=family)
        assert found.kind == expected.kind == "quasi-complete"
        rows = [row for row in range(len(ALL)) if row != 3]
        assert found.separated_rows == [rows[r] for r in np.flatnonzero(expected.separated)]
        assert found.coefficients["x"] == "finite"

    def test_interactions_and_coded_columns(self):
        model = self.pyfixest.fepois("k ~ x + i(g)", ALL)
        same(diagnose(model), detect_separation("k ~ x + g", ALL, model="poisson"))
        crossed = diagnose(self.pyfixest.fepois("k ~ x | g^s", ALL), ALL)
        assert [n for n in crossed.coefficients if n.startswith("g^s::c^")]

    def test_frames_of_other_kinds_and_several_models(self):
        model = self.pyfixest.fepois("k ~ x | g", ALL)
        same(diagnose(model, pl.from_pandas(ALL)), diagnose(model, ALL))
        with pytest.raises(DataError, match="x"):
            diagnose(model, ALL.drop(columns="x"))
        several = self.pyfixest.fepois("k ~ x | sw(g, s)", ALL)
        with pytest.raises(OptionError, match="to_list"):
            diagnose(several, ALL)
        assert diagnose(several.to_list()[0], ALL).kind == "quasi-complete"

    def test_least_squares_is_refused(self):
        with pytest.raises(OptionError, match="Feols"):
            diagnose(self.pyfixest.feols("x ~ k", ALL))
