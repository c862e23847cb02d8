"""Asking before a fit: real models of statsmodels, real pipelines of scikit-learn."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
import statsmodels.formula.api as smf
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import novikoff
from novikoff import SeparationCheck, SeparationWarning, fit_checked
from novikoff.errors import OptionError, SeparationError

TABLE = pd.DataFrame(
    {
        "cured": [0, 1, 0, 1, 1, 1, 0, 1],
        "drug": list("aabbccab"),
        "age": [31.0, 42.0, 53.0, 21.0, 55.0, 32.0, 64.0, 20.0],
    }
)
FINE = pd.DataFrame({"x": [1.0, 2, 3, 4, 5, 6], "y": [0, 1, 0, 1, 0, 1]})


def asked(model, **options):
    """The result, and the sentences of the warnings that are ours."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = fit_checked(model, **options)
    return result, [str(w.message) for w in caught if w.category is SeparationWarning]


def test_a_fit_without_an_estimate_is_warned_of_in_one_sentence_with_names_and_a_next_step():
    result, said = asked(smf.logit("cured ~ C(drug) + age", TABLE), disp=0)
    assert len(said) == 1
    assert said[0].count(". ") == 0
    assert "C(drug)[T.c] goes to +∞" in said[0]
    assert "result.separation.limit().fit()" in said[0]
    assert "result.separation.firth()" in said[0]
    assert result.separation.kind == "quasi-complete"
    limit = result.separation.limit().fit()  # the next step works as it is said
    assert limit.coefficients["age"] == pytest.approx(result.params["age"], abs=1e-3)
    assert result.summary()


def test_the_warning_points_at_the_line_of_the_user():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit_checked(smf.logit("cured ~ C(drug) + age", TABLE), disp=0)
    assert [w.filename for w in caught if w.category is SeparationWarning] == [__file__]


@pytest.mark.filterwarnings("error")
def test_a_fit_with_an_estimate_is_as_it_always_was():
    model = smf.logit("y ~ x", FINE)
    result = fit_checked(model, disp=0, method="newton")
    assert result.separation.kind == "none"
    assert result.params.equals(model.fit(disp=0, method="newton").params)


def test_counts_have_no_firth_step():
    counts = sm.GLM([0, 0, 3, 1], sm.add_constant([1.0, 1, 0, 0]), family=sm.families.Poisson())
    _, said = asked(counts)
    assert "x1 goes to −∞" in said[0]
    assert "firth" not in said[0]


def test_one_outcome_only_has_no_firth_step():
    _, said = asked(sm.Logit(np.zeros(4), sm.add_constant([1.0, 2, 3, 5])), disp=0)
    assert "complete separation" in said[0]
    assert "firth" not in said[0]


def test_a_column_that_is_a_combination_of_others_is_named():
    X = sm.add_constant(FINE[["x"]]).assign(twice=2 * FINE.x)
    sentence = "the maximum-likelihood estimate is not unique: twice is a combination of others"
    result, said = asked(sm.Logit(FINE.y, X), disp=0, method="bfgs")
    assert result.separation.kind == "none"
    assert said[0].startswith(sentence)
    with pytest.warns(SeparationWarning), pytest.raises(np.linalg.LinAlgError) as error:
        fit_checked(sm.Logit(FINE.y, X), disp=0)
    assert error.value.__notes__[0].startswith(sentence)
    twice = TABLE.assign(months=12 * TABLE.age)
    _, said = asked(smf.logit("cured ~ C(drug) + age + months", twice), disp=0, method="bfgs")
    assert "C(drug)[T.c] goes to +∞; months is a combination of others; instead" in said[0]


def test_a_fit_that_fails_says_the_sentence_in_its_error():
    x = np.array([[0.0], [0.0], [1.0], [1.0]])

    class Failing(sm.Logit):
        def fit(self, **options):
            raise np.linalg.LinAlgError("Singular matrix")

    model = Failing([0, 0, 1, 1], sm.add_constant(x))
    with pytest.warns(SeparationWarning), pytest.raises(np.linalg.LinAlgError) as error:
        fit_checked(model, regression="logit")
    assert "novikoff.diagnose(model)" in error.value.__notes__[0]


def test_a_class_of_ones_own_needs_to_say_what_it_is():
    class Mine(sm.Logit):
        pass

    model = Mine([0, 0, 1, 1], sm.add_constant([1.0, 2, 2, 3]))
    with pytest.raises(OptionError, match=r"Mine .* say which: .*regression="):
        fit_checked(model)
    result, said = asked(model, regression="logit", disp=0)
    assert "x1 goes to +∞" in said[0]
    assert list(result.separation.coefficients) == ["const", "x1"]


def test_a_class_of_ones_own_keeps_its_offset_and_weights():
    class Mine(sm.GLM):
        pass

    counts = pd.DataFrame(
        {"k": [2.0, 3, 1, 4, 0, 0], "t": [1.0, 3, 1, 2, 1, 5], "w": [1.0, 2, 1, 3, 1, 1]}
    )
    X = sm.add_constant(pd.DataFrame({"x": [0.0, 0, 1, 1, 2, 2], "g": [0.0, 0, 0, 0, 1, 1]}))
    options = {"family": sm.families.Poisson(), "exposure": counts.t, "freq_weights": counts.w}
    mine, _ = asked(Mine(counts.k, X, **options), regression="poisson")
    known, _ = asked(sm.GLM(counts.k, X, **options))
    fits = [result.separation.limit().fit() for result in (mine, known)]
    assert fits[0].coefficients == pytest.approx(fits[1].coefficients)


def test_without_time_it_says_that_nothing_is_known():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 30))
    y = (X[:, 0] + rng.normal(size=3000) > 0).astype(int)
    result, said = asked(sm.Logit(y, X), time_limit=1e-9, disp=0)
    assert result.separation.kind == "undecided"
    assert said[0].startswith("whether the maximum-likelihood estimate exists could not be decided")


def test_a_result_has_been_fitted_already():
    with pytest.raises(OptionError, match="fitted already"):
        fit_checked(smf.logit("y ~ x", FINE).fit(disp=0))
    with pytest.raises(OptionError, match="got str"):
        fit_checked("y ~ x")


def columns():
    text = OneHotEncoder(drop="first", sparse_output=False)
    return ColumnTransformer([("drug", text, ["drug"]), ("age", StandardScaler(), ["age"])])


def test_a_step_speaks_in_the_names_of_the_columns_that_reach_it():
    pipe = make_pipeline(columns(), SeparationCheck(), LogisticRegression())
    pipe.set_output(transform="pandas")
    with pytest.warns(SeparationWarning, match=r"drug__drug_c goes to \+∞") as said:
        pipe.fit(TABLE, TABLE.cured)
    assert len(said) == 1
    assert pipe[1].kind_ == "quasi-complete"
    assert pipe[1].coefficients_["age__age"] == "finite"
    passed = pipe[:-1].transform(TABLE)
    assert list(passed.columns) == ["drug__drug_b", "drug__drug_c", "age__age"]
    assert passed.equals(pipe[:1].transform(TABLE))
    plain = make_pipeline(columns(), LogisticRegression()).fit(TABLE, TABLE.cured)
    assert np.array_equal(plain[-1].coef_, pipe[-1].coef_)


@pytest.mark.filterwarnings("error")
def test_what_a_step_does_is_an_option():
    X, y = TABLE[["age"]].assign(c=TABLE.drug == "c"), TABLE.cured
    ignoring = SeparationCheck(action="ignore").fit(X, y)
    assert ignoring.separation_.limit().fit().coefficients["c"] == np.inf
    with pytest.raises(SeparationError, match="c goes to") as refused:
        SeparationCheck(action="raise").fit(X, y)
    assert refused.value.answer.kind == "quasi-complete"
    assert SeparationCheck(action="raise").fit(FINE[["x"]], FINE.y).kind_ == "none"
    with pytest.raises(OptionError, match="action"):
        SeparationCheck(action="shout").fit(X, y)


def test_rows_without_weight_are_absent():
    x, y = [[1.0], [3.0], [2.0], [4.0], [9.0]], [0, 1, 0, 1, 0]
    assert SeparationCheck().fit(x, y).kind_ == "none"
    with pytest.warns(SeparationWarning, match="x0 goes to"):
        SeparationCheck().fit(x, y, sample_weight=[1, 1, 1, 1, 0])


def test_a_pickled_step_has_the_answer_and_no_rows():
    step = SeparationCheck("ignore").fit(TABLE[["age"]] + 0.123456, TABLE.cured)
    kept = pickle.dumps(step)
    assert np.float64(31.123456).tobytes() not in kept
    again = pickle.loads(kept)
    assert again.coefficients_ == step.coefficients_
    assert again.transform(TABLE[["age"]]).equals(TABLE[["age"]])


def test_a_search_over_options_goes_through_the_step():
    pipe = make_pipeline(SeparationCheck("ignore"), LogisticRegression())
    search = GridSearchCV(pipe, {"logisticregression__C": [0.1, 1.0]}, cv=2)
    assert search.fit(FINE[["x"]], FINE.y).best_estimator_[0].kind_ == "none"


def test_several_classes_are_one_multinomial_question():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(60, 2)), rng.integers(0, 3, 60)
    step = SeparationCheck().fit(X, y)
    assert step.kind_ == novikoff.detect_separation(X, y, model="multinomial").kind == "none"
