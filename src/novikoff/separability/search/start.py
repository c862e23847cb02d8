"""Quick ways to a separator, and the rows that the search begins with.

In few dimensions the difference of the class means is rough but good enough. In many, each round of
the search is dear, and a few epochs of the averaged perceptron, which cost next to nothing beside
it, come much closer to the rows that matter. Where the search would take very long, the perceptron
itself is asked first: if it stops, it has answered.

For very many columns there is Newton's method with conjugate gradients:

    minimise ½‖w‖²/C + ½ Σ max(0, 1 − aᵢ·w)²   over the rows aᵢ = yᵢx̂ᵢ, for growing C

The squared hinge is piecewise quadratic, so Newton's method ends after some tens of steps (Keerthi
and DeCoste, "A modified finite Newton method for fast solution of large scale linear SVMs", 2005);
no matrix is formed, so sparse rows stay sparse. The αᵢ = max(0, 1 − aᵢ·w) of every C bound the
margin that any separator can have.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import Deadline, seconds_in_force
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats, stored_values
from novikoff.separability.search.face import FaceProposal, rows_of_length_one, well_scaled
from novikoff.separability.search.passes import ColumnStats, pass_over, some_rows
from novikoff.separability.search.working_set import (
    Found,
    Metric,
    fits_at_once,
    found_of,
    rows_to_keep,
)

MANY_COLUMNS = 200
STARTED_FROM = 1 << 16  # rows that the perceptron looks at for a start
MANY_OPERATIONS = 10**10  # multiply-adds of the factorisation, counted once
WORK = 2 * 10**9  # multiply-adds that the perceptron may spend


def may_take_minutes(points: ExactProblem) -> bool:
    """Whether the search may take minutes: many columns, and about as many active rows."""
    n, d = points.problem.n, points.problem.d
    return min(n, d) ** 2 * d > MANY_OPERATIONS


def first_rows(points: ExactProblem, seen: ColumnStats, metric: Metric) -> NDArray[np.intp]:
    """The rows of the first working set, sorted."""
    d = points.problem.d
    if fits_at_once(points):
        return np.arange(points.problem.n)
    if d < MANY_COLUMNS:
        w_hat, _ = metric.weights((seen.means[1] - seen.means[0]) * metric.scale, 0.0)
    else:
        chosen = some_rows(points.problem.y, STARTED_FROM)
        everything = points.remote is None and len(chosen) == points.problem.n
        w_hat = _perceptron(points if everything else points.part(chosen), most_epochs=20)[1]
    found = pass_over(points, w_hat, rows_to_keep(d))
    return np.sort(found.rows).astype(np.intp)


def perceptron_found(points: ExactProblem) -> Found | None:
    """The perceptron's weights if it stops soon."""
    w_hat, _, converged = _perceptron(points, most_epochs=1000)
    if not converged:
        return None
    return found_of(points, w_hat)


def _perceptron(points: ExactProblem, most_epochs: int) -> tuple[Floats, Floats, bool]:
    """The last weights, their average (Freund and Schapire, 1999), and whether it stopped."""
    stored = max(stored_values(points.rows).size, 1)
    epochs = min(max(WORK // stored, 3), most_epochs)
    d = points.problem.d
    w, delayed = np.zeros(d + 1), np.zeros(d + 1)
    problem, seconds = points.problem, seconds_in_force()
    presented, converged = _core.rough_perceptron(
        points.rows, problem.y, problem.fit_intercept, epochs, w, delayed, seconds
    )
    return w, w - delayed / presented, converged


GROWTH = 100.0
MOST_GROWTHS = 8
MOST_STEPS = 40
MOST_CG_STEPS = 300


def newton_proposals(points: ExactProblem, A: Any, deadline: Deadline) -> Iterator[FaceProposal]:
    """A proposal for each C: weights, and the rows that they fail or nearly fail, with their α."""
    seen, back = well_scaled(A, centred=points.problem.fit_intercept)
    seen, lengths = rows_of_length_one(seen)
    transposed = seen.T.tocsr() if hasattr(seen, "tocsr") else seen.T
    w, C = np.zeros(seen.shape[1]), 1.0
    for _ in range(MOST_GROWTHS):
        w = _minimum(seen, transposed, w, C, deadline)
        slack = 1.0 - seen @ w
        on = np.flatnonzero(slack > 0)
        if slack.max() < 1.0:
            on = on[:0]
        yield FaceProposal(on, slack[on] / lengths[on], back(w), 0)
        C *= GROWTH


def _minimum(A: Any, transposed: Any, w: Floats, C: float, deadline: Deadline) -> Floats:
    """The minimiser for one C, from the one before; earlier if all rows are on their side."""
    for step in range(MOST_STEPS):
        slack = 1.0 - A @ w
        active = slack > 0
        if slack.max() < 1.0:
            return w
        deadline.stage(f"Newton's method, C = {C:g}, step {step}: {np.sum(slack >= 1)} rows wrong")
        gradient = w / C - transposed @ np.where(active, slack, 0.0)
        if np.linalg.norm(gradient) <= 1e-9 * np.sqrt(len(slack)):
            return w
        near = A[active] if 2 * np.count_nonzero(active) < len(active) else A
        weights = np.ones(near.shape[0]) if near is not A else active.astype(np.float64)
        direction = _solve(near, weights, C, -gradient, deadline)
        w = w + _step(A, w, direction, C) * direction
    return w


def _solve(A: Any, active: Floats, C: float, right: Floats, deadline: Deadline) -> Floats:
    """(I/C + AᵀDA)x = right by conjugate gradients, as closely as a Newton step needs."""
    x, rest = np.zeros(len(right)), right.copy()
    direction, square = rest.copy(), float(rest @ rest)
    enough = 1e-6 * square
    for _ in range(MOST_CG_STEPS):
        deadline.check()
        product = direction / C + A.T @ (active * (A @ direction))
        length = square / float(direction @ product)
        x += length * direction
        rest -= length * product
        before, square = square, float(rest @ rest)
        if square <= enough:
            break
        direction = rest + square / before * direction
    return x


def _step(A: Any, w: Floats, direction: Floats, C: float) -> float:
    """How far to go: halved until the objective falls."""
    scores, moves = A @ w, A @ direction

    def objective(step: float) -> float:
        ahead = w + step * direction
        hinge = np.maximum(0.0, 1.0 - scores - step * moves)
        return float(ahead @ ahead) / (2 * C) + float(hinge @ hinge) / 2

    step, now = 1.0, objective(0.0)
    while step > 1e-6 and objective(step) > now:
        step /= 2
    return step
