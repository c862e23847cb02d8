"""The fewest errors of any hyperplane, and the conflicts that forbid fewer."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.lab.engine.cached_answers import arrays_of
from novikoff.lab.engine.stage import stage_of
from novikoff.lab.messages.answers import FewestErrorsAnswer
from novikoff.lab.messages.requests import FewestErrorsRequest

__all__ = ["fewest"]

SECONDS = 8.0  # for the search; what it has found by then is proven
MOST_CONFLICTS = 40


def fewest(request: FewestErrorsRequest) -> FewestErrorsAnswer:
    """A hyperplane with the fewest errors, between two proven bounds."""
    points = request.points
    X, y = arrays_of(points)
    found = novikoff.fewest_errors(
        X,
        y,
        fit_intercept=request.fit_intercept,
        time_limit=SECONDS,
        decimals=points.decimals,
        names=points.names,
    )
    w_hat = _floats((*found.weights, found.intercept))
    stage = stage_of(points, w_hat[:-1] if np.any(w_hat[:-1]) else None, request.view)
    return FewestErrorsAnswer(
        least=int(found.errors.lower),
        most=int(found.errors.upper),
        proven=found.optimal,
        given_up=found.wrong_rows.tolist(),
        conflicts=[list(conflict.rows) for conflict in found.conflicts[:MOST_CONFLICTS]],
        line=stage.line(w_hat[:-1], float(w_hat[-1])),
        sentence=f"{found.title}. {found.explain()}",
    )


def _floats(exact: tuple[Fraction, ...]) -> NDArray[np.float64]:
    """The same hyperplane with numbers near 1: exact ones may be larger than any float."""
    largest = max(map(abs, exact)) or Fraction(1)
    return np.array([float(value / largest) for value in exact])
