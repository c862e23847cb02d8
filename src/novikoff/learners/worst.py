"""The order "worst": of all mistakes, the most violated one, chosen the same for every storage."""

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.accumulator import is_less
from novikoff.exact.signs import error_bound
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of
from novikoff.rows import dot, n_entries

__all__ = ["worst_mistake"]


@kernel
def worst_mistake(
    examples: Examples, tie: int, weights: Weights, sides: NDArray[np.float64]
) -> int:
    """The mistake with the least y·s (of equals, the first), or −1 if there is none.

    A fast pass bounds every y·s from both sides (into `sides`, from below); only rows that could be
    the least are then compared exactly.
    """
    rows, push, norms = examples.rows, examples.push, examples.norms
    w, w_norm = weights.w, weights.norm
    rule = rule_of(examples, tie)
    least_upper = np.inf
    for i in range(len(push)):
        if push[i] == 0.0:
            sides[i] = np.inf
            continue
        score = dot(rows, i, w) + w[-1]
        error = error_bound(n_entries(rows, i), norms[i] * w_norm[0])
        side = score if push[i] > 0.0 else -score
        sides[i] = side - error
        if np.isfinite(side):
            least_upper = min(least_upper, side + error)
        else:
            sides[i] = -np.inf
    worst, worst_y = -1, 0.0
    for i in range(len(push)):
        if push[i] == 0.0 or sides[i] > least_upper:
            continue
        if is_mistake(rows, i, push[i], w, norms[i] * w_norm[0], rule):
            y = 1.0 if push[i] > 0.0 else -1.0
            if worst < 0 or is_less(rows, i, y, worst, worst_y, w):
                worst, worst_y = i, y
    return worst
