"""Separators of data with very many columns: Newton's method with conjugate gradients.

    minimise ½‖w‖²/C + ½ Σ max(0, 1 − aᵢ·w)²   over the rows aᵢ = yᵢx̂ᵢ, for growing C

The squared hinge is piecewise quadratic, so Newton's method ends after some tens of steps (Keerthi
and DeCoste, "A modified finite Newton method for fast solution of large scale linear SVMs", 2005);
no matrix is formed, so sparse rows stay sparse. The αᵢ = max(0, 1 − aᵢ·w) of every C bound the
margin that any separator can have.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from novikoff.core.progress import Deadline
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats
from novikoff.separability.search.face import FaceProposal, rows_of_length_one, well_scaled

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
