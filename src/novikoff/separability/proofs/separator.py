"""Prove that proposed weights separate: from the bounds of a pass, or row by row, exactly.

A verdict on a working set is extended to all rows. A separator of some rows separates all, or fails
rows that join the set. Rows that overlap among themselves prove that all do, if they span all. So a
few rounds decide data that is too large to be looked at as a whole by anything but passes.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.null_space import null_space
from novikoff.exact.points import ExactProblem, exact_scores
from novikoff.exact.scores import exact_signs
from novikoff.matrix.rows import Floats
from novikoff.separability.proofs.facial_reduction import WeakSeparator
from novikoff.separability.proofs.gordan import Multipliers, Separator
from novikoff.separability.search.working_set import Found
from novikoff.separability.verdicts import Overlapping, Separable, Touching

if TYPE_CHECKING:
    from novikoff.exact.rational import Vector


class ProvenSeparator(NamedTuple):
    """A separator: exact weights and intercept that were checked on every row, and as floats.

    The floats are 0 where no floats come near: columns that differ by more than float64's range.
    """

    exact_weights: tuple[Fraction, ...]
    exact_intercept: Fraction
    weights: Floats
    intercept: float


def proven(points: ExactProblem, found: Found) -> ProvenSeparator | None:
    """A proof that the weights found separate, with the intercept moved to the middle."""
    last = found.last
    if last is None or not np.isfinite(last.lowest).all():
        return None
    bias = points.problem.fit_intercept
    lows = [Fraction(float(low)) for low in last.lowest]
    w, b = found.w_hat[:-1], float(found.w_hat[-1])
    if bias:
        middle = float(Fraction(b) + (lows[0] - lows[1]) / 2)
        shift = Fraction(middle) - Fraction(b)
        lows = [lows[0] - shift, lows[1] + shift]
        b = middle
    if min(lows) > 0:
        return _from_floats(w, b)
    if float(last.highest.sum() if bias else last.highest.min()) <= 0:
        return None
    return _row_by_row(points, found, w)


def _row_by_row(points: ExactProblem, found: Found, w: Floats) -> ProvenSeparator | None:
    """Exact scores of the closest rows, for when the bounds of the pass are too wide."""
    assert found.last is not None
    exact_w = [Fraction(value) for value in w.tolist()]
    b = Fraction(0)
    if points.problem.fit_intercept:
        rows = found.last.rows.astype(np.intp)
        scores = list(exact_scores(points, rows, [*exact_w, b]))
        by_class = [
            min(score for score, i in zip(scores, rows, strict=True) if points.problem.y[i] == sign)
            for sign in (-1, 1)
        ]
        if sum(by_class) <= 0:
            return None
        b = (by_class[0] - by_class[1]) / 2
    return proof_of(points, exact_w, b)


def proof_of(
    points: ExactProblem, weights: Iterable[Fraction], intercept: Fraction
) -> ProvenSeparator | None:
    """A proof from rational weights if they separate, in float64 if that separates too."""
    exact_w = tuple(weights)
    bias = points.problem.fit_intercept
    rounded = _round(exact_w, intercept)
    if rounded is not None:
        w, b = rounded
        floats = [Fraction(value) for value in w.tolist()]
        if (exact_signs(points, [*floats, Fraction(b)] if bias else floats) > 0).all():
            return _from_floats(w, b)
    if not (exact_signs(points, [*exact_w, intercept] if bias else exact_w) > 0).all():
        return None
    w, b = (np.zeros(len(exact_w)), 0.0) if rounded is None else rounded
    return ProvenSeparator(exact_w, intercept, w, b)


def _round(w: tuple[Fraction, ...], b: Fraction) -> tuple[Floats, float] | None:
    """(w, b) as floats: as they are if they are floats, else with ‖w‖ near 1."""
    largest = max(map(abs, w))
    if largest == 0:
        return None
    scaled = np.array([float(value / largest) for value in w])
    norm = Fraction(float(np.linalg.norm(scaled))) * largest
    for divisor in (Fraction(1), norm):
        try:
            floats = np.array([float(value / divisor) for value in w])
            rounded_b = float(b / divisor)
        except OverflowError:
            continue
        is_same = [Fraction(v) == e for v, e in zip(floats.tolist(), w, strict=True)]
        if divisor != 1 or all(is_same):
            return floats, rounded_b
    return None


def _from_floats(w: Floats, b: float) -> ProvenSeparator:
    return ProvenSeparator(tuple(Fraction(value) for value in w.tolist()), Fraction(b), w, b)


Indices = NDArray[np.intp]
MOST_ADDED = 1 << 13


def check_on_all_rows(
    points: ExactProblem, rows: Indices, verdict: Separable | Touching | Overlapping
) -> tuple[Separator | WeakSeparator | Multipliers | None, Indices]:
    """What the verdict on `rows` proves about all points; or None, and rows that speak against."""
    nothing = np.empty(0, np.intp)
    if isinstance(verdict, Overlapping):
        known = Multipliers(rows[verdict.rows], verdict.exact_alpha())
        outside = _not_spanned(points, known.rows, np.arange(points.problem.n))
        return (None, outside) if len(outside) else (known, nothing)
    bias = [verdict.exact_intercept] * points.problem.fit_intercept
    w_hat = (*verdict.exact_weights, *bias)
    signs = exact_signs(points, w_hat)
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


def _not_spanned(points: ExactProblem, rows: Indices, among: Indices) -> Indices:
    """Rows `among` that those with multipliers do not span."""
    near = points.part(rows).reading
    basis: list[Vector] = null_space(near, range(len(rows)), points.problem.fit_intercept)
    for vector in basis:
        found = among[exact_signs(points, vector, among) != 0]
        if len(found):
            return _spread(found)
    return among[:0]


def _spread(rows: Indices) -> Indices:
    return rows[np.linspace(0, len(rows) - 1, min(len(rows), MOST_ADDED), dtype=np.intp)]
