"""Estimators with `fit(X, y)`, and their data: of scikit-learn, scikit-survival and firthmodels.

They are told by the names of their classes, so that no library is imported for it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import OptionError
from novikoff.matrix.arrays import column_names
from novikoff.regression.libraries.asked import Described, GivenModel


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
        "multinomial" if several else "logit",
        asked.X,
        {"y": asked.y, "weights": asked.weights},
        column_names(asked.X),
        fit_intercept=bool(asked.model.fit_intercept),
    )


def _cox(asked: GivenModel) -> Described:
    asked.refuse("weights")
    event, time = _event_and_time(asked.y)
    ties: Any = getattr(asked.model, "ties", "breslow")
    return Described(
        "cox", asked.X, {"time": time, "event": event}, column_names(asked.X), ties=ties
    )


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
