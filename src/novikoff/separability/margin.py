"""The margin, proven: an interval in floating point, or its exact square.

Lower bounds come from weights and what they score on every row, upper bounds from α and weak
duality. The square of a margin is rational: it solves a linear system on the support.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.nearest import Nearest, nearest_point
from novikoff.exact.roundings import above, below, root_above, root_below
from novikoff.problem import Problem
from novikoff.rows import Floats
from novikoff.separability.combination import norm_above
from novikoff.separability.passes import Pass
from novikoff.separability.points import Points
from novikoff.separability.search import Found, Metric
from novikoff.separability.signed_rows import signed_rows
from novikoff.separability.signs import signs_everywhere
from novikoff.separability.verdict import Interval

__all__ = ["bound_of", "exact_margin_squared", "margin_interval", "radius_interval"]

Indices = NDArray[np.intp]
MOST_ROUNDS = 200


def margin_interval(points: Points, metric: Metric, tried: Sequence[Found]) -> Interval:
    """The margin of the metric's kind, between the best that ŵ reaches and the best α allows.

    What was found in one metric bounds the margin in another, if less closely.
    """
    lower, upper = 0.0, math.inf
    for found in tried:
        w = found.w_hat if metric.with_one else found.w_hat[:-1]
        if found.last is not None and w.any():
            lower = max(lower, margin_below(w, found.last, metric))
        upper = min(upper, margin_above(points, metric, found))
    return Interval(lower, max(upper, lower))


def margin_below(w: Floats, last: Pass, metric: Metric) -> float:
    """(min₊ + min₋)/2‖w‖ or min/‖w‖, rounded down: exact numbers, since all of them are floats."""
    if not np.isfinite(last.lowest).all():
        return 0.0
    lows = [Fraction(float(low)) for low in last.lowest]
    least = sum(lows, Fraction(0)) / 2 if metric.by_class else min(lows)
    square = sum((Fraction(value) ** 2 for value in w.tolist()), Fraction(0))
    return root_below(least * least / square) if least > 0 else 0.0


def margin_above(points: Points, metric: Metric, found: Found) -> float:
    """‖Σ αᵢyᵢxᵢ‖ (half of it with groups by class), rounded up."""
    group = metric.groups(points, found.rows)
    n_groups = int(group.max()) + 1
    heaviest = [
        max(np.flatnonzero(group == g), key=found.alpha.__getitem__) for g in range(n_groups)
    ]
    order = np.concatenate([np.setdiff1d(np.arange(len(group)), heaviest), heaviest])
    rows = found.rows[order]
    width = points.problem.d + metric.with_one
    as_given = metric._replace(centre=np.zeros(width), scale=np.ones(width))
    bound = norm_above(
        as_given.seen(points, rows),
        group[order],
        np.maximum(found.alpha[order], 0.0),
        n_groups,
        rounded=points.rounded,
    )
    if not math.isfinite(bound):
        return _exact_above(points, metric, found)
    return math.nextafter(bound / n_groups, math.inf)


def _exact_above(points: Points, metric: Metric, found: Found) -> float:
    """The same bound without floating point."""
    block, unit = _in_one_unit(points, found.rows, with_one=metric.with_one)
    group = metric.groups(points, found.rows)
    totals = [Fraction(0)] * (int(group.max()) + 1)
    alpha = [Fraction(max(value, 0.0)) for value in found.alpha.tolist()]
    for value, g in zip(alpha, group.tolist(), strict=True):
        totals[g] += value
    if not all(totals):
        return math.inf
    shares = [a / totals[g] for a, g in zip(alpha, group.tolist(), strict=True)]
    denominator = lcm(*(share.denominator for share in shares))
    integers = flint.fmpz_mat([[int(share * denominator) for share in shares]])
    square = _square((integers * block).transpose())
    return root_above(square * (unit / denominator / len(totals)) ** 2)


def _square(column: Any) -> Fraction:
    return Fraction(int((column.transpose() * column)[0, 0]))


def _in_one_unit(
    points: Points, rows: Indices | Sequence[int], *, with_one: bool
) -> tuple[Any, Fraction]:
    """Integer rows yᵢxᵢ (or yᵢx̂ᵢ) and the one unit of all columns: distances stay what they are."""
    block = signed_rows(points, rows, with_one=with_one)
    unit = Fraction(
        gcd(*(u.numerator for u in block.units)), lcm(*(u.denominator for u in block.units))
    )
    factors = [int(u / unit) for u in block.units]
    table = [
        [x * factor for x, factor in zip(row, factors, strict=True)] for row in block.matrix.table()
    ]
    return flint.fmpz_mat(table), unit


def exact_margin_squared(
    problem: Problem, support: Indices, *, decimals: bool = False, with_one: bool = False
) -> Fraction | None:
    """γ² without rounding, from rows that are thought to fix it; every row is checked.

    The geometric margin, or with `with_one` the augmented one. None if the rows do not lead there
    within a number of rounds.
    """
    points = Points.of(problem, decimals=decimals)
    by_class = problem.fit_intercept and not with_one
    n_groups = 2 if by_class else 1
    working = np.asarray(support, dtype=np.intp)
    start = dict.fromkeys(range(len(working)), 1)
    for _ in range(MOST_ROUNDS):
        block, unit = _in_one_unit(points, working, with_one=with_one)
        groups = (problem.y[working] > 0).astype(int).tolist() if by_class else [0] * len(working)
        nearest = nearest_point(block, groups, start, until_optimal=True)
        if not any(nearest.point.entries()):
            return None
        below_level = _rows_below(points, nearest, unit, by_class=by_class, with_one=with_one)
        if len(below_level) == 0:
            return _square(nearest.point) * (unit / nearest.scale / n_groups) ** 2
        fresh = below_level[
            np.linspace(0, len(below_level) - 1, min(16, len(below_level)), dtype=int)
        ]
        start = dict(zip(nearest.rows, nearest.alpha, strict=True))
        working = np.concatenate([working, fresh])
    return None


def _rows_below(
    points: Points, nearest: Nearest, unit: Fraction, *, by_class: bool, with_one: bool
) -> Indices:
    """Rows with yᵢxᵢ·point below the level of their group."""
    y = points.problem.y
    point = [Fraction(int(value)) for value in nearest.point.entries()]
    low = [_fraction(level) for level in nearest.levels]
    below_level = []
    for sign in (-1, 1):
        level = low[(sign > 0) if by_class else 0] * unit
        shift = -sign * level
        w_hat = [*point[:-1], point[-1] + shift] if with_one else [*point, shift]
        signs = signs_everywhere(points, w_hat)
        below_level.append(np.flatnonzero((signs < 0) & (y == sign)))
    return np.concatenate(below_level)


def _fraction(value: Any) -> Fraction:
    rational = flint.fmpq(value)
    return Fraction(int(rational.p), int(rational.q))


def radius_interval(points: Points, longest: int) -> Interval:
    """R = max ‖x̂ᵢ‖, from the row that floating point finds longest."""
    block, unit = _in_one_unit(points, [longest], with_one=points.problem.fit_intercept)
    square = _square(block.transpose()) * unit * unit
    terms = points.problem.d + 3
    # No row is longer by more than the rounding of its norm: 2(d+3)u, doubled for good measure.
    return Interval(root_below(square), root_above(square * (1 + Fraction(terms, 2**50))))


def bound_of(radius: Interval, margin: Interval) -> Interval:
    """R²/γ² from intervals of both."""
    lower = below((Fraction(radius.lower) / Fraction(margin.upper)) ** 2)
    if margin.lower == 0.0:
        return Interval(lower, math.inf)
    return Interval(lower, above((Fraction(radius.upper) / Fraction(margin.lower)) ** 2))
