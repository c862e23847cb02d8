"""scikit-learn's logistic regression, alone or at the end of a pipeline, with its data.

Steps that scale columns one by one change no answer but that of the intercept, and they round: they
are passed over, so that the answer is about the columns as they came.
"""

from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression, LogisticRegressionCV
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MaxAbsScaler,
    MinMaxScaler,
    RobustScaler,
    StandardScaler,
)
from sklearn.utils.validation import check_is_fitted

from novikoff.errors import OptionError
from novikoff.matrix.problem import column_names
from novikoff.regression.libraries.asked import Described, GivenModel

SCALERS = (MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler)


def describe(asked: GivenModel) -> Described:
    """The description of a logistic regression on the columns that reach it."""
    model, steps = asked.model, None
    if isinstance(model, Pipeline):
        model, steps = model.steps[-1][1], model[:-1]
    if not isinstance(model, (LogisticRegression, LogisticRegressionCV)):
        raise OptionError(
            f"{type(model).__name__} of scikit-learn cannot be diagnosed; LogisticRegression can, "
            "alone or as the last step of a pipeline."
        )
    asked.need("X", "y", call=f"diagnose({asked.kind}(), X, y)")
    X: Any = asked.X
    names: Sequence[str] | None = column_names(X)
    if steps is not None and len(steps):
        check_is_fitted(asked.model)
        if model.fit_intercept:
            steps = _without_scaling(deepcopy(steps))
        made = steps.transform(X)
        names = _names(steps, names) or column_names(made)
        X = made
    name: Any = "multinomial" if len(np.unique(np.asarray(asked.y))) > 2 else "logit"
    parts = {"y": asked.y, "weights": asked.weights}
    return Described(name, X, parts, names, fit_intercept=bool(model.fit_intercept))


def _without_scaling(step: Any) -> Any:
    """The fitted step with scalers replaced by what passes columns on; the copy is changed."""
    if isinstance(step, SCALERS) and not getattr(step, "clip", False):
        same = FunctionTransformer(feature_names_out="one-to-one")
        same.n_features_in_ = step.n_features_in_
        if hasattr(step, "feature_names_in_"):
            same.feature_names_in_ = step.feature_names_in_
        return same
    if isinstance(step, Pipeline):
        step.steps = [(name, _without_scaling(inner)) for name, inner in step.steps]
    if isinstance(step, ColumnTransformer):
        step.transformers_ = [(n, _without_scaling(inner), c) for n, inner, c in step.transformers_]
    if isinstance(step, FeatureUnion):
        step.transformer_list = [(n, _without_scaling(inner)) for n, inner in step.transformer_list]
    return step


def _names(steps: Any, given: Sequence[str] | None) -> list[str] | None:
    """The names of the columns, without those of the steps that they went through if they can."""
    try:
        made = steps.get_feature_names_out(None if given is None else list(given)).tolist()
    except (AttributeError, ValueError):
        return None
    short = [name.rpartition("__")[2] for name in made]
    return short if len(set(short)) == len(short) else made
