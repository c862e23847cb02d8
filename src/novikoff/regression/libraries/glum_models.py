"""Binomial and Poisson regressions of glum, fitted, with their data."""

from typing import Any, Literal

import numpy as np
from glum import (
    BinomialDistribution,
    GeneralizedLinearRegressor,
    GeneralizedLinearRegressorCV,
    NegativeBinomialDistribution,
    PoissonDistribution,
)

from novikoff.core import sparse as sp
from novikoff.errors import OptionError
from novikoff.matrix.arrays import column_names
from novikoff.regression.libraries.asked import Described, GivenModel

LINKS: dict[str, Literal["logit", "cloglog", "log"]] = {
    "LogitLink": "logit",
    "CloglogLink": "cloglog",
    "LogLink": "log",
}


def describe(asked: GivenModel) -> Described:
    """The description of a fitted regressor, in the columns that it made."""
    model: Any = asked.model
    if not isinstance(model, (GeneralizedLinearRegressor, GeneralizedLinearRegressorCV)):
        raise OptionError(f"{asked.kind} of glum cannot be diagnosed; its regressors can.")
    asked.need("X", call="diagnose(fitted, X, y), or diagnose(fitted, frame) of a formula")
    if not hasattr(model, "feature_names_"):
        raise OptionError(f"this {asked.kind} is not fitted: glum makes its columns in fit().")
    family, link = model._family_instance, LINKS.get(type(model._link_instance).__name__)
    y = _outcome(asked)
    parts: dict[str, Any] = {"y": y, "weights": asked.weights}
    more: dict[str, Any] = {"fit_intercept": model.fit_intercept}
    if isinstance(family, BinomialDistribution) and (link == "logit" or link == "cloglog"):
        if np.isin(y, (0, 1)).all():
            return Described(link, _design(asked), parts, model.feature_names_, **more)
        # A share between 0 and 1 is both outcomes in a row.
        parts["trials"] = np.ones(len(y))
        return Described("binomial", _design(asked), parts, model.feature_names_, link=link, **more)
    if isinstance(family, PoissonDistribution) and link == "log":
        return Described("poisson", _design(asked), parts, model.feature_names_, **more)
    if isinstance(family, NegativeBinomialDistribution) and link == "log":
        more["dispersion"] = float(family.theta)
        return Described("negative-binomial", _design(asked), parts, model.feature_names_, **more)
    raise OptionError(
        f"glum's {type(family).__name__} with {type(model._link_instance).__name__} cannot be "
        "diagnosed: binomial with logit or cloglog can, and Poisson and negative binomial with log."
    )


def _outcome(asked: GivenModel) -> Any:
    spec = getattr(asked.model, "y_model_spec_", None)
    if spec is None or asked.y is not None:
        asked.need("y", call="diagnose(fitted, X, y)")
        return np.asarray(asked.y)
    return np.asarray(spec.get_model_matrix(asked.X).toarray()).ravel()


def _design(asked: GivenModel) -> Any:
    """The columns of the fit: categories as zeros and ones."""
    if column_names(asked.X) is None:
        return asked.X
    made = asked.model._convert_from_df(asked.X)
    return sp.csr_array(made.tocsr()) if hasattr(made, "tocsr") else made.toarray()
