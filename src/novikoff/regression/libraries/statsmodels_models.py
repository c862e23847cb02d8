"""Models and results of statsmodels: one function a class."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.discrete.discrete_model import Logit, MNLogit, NegativeBinomial, Poisson, Probit
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.genmod import families
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.miscmodels.ordinal_model import OrderedModel

from novikoff.certificates.models.model import Name
from novikoff.data.factors import base_levels
from novikoff.errors import OptionError
from novikoff.matrix.problem import python_value
from novikoff.regression.libraries.asked import Described, GivenModel, offset_of
from novikoff.regression.result import Link, Variance

# Links with which the likelihood is log-concave and runs off along the same cone.
LINKS: dict[str, tuple[Name, Link]] = {
    "Logit": ("logit", "logit"),
    "Probit": ("probit", "probit"),
    "CLogLog": ("cloglog", "cloglog"),
    "LogLog": ("cloglog", "loglog"),
}


KNOWN = (
    "Logit, Probit, GLM with the binomial, Poisson or negative binomial family, MNLogit, "
    "OrderedModel, ConditionalLogit, PHReg, Poisson and NegativeBinomial"
)


def describe(asked: GivenModel) -> Described:
    """The description of a statsmodels model or result."""
    model = getattr(asked.model, "model", asked.model)
    kind = type(model).__name__
    replace(asked, model=model).refuse("X", "y", "weights")
    if getattr(asked.model, "constraints", None) is not None:
        raise OptionError(
            f"{kind} was fitted with constraints, which diagnose does not support: build them into "
            "the columns of the model."
        )
    if getattr(model, "endog", True) is None or getattr(model, "exog", True) is None:
        raise OptionError(
            f"the data of this {kind} was removed: diagnose it before remove_data(), or diagnose "
            "the model."
        )
    # A subclass may be another model: a zero-inflated count, say.
    describe_kind = DESCRIPTIONS.get(type(model))
    if describe_kind is None:
        raise OptionError(f"{kind} of statsmodels cannot be diagnosed; {KNOWN} can.")
    return describe_kind(model)


def _described(model: Any, name: Name, parts: dict[str, Any], **more: Any) -> Described:
    """The description, with columns and their names, an offset, and rows that were dropped."""
    X = np.asarray(model.exog, dtype=np.float64)
    return Described(
        X, parts, name=name, names=list(model.exog_names)[: X.shape[1]], offset=offset_of(model),
        bases=_bases(model), numbers=_numbered_as_given(model), **more,
    )  # fmt: skip


def _bases(model: Any) -> dict[str, Any]:
    """The levels without a column of the factors in a formula, which patsy keeps."""
    info = getattr(model.data, "model_spec", None)
    factors = getattr(info, "factor_infos", None) or {}
    levels = {
        factor.name(): factor_info.categories
        for factor, factor_info in factors.items()
        if factor_info.type == "categorical"
    }
    return base_levels(info.column_names, levels) if levels and info is not None else {}


def _numbered_as_given(model: Any) -> NDArray[np.intp] | None:
    """For each row of the model its number in the data it was made of, if NaN rows were dropped."""
    dropped = getattr(model.data, "missing_row_idx", None)
    if not dropped:
        return None
    given = np.arange(len(model.endog) + len(dropped))
    return np.delete(given, np.asarray(dropped, dtype=np.intp))


def _binary(model: Any) -> Described:
    y = np.asarray(model.endog, dtype=np.float64)
    name: Literal["logit", "probit"] = "logit" if isinstance(model, Logit) else "probit"
    return _successes(model, name, name, {"y": y}, 1)


def _successes(
    model: Any, name: Name, link: Link, parts: dict[str, Any], n_trials: Any
) -> Described:
    """Two outcomes; or shares between 0 and 1, which Logit takes, too: both outcomes in a row."""
    share = parts["y"]
    trials = np.broadcast_to(np.asarray(n_trials, dtype=np.float64), share.shape)
    if np.isin(share, (0, 1)).all() and (trials == 1).all():
        return _described(model, name, parts, link=link)
    # A share of 1 is all trials, whatever their product rounds to.
    parts |= {"y": np.where(share == 1, trials, np.minimum(share, 1) * trials), "trials": trials}
    return _described(model, "binomial", parts, link=link)


def _counts(model: Any) -> Described:
    if isinstance(model, Poisson):
        return _described(model, "poisson", {"y": model.endog})
    variance: Variance = model.loglike_method
    parts = {"y": model.endog}
    return _described(model, "negative-binomial", parts, variance=variance)


def _generalised(model: Any) -> Described:
    family, link = type(model.family).__name__, type(model.family.link).__name__
    weights = np.asarray(model.freq_weights) * np.asarray(model.var_weights)
    parts: dict[str, Any] = {"y": np.asarray(model.endog, dtype=np.float64)}
    if (weights != 1).any():
        parts["weights"] = weights
    counts: dict[type, Name] = {
        families.Poisson: "poisson",
        families.NegativeBinomial: "negative-binomial",
    }
    if type(model.family) in counts:
        if link != "Log":
            raise OptionError(f"Only the log link is supported for {family}; the model has {link}.")
        alpha = getattr(model.family, "alpha", None)
        return _described(model, counts[type(model.family)], parts, dispersion=alpha)
    if not isinstance(model.family, families.Binomial):
        raise OptionError(
            f"GLM with the family {family} cannot have separation. Binomial, Poisson and "
            "NegativeBinomial can."
        )
    if link not in LINKS:
        raise OptionError(f"GLM with the link {link}: it must be one of {', '.join(LINKS)}.")
    return _successes(model, *LINKS[link], parts, model.n_trials)


def _multinomial(model: Any) -> Described:
    names = [model._ynames_map[code] for code in range(len(model._ynames_map))]
    labels = np.asarray(names)[np.asarray(model.endog, dtype=np.intp)]
    return _described(model, "multinomial", {"y": labels}, levels=names)


def _ordinal(model: Any) -> Described:
    levels = [python_value(label) for label in model.labels]
    labels = np.asarray(levels)[np.asarray(model.endog, dtype=np.intp)]
    link: Link = "logit" if model.distr.name == "logistic" else "probit"
    if model.distr.name not in ("logistic", "norm"):
        raise OptionError(f"OrderedModel with {model.distr.name}: logit and probit are known.")
    return _described(model, "ordinal", {"y": labels}, levels=levels, link=link)


def _conditional(model: Any) -> Described:
    parts = {"y": model.endog, "strata": np.asarray(model.groups)}
    return _described(model, "conditional", parts)


def _cox(model: Any) -> Described:
    time = np.asarray(model.endog, dtype=np.float64)
    parts: dict[str, Any] = {"time": time, "event": np.asarray(model.status), "entry": None}
    if model.strata is not None:
        parts["strata"] = np.asarray(model.strata)
    if model.entry is not None:
        # statsmodels counts who enters at t as at risk at t; only the order of times matters.
        entry = np.asarray(model.entry, dtype=np.float64)
        order = np.unique(np.concatenate([time, entry]))
        parts["time"] = 2.0 * np.searchsorted(order, time)
        parts["entry"] = 2.0 * np.searchsorted(order, entry) - 1
    return _described(model, "cox", parts, ties=model.ties)


DESCRIPTIONS: dict[type, Callable[[Any], Described]] = {
    Logit: _binary,
    Probit: _binary,
    Poisson: _counts,
    NegativeBinomial: _counts,
    GLM: _generalised,
    MNLogit: _multinomial,
    OrderedModel: _ordinal,
    ConditionalLogit: _conditional,
    PHReg: _cox,
}
