"""Poisson, logit and probit regressions of pyfixest, with their fixed effects as columns."""

from dataclasses import replace
from typing import Any

import numpy as np
from pyfixest.estimation.formula.factor_interaction import factor_interaction
from pyfixest.estimation.formula.utils import log

from novikoff.certificates.models.model import Name
from novikoff.core import sparse as sp
from novikoff.errors import OptionError
from novikoff.regression.libraries.asked import Described, GivenModel

METHODS: dict[str, Name] = {
    "fepois": "poisson",
    "feglm-logit": "logit",
    "feglm-probit": "probit",
}


def describe(asked: GivenModel) -> Described:
    """The description of a fitted model: of the rows that it kept, or of the frame that is given.

    pyfixest leaves out rows that it finds separated; only the frame still has them.
    """
    model: Any = asked.model
    asked.refuse("y", "weights")
    if hasattr(model, "all_fitted_models"):
        raise OptionError(f"a {asked.kind} holds several models: diagnose each of its to_list().")
    if getattr(model, "_method", None) not in METHODS:
        raise OptionError(
            f"{asked.kind} of pyfixest cannot be diagnosed; fepois, and feglm with the logit or "
            "the probit family, can."
        )
    if asked.X is None:
        asked = replace(asked, X=getattr(model, "_data", None))
    if asked.X is None or not len(asked.X):
        raise OptionError("this model kept no data: diagnose(fitted, frame).")
    with asked.frame("diagnose(fitted, frame)") as frame:
        return _described(model, frame.reset_index(drop=True))


def _described(model: Any, frame: Any) -> Described:
    # Made anew: what a fitted specification remembers of i(…) gives other columns.
    formula = model._model_spec.second_stage.rhs.formula
    own = {"log": log, "i": factor_interaction}  # what its formulas may call
    design = formula.get_model_matrix(
        frame, context={**own, **model._context}, output="pandas", na_action="drop"
    )
    fixed = [part.strip() for part in (model._fixef or "").split("+") if part.strip()]
    kept = ~frame[[column for part in fixed for column in part.split("^")]].isna().any(axis=1)
    kept &= frame[model._depvar].notna()
    design = design.loc[design.index.intersection(frame.index[kept])]
    rows = frame.loc[design.index]
    if fixed and "Intercept" in design.columns:
        design = design.drop(columns="Intercept")
    names, blocks = list(map(str, design.columns)), [sp.csr_array(design.to_numpy(np.float64))]
    for part in fixed:
        columns = part.split("^")
        groups = rows.groupby(columns if len(columns) > 1 else part, observed=True)
        codes = groups.ngroup().to_numpy()
        cells = (np.ones(len(rows)), (np.arange(len(rows)), codes))
        blocks.append(sp.csr_array(cells, shape=(len(rows), groups.ngroups)))
        names += [f"{part}::{_level(key)}" for key in groups.groups]
    X = sp.csr_array(sp.hstack(blocks)) if fixed else design.to_numpy(np.float64)
    offset = rows[model._offset_name].to_numpy(np.float64) if model._offset_name else None
    parts = {"y": rows[model._depvar].to_numpy()}
    if model._weights_name:
        parts["weights"] = rows[model._weights_name].to_numpy(np.float64)
    numbers = None if len(rows) == len(frame) else rows.index.to_numpy()
    name = METHODS[model._method]
    return Described(X, parts, name=name, names=names, offset=offset, numbers=numbers)


def _level(key: Any) -> str:
    return "^".join(map(str, key)) if isinstance(key, tuple) else str(key)
