"""From some rows to all: whether a verdict on a working set holds for the whole data.

A separator of some rows separates all, or fails rows that join the set. Rows that overlap among
themselves prove that all do, if they span all. So a few rounds decide data that is too large to be
looked at as a whole by anything but passes.
"""

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.points import Points
from novikoff.exact.scores import signs_everywhere
from novikoff.exact.spans import Vector, null_space
from novikoff.proofs.faces import WeakSeparator
from novikoff.proofs.gordan import Multipliers, Separator
from novikoff.verdicts.verdict import Overlapping, Separable, Touching

__all__ = ["extend"]

Indices = NDArray[np.intp]
MOST_ADDED = 1 << 13


def extend(
    points: Points, rows: Indices, verdict: Separable | Touching | Overlapping
) -> tuple[Separator | WeakSeparator | Multipliers | None, Indices]:
    """What the verdict on `rows` proves about all points; or None, and rows that speak against."""
    nothing = np.empty(0, np.intp)
    if isinstance(verdict, Overlapping):
        known = Multipliers(rows[verdict.rows], verdict.exact_alpha())
        outside = _not_spanned(points, known.rows, np.arange(points.problem.n))
        return (None, outside) if len(outside) else (known, nothing)
    bias = [verdict.exact_intercept] * points.problem.fit_intercept
    w_hat = (*verdict.exact_weights, *bias)
    signs = signs_everywhere(points, w_hat)
    wrong = np.flatnonzero(signs < 0)
    if len(wrong):
        return None, _spread(wrong)
    on_plane = np.flatnonzero(signs == 0)
    if isinstance(verdict, Separable):
        return (None, _spread(on_plane)) if len(on_plane) else (Separator(w_hat), nothing)
    known = Multipliers(rows[verdict.rows], verdict.exact_alpha())
    outside = _not_spanned(points, known.rows, on_plane)
    if len(outside):
        return None, outside
    return WeakSeparator(w_hat, on_plane, known), nothing


def _not_spanned(points: Points, rows: Indices, among: Indices) -> Indices:
    """Rows `among` that those with multipliers do not span."""
    near = points.part(rows).reading
    basis: list[Vector] = null_space(near, range(len(rows)), points.problem.fit_intercept)
    for vector in basis:
        found = among[signs_everywhere(points, vector, among) != 0]
        if len(found):
            return _spread(found)
    return among[:0]


def _spread(rows: Indices) -> Indices:
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_ADDED), dtype=np.intp)]
