"""Cox models of scikit-survival, with their data: X, and y of events and times."""

import numpy as np
from sksurv.linear_model import CoxPHSurvivalAnalysis

from novikoff.errors import OptionError
from novikoff.matrix.problem import column_names
from novikoff.regression.libraries.asked import Described, GivenModel


def describe(asked: GivenModel) -> Described:
    """The description of a `CoxPHSurvivalAnalysis`, fitted or not."""
    if not isinstance(asked.model, CoxPHSurvivalAnalysis):
        raise OptionError(
            f"{asked.kind} of scikit-survival cannot be diagnosed; CoxPHSurvivalAnalysis can."
        )
    asked.refuse("weights")
    asked.need("X", "y", call="diagnose(model, X, y)")
    y = np.asarray(asked.y)
    if y.dtype.names is None or len(y.dtype.names) != 2:
        raise OptionError("y must have two fields, event and time: sksurv.util.Surv makes it.")
    event, time = (y[name] for name in y.dtype.names)
    parts = {"time": time.astype(np.float64), "event": event.astype(bool)}
    return Described("cox", asked.X, parts, column_names(asked.X), ties=asked.model.ties)
