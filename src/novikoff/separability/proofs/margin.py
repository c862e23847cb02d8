"""The margin, proven: an interval in floating point, or its exact square.

Lower bounds come from weights and what they score on every row, upper bounds from α and weak
duality. The square of a margin is rational: it solves a linear system on the support.

Σ αᵢaᵢ with a proven error: the upper bound on a margin, by weak duality.

For any α ≥ 0 with Σ α = 1 in each group, no separator has a margin above ‖Σ αᵢaᵢ‖ (half of it, when
the groups are the classes). The sum cancels almost entirely when the margin is small, so it is
taken in twice the working precision (Ogita, Rump and Oishi, "Accurate sum and dot product", 2005):
|fl − exact| ≤ u|exact| + γ²Σ|terms|. That Σ α = 1 costs nothing: the sum is written as the bases
plus Σ αᵢ(aᵢ − base), and what α the base has is whatever is missing to 1.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
from novikoff.exact.bounds import UNIT, row_norms
from novikoff.exact.nearest_point import Nearest, nearest_point
from novikoff.exact.points import ExactProblem, signed_rows
from novikoff.exact.rational import (
    above,
    below,
    common_divisor,
    over_one_denominator,
    root_above,
    root_below,
)
from novikoff.exact.scores import exact_signs
from novikoff.matrix.rows import Floats, rows_of
from novikoff.separability.search.working_set import Found, Metric
from novikoff.separability.verdicts import Interval

UNDERFLOW = 1e-308  # far more than a term can lose by it


def norm_above(
    A: Floats, group: NDArray[np.int64], alpha: Floats, n_groups: int, *, rounded: bool
) -> float:
    """An upper bound on ‖Σ αᵢaᵢ‖, infinity where none was found; the last rows are the bases."""
    k = len(A) - n_groups
    shares = [alpha[:k][group[:k] == g].sum() for g in range(n_groups)]
    # The base's share must not be negative either; a sum of floats is off by less than this.
    if (alpha[:k] < 0).any() or max(shares) > 1.0 - 2 * (k + 2) * UNIT:
        return math.inf
    values, sizes = np.empty(A.shape[1]), np.empty(A.shape[1])
    _core.doubled_sums(
        np.ascontiguousarray(A), group, alpha, n_groups, values, sizes, seconds_in_force()
    )
    terms = 2.0 * k + n_groups + 2.0
    errors = 2 * UNIT * np.abs(values) + (2 * terms * UNIT) ** 2 * sizes + terms * UNDERFLOW
    if rounded:
        errors = errors + 4 * UNIT * sizes
    return length_above(np.abs(values) + errors)


def length_above(bounds: Floats) -> float:
    """An upper bound on the length of a vector of such sizes, none of them subnormal or all 0."""
    largest = float(bounds.max())
    if not math.isfinite(largest):  # splitting a product overflowed
        return math.inf
    total = float(((bounds / largest) ** 2).sum())
    return largest * math.sqrt(total) * (1.0 + (len(bounds) + 8) * UNIT)


Indices = NDArray[np.intp]
MOST_ROUNDS = 200
WIDE = 1e-6
SAFE_LOW, SAFE_HIGH = 1e-130, 1e130  # squares of such norms are in range


def margin_interval(points: ExactProblem, metric: Metric, tried: Sequence[Found]) -> Interval:
    """The margin of the metric's kind, between the best that ŵ reaches and the best α allows.

    What was found in one metric bounds the margin in another, if less closely: the later ones are
    only looked at while the interval is wide.
    """
    interval = Interval(0.0, math.inf)
    for found in tried:
        if not is_wide(interval):
            break
        lower = margin_below(found, metric)
        upper = margin_above(points, metric, found)
        interval = Interval(max(lower, interval.lower), max(min(upper, interval.upper), lower))
    return interval


def is_wide(interval: Interval) -> bool:
    """Whether the interval is relatively wider than rounding makes it on ordinary data."""
    return not interval.lower >= (1.0 - WIDE) * interval.upper


def margin_below(found: Found, metric: Metric) -> float:
    """(min₊ + min₋)/2‖w‖ or min/‖w‖, rounded down."""
    w = found.w_hat if metric.with_one else found.w_hat[:-1]
    largest = float(np.abs(w).max())
    if found.last is None or not np.isfinite(found.last.lowest).all() or largest == 0.0:
        return 0.0
    low = found.last.lowest
    least = float(low[0] / 2 + low[1] / 2) if metric.by_class else float(low.min())
    least -= 4 * UNIT * float(np.abs(low).max())
    relative = math.sqrt(float(((w / largest) ** 2).sum())) * (1 + (len(w) + 8) * UNIT)
    norm = largest * relative
    if least <= 0.0 or (SAFE_LOW < least and SAFE_LOW < norm < SAFE_HIGH):
        return max(0.0, least / norm * (1 - 4 * UNIT))
    # Numbers near the ends of float64 are not rounded by a share of themselves.
    lows = [Fraction(value) for value in low.tolist()]
    exact = sum(lows, Fraction(0)) / 2 if metric.by_class else min(lows)
    return max(0.0, below(exact / (Fraction(largest) * Fraction(relative))))


def margin_above(points: ExactProblem, metric: Metric, found: Found) -> float:
    """‖Σ αᵢyᵢxᵢ‖ (half of it with groups by class), rounded up."""
    group = metric.groups(points, found.rows)
    n_groups = int(group.max()) + 1
    alpha = np.maximum(found.alpha, 0.0)
    for g in range(n_groups):
        alpha[group == g] /= alpha[group == g].sum()
    heaviest = [int(np.argmax(np.where(group == g, alpha, -1.0))) for g in range(n_groups)]
    order = np.append(np.delete(np.arange(len(group)), heaviest), heaviest)
    width = points.problem.d + metric.with_one
    as_given = metric._replace(centre=np.zeros(width), scale=np.ones(width))
    rows = as_given.seen(points, found.rows[order])
    bound = norm_above(rows, group[order], alpha[order], n_groups, rounded=points.rounded)
    if not math.isfinite(bound):
        return _exact_above(points, metric, found)
    return math.nextafter(bound / n_groups, math.inf)


def _exact_above(points: ExactProblem, metric: Metric, found: Found) -> float:
    """The upper bound, from rational numbers."""
    block, unit = _in_one_unit(points, found.rows, with_one=metric.with_one)
    group = metric.groups(points, found.rows)
    totals = [Fraction(0)] * (int(group.max()) + 1)
    if not np.isfinite(found.alpha).all():
        return math.inf
    alpha = [Fraction(max(value, 0.0)) for value in found.alpha.tolist()]
    for value, g in zip(alpha, group.tolist(), strict=True):
        totals[g] += value
    if not all(totals):
        return math.inf
    shares = [a / totals[g] for a, g in zip(alpha, group.tolist(), strict=True)]
    integers, denominator = over_one_denominator(shares)
    square = _square((flint.fmpz_mat([integers]) * block).transpose())
    return root_above(square * (unit / denominator / len(totals)) ** 2)


def _square(column: Any) -> Fraction:
    return Fraction(int((column.transpose() * column)[0, 0]))


def _in_one_unit(
    points: ExactProblem, rows: Indices | Sequence[int], *, with_one: bool
) -> tuple[Any, Fraction]:
    """Integer rows yᵢxᵢ (or yᵢx̂ᵢ) and the one unit of all columns: distances stay what they are."""
    block = signed_rows(points, rows, with_one=with_one)
    unit = common_divisor(block.units)
    factors = [int(u / unit) for u in block.units]
    table = [
        [x * factor for x, factor in zip(row, factors, strict=True)] for row in block.matrix.table()
    ]
    return flint.fmpz_mat(table), unit


class ExactMargin(NamedTuple):
    """γ², the rows that fix it, and the vector Σ αᵢyᵢxᵢ that reaches it, up to its length."""

    square: Fraction
    support: Indices
    vector: list[Fraction]


def exact_margin(
    points: ExactProblem,
    support: Indices,
    alpha: Floats | None = None,
    *,
    with_one: bool = False,
    check: Callable[[], None] = lambda: None,
) -> ExactMargin | None:
    """γ² without rounding, from rows that are thought to fix it; every row is checked.

    The geometric margin, or with `with_one` the augmented one; `alpha` is what floating point says.
    None if the rows do not lead there within a number of rounds.
    """
    problem = points.problem
    by_class = problem.fit_intercept and not with_one
    n_groups = 2 if by_class else 1
    working = np.asarray(support, dtype=np.intp)
    floats = np.ones(len(working))
    if alpha is not None and np.isfinite(alpha).all():  # what overflowed says nothing
        floats = np.maximum(alpha, 2.0**-60)
    start = {i: flint.fmpq(*value.as_integer_ratio()) for i, value in enumerate(floats.tolist())}
    for _ in range(MOST_ROUNDS):
        check()
        block, unit = _in_one_unit(points, working, with_one=with_one)
        groups = (problem.y[working] > 0).astype(int).tolist() if by_class else [0] * len(working)
        nearest = nearest_point(block, groups, start, until_optimal=True)
        if not any(nearest.point.entries()):
            return None
        below_level = _rows_below(points, nearest, unit, by_class=by_class, with_one=with_one)
        if len(below_level) == 0:
            square = _square(nearest.point) * (unit / nearest.scale / n_groups) ** 2
            vector = [Fraction(int(value)) for value in nearest.point.entries()]
            return ExactMargin(square, working[nearest.rows], vector)
        fresh = below_level[
            np.linspace(0, len(below_level) - 1, min(16, len(below_level)), dtype=int)
        ]
        start = dict(zip(nearest.rows, nearest.alpha, strict=True))
        working = np.concatenate([working, fresh])
    return None


def _rows_below(
    points: ExactProblem, nearest: Nearest, unit: Fraction, *, by_class: bool, with_one: bool
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
        signs = exact_signs(points, w_hat)
        below_level.append(np.flatnonzero((signs < 0) & (y == sign)))
    return np.concatenate(below_level)


def _fraction(value: Any) -> Fraction:
    rational = flint.fmpq(value)
    return Fraction(int(rational.p), int(rational.q))


def augmented_margin_above(points: ExactProblem, rows: Indices, alpha: Floats) -> float:
    """‖Σ αᵢyᵢx̂ᵢ‖ / Σ αᵢ for any α ≥ 0, rounded up: no unit ŵ has a greater margin.

    One sparse product with a bound on its rounding, so that it costs next to nothing at any size.
    """
    alpha = np.maximum(alpha, 0.0)
    total = float(alpha.sum())
    if len(rows) == 0 or not 0.0 < total < math.inf:
        return math.inf
    X, signed = points.floats[rows], alpha * points.problem.y[rows]
    sums, sizes = np.asarray(signed @ X), np.asarray(alpha @ abs(X))
    if points.problem.fit_intercept:
        sums, sizes = np.append(sums, signed.sum()), np.append(sizes, total)
    error = (len(rows) + 8) * UNIT * (1 + 2.0**-20)
    norm = length_above(np.abs(sums) + error * sizes + (len(rows) + 8) * UNDERFLOW)
    return norm / (total * (1 - error)) * (1 + 8 * UNIT)


def radius_interval(points: ExactProblem, longest: int) -> Interval:
    """R = max ‖x̂ᵢ‖, from the row that floating point finds longest."""
    bias = points.problem.fit_intercept
    norm = math.hypot(*points.take([longest])[0].tolist(), 1.0 if bias else 0.0)
    # `hypot` is right to a unit in the last place; the row was found by norms that are rounded.
    slack = 2 * (points.problem.d + 16) * UNIT
    if SAFE_LOW < norm < SAFE_HIGH:
        return Interval(norm * (1 - 8 * UNIT), norm * (1 + slack))
    # Squares overflowed or vanished: the row is found in another unit, and its length is exact.
    squares = points.over_parts(_longest_square)
    greatest = max(squares)
    # What stands for other numbers than it holds was looked at in all rows.
    above = greatest if points.rounded else greatest * (1 + Fraction(slack)) ** 2
    return Interval(root_below(greatest), root_above(above))


def _longest_square(points: ExactProblem) -> Fraction:
    """‖x̂ᵢ‖² of the longest of some rows in memory; of all of them, exactly, if they are rounded."""
    bias = points.problem.fit_intercept
    rows = np.arange(points.problem.n)
    if not points.rounded:
        # The bias is 1, and adds nothing to squares that overflow.
        norms = row_norms(rows_of(_of_size_one(points.floats)), len(rows), False)
        rows = rows[[int(np.argmax(norms))]]
    entries, units = points.integers(rows)
    squares = [unit * unit for unit in units]
    return bias + max(
        sum((x * x * square for x, square in zip(row, squares, strict=True)), Fraction(0))
        for row in entries
    )


def _of_size_one(X: Any) -> Any:
    """The numbers times a power of two: the largest is near 1. In two steps, as float64 ends."""
    power = -math.frexp(abs(X).max())[1]
    return X.astype(np.float64) * 2.0 ** (power // 2) * 2.0 ** (power - power // 2)


def bound_of(radius: Interval, margin: Interval) -> Interval:
    """R²/γ² from intervals of both."""
    lower = 0.0
    if math.isfinite(margin.upper) and math.isfinite(radius.lower):
        lower = below((Fraction(radius.lower) / Fraction(margin.upper)) ** 2)
    if margin.lower == 0.0 or not math.isfinite(radius.upper):
        return Interval(lower, math.inf)
    return Interval(lower, above((Fraction(radius.upper) / Fraction(margin.lower)) ** 2))
