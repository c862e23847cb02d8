"""Models of firthmodels, with their data: they are asked about without the penalty."""

import numpy as np
from firthmodels import FirthCoxPH, FirthLogisticRegression

from novikoff.errors import OptionError
from novikoff.matrix.problem import column_names
from novikoff.regression.libraries.asked import Described, GivenModel


def describe(asked: GivenModel) -> Described:
    """The description of a `FirthLogisticRegression` or a `FirthCoxPH`, fitted or not."""
    asked.need("X", "y", call="diagnose(model, X, y)")
    names = column_names(asked.X)
    if isinstance(asked.model, FirthLogisticRegression):
        parts = {"y": asked.y, "weights": asked.weights}
        return Described("logit", asked.X, parts, names, fit_intercept=asked.model.fit_intercept)
    if not isinstance(asked.model, FirthCoxPH):
        raise OptionError(
            f"{asked.kind} of firthmodels cannot be diagnosed; FirthLogisticRegression and "
            "FirthCoxPH can."
        )
    asked.refuse("weights")
    y = asked.y
    event, time = map(np.asarray, y if isinstance(y, tuple) else (y[n] for n in y.dtype.names))
    return Described("cox", asked.X, {"time": time, "event": event.astype(bool)}, names)
