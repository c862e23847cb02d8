"""The pocket algorithm (Gallant 1990): find ŵ that misclassifies as few examples as possible.

The perceptron runs as ever, and the weights with the longest run of correct answers are kept in the
pocket: good weights survive longer. With the ratchet they are exchanged only for weights with fewer
errors on all the data, so the pocket never gets worse; drawn at random, long enough, it holds an
optimal ŵ with probability as close to 1 as you like.

S. I. Gallant, "Perceptron-based learning algorithms", IEEE Transactions on Neural Networks 1, 1990.
"""

from dataclasses import dataclass
from math import isqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.learners.unit import Examples, Weights, weights_at
from novikoff.matrix.rows import Floats

# Places in `State.tally`: correct answers in a row of the weights at work and of those kept, how
# the weights at work have fared in their trial, and how often the pocket changed.
RUN, KEPT_RUN, TRIAL, CHANGES = 0, 1, 2, 3
PENDING, REJECTED, KEPT = 0, 1, 2


class PocketState(NamedTuple):
    """The state of a run: the weights kept (`weights`), those at work, and their runs.

    `loss` is that of the weights kept: the sum of η over their errors, which counts the errors
    where all examples weigh the same. It is −1 where not all the data is there to count.
    """

    weights: Weights
    working: Weights
    loss: Floats
    tally: NDArray[np.int64]
    run_lengths: NDArray[np.int64]
    ratchet: bool


@dataclass(frozen=True)
class Past:
    """The end of a run, to go on from: ŵ kept and at work, the tally, and the run lengths."""

    kept: Floats
    working: Floats
    tally: NDArray[np.int64]
    run_lengths: NDArray[np.int64]

    @classmethod
    def empty(cls, d: int) -> "Past":
        """Zero weights at work and in the pocket."""
        return cls(np.zeros(d + 1), np.zeros(d + 1), np.zeros(4, np.int64), np.empty(0, np.int64))

    @classmethod
    def of(cls, state: PocketState) -> "Past":
        """The end of the run with this state."""
        lengths = state.run_lengths[: state.tally[CHANGES]].copy()
        return cls(state.weights.w, state.working.w, state.tally, lengths)


def state_after(past: Past, *, loss: float, rounds: int, ratchet: bool) -> PocketState:
    """The state of up to `rounds` more rounds, on data where the pocket has this `loss`."""
    # Run lengths grow by one at least each time, and k different ones need k²/2 rounds.
    room = np.empty(isqrt(2 * rounds) + 3, np.int64)
    return PocketState(
        weights_at(past.kept.copy()),
        weights_at(past.working.copy()),
        np.array([loss]),
        past.tally.copy(),
        np.concatenate([past.run_lengths, room]),
        ratchet,
    )


def loss_of(examples: Examples, tie: int, weights: Weights) -> float:
    """The sum of η over the examples that the weights misclassify."""
    return _core.loss_on(examples, tie, weights, 0.0, np.inf)[0]


def keep(state: PocketState) -> None:
    """Put the weights at work into the pocket."""
    tally = state.tally
    state.weights.w[:] = state.working.w
    state.weights.norm[0] = state.working.norm[0]
    tally[KEPT_RUN] = state.run_lengths[tally[CHANGES]] = tally[RUN]
    tally[CHANGES] += 1
    tally[TRIAL] = KEPT


# Epoch after epoch in the same order; return how many were run, and why it stopped.
epochs = _core.pocket_epochs
