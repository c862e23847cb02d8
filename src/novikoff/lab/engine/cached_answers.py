"""The verdict on the points of the page, and the run of the perceptron: remembered for a while.

A page asks about the same points again and again while somebody scrubs through a run. The last few
answers are kept in the memory of the worker, and nowhere else.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.lab.messages.requests import LabelledPoints, RunOptions

REMEMBERED = 4


def arrays_of(points: LabelledPoints) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """X and y of the points."""
    X = np.array(points.X, dtype=np.float64).reshape(len(points.X), len(points.names))
    return X, np.array(points.y, dtype=np.int8)


def labels_of(points: LabelledPoints) -> NDArray[np.str_]:
    """The labels as the page names them: what a certificate speaks of."""
    return np.array(points.classes)[(np.array(points.y) > 0).astype(np.intp)]


@lru_cache(REMEMBERED)
def verdict_of(points: LabelledPoints, fit_intercept: bool) -> Any:
    """What `novikoff.separate` says, in the classes of the page."""
    X, y = arrays_of(points)
    verdict = novikoff.separate(
        X, y, fit_intercept=fit_intercept, decimals=points.decimals, names=points.names
    )
    return replace(verdict, problem=replace(verdict.problem, classes=points.classes))


def separator_of(points: LabelledPoints, fit_intercept: bool) -> Any:
    """The verdict if it is a separator, None otherwise."""
    verdict = verdict_of(points, fit_intercept)
    return verdict if verdict.word == "separable" else None


@lru_cache(REMEMBERED)
def run_of(points: LabelledPoints, options: RunOptions) -> Any:
    """The run as `novikoff.trace` writes it down."""
    X, y = arrays_of(points)
    return novikoff.trace(
        X,
        y,
        eta0=options.eta0,
        max_iter=options.max_iter,
        order=options.order,
        tie=options.tie,
        fit_intercept=options.fit_intercept,
        random_state=options.seed,
    )


def direction_of(points: LabelledPoints, fit_intercept: bool) -> NDArray[np.float64] | None:
    """The w along which more than two columns are seen; fewer need none, and no verdict for it."""
    if len(points.names) <= 2:
        return None
    weights: NDArray[np.float64] | None = getattr(
        verdict_of(points, fit_intercept), "weights", None
    )
    return weights
