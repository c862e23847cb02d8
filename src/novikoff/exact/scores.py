"""Scores yᵢ x̂ᵢ·ŵ over all rows: rounded with an error bound, and their signs without error.

The bound is in `novikoff.exact.bounds`. A sign that it cannot decide is worked out exactly.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
from novikoff.exact.bounds import LEAST_NORMAL, error_terms
from novikoff.exact.points import ExactProblem, signs_by_integers
from novikoff.exact.residues import zero_scores
from novikoff.matrix.rows import Floats, Rows


def exact_signs(
    points: ExactProblem, w_hat: Sequence[Fraction], among: NDArray[np.intp] | None = None
) -> NDArray[np.int8]:
    """The sign of yᵢ x̂ᵢ·ŵ for every row (of yᵢ xᵢ·ŵ if ŵ has no bias), or for some of them."""
    if points.remote is None:
        return _signs_at_hand(points, w_hat, among)
    signs = np.concatenate(points.over_parts(_signs_at_hand, list(w_hat)))
    return signs if among is None else signs[among]


def _signs_at_hand(
    points: ExactProblem, w_hat: Sequence[Fraction], among: NDArray[np.intp] | None = None
) -> NDArray[np.int8]:
    y = points.problem.y
    indices = np.arange(len(y)) if among is None else among
    rounded = _float_weights(w_hat)
    if rounded is None:
        return signs_by_integers(points, indices, w_hat)
    floats, is_same = rounded
    slotted = floats if len(w_hat) > points.problem.d else np.append(floats, 0.0)
    signs = filtered_signs(points.rows, y, slotted, rounded=points.rounded or not is_same)[indices]
    unknown = np.flatnonzero(signs == 0)
    if is_same and not points.rounded:
        exact = np.empty(len(unknown), np.int8)
        left = indices[unknown].astype(np.int64)
        _core.exact_signs(points.rows, y, left, slotted, exact, seconds_in_force())
        signs[unknown] = exact
        return signs
    # Most of what rounding cannot tell from 0 is 0, and residues say so at once.
    d, whole = points.problem.d, points.whole if len(unknown) > 1 else None
    bias = w_hat[-1] if len(w_hat) > d else Fraction(0)
    unknown = unknown[~zero_scores(whole, indices[unknown], w_hat[:d], bias)]
    signs[unknown] = signs_by_integers(points, indices[unknown], w_hat)
    return signs


def _float_weights(w_hat: Sequence[Fraction]) -> tuple[Floats, bool] | None:
    """ŵ times a power of two as float64, and whether that rounded nothing.

    None if it would lose a small weight altogether.
    """
    largest = max((abs(w) for w in w_hat if w), default=Fraction(0))
    if largest == 0:
        return np.zeros(len(w_hat)), True
    shift = largest.numerator.bit_length() - largest.denominator.bit_length()
    power = Fraction(2) ** -shift
    floats, is_same = np.zeros(len(w_hat)), True
    for j, w in enumerate(w_hat):
        if w:  # of very many columns, most have a weight of 0
            scaled = w * power
            rounded = float(scaled)
            if abs(rounded) < LEAST_NORMAL:
                return None
            floats[j], is_same = rounded, is_same and rounded == scaled
    return floats, is_same


def filtered_signs(
    rows: Rows, y: NDArray[np.int8], w_hat: Floats, *, rounded: bool
) -> NDArray[np.int8]:
    """The sign of yᵢ x̂ᵢ·ŵ for each row where floating point can tell, 0 where it cannot.

    With `rounded`, ŵ itself may be a rounding of the weights that are meant, too.
    """
    extra, floor = error_terms(w_hat, rounded)
    signs = np.empty(len(y), np.int8)
    _core.filtered_signs(rows, y, w_hat, extra, floor, signs, seconds_in_force())
    return signs


def row_scores(points: ExactProblem, w_hat: Floats) -> Floats:
    """x̂ᵢ·ŵ, rounded, for each row; equal rows have equal scores."""
    return np.concatenate(points.over_parts(_scores_at_hand, w_hat))


def _scores_at_hand(points: ExactProblem, w_hat: Floats) -> Floats:
    scores = np.empty(points.problem.n)
    _core.row_scores(points.rows, w_hat, scores)
    return scores
