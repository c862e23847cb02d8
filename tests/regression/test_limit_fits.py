"""The limiting fit against statsmodels on the data without the group that is separated."""

import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import norm
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.miscmodels.ordinal_model import OrderedModel

import novikoff
from novikoff.errors import OptionError

LEVELS = ["low", "mid", "high"]


def table(seed=11, n=240):
    """Group c has only failures, no counts, the lowest class, no case and no event."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "x": rng.integers(-8, 9, n) / 4,
            "b": rng.integers(0, 2, n) * 1.0,
            "o": rng.integers(-4, 5, n) / 4,
            "m": rng.integers(2, 6, n),
            "s": np.arange(n) // 6,
            "t": rng.permutation(n) + 1.0,
            "w": rng.integers(1, 4, n),
        }
    )
    frame["c"] = (rng.random(n) < 0.2) * (1 - frame.b)
    eta = 0.7 * frame.x - 0.5 * frame.b + frame.o
    kept = 1 - frame.c
    frame["y"] = ((eta + rng.logistic(size=n) > 0) * kept).astype(int)
    frame["k"] = (rng.poisson(np.exp(eta)) * kept).astype(int)
    frame["r"] = (rng.binomial(frame.m, 1 / (1 + np.exp(-eta))) * kept).astype(int)
    classes = np.digitize(eta + rng.logistic(size=n), [-0.7, 0.8]) * kept
    frame["class"] = np.array(LEVELS)[classes.astype(int)]
    frame["e"] = ((rng.random(n) < 0.6) * kept).astype(int)
    return frame


ALL = table()
REST = ALL[ALL.c == 0]
SLOPES = ["x", "b"]
X = sm.add_constant(REST[SLOPES])


def binomial(link):
    return sm.families.Binomial(link=link())


def ordered(frame):
    return pd.Series(pd.Categorical(frame["class"], LEVELS, ordered=True), index=frame.index)


LINKS = sm.families.links
MULTINOMIAL = REST["class"].map(LEVELS.index)
FITS = {
    "logit": ({"y": "y", "offset": "o"}, lambda: sm.Logit(REST.y, X, offset=REST.o.to_numpy())),
    # As in R's glm, standard errors are those of the expected information.
    "probit": (
        {"y": "y", "offset": "o"},
        lambda: sm.GLM(REST.y, X, offset=REST.o.to_numpy(), family=binomial(LINKS.Probit)),
    ),
    "cloglog": (
        {"y": "y", "offset": "o", "weights": "w"},
        lambda: sm.GLM(
            REST.y, X, offset=REST.o.to_numpy(), family=binomial(LINKS.CLogLog), freq_weights=REST.w
        ),
    ),
    "binomial": (
        {"y": "r", "trials": "m", "offset": "o"},
        lambda: sm.GLM(
            REST[["r"]].assign(f=REST.m - REST.r),
            X,
            offset=REST.o.to_numpy(),
            family=binomial(LINKS.Logit),
        ),
    ),
    "poisson": (
        {"y": "k", "offset": "o", "exposure": "m"},
        lambda: sm.Poisson(REST.k, X, offset=REST.o.to_numpy(), exposure=REST.m.to_numpy()),
    ),
    "negative-binomial": (
        {"y": "k", "exposure": "m"},
        lambda: sm.NegativeBinomial(REST.k, X, exposure=REST.m.to_numpy()),
    ),
    "multinomial": ({"y": "class"}, lambda: sm.MNLogit(MULTINOMIAL, X)),
    "ordinal": (
        {"y": "class", "offset": "o"},
        lambda: OrderedModel(ordered(REST), REST[SLOPES], offset=REST.o.to_numpy(), distr="logit"),
    ),
    "conditional": (
        {"y": "y", "strata": "s", "offset": "o"},
        lambda: ConditionalLogit(REST.y, REST[SLOPES], groups=REST.s, offset=REST.o.to_numpy()),
    ),
    "cox": (
        {"time": "t", "event": "e", "strata": "s", "offset": "o"},
        lambda: sm.PHReg(
            REST.t,
            REST[SLOPES],
            status=REST.e,
            strata=REST.s,
            offset=REST.o.to_numpy(),
            ties="breslow",
        ),
    ),
}


def fitted(model):
    options = {} if isinstance(model, (sm.GLM, sm.PHReg)) else {"disp": 0, "maxiter": 500}
    if isinstance(model, (OrderedModel, ConditionalLogit)):
        options["method"] = "bfgs"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(**options)


def asked(name, parts):
    options = {"levels": LEVELS} if parts.get("y") == "class" else {}
    return novikoff.detect_separation([*SLOPES, "c"], data=ALL, model=name, **parts, **options)


@pytest.mark.parametrize("name", FITS)
def test_the_finite_part_is_that_of_the_other_groups(name):
    parts, build = FITS[name]
    found = asked(name, parts)
    assert found.kind == "quasi-complete"
    fit = found.limit().fit()
    theirs = fitted(build())
    values, errors = np.asarray(theirs.params), np.asarray(theirs.bse)
    if name == "multinomial":
        pairs = {
            f"{level}: {column}": (values[j, k], errors[j, k])
            for k, level in enumerate(LEVELS[1:])
            for j, column in enumerate(["(intercept)", *SLOPES])
        }
        moved = [f"{level}: c" for level in LEVELS[1:]]
    else:
        first = ["(intercept)"] if "const" in theirs.model.exog_names else []
        pairs = dict(zip([*first, *SLOPES], zip(values, errors, strict=False), strict=False))
        moved = ["c"]
    for column, (value, error) in pairs.items():
        assert fit.coefficients[column] == pytest.approx(value, rel=2e-4, abs=2e-4)
        assert fit.standard_errors[column] == pytest.approx(error, rel=2e-3)
    assert [fit.coefficients[column] for column in moved] == [-np.inf] * len(moved)
    assert np.isnan([fit.standard_errors[column] for column in moved]).all()
    assert list(fit.coefficients) == list(found.coefficients)


def test_a_negative_binomial_glm_keeps_its_dispersion():
    family = sm.families.NegativeBinomial(alpha=0.7)
    columns = sm.add_constant(ALL[[*SLOPES, "c"]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = novikoff.diagnose(sm.GLM(ALL.k, columns, family=family, offset=ALL.o))
    fit = found.limit().fit()
    theirs = sm.GLM(REST.k, X, family=family, offset=REST.o.to_numpy()).fit()
    for name in ("const", *SLOPES):
        assert fit.coefficients[name] == pytest.approx(theirs.params[name], rel=1e-6)
        assert fit.standard_errors[name] == pytest.approx(theirs.bse[name], rel=1e-6)


@pytest.mark.parametrize("variance", ["nb2", "nb1", "geometric"])
def test_a_negative_binomial_model_keeps_its_variance(variance):
    options = {"loglike_method": variance}
    rng = np.random.default_rng(2)
    counts = ALL.k * rng.integers(0, 3, len(ALL)) + ALL.k * (
        ALL.k > 1
    )  # more than Poisson's spread
    model = sm.NegativeBinomial(counts, sm.add_constant(ALL[[*SLOPES, "c"]]), **options)
    fit = novikoff.diagnose(model).limit().fit()
    theirs = fitted(sm.NegativeBinomial(counts[REST.index], X, **options))
    for name in ("const", *SLOPES):
        assert fit.coefficients[name] == pytest.approx(theirs.params[name], rel=1e-3)
        assert fit.standard_errors[name] == pytest.approx(theirs.bse[name], rel=1e-3)


@pytest.mark.parametrize("name", ["ordinal", "conditional"])
def test_offsets_come_with_the_models_of_statsmodels(name):
    columns = ALL[[*SLOPES, "c"]]
    if name == "ordinal":
        model = OrderedModel(ordered(ALL), columns, offset=ALL.o, distr="logit")
    else:
        model = ConditionalLogit(ALL.y, columns, groups=ALL.s, offset=ALL.o)
    fit = novikoff.diagnose(model).limit().fit()
    ours = asked(name, FITS[name][0]).limit().fit()
    for column in SLOPES:
        assert fit.coefficients[column] == pytest.approx(ours.coefficients[column], rel=1e-6)


def test_an_offset_of_a_multinomial_model_is_nobodys():
    with pytest.raises(OptionError, match="offset"):
        asked("multinomial", {"y": "class", "offset": "o"}).limit().fit()


def grouped(reference="a"):
    """Group a has no counts: its base is infinite, and so are the differences from it."""
    frame = pd.DataFrame({"y": [0, 0, 3, 5, 2, 1], "g": list("aabbcc"), "one": 1.0})
    for level in sorted(set("abc") - {reference}):
        frame[level] = (frame.g == level) * 1.0
    return frame.drop(columns="g")


def test_names_in_results_mean_what_they_say():
    frame = pd.DataFrame({"y": [0, 0, 3, 5, 2, 1], "g": list("aabbcc")})
    found = novikoff.detect_separation("y ~ g", frame, model="poisson")
    limit = found.limit()
    assert limit.columns == ("(intercept)", "g[T.b]")
    assert limit.estimands == ("(intercept) + g[T.c]", "g[T.b] − g[T.c]")
    fit = limit.fit()
    assert list(fit.result.params.index) == list(fit.contrasts) == list(limit.estimands)
    assert fit.contrasts["(intercept) + g[T.c]"][0] == pytest.approx(np.log(1.5))
    assert fit.contrasts["g[T.b] − g[T.c]"] == pytest.approx(
        (np.log(4 / 1.5), np.sqrt(1 / 8 + 1 / 3))
    )
    assert list(fit.coefficients.values()) == [-np.inf, np.inf, np.inf]
    assert "\nfinite combinations:\n" in str(fit)
    assert str(fit).endswith("\nstandard errors: observed information")


@pytest.mark.parametrize("scale", [1.0, 0.1, 3.0])
def test_a_contrast_is_what_another_reference_level_gives(scale):
    columns = {"b": grouped().b * scale, "c": grouped().c}
    data = grouped().assign(**columns)
    found = novikoff.detect_separation(
        ["one", "b", "c"], "y", data=data, model="poisson", decimals=True
    )
    (name, (value, error)) = list(found.limit().fit().contrasts.items())[1]
    factor = {1.0: "", 0.1: "10·", 3.0: "1/3·"}[scale]
    assert name == f"b − {factor}c"
    rest = grouped("c").iloc[2:]
    theirs = sm.GLM(rest.y, rest[["one", "b"]], family=sm.families.Poisson()).fit()
    assert value == pytest.approx(theirs.params["b"] / scale)
    assert error == pytest.approx(theirs.bse["b"] / scale)


def test_what_is_finite_keeps_its_name_and_what_is_aliased_is_in_no_sum():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"g": list("aabbcc") * 10, "x": rng.normal(size=60).round(2)})
    frame["twice"] = 2 * frame.x
    frame["y"] = rng.poisson(np.exp(frame.x)) * (frame.g != "a")
    found = novikoff.detect_separation("y ~ g + x + twice", frame, model="poisson")
    fit = found.limit().fit()
    assert list(fit.result.params.index) == ["(intercept) + g[T.c]", "g[T.b] − g[T.c]", "x"]
    assert fit.coefficients["x"] == fit.result.params["x"]
    assert list(fit.contrasts) == list(fit.result.params.index[:2])


@pytest.mark.parametrize(
    ("model", "options", "information"),
    [
        ("logit", {}, "observed"),
        ("poisson", {}, "observed"),
        ("probit", {}, "expected"),
        ("cloglog", {}, "expected"),
        ("probit", {"method": "newton"}, "observed"),
        ("probit", {"method": "newton", "cov_type": "eim"}, "expected"),
        ("logit", {"cov_type": "HC0"}, "sandwich"),
        ("ordinal", {}, "observed"),
    ],
)
def test_the_information_matrix_is_named(model, options, information):
    rng = np.random.default_rng(1)
    X = rng.integers(0, 3, (60, 2)).astype(float)
    y = rng.integers(0, 3 if model == "ordinal" else 2, 60)
    fit = novikoff.detect_separation(X, y, model=model).limit().fit(**options)
    assert fit.information == information
    if model == "probit":  # Fisher's matrix, or the second derivatives, in NumPy
        theirs = sm.Probit(y, sm.add_constant(X)).fit(disp=0)
        z = sm.add_constant(X) @ theirs.params
        pdf, cdf = (f(z) for f in (lambda z: np.exp(-z * z / 2) / np.sqrt(2 * np.pi), norm.cdf))
        fisher = sm.add_constant(X).T * (pdf**2 / (cdf * (1 - cdf))) @ sm.add_constant(X)
        expected = np.sqrt(np.diag(np.linalg.inv(fisher)))
        errors = expected if information == "expected" else theirs.bse
        assert list(fit.standard_errors.values()) == pytest.approx(list(errors), rel=1e-4)


SINGULAR = [
    (
        [[-2, -3], [1, 0], [-1, -1], [3, -2], [3, 3], [-1, 1], [-2, -2], [1, -3], [2, -2],
         [1, -3], [-3, -1], [2, -3], [-2, 3], [3, 0], [1, -1], [-1, 2]],
        [0, 3, 0, 4, 4, 1, 0, 2, 4, 4, 0, 4, 0, 2, 1, 0],
    ),
    (
        [[3, 2], [1, -3], [-1, -2], [-3, -3], [0, 2], [1, -1], [-1, 1], [2, -3], [0, -1],
         [-2, 3], [2, 3], [-2, -1], [-3, 1], [-3, 0], [-1, 0], [-2, 0]],
        [4, 5, 5, 3, 0, 4, 0, 5, 5, 1, 4, 0, 4, 2, 1, 5],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "y"), SINGULAR)
def test_a_singular_matrix_on_the_way_is_no_end(rows, y):
    found = novikoff.detect_separation(rows, y, model="ordinal", names=["a", "b"])
    assert found.kind == "none"
    fit = found.limit().fit()
    assert fit.result.mle_retvals["converged"]
    theirs = fitted(OrderedModel(y, np.asarray(rows, dtype=float), distr="logit"))
    assert fit.result.llf == pytest.approx(theirs.llf, rel=1e-7)
    slopes = [fit.coefficients[name] for name in ("a", "b")]
    assert slopes == pytest.approx(theirs.params[:2].tolist(), abs=1e-3)
    assert np.isfinite(list(fit.standard_errors.values())).all()
