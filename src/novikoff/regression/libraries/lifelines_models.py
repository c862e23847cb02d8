"""Cox models of lifelines, with the frame that they were fitted to: they keep only its names."""

from typing import Any

import numpy as np
from lifelines import CoxPHFitter, CoxTimeVaryingFitter
from numpy.typing import NDArray

from novikoff.errors import OptionError, ShapeError
from novikoff.regression.libraries.asked import Described, GivenModel


def describe(asked: GivenModel) -> Described:
    """The description of a fitted `CoxPHFitter` or `CoxTimeVaryingFitter`."""
    model: Any = asked.model
    is_varying = type(model) is CoxTimeVaryingFitter
    is_plain = type(model) is CoxPHFitter and model.baseline_estimation_method == "breslow"
    if not is_varying and not is_plain:
        raise OptionError(
            f"{asked.kind} of lifelines cannot be diagnosed; CoxTimeVaryingFitter can, and a "
            "CoxPHFitter whose baseline is Breslow's."
        )
    if not hasattr(model, "params_"):
        raise OptionError(
            f"this {asked.kind} is not fitted, or its fit failed: novikoff.detect_separation([…"
            "columns], data=frame, model='cox', time='…', event='…') asks of the data itself."
        )
    asked.refuse("y", "weights")
    with asked.frame("diagnose(fitted, frame), with the frame that it was fitted to") as frame:
        design = model.regressors.transform_df(frame)["beta_"]
        if is_varying:
            named = {"time": model.stop_col, "entry": model.start_col}
            times, strata = model.start_stop_and_events["stop"], model.strata
        else:
            named = {"time": model.duration_col, "entry": model.entry_col}
            times, strata = model.durations, model._model.strata
        named["weights"] = model.weights_col
        parts: dict[str, Any] = {
            part: np.asarray(frame[name], dtype=np.float64)
            for part, name in named.items()
            if name is not None
        }
        if model.event_col is not None:
            parts["event"] = np.asarray(frame[model.event_col]).astype(bool)
        if strata is not None:
            columns = [strata] if isinstance(strata, str) else list(strata)
            parts["strata"] = frame.groupby(columns).ngroup().to_numpy()
    _check_same(parts["time"], np.asarray(times), len(design))
    names = list(design.columns)
    return Described(design.to_numpy(), parts, name="cox", names=names, ties="efron")


def _check_same(given: NDArray[Any], fitted: NDArray[Any], n: int) -> None:
    """Raise `ShapeError` unless these are the times that the model was fitted to, in any order."""
    if n != len(given) or len(given) != len(fitted):
        raise ShapeError(
            f"the frame has {len(given)} rows, and the model was fitted to {len(fitted)}."
        )
    if not np.array_equal(np.sort(given), np.sort(fitted)):
        raise ShapeError("the times in the frame are not those that the model was fitted to.")
