"""The averaged perceptron (Freund and Schapire 1999; Collins 2002): the mean of ŵ over all rounds.

The perceptron runs as ever. The sum of the weights after each of T rounds is T·ŵ − Σ t·η·y·x̂ over
its mistakes, t being the number of rounds before: one more addition a mistake, and none for a round
without one (the lazy counter of Daumé III).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import norm_after_update, norm_bound, surely_right
from novikoff.learners.status import CONVERGED, PAUSED
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update, weights_at
from novikoff.rows import Floats

__all__ = ["State", "average_of", "epochs", "state_of"]


class State(NamedTuple):
    """What a run carries: ŵ, Σ t·η·y·x̂ over its mistakes, and the number of rounds so far."""

    weights: Weights
    delayed: Floats
    rounds: NDArray[np.int64]


def state_of(w: Floats, delayed: Floats, rounds: int) -> State:
    """The state of a run that goes on from ŵ = `w` after so many rounds (nothing is copied)."""
    return State(weights_at(w), delayed, np.array([rounds]))


def average_of(state: State) -> Floats:
    """The mean of the weights after each round."""
    return state.weights.w - state.delayed / max(1, int(state.rounds[0]))


@kernel
def one_epoch(examples: Examples, order: NDArray[np.int64], tie: int, state: State) -> int:
    """Present every example once, in `order` (empty: as given), and learn from each mistake."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm, delayed, before = state.weights.w, state.weights.norm, state.delayed, state.rounds[0]
    rule = rule_of(examples, tie)
    n = len(order) if len(order) > 0 else len(push)
    mistakes = 0
    for t in range(n):
        i = order[t] if len(order) > 0 else t
        bound = norms[i] * w_norm[0]
        if surely_right(rows, i, push[i], w, bound):
            continue
        if is_mistake(rows, i, push[i], w, bound, rule):
            update(rows, i, push[i], w, bias)
            update(rows, i, push[i] * (before + t), delayed, bias)
            w_norm[0] = norm_after_update(w_norm[0], push[i], norms[i])
            mistakes += 1
    state.rounds[0] += n
    return mistakes


@kernel
def epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: State,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """Epoch after epoch in the same order; return how many were run, and why it stopped."""
    weights = state.weights
    for epoch in range(len(mistakes_per_epoch)):
        mistakes_per_epoch[epoch] = one_epoch(examples, order, tie, state)
        if mistakes_per_epoch[epoch] == 0:
            return epoch + 1, CONVERGED
        weights.norm[0] = min(weights.norm[0], norm_bound(weights.w))
    return len(mistakes_per_epoch), PAUSED
