"""The model inside a pipeline or a search of scikit-learn, with the columns that reach it.

Steps that scale columns one by one change no answer but that of the intercept, and they round: they
are passed over, so that the answer is about the columns as they came.
"""

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
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
from novikoff.regression.libraries.asked import GivenModel, as_pandas

SCALERS = (MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler)
# Where searches keep the model that they chose, and classifiers with a threshold theirs.
CHOSEN = {
    "GridSearchCV": "best_estimator_",
    "RandomizedSearchCV": "best_estimator_",
    "HalvingGridSearchCV": "best_estimator_",
    "HalvingRandomSearchCV": "best_estimator_",
    "FixedThresholdClassifier": "estimator_",
    "TunedThresholdClassifierCV": "estimator_",
}


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
    attribute = CHOSEN.get(type(model).__name__)
    if attribute is None:
        return None
    if not hasattr(model, attribute):
        raise OptionError(
            f"this {type(model).__name__} holds no fitted model: fit it (with refit=True), or "
            "diagnose the model that it searches for."
        )
    return getattr(model, attribute)


def _through(asked: GivenModel, steps: Pipeline, *, passing: bool) -> GivenModel:
    """The data after these steps; `passing` over scalers."""
    try:
        check_is_fitted(steps)
    except NotFittedError as error:
        raise OptionError("this pipeline is not fitted: its steps make the columns.") from error
    X: Any = asked.X if hasattr(asked.X, "shape") else as_pandas(asked.X)
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
    if isinstance(step, SCALERS) and not getattr(step, "clip", False):
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
    short = [name.rpartition("__")[2] for name in made]
    return short if len(set(short)) == len(short) else made
