"""The limiting fit against statsmodels on the data without the group that is separated."""

import warnings

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
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
