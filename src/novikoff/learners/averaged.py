"""The averaged perceptron (Freund and Schapire 1999; Collins 2002): the mean of ŵ over all rounds.

The perceptron runs as ever. The sum of the weights after each of T rounds is T·ŵ − Σ t·η·y·x̂ over
its mistakes, t being the number of rounds before: one more addition a mistake, and none for a round
without one (the lazy counter of Daumé III).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.signs import norm_after_update, norm_bound, surely_right
from novikoff.learners.epochs import epoch_length, learner
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update, weights_at
from novikoff.matrix.rows import Floats

__all__ = ["AverageState", "average_of", "end", "present_rows", "state_of"]


class AverageState(NamedTuple):
    """What a run carries: ŵ, Σ t·η·y·x̂ over its mistakes, and the number of rounds so far."""

    weights: Weights
    delayed: Floats
    rounds: NDArray[np.int64]


def state_of(w: Floats, delayed: Floats, rounds: int) -> AverageState:
    """The state of a run that goes on from ŵ = `w` after so many rounds (nothing is copied)."""
    return AverageState(weights_at(w), delayed, np.array([rounds]))


def average_of(state: AverageState) -> Floats:
    """The mean of the weights after each round."""
    return state.weights.w - state.delayed / max(1, int(state.rounds[0]))


@kernel
def present_rows(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: AverageState,
    start: int,
    stop: int,
) -> tuple[int, int]:
    """Present the examples at positions `start` to `stop` of `order` (empty: as they are given)."""
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm, delayed, before = state.weights.w, state.weights.norm, state.delayed, state.rounds[0]
    rule = rule_of(examples, tie)
    mistakes = 0
    for t in range(start, stop):
        i = order[t] if len(order) > 0 else t
        bound = norms[i] * w_norm[0]
        if surely_right(rows, i, push[i], w, bound):
            continue
        if is_mistake(rows, i, push[i], w, bound, rule):
            update(rows, i, push[i], w, bias)
            update(rows, i, push[i] * (before + t), delayed, bias)
            w_norm[0] = norm_after_update(w_norm[0], push[i], norms[i])
            mistakes += 1
    if stop == epoch_length(examples, order):
        state.rounds[0] += stop
    return mistakes, stop


@kernel
def end(examples: Examples, tie: int, state: AverageState, mistakes: int) -> int:  # noqa: ARG001
    """After an epoch: why no other is needed, or GO_ON."""
    weights = state.weights
    weights.norm[0] = min(weights.norm[0], norm_bound(weights.w))
    return CONVERGED if mistakes == 0 else GO_ON


learner(AverageState, present_with=present_rows, end_with=end)
