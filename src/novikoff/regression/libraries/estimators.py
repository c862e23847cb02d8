"""Estimators with `fit(X, y)`, and their data: alone, in a pipeline, or chosen by a search.

They are of scikit-learn, scikit-survival and firthmodels, and are told by the names of their
classes. Steps of a pipeline that scale columns one by one change no answer but that of the
intercept, and they round: they are passed over, so that the answer is about the columns as they
came.
"""

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.validation import check_is_fitted

from novikoff.errors import OptionError
from novikoff.matrix.arrays import column_names, speaks_arrow
from novikoff.regression.libraries.asked import Described, GivenModel, as_pandas

SCALERS = ("MaxAbsScaler", "MinMaxScaler", "RobustScaler", "StandardScaler")


def innermost(asked: GivenModel) -> GivenModel:
    """The model that a pipeline ends in or a search has chosen, and the data as it comes there."""
    shifts = getattr(_last(asked.model), "fit_intercept", True)
    while (inner := _inside(asked.model)) is not None:
        asked.need("X", call="diagnose(model, X, y)")
        if isinstance(asked.model, Pipeline) and len(asked.model.steps) > 1:
            asked = _through(asked, asked.model[:-1], passing=shifts)
        asked = replace(asked, model=inner)
    return asked


def _last(model: Any) -> Any:
    inner = _inside(model)
    return model if inner is None else _last(inner)


def _inside(model: Any) -> Any:
    """The model in a pipeline or a search; None in any other."""
    if isinstance(model, Pipeline):
        return model.steps[-1][1]
    kind = type(model).__name__
    is_search = kind.endswith("SearchCV")
    if not is_search and "ThresholdClassifier" not in kind:
        return None
    attribute = "best_estimator_" if is_search else "estimator_"
    if not hasattr(model, attribute):
        raise OptionError(
            f"this {kind} holds no fitted model: fit it (with refit=True), or "
            "diagnose the model that it searches for."
        )
    return getattr(model, attribute)


def _through(asked: GivenModel, steps: Pipeline, *, passing: bool) -> GivenModel:
    """The data after these steps; `passing` over scalers."""
    try:
        check_is_fitted(steps)
    except NotFittedError as error:
        raise OptionError("this pipeline is not fitted: fit it first.") from error
    X: Any = asked.X
    # scikit-learn knows the frames of pandas and of polars.
    if speaks_arrow(X) and not hasattr(X, "iloc") and not hasattr(X, "get_columns"):
        X = as_pandas(X)
    steps = _without_scaling(deepcopy(steps)) if passing else steps
    made = steps.transform(X)
    if asked.names is not None:
        return replace(asked, X=made)
    names = _names(steps, column_names(X)) or column_names(made)
    # glum codes the categories of a frame, and names what it makes.
    coded = getattr(_last(asked.model), "feature_names_", names)
    is_coded = coded is None or names is None or len(coded) != len(names)
    return replace(asked, X=made, names=None if is_coded else names)


def _without_scaling(step: Any) -> Any:
    """The fitted step with scalers replaced by what passes columns on; the copy is changed."""
    if type(step).__name__ in SCALERS and not getattr(step, "clip", False):
        same = FunctionTransformer(feature_names_out="one-to-one")
        vars(same).update({k: v for k, v in vars(step).items() if k.endswith("_in_")})
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
    short = _unprefixed(steps, made)
    return short if len(set(short)) == len(short) else made


def _unprefixed(step: Any, names: list[str]) -> list[str]:
    """The names without those of transformers, also in a product such as "num__a cat__b"."""
    attributes = ("transformers_", "transformer_list", "steps")
    parts: Any = next((getattr(step, name) for name in attributes if hasattr(step, name)), ())
    if getattr(step, "verbose_feature_names_out", False) is True:
        added = re.compile(rf"(?<!\S)({'|'.join(re.escape(part[0]) for part in parts)})__")
        names = [added.sub("", name) for name in names]
    for part in reversed(parts):
        names = _unprefixed(part[1], names)
    return names


def describe(asked: GivenModel) -> Described:
    """The description of an estimator, fitted or not."""
    for kind in type(asked.model).__mro__:
        if kind.__name__ in DESCRIPTIONS:
            asked.need("X", "y", call=f"diagnose({asked.kind}(), X, y)")
            return DESCRIPTIONS[kind.__name__](asked)
    raise OptionError(
        f"{asked.kind} cannot be diagnosed; {', '.join(DESCRIPTIONS)} can, alone, as the last step "
        "of a pipeline, or chosen by a search."
    )


def _logistic(asked: GivenModel) -> Described:
    several = len(np.unique(np.asarray(asked.y))) > 2
    return Described(
        asked.X,
        {"y": asked.y, "weights": asked.weights},
        name="multinomial" if several else "logit",
        names=column_names(asked.X),
        fit_intercept=bool(asked.model.fit_intercept),
    )


def _cox(asked: GivenModel) -> Described:
    asked.refuse("weights")
    event, time = _event_and_time(asked.y)
    ties: Any = getattr(asked.model, "ties", "breslow")
    parts = {"time": time, "event": event}
    return Described(asked.X, parts, name="cox", names=column_names(asked.X), ties=ties)


def _event_and_time(y: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Both parts of a survival outcome: a pair, or a structured array of two fields."""
    fields: list[str] = list(getattr(getattr(y, "dtype", None), "names", None) or ())
    if len(fields) == 2:
        truths = [name for name in fields if y.dtype[name] == np.bool_]
        event = truths[0] if len(truths) == 1 else fields[0]
        fields.remove(event)
        return y[event], y[fields[0]]
    if isinstance(y, (tuple, list)) and len(y) == 2:
        return np.asarray(y[0]), np.asarray(y[1])
    raise OptionError(
        "y must be (event, time), or have these two fields, as sksurv.util.Surv makes it."
    )


DESCRIPTIONS: dict[str, Callable[[GivenModel], Described]] = {
    "LogisticRegression": _logistic,
    "LogisticRegressionCV": _logistic,
    "FirthLogisticRegression": _logistic,
    "FirthCoxPH": _cox,
    "CoxPHSurvivalAnalysis": _cox,
    "CoxnetSurvivalAnalysis": _cox,
}
