"""Another proposer, for when Wolfe's method stalls: a linear program on a working set that grows.

    maximise t   over yᵢ(w·xᵢ + b) ≥ t for the rows at hand, −1 ≤ w ≤ 1, t ≤ 1

Wolfe's method is exponential in the worst case (De Loera, Haddock and Rademacher, 2018), and
rounding can stop it. The simplex method gets stuck elsewhere. Like all proposals, this one is
proven or not used: t > 0 as HiGHS sees it is no proof, and neither is t = 0.
"""

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog

from novikoff.exact.points import Points
from novikoff.rows import Floats
from novikoff.search.passes import pass_over
from novikoff.search.wolfe import BEST, ZERO
from novikoff.search.working_set import Found, Metric, rows_to_keep

__all__ = ["program_found"]

MOST_ROUNDS = 30


def program_found(points: Points, metric: Metric, start: NDArray[np.intp]) -> Found | None:
    """Weights that separate, or rows with their multipliers, as the linear program sees them."""
    y = points.problem.y
    working = np.unique(start)
    for passes in range(1, MOST_ROUNDS + 1):
        A = _signed(points, metric, working)
        solution = _solved(A)
        if solution is None:
            return None
        point, t, alpha = solution
        if t <= 0.0:
            rows = working[alpha > 0.0]
            return Found(
                np.zeros(points.problem.d + 1), rows, alpha[alpha > 0.0], ZERO, None, passes
            )
        w_hat = np.append(point[: points.problem.d] * metric.scale, 0.0)
        if points.problem.fit_intercept:
            w_hat[-1] = point[-1]
        w_hat /= np.linalg.norm(w_hat[:-1])
        keep = rows_to_keep(points.problem.d)
        last = pass_over(points.rows, y, w_hat, keep, rounded=points.rounded)
        fresh = np.setdiff1d(last.rows[last.scores <= 0.0], working).astype(np.intp)
        if len(fresh) == 0:
            rows = working[alpha > 0.0]
            return Found(w_hat, rows, alpha[alpha > 0.0], BEST, last, passes)
        working = np.concatenate([working, fresh])
    return None


def _signed(points: Points, metric: Metric, rows: NDArray[np.intp]) -> Floats:
    """yᵢx̂ᵢ with columns of like width."""
    X = points.take(rows) * metric.scale
    if points.problem.fit_intercept:
        X = np.column_stack([X, np.ones(len(X))])
    signed: Floats = X * points.problem.y[rows, None]
    return signed


def _solved(A: Floats) -> tuple[Floats, float, Floats] | None:
    """The program's ŵ and t, and the multipliers of its rows."""
    m, p = A.shape
    constraints = np.column_stack([-A, np.ones(m)])
    bounds = [(-1.0, 1.0)] * p + [(None, 1.0)]
    objective = np.append(np.zeros(p), -1.0)
    result = linprog(objective, A_ub=constraints, b_ub=np.zeros(m), bounds=bounds, method="highs")
    if result.status != 0:
        return None
    return result.x[:p], float(result.x[p]), -np.asarray(result.ineqlin.marginals)
