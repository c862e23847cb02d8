"""Translate statsmodels models to the arguments of `detect_separation`: one function a class."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from statsmodels.discrete.conditional_models import ConditionalLogit
from statsmodels.discrete.discrete_model import Logit, MNLogit, NegativeBinomial, Poisson, Probit
from statsmodels.duration.hazard_regression import PHReg
from statsmodels.genmod import families
from statsmodels.genmod.generalized_linear_model import GLM
from statsmodels.miscmodels.ordinal_model import OrderedModel

from novikoff.certificates.models.model import Name, Ties
from novikoff.errors import OptionError
from novikoff.regression.result import Link, Variance

# Links with which the likelihood is log-concave and runs off along the same cone.
LINKS: dict[str, tuple[Name, Link]] = {
    "Logit": ("logit", "logit"),
    "Probit": ("probit", "probit"),
    "CLogLog": ("cloglog", "cloglog"),
    "LogLog": ("cloglog", "loglog"),
}


@dataclass(frozen=True)
class Described:
    """A model's name here, the parts of its outcome, and what else it needs."""

    name: Name
    parts: dict[str, Any]
    levels: Sequence[Any] | None = None
    offset: NDArray[np.float64] | None = None
    ties: Ties = "breslow"
    link: Link | None = None
    dispersion: float | None = None
    variance: Variance = "nb2"


def describe(model: Any) -> Described | None:
    """The description of a statsmodels model; None if it is none of those known."""
    for kind, describe_kind in DESCRIPTIONS.items():
        # A subclass may be another model: a zero-inflated count, say.
        if type(model) is kind:
            return describe_kind(model)
    return None


def _binary(model: Any) -> Described:
    name: Name = "logit" if isinstance(model, Logit) else "probit"
    y = np.asarray(model.endog, dtype=np.float64)
    if np.isin(y, (0, 1)).all():
        return Described(name, {"y": y}, offset=_offset(model))
    # Logit takes shares between 0 and 1, too: both outcomes in a row.
    parts = {"y": y, "trials": np.ones(len(y))}
    return Described("binomial", parts, offset=_offset(model), link="logit")


def _counts(model: Any) -> Described:
    if isinstance(model, Poisson):
        return Described("poisson", {"y": model.endog}, offset=_offset(model))
    variance: Variance = model.loglike_method
    parts = {"y": model.endog}
    return Described("negative-binomial", parts, offset=_offset(model), variance=variance)


def _offset(model: Any) -> NDArray[np.float64] | None:
    """Offset and logarithm of the exposure, which statsmodels keeps as such."""
    parts = [getattr(model, name, None) for name in ("offset", "exposure")]
    there = [np.asarray(part, dtype=np.float64) for part in parts if part is not None]
    there = [part for part in there if part.shape == np.shape(model.endog)[:1]]
    return sum(there) if there else None  # type: ignore[return-value]


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
        return Described(
            counts[type(model.family)],
            parts,
            offset=_offset(model),
            dispersion=getattr(model.family, "alpha", None),
        )
    if not isinstance(model.family, families.Binomial):
        raise OptionError(
            f"GLM with the family {family} cannot be diagnosed: its estimate is no question of "
            "separation. Binomial, Poisson and NegativeBinomial can."
        )
    if link not in LINKS:
        raise OptionError(f"GLM with the link {link}: it is none of {', '.join(LINKS)}.")
    name, kind = LINKS[link]
    share = parts["y"]
    if np.isin(share, (0, 1)).all() and (np.asarray(model.n_trials) == 1).all():
        return Described(name, parts, offset=_offset(model), link=kind)
    trials = np.broadcast_to(np.asarray(model.n_trials, dtype=np.float64), share.shape)
    # A share of 1 is all trials, whatever their product rounds to.
    parts |= {"y": np.where(share == 1, trials, np.minimum(share, 1) * trials), "trials": trials}
    return Described("binomial", parts, offset=_offset(model), link=kind)


def _multinomial(model: Any) -> Described:
    names = [model._ynames_map[code] for code in range(len(model._ynames_map))]
    labels = np.asarray(names)[np.asarray(model.endog, dtype=np.intp)]
    return Described("multinomial", {"y": labels}, levels=names)


def _ordinal(model: Any) -> Described:
    levels = [label.item() if isinstance(label, np.generic) else label for label in model.labels]
    labels = np.asarray(levels)[np.asarray(model.endog, dtype=np.intp)]
    link: Link = "logit" if model.distr.name == "logistic" else "probit"
    if model.distr.name not in ("logistic", "norm"):
        raise OptionError(f"OrderedModel with {model.distr.name}: logit and probit are known.")
    return Described("ordinal", {"y": labels}, levels=levels, offset=_offset(model), link=link)


def _conditional(model: Any) -> Described:
    parts = {"y": model.endog, "strata": np.asarray(model.groups)}
    return Described("conditional", parts, offset=_offset(model))


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
    return Described("cox", parts, ties=model.ties, offset=_offset(model))


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
