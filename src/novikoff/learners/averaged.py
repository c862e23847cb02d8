"""The averaged perceptron (Freund and Schapire 1999; Collins 2002): the mean of ŵ over all rounds.

The perceptron runs as ever. The sum of the weights after each of T rounds is T·ŵ − Σ t·η·y·x̂ over
its mistakes, t being the number of rounds before: one more addition a mistake, and none for a round
without one (the lazy counter of Daumé III).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.exact.bounds import norm_bound
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Weights, weights_at
from novikoff.matrix.rows import Floats


class AverageState(NamedTuple):
    """The state of a run: ŵ, Σ t·η·y·x̂ over its mistakes, and the number of rounds so far."""

    weights: Weights
    delayed: Floats
    rounds: NDArray[np.int64]


def state_of(w: Floats, delayed: Floats, rounds: int) -> AverageState:
    """The state of a run that goes on from ŵ = `w` after so many rounds (nothing is copied)."""
    return AverageState(weights_at(w), delayed, np.array([rounds]))


def average_of(state: AverageState) -> Floats:
    """The mean of the weights after each round."""
    return state.weights.w - state.delayed / max(1, int(state.rounds[0]))


# Epoch after epoch in the same order; return how many were run, and why it stopped.
epochs = _core.averaged_epochs


# Present the examples at these positions of the order, and learn; how many were mistaken.
present_rows = _core.averaged_present


def end(state: AverageState, mistakes: int) -> int:
    """After an epoch: why no other is needed, or GO_ON."""
    weights = state.weights
    weights.norm[0] = min(weights.norm[0], norm_bound(weights.w))
    return CONVERGED if mistakes == 0 else GO_ON
