"""Cox models of lifelines, with the frame that they were fitted to: they keep only its names."""

from typing import Any

import numpy as np
from lifelines import CoxPHFitter

from novikoff.errors import OptionError, ShapeError
from novikoff.regression.libraries.asked import Described, GivenModel

ELSE = (
    "novikoff.detect_separation([…columns], data=frame, model='cox', time='…', event='…') asks of "
    "the data itself"
)


def describe(asked: GivenModel) -> Described:
    """The description of a fitted `CoxPHFitter`."""
    model: Any = asked.model
    if type(model) is not CoxPHFitter or model.baseline_estimation_method != "breslow":
        raise OptionError(
            f"{asked.kind} of lifelines cannot be diagnosed; a CoxPHFitter whose baseline is "
            "Breslow's can."
        )
    if not hasattr(model, "_model"):
        raise OptionError(f"this CoxPHFitter is not fitted, or its fit failed: {ELSE}.")
    asked.refuse("y", "weights")
    asked.need("X", call="diagnose(fitted, frame), with the frame that it was fitted to")
    if model.entry_col is not None:
        raise OptionError(f"late entry is not read from lifelines' models: {ELSE}, entry='…'.")
    frame = asked.X
    design = model.regressors.transform_df(frame)["beta_"]
    if len(design) != len(model.durations) or len(frame) != len(design):
        raise ShapeError(
            f"the frame has {len(frame)} rows, and the model was fitted to {len(model.durations)}."
        )
    parts = {"time": np.asarray(frame[model.duration_col], dtype=np.float64)}
    if model.event_col is not None:
        parts["event"] = np.asarray(frame[model.event_col]).astype(bool)
    strata = model._model.strata
    if strata is not None:
        columns = [strata] if isinstance(strata, str) else list(strata)
        parts["strata"] = frame.groupby(columns).ngroup().to_numpy()
    if model.weights_col is not None:
        parts["weights"] = np.asarray(frame[model.weights_col], dtype=np.float64)
    return Described("cox", design.to_numpy(), parts, list(design.columns), ties="efron")
