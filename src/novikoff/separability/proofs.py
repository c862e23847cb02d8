"""Whether proposed weights separate: proven from the bounds of a pass, or row by row, exactly."""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.rows import Floats
from novikoff.separability.points import Points
from novikoff.separability.search import Found
from novikoff.separability.signed_rows import exact_scores
from novikoff.separability.signs import signs_everywhere

__all__ = ["Proof", "proof_of", "proven"]


class Proof(NamedTuple):
    """A separator: exact weights and intercept that were checked on every row, and as floats."""

    exact_weights: tuple[Fraction, ...]
    exact_intercept: Fraction
    weights: Floats
    intercept: float


def proven(points: Points, found: Found) -> Proof | None:
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


def _row_by_row(points: Points, found: Found, w: Floats) -> Proof | None:
    """The same where the bounds of the pass are too wide: exact scores of the closest rows."""
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


def proof_of(points: Points, weights: Iterable[Fraction], intercept: Fraction) -> Proof | None:
    """A proof from rational weights if they separate, in float64 if that separates too."""
    exact_w = tuple(weights)
    bias = points.problem.fit_intercept
    rounded = _rounded(exact_w, intercept)
    if rounded is not None:
        w, b = rounded
        floats = [Fraction(value) for value in w.tolist()]
        if (signs_everywhere(points, [*floats, Fraction(b)] if bias else floats) > 0).all():
            return _from_floats(w, b)
    if not (signs_everywhere(points, [*exact_w, intercept] if bias else exact_w) > 0).all():
        return None
    w, b = rounded if rounded is not None else (np.array([float(v) for v in exact_w]), 0.0)
    return Proof(exact_w, intercept, w, b)


def _rounded(w: tuple[Fraction, ...], b: Fraction) -> tuple[Floats, float] | None:
    """(w, b) with ‖w‖ near 1, as floats; as they are if they are floats already."""
    try:
        floats = np.array([float(value) for value in w])
        if all(Fraction(value) == exact for value, exact in zip(floats.tolist(), w, strict=True)):
            return floats, float(b)
        largest = max(map(abs, w))
        scaled = np.array([float(value / largest) for value in w])
        norm = float(np.linalg.norm(scaled))
        return scaled / norm, float(b / largest) / norm
    except (OverflowError, ZeroDivisionError):
        return None


def _from_floats(w: Floats, b: float) -> Proof:
    return Proof(tuple(Fraction(value) for value in w.tolist()), Fraction(b), w, b)
