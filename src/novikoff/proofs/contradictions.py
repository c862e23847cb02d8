"""The same point in both classes: two rows that settle it."""

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.exact.points import Points
from novikoff.exact.scores import row_scores

__all__ = ["contradiction"]


def contradiction(points: Points, among: NDArray[np.intp] | None = None) -> tuple[int, int] | None:
    """Two rows with the same point and different labels, the first such pair; None if none are.

    Equal rows have equal scores under any weights; under random ones, hardly any others do.
    """
    y = points.problem.y
    w = np.random.default_rng(0).normal(size=points.problem.d + 1)
    scores = np.nan_to_num(row_scores(points, w))  # sums of infinities are no numbers
    order = np.arange(len(y)) if among is None else among
    order = order[np.argsort(scores[order], kind="stable")]
    ordered = scores[order]
    starts = np.flatnonzero(ordered[1:] != ordered[:-1]) + 1
    pairs = []
    for run in np.split(order, starts) if len(starts) < len(order) - 1 else []:
        if len(run) > 1 and y[run].min() < y[run].max():
            pairs += _pairs_within(points, run)
    return min(pairs, default=None)


def _pairs_within(points: Points, run: NDArray[np.intp]) -> list[tuple[int, int]]:
    """The first two rows of different labels for each point of a run."""
    X = points.problem.X[run]
    table = (X.toarray() if sp.issparse(X) else X).tolist()
    seen: dict[tuple[object, ...], tuple[int, int]] = {}
    pairs: dict[tuple[object, ...], tuple[int, int]] = {}
    for i, x in zip(run.tolist(), map(tuple, table), strict=True):
        sign = int(points.problem.y[i])
        first, first_sign = seen.setdefault(x, (i, sign))
        if sign != first_sign:
            pairs.setdefault(x, (first, i))
    return list(pairs.values())
