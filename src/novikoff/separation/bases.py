"""Bases of factors that separate: the rows of a level that has no coefficient of its own.

A base is what is left of the constant when the columns of its factor are taken away. So it is moved
by a direction of several coefficients, which is asked about like any other: Aδ ≥ 0 or Aδ ≤ 0.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.explain.factors import Factor, factors_of
from novikoff.far import Far
from novikoff.problem import Matrix
from novikoff.regressions.model import Model
from novikoff.regressions.question import INTERCEPT
from novikoff.separation.finding import Estimate

if TYPE_CHECKING:
    from novikoff.separation.separation import Separation

__all__ = ["SeparatedBase", "separated_bases"]

MOST = 200  # factors that are asked about


@dataclass(frozen=True)
class SeparatedBase:
    """A base, the class of a multinomial model it is about, the way it is moved, its rows."""

    factor: Factor
    level: Any
    sign: int
    rows: int


def separated_bases(separation: "Separation") -> list[SeparatedBase]:
    """The bases of factors that some direction moves alone; not of rows that live elsewhere."""
    regression, question, model = separation.regression, separation.question, separation.model
    if isinstance(regression.X, Far):  # which columns are one factor takes all rows at hand
        return []
    present = regression.outcome.present
    X = regression.X[present]
    constant = _constant(X, model)
    if constant is None:
        return []
    found = []
    for factor in factors_of(X, model.features, regression.bases)[:MOST]:
        columns = [model.features[j] for j in factor.columns]
        for level in model.levels[1:] if model.name == "multinomial" else (None,):
            block = "" if level is None else f"{level}: "
            parts = dict.fromkeys((block + name for name in columns), -1)
            parts |= {block + name: value for name, value in constant.items()}
            # No direction moves a finite coefficient.
            if any(separation.coefficients[name] is Estimate.FINITE for name in parts):
                continue
            delta = np.array([parts.get(name, 0) for name in question.names])
            moved = np.asarray(question.rows @ delta)
            sign = int((moved > 0).any()) - int((moved < 0).any())
            if sign:  # one way only
                rows = int(factor.base_rows.sum())
                found.append(SeparatedBase(factor, level, sign, rows))
    return found


def _constant(X: Matrix, model: Model) -> dict[str, int] | None:
    """The coefficients that make up a constant of 1; none are needed where rows are compared."""
    if model.intercept:
        return {INTERCEPT: 1}
    if model.name == "ordinal":
        steps = zip(model.levels, model.levels[1:], strict=False)
        return {f"{below}/{above}": -1 for below, above in steps}
    if model.name in ("conditional", "cox"):
        return {}
    ones = np.flatnonzero(_all_ones(X))
    return {model.features[ones[0]]: 1} if len(ones) else None


def _all_ones(X: Matrix) -> NDArray[np.bool_]:
    if not sp.issparse(X):
        return np.asarray((X == 1).all(axis=0))
    counts = np.bincount(X.indices[X.data == 1], minlength=X.shape[1])
    return np.asarray(counts == X.shape[0])
