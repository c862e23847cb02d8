"""Binomial and count regressions of glum, fitted, with their data."""

from dataclasses import replace
from typing import Any

import numpy as np
from tabmat import MatrixBase

from novikoff.certificates.models.model import Name
from novikoff.core import sparse as sp
from novikoff.errors import OptionError
from novikoff.matrix.arrays import column_names
from novikoff.regression.libraries.asked import Described, GivenModel, as_pandas
from novikoff.regression.result import Link

NAMES: dict[tuple[str, str], Name] = {
    ("BinomialDistribution", "LogitLink"): "logit",
    ("BinomialDistribution", "CloglogLink"): "cloglog",
    ("PoissonDistribution", "LogLink"): "poisson",
    ("NegativeBinomialDistribution", "LogLink"): "negative-binomial",
}
LINKS: dict[Name, Link] = {"logit": "logit", "cloglog": "cloglog"}


def describe(asked: GivenModel) -> Described:
    """The description of a fitted regressor, in the columns that it made."""
    model: Any = asked.model
    asked.need("X", call="diagnose(fitted, X, y), or diagnose(fitted, frame) of a formula")
    if not isinstance(asked.X, MatrixBase) and column_names(asked.X) is not None:
        asked = replace(asked, X=as_pandas(asked.X))
    if not hasattr(model, "feature_names_"):
        raise OptionError(f"this {asked.kind} is not fitted: fit it first.")
    family, link = model._family_instance, type(model._link_instance).__name__
    name = NAMES.get((type(family).__name__, link))
    if name is None:
        raise OptionError(
            f"glum's {type(family).__name__} with {link} cannot be diagnosed: binomial with logit "
            "or cloglog can, and Poisson and negative binomial with log."
        )
    y = _outcome(asked)
    parts: dict[str, Any] = {"y": y, "weights": asked.weights}
    more: dict[str, Any] = {"fit_intercept": model.fit_intercept}
    if name in LINKS and not np.isin(y, (0, 1)).all():  # a share is both outcomes in a row
        name, parts["trials"], more["link"] = "binomial", np.ones(len(y)), LINKS[name]
    if name == "negative-binomial":
        more["dispersion"] = float(family.theta)
    return Described(_design(asked), parts, name=name, names=model.feature_names_, **more)


def _outcome(asked: GivenModel) -> Any:
    spec = getattr(asked.model, "y_model_spec_", None)
    if spec is None or asked.y is not None:
        asked.need("y", call="diagnose(fitted, X, y)")
        return np.asarray(asked.y)
    return np.asarray(spec.get_model_matrix(asked.X).toarray()).ravel()


def _design(asked: GivenModel) -> Any:
    """The columns of the fit: categories as zeros and ones."""
    made = asked.X
    if column_names(made) is None:
        return made
    if not isinstance(made, MatrixBase):
        made = asked.model._convert_from_df(made)
    return sp.csr_array(made.tocsr()) if hasattr(made, "tocsr") else made.toarray()
