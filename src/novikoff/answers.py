"""From proofs to verdicts: what a user gets, put together from what was proven."""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.points import Points
from novikoff.exact.roundings import root_above, root_below
from novikoff.proofs.contradictions import contradiction
from novikoff.proofs.faces import WeakSeparator
from novikoff.proofs.gordan import Multipliers
from novikoff.proofs.margin import (
    bound_of,
    exact_margin,
    is_wide,
    margin_interval,
    radius_interval,
)
from novikoff.proofs.separator import Proof
from novikoff.rows import Floats
from novikoff.search.survey import Survey
from novikoff.search.working_set import Found, augmented, geometric, search
from novikoff.verdicts.verdict import Interval, Overlapping, Separable, Touching

__all__ = ["INSISTED", "not_separable_verdict", "overlapping_verdict", "separable_verdict"]

INSISTED = 1 << 62  # the limit on active rows where rational numbers are insisted on
CHEAP_MARGIN = 200  # active rows for which a wide interval is worth exact work


def separable_verdict(
    points: Points,
    seen: Survey,
    proof: Proof,
    tried: list[Found],
    limit: int,
    *,
    closely: bool = True,
) -> Separable:
    """The verdict "separable" with both margins: `closely`, or between bounds that are at hand."""
    problem = points.problem
    plain = geometric(points, seen)
    support = tried[0].rows
    margin = margin_interval(points, plain, tried)
    worthwhile = min(limit, CHEAP_MARGIN) if closely else 0
    square = None
    if limit == INSISTED or (is_wide(margin) and len(support) <= worthwhile):
        exact = exact_margin(points, support, tried[0].alpha)
        if exact is not None:
            square, support, margin = exact.square, exact.support, _around_root(exact.square)
    other = margin
    if problem.fit_intercept:
        second = _augmented_search(points, tried) if closely else tried[0]
        other = margin_interval(points, augmented(points), [second, *tried])
        if is_wide(other) and len(second.rows) <= worthwhile:
            exact = exact_margin(points, second.rows, second.alpha, with_one=True)
            other = other if exact is None else _around_root(exact.square)
    radius = radius_interval(points, seen.longest)
    return Separable(
        problem=problem,
        decimals=points.decimal is not None,
        weights=proof.weights,
        intercept=proof.intercept,
        exact_weights=proof.exact_weights,
        exact_intercept=proof.exact_intercept,
        margin=margin,
        augmented_margin=other,
        radius=radius,
        mistake_bound=bound_of(radius, other),
        support=np.sort(support),
        known_margin_squared=square,
        exact_limit=limit if limit == INSISTED else worthwhile,
    )


def _around_root(square: Fraction) -> Interval:
    """The narrowest interval of floats around a square root, or nearly."""
    return Interval(root_below(square), root_above(square))


def _augmented_search(points: Points, tried: list[Found]) -> Found:
    """The search for the margin of x̂ = (x, 1), from the rows that mattered before."""
    rows = [found.rows for found in tried]
    rows += [found.last.rows.astype(np.intp) for found in tried if found.last is not None]
    start = np.unique(np.concatenate(rows))
    return search(points, augmented(points), start, warm=tried[-1])


def not_separable_verdict(
    points: Points, outcome: WeakSeparator | Multipliers
) -> Touching | Overlapping:
    """The verdict "touching" or "overlapping"."""
    problem = points.problem
    multipliers = outcome if isinstance(outcome, Multipliers) else _fewest(points, outcome)
    order = np.argsort(multipliers.rows)
    rows = multipliers.rows[order]
    alpha = tuple(multipliers.alpha[at] for at in order)
    total = sum(alpha)
    shares = np.array([float(value / total) for value in alpha])
    if isinstance(outcome, Multipliers):
        return overlapping_verdict(points, rows, shares, alpha)
    w_hat = outcome.w_hat if problem.fit_intercept else (*outcome.w_hat, Fraction(0))
    largest = max(map(abs, w_hat[:-1]))
    floats = np.array([float(value / largest) for value in w_hat])
    floats /= np.linalg.norm(floats[:-1])
    return Touching(
        problem=problem,
        decimals=points.decimal is not None,
        rows=rows,
        alpha=alpha,
        alpha_float=shares,
        weights=floats[:-1],
        intercept=float(floats[-1]),
        exact_weights=w_hat[:-1],
        exact_intercept=w_hat[-1],
        rows_on_plane=outcome.on_plane,
        columns=tuple(
            name for name, value in zip(problem.names, w_hat[:-1], strict=True) if value != 0
        ),
    )


def _fewest(points: Points, outcome: WeakSeparator) -> Multipliers:
    """The multipliers of a weak separator: two equal points if there are some, else what it has."""
    pair = contradiction(points, outcome.on_plane)
    if pair is None:
        return outcome.multipliers
    return Multipliers(np.array(pair, dtype=np.intp), (Fraction(1), Fraction(1)))


def overlapping_verdict(
    points: Points, rows: NDArray[np.intp], shares: Floats, alpha: tuple[Fraction, ...] | None
) -> Overlapping:
    """The verdict "overlapping", with exact multipliers where there are some."""
    return Overlapping(
        problem=points.problem,
        decimals=points.decimal is not None,
        rows=rows,
        alpha=alpha,
        alpha_float=shares,
        shared_point=_shared_point(points, rows, shares),
    )


def _shared_point(points: Points, rows: NDArray[np.intp], shares: Floats) -> Floats:
    """Σ₊ αᵢxᵢ / Σ₊ αᵢ, which is Σ₋ αᵢxᵢ / Σ₋ αᵢ; the origin if the rows are of one class."""
    positive = points.problem.y[rows] > 0
    if positive.all() or not positive.any():
        return np.zeros(points.problem.d)
    X = points.take(rows[positive])
    point: Floats = shares[positive] @ X / shares[positive].sum()
    return point
