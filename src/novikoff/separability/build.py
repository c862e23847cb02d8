"""From proofs to verdicts: what a user gets, put together from what was proven."""

import math
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core.blas import one_thread
from novikoff.core.progress import Deadline, OutOfTime, start_deadline
from novikoff.exact.points import ExactProblem
from novikoff.exact.rational import nearest_float, root_above, root_below
from novikoff.matrix.rows import Floats
from novikoff.separability.proofs.face_by_solve import face_multipliers
from novikoff.separability.proofs.facial_reduction import WeakSeparator
from novikoff.separability.proofs.gordan import Multipliers, contradiction
from novikoff.separability.proofs.margin import (
    ExactMargin,
    bound_of,
    exact_margin,
    is_wide,
    margin_below,
    margin_interval,
    radius_interval,
)
from novikoff.separability.proofs.separator import ProvenSeparator, proof_of
from novikoff.separability.search.passes import ColumnStats
from novikoff.separability.search.start import first_rows
from novikoff.separability.search.wolfe import BEST
from novikoff.separability.search.working_set import Found, Metric, augmented, geometric, search
from novikoff.separability.verdict_base import ProvenMargins
from novikoff.separability.verdicts import Interval, Overlapping, Separable, Touching

UNLIMITED = 1 << 62  # the limit on active rows where rational numbers are insisted on
ALWAYS_EXACT = 250  # unknowns of multipliers that are always worked out
MOST_COST = 1.5e9  # of exact multipliers that are worked out unasked: a few seconds
CHEAP_MARGIN = 200  # active rows for which a wide interval is worth exact work

Reference: TypeAlias = tuple[Floats, float]


@dataclass
class LazyProofsOf:
    """The margins and exact multipliers of a verdict, worked out when they are asked for."""

    points: ExactProblem
    seen: ColumnStats
    limit: int
    tried: list[Found]

    def known(self) -> ProvenMargins:
        """What was proven on the way to the separator."""
        metric = geometric(self.points, self.seen)
        margin = margin_interval(self.points, metric, self.tried)
        widest = _widest(metric, self.tried)
        other = margin
        if self.points.problem.fit_intercept:
            metric = augmented(self.points)
            other = margin_interval(self.points, metric, self.tried)
        direction = None if widest is None else widest[0]
        return self._margins(
            margin, other, _widest(metric, self.tried), self.tried[0].rows, direction
        )

    @property
    def _size(self) -> int:
        return self.points.problem.n * self.points.problem.d

    def margins(self, time_limit: float | None, progress: bool) -> ProvenMargins:
        """Both margins closely; what is known so far where the time runs out."""
        with (
            start_deadline(progress, time_limit) as deadline,
            np.errstate(all="ignore"),
            one_thread(self._size),
        ):
            try:
                with deadline.enforced():
                    return self._closely(deadline)
            except OutOfTime:
                return self.known()

    def _closely(self, deadline: Deadline) -> ProvenMargins:
        points, tried = self.points, self.tried
        metric = geometric(points, self.seen)
        if tried[0].is_rough and points.in_range:
            deadline.stage("geometric margin")
            start = first_rows(points, self.seen, metric)
            best = search(points, metric, start, deadline)
            if best.ended == BEST and best.last is not None:
                tried.insert(0, best)
        support, square = tried[0].rows, None
        margin, reference = margin_interval(points, metric, tried), _widest(metric, tried)
        direction = None if reference is None else reference[0]
        if self.limit == UNLIMITED or (is_wide(margin) and len(support) <= self._worthwhile()):
            deadline.stage("geometric margin, exactly")
            exact = exact_margin(points, support, tried[0].alpha, check=deadline.check)
            if exact is not None:
                square, support, margin = exact.square, exact.support, _around_root(exact.square)
                direction = _unit(exact.vector)
                reference = self._rounded(exact) or reference
        other = margin
        if points.problem.fit_intercept:
            other, reference = self._augmented(deadline)
        return self._margins(margin, other, reference, support, direction, square)

    def _augmented(self, deadline: Deadline) -> tuple[Interval, Reference | None]:
        """The margin of x̂ = (x, 1) and who reaches it, from the rows that mattered before."""
        points, tried = self.points, self.tried
        deadline.stage("augmented margin")
        rows = [found.rows for found in tried]
        rows += [found.last.rows.astype(np.intp) for found in tried if found.last is not None]
        start = np.unique(np.concatenate(rows))
        second = tried[0]
        if points.in_range:
            second = search(points, augmented(points), start, deadline, warm=second)
        other = margin_interval(points, augmented(points), [second, *tried])
        reference = _widest(augmented(points), [second, *tried])
        if is_wide(other) and len(second.rows) <= self._worthwhile():
            exact = exact_margin(
                points, second.rows, second.alpha, with_one=True, check=deadline.check
            )
            if exact is not None:
                other, reference = _around_root(exact.square), self._rounded(exact) or reference
        return other, reference

    def _rounded(self, exact: ExactMargin) -> Reference | None:
        """The separator of widest margin as floats, where they separate too."""
        d = self.points.problem.d
        proof = proof_of(self.points, exact.vector[:d], sum(exact.vector[d:], Fraction(0)))
        if proof is None:
            return None
        floats = [*proof.weights.tolist(), proof.intercept]
        is_proven = [*proof.exact_weights, proof.exact_intercept] == list(map(Fraction, floats))
        return (proof.weights, proof.intercept) if is_proven else None

    def _worthwhile(self) -> int:
        return min(self.limit, CHEAP_MARGIN)

    def _margins(
        self,
        margin: Interval,
        other: Interval,
        reference: Reference | None,
        support: NDArray[np.intp],
        direction: Floats | None,
        square: Fraction | None = None,
    ) -> ProvenMargins:
        radius = radius_interval(self.points, self.seen.longest)
        bound = bound_of(radius, other)
        support = np.sort(support)
        return ProvenMargins(margin, other, radius, bound, support, square, reference, direction)

    def margin_squared(self, support: NDArray[np.intp]) -> Fraction | None:
        """The square of the geometric margin, for supports of moderate size."""
        if len(support) > (self.limit if self.limit == UNLIMITED else self._worthwhile()):
            return None
        exact = exact_margin(self.points, support)
        return None if exact is None else exact.square

    def alpha(
        self, rows: NDArray[np.intp], near: Floats, *, at_any_cost: bool
    ) -> tuple[Fraction, ...] | None:
        """The exact multipliers near those whose existence was proven; None if there are none."""
        points = self.points.part(rows)
        if not at_any_cost and _cost_of_alpha(points) > MOST_COST:
            return None
        with one_thread(self._size):
            return face_multipliers(points, np.arange(len(rows)), near)

    def contradiction(self) -> tuple[int, int] | None:
        """Two rows with the same point and different labels; or None."""
        return contradiction(self.points)


def _cost_of_alpha(points: ExactProblem) -> float:
    """About how many steps exact multipliers take: those of a system of as long numbers."""
    problem = points.problem
    rank = min(problem.n, problem.d + problem.fit_intercept)
    if rank <= ALWAYS_EXACT:
        return 0.0
    bits = math.inf if points.whole is None else points.whole.bits
    return float(rank**3 * (bits + math.log2(rank) / 2))


def separable_verdict(
    points: ExactProblem, seen: ColumnStats, proof: ProvenSeparator, tried: list[Found], limit: int
) -> Separable:
    """The verdict "separable", with what is known of the margin so far."""
    lazy = LazyProofsOf(points, seen, limit, tried)
    return Separable(
        problem=points.problem,
        decimals=points.decimals,
        weights=proof.weights,
        intercept=proof.intercept,
        exact_weights=proof.exact_weights,
        exact_intercept=proof.exact_intercept,
        known=lazy.known(),
        lazy=lazy,
    )


def _widest(metric: Metric, tried: list[Found]) -> Reference | None:
    """Of what was found, the (w, b) that reaches the widest margin of the metric's kind, proven."""
    best = max(tried, key=lambda found: margin_below(found, metric))
    if margin_below(best, metric) == 0.0:
        return None
    return best.w_hat[:-1], float(best.w_hat[-1])


def _unit(vector: list[Fraction]) -> Floats:
    """Floats of length 1, or nearly, in the direction of an exact vector."""
    largest = max(map(abs, vector))
    floats = np.array([float(value / largest) for value in vector])
    return floats / float(np.linalg.norm(floats))


def _around_root(square: Fraction) -> Interval:
    """The narrowest interval of floats around a square root, or nearly."""
    return Interval(root_below(square), root_above(square))


def not_separable_verdict(
    points: ExactProblem, seen: ColumnStats, outcome: WeakSeparator | Multipliers
) -> Touching | Overlapping:
    """The verdict "touching" or "overlapping"."""
    problem = points.problem
    multipliers = outcome if isinstance(outcome, Multipliers) else outcome.multipliers
    order = np.argsort(multipliers.rows)
    rows = multipliers.rows[order]
    alpha = tuple(multipliers.alpha[at] for at in order)
    total = sum(alpha)
    shares = np.array([float(value / total) for value in alpha])
    if isinstance(outcome, Multipliers):
        return overlapping_verdict(points, seen, rows, shares, alpha)
    w_hat = outcome.w_hat if problem.fit_intercept else (*outcome.w_hat, Fraction(0))
    largest = max(abs(value) for value in w_hat[:-1] if value)
    floats = np.array([nearest_float(value / largest) if value else 0.0 for value in w_hat])
    floats /= np.linalg.norm(floats[:-1])
    if not np.isfinite(floats).all():  # no floats come near, as in `Proof`
        floats = np.zeros(len(w_hat))
    return Touching(
        problem=problem,
        decimals=points.decimals,
        rows=rows,
        alpha=alpha,
        alpha_float=shares,
        lazy=LazyProofsOf(points, seen, 0, []),
        weights=floats[:-1],
        intercept=float(floats[-1]),
        exact_weights=w_hat[:-1],
        exact_intercept=w_hat[-1],
        rows_on_plane=outcome.on_plane,
        columns=tuple(
            name for name, value in zip(problem.names, w_hat[:-1], strict=True) if value != 0
        ),
    )


def overlapping_verdict(
    points: ExactProblem,
    seen: ColumnStats,
    rows: NDArray[np.intp],
    shares: Floats,
    alpha: tuple[Fraction, ...] | None,
) -> Overlapping:
    """The verdict "overlapping", with exact multipliers where there are some."""
    return Overlapping(
        problem=points.problem,
        decimals=points.decimals,
        rows=rows,
        alpha=alpha,
        alpha_float=shares,
        lazy=LazyProofsOf(points, seen, 0, []),
        shared_point=_shared_point(points, rows, shares, alpha),
    )


def _shared_point(
    points: ExactProblem,
    rows: NDArray[np.intp],
    shares: Floats,
    alpha: tuple[Fraction, ...] | None,
) -> Floats:
    """Σ₊ αᵢxᵢ / Σ₊ αᵢ, which is Σ₋ αᵢxᵢ / Σ₋ αᵢ; the origin if the rows are of one class."""
    positive = points.problem.y[rows] > 0
    if positive.all() or not positive.any():
        return np.zeros(points.problem.d)
    if not points.in_range and alpha is not None:
        mine = [alpha[at] for at in np.flatnonzero(positive).tolist()]
        entries, units = points.integers(rows[positive])
        columns = zip(zip(*entries, strict=True), units, strict=True)
        exact = [unit * sum(map(mul, mine, values)) / sum(mine) for values, unit in columns]
        return np.array([nearest_float(Fraction(value)) for value in exact])
    X = points.take(rows[positive])
    point: Floats = shares[positive] @ X / shares[positive].sum()
    return point
