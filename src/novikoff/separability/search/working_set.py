"""The search for a separator of maximum margin: Wolfe's method on a working set that passes feed.

What it returns are proposals. The weights are proven, or not, by the bounds of the last pass; the
active rows are where a proof that there is no separator starts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import Deadline
from novikoff.exact.bounds import LEAST_NORMAL
from novikoff.exact.points import ExactProblem
from novikoff.exact.scores import row_scores
from novikoff.matrix.rows import Floats
from novikoff.separability.search.passes import ColumnStats, Pass, pass_over
from novikoff.separability.search.wolfe import (
    BEST,
    ZERO,
    Active,
    nearest_in,
    new_active,
    warm_active,
)

ALL_AT_ONCE = 1 << 21  # numbers: below this the working set is everything
MOST_WORKING = 1 << 26  # numbers: the working set is cut back beyond this
MOST_ACTIVE = 1 << 27  # numbers in the factorisation
MOST_PASSES = 60
GAP = 1e-10  # between the bounds on the margin, relative: closer than rounding often allows


class Metric(NamedTuple):
    """How points are seen by the search: a = y·((x, 1) − centre)·scale, in one group or by class.

    Centring and scaling round, so they guide; nothing is decided by what is seen through them.
    """

    centre: Floats
    scale: Floats
    by_class: bool
    with_one: bool

    @property
    def margin(self) -> str:
        """Which margin the search through this metric widens, in words."""
        if self.with_one:
            return "augmented margin"
        return (
            "geometric margin" if (self.scale == 1).all() else "geometric margin (scaled columns)"
        )

    def seen(self, points: ExactProblem, indices: NDArray[np.intp]) -> Floats:
        """The rows a of some points."""
        X = points.take(indices)
        if self.with_one:
            X = np.column_stack([X, np.ones(len(X))])
        seen = (X - self.centre) * self.scale
        seen *= points.problem.y[indices, None]
        return np.ascontiguousarray(seen)

    def groups(self, points: ExactProblem, indices: NDArray[np.intp]) -> NDArray[np.int64]:
        """The group of each of these points."""
        if not self.by_class:
            return np.zeros(len(indices), dtype=np.int64)
        return (points.problem.y[indices] > 0).astype(np.int64)

    def weights(self, point: Floats, offset: float) -> tuple[Floats, float]:
        """The unit ŵ = (w, b) on points as they are, from one on points as they are seen.

        Also the number that the scores were divided by for ‖w‖ (‖ŵ‖ with a one) to be 1; that is 1
        where float64 cannot hold the unit weights of columns of very different widths.
        """
        w = point * self.scale
        norm = float(np.abs(w).max())
        if 0.0 < norm < math.inf:
            norm *= float(np.linalg.norm(w / norm))
        norm = norm if 0.0 < norm < math.inf else 1.0
        unit = w / norm
        if np.abs(unit[w != 0]).min(initial=1.0) < LEAST_NORMAL:
            unit, norm = w, 1.0
        if self.with_one:
            return unit, norm
        b = -float(unit @ self.centre) - offset / norm if self.by_class else 0.0
        return np.append(unit, b), norm


class Found(NamedTuple):
    """Weights ŵ, the active rows with their α, how the inner solve ended, and the last pass.

    `is_rough` if nothing was done about the margin: any separator will do.
    """

    w_hat: Floats
    rows: NDArray[np.intp]
    alpha: Floats
    ended: int
    last: Pass | None
    passes: int
    is_rough: bool = False

    def rows_failed(self, points: ExactProblem) -> int:
        """How many rows ŵ does not have strictly on their side, as floating point sees them."""
        return int((row_scores(points, self.w_hat) * points.problem.y <= 0.0).sum())


def found_of(
    points: ExactProblem,
    w_hat: Floats,
    rows: NDArray[np.intp] | None = None,
    alpha: Floats | None = None,
) -> Found:
    """Weights from elsewhere, scaled to ‖w‖ = 1, with their pass over the data.

    Without rows, the least row of each class stands in for those with an α.
    """
    norm = float(np.linalg.norm(w_hat[:-1]))
    w_hat = w_hat / norm if 0.0 < norm < math.inf else w_hat
    last = pass_over(points, w_hat, 1)
    if rows is None or alpha is None or len(rows) == 0:
        rows, alpha = last.rows.astype(np.intp), np.ones(len(last.rows))
    return Found(w_hat, rows, alpha, BEST, last, 1, is_rough=True)


class Working(NamedTuple):
    """The rows in memory, as they are seen, with their groups, and which of them are active."""

    rows: NDArray[np.intp]
    A: Floats
    groups: NDArray[np.int64]
    active: Active


def geometric(points: ExactProblem, seen: ColumnStats) -> Metric:
    """Distances between points as they are: for the margin with ‖w‖ = 1, b free (or no b)."""
    d = points.problem.d
    by_class = points.problem.fit_intercept
    centre = seen.means.sum(axis=0) / 2 if by_class else np.zeros(d)
    return Metric(centre, np.ones(d), by_class=by_class, with_one=False)


def augmented(points: ExactProblem) -> Metric:
    """Distances between points x̂ = (x, 1): for the margin with ‖(w, b)‖ = 1."""
    d = points.problem.d
    return Metric(np.zeros(d + 1), np.ones(d + 1), by_class=False, with_one=True)


def spread_out(points: ExactProblem, seen: ColumnStats) -> Metric:
    """Columns scaled by powers of two to a width near 1, for data of very different widths."""
    metric = geometric(points, seen)
    width = seen.greatest - seen.least
    if not metric.by_class:
        width = np.maximum(np.abs(seen.greatest), np.abs(seen.least))
    exponents = np.frexp(np.where(width > 0, width, 1.0))[1]
    return metric._replace(scale=np.ldexp(1.0, np.clip(-exponents, -1022, 1022)))


def search(
    points: ExactProblem,
    metric: Metric,
    start: NDArray[np.intp],
    deadline: Deadline,
    warm: Found | None = None,
) -> Found:
    """Alternate inner solves and passes until nothing is violated, or nothing can be separated.

    The working set starts with the rows `start`, among them those of `warm`: what was found in
    another metric, whose active rows are tried first.
    """
    n, d = points.problem.n, len(metric.scale)
    keep = rows_to_keep(d)
    everything = fits_at_once(points)
    working = _first(points, metric, np.arange(n) if everything else start, warm)
    last: Pass | None = None
    for passes in range(1, MOST_PASSES + 1):
        most_rounds = 50 * (min(n, d) + 20)
        ended = nearest_in(working.A, working.groups, working.active, most_rounds)
        point, bases = working.active.point, working.active.bases
        levels = working.A[bases] @ point
        offset = float(levels[1] - levels[0]) / 2 if metric.by_class else 0.0
        w_hat, divisor = metric.weights(point, offset)
        if ended == ZERO:
            break
        last = pass_over(points, w_hat, keep)
        level = float(levels.mean()) / divisor
        lower = float(last.lowest.mean() if metric.by_class else last.lowest.min())
        deadline.stage(
            f"pass {passes}, working set of {len(working.rows):,}: {metric.margin} "
            f"{lower:.4g} to {level:.4g}{points.pace}"
        )
        if everything or lower >= level * (1 - GAP) or ended != BEST:
            break
        violated = last.rows[last.scores < level * (1 - GAP)]
        fresh = np.setdiff1d(violated, working.rows)
        if len(fresh) == 0:
            break
        if (len(working.rows) + len(fresh)) * d > MOST_WORKING:
            working = _purged(working, MOST_WORKING // (4 * d))
        working = _grown(points, metric, working, fresh)
    rows, alpha = _support(working)
    return Found(w_hat, rows, alpha, ended, last, passes)


def fits_at_once(points: ExactProblem) -> bool:
    """Whether the working set may as well be everything."""
    return points.problem.n * (points.problem.d + 1) <= ALL_AT_ONCE


def rows_to_keep(d: int) -> int:
    """How many rows of each class a pass returns: about 3d in all, if they fit well in memory."""
    return max(64, min(3 * d // 2, MOST_WORKING // (8 * d)))


def _first(
    points: ExactProblem, metric: Metric, rows: NDArray[np.intp], warm: Found | None
) -> Working:
    """The first working set, active where it was before, or in the shortest row of each group."""
    A, groups = metric.seen(points, rows), metric.groups(points, rows)
    most = min(points.problem.n, A.shape[1] + 1, max(64, MOST_ACTIVE // A.shape[1]))
    active = None
    if warm is not None:
        places = np.searchsorted(rows, warm.rows)
        active = warm_active(A, groups, places, np.maximum(warm.alpha, 0.0), most)
    if active is None:
        active = new_active(A, _bases(A, groups), most)
    return Working(rows, A, groups, active)


def _bases(A: Floats, groups: NDArray[np.int64]) -> NDArray[np.int64]:
    """The shortest row of each group: a start that is not far from the nearest points."""
    squares = np.einsum("ij,ij->i", A, A)
    members = [np.flatnonzero(groups == g) for g in range(int(groups.max()) + 1)]
    return np.array([mine[np.argmin(squares[mine])] for mine in members])


def _purged(working: Working, most: int) -> Working:
    """Only the active rows and those that score least: the others have long been satisfied."""
    active = working.active
    k = int(active.size[0])
    scores = working.A @ active.point
    scores[active.is_active] = -np.inf
    places = np.sort(np.argsort(scores, kind="stable")[: max(most, k + len(active.bases))])
    active.columns[:k] = np.searchsorted(places, active.columns[:k])
    active.bases[:] = np.searchsorted(places, active.bases)
    return Working(
        working.rows[places],
        working.A[places],
        working.groups[places],
        active._replace(is_active=active.is_active[places]),
    )


def _grown(
    points: ExactProblem, metric: Metric, working: Working, fresh: NDArray[np.intp]
) -> Working:
    """The working set with fresh rows behind the old ones, whose places do not change."""
    is_active = working.active.is_active
    return Working(
        np.concatenate([working.rows, fresh]),
        np.concatenate([working.A, metric.seen(points, fresh)]),
        np.concatenate([working.groups, metric.groups(points, fresh)]),
        working.active._replace(
            is_active=np.concatenate([is_active, np.zeros(len(fresh), dtype=np.bool_)])
        ),
    )


def _support(working: Working) -> tuple[NDArray[np.intp], Floats]:
    """The active rows, columns first, then the bases, and their α."""
    active = working.active
    k = int(active.size[0])
    places = np.concatenate([active.columns[:k], active.bases])
    alpha = np.concatenate([active.alpha[:k], active.alpha[-len(active.bases) :]])
    return working.rows[places], alpha
