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

from novikoff.core.compiled import kernel
from novikoff.exact.signs import norm_after_update, norm_bound, surely_right
from novikoff.learners.epochs import epoch_length, learner
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import Examples, Rule, Weights, is_mistake, rule_of, update, weights_at
from novikoff.matrix.rows import Floats

__all__ = ["Past", "PocketState", "loss_of", "state_after"]

# Places in `State.tally`: correct answers in a row of the weights at work and of those kept, how
# the weights at work have fared in their trial, and how often the pocket changed.
RUN, KEPT_RUN, TRIAL, CHANGES = 0, 1, 2, 3
PENDING, REJECTED, KEPT = 0, 1, 2


class PocketState(NamedTuple):
    """What a run carries: the weights kept (`weights`), those at work, and their runs.

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
    """What is left of a run when it ends: ŵ kept and at work, the tally, and the run lengths."""

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
        """What is left of `state`."""
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


@kernel
def loss_below(examples: Examples, rule: Rule, weights: Weights, limit: float) -> float:
    """The sum of η over the examples that the weights misclassify; adding up ends at `limit`."""
    rows, push, norms = examples.rows, examples.push, examples.norms
    w, w_norm = weights.w, weights.norm[0]
    loss = 0.0
    for i in range(len(push)):
        bound = norms[i] * w_norm
        if push[i] == 0.0 or surely_right(rows, i, push[i], w, bound):
            continue
        if is_mistake(rows, i, push[i], w, bound, rule):
            loss += abs(push[i])
            if loss >= limit:
                break
    return loss


def loss_of(examples: Examples, tie: int, weights: Weights) -> float:
    """The sum of η over the examples that the weights misclassify."""
    return loss_below(examples, rule_of(examples, tie), weights, np.inf)


@kernel
def keep(state: PocketState) -> None:
    """Put the weights at work into the pocket."""
    state.weights.w[:] = state.working.w
    state.weights.norm[0] = state.working.norm[0]
    state.tally[KEPT_RUN] = state.tally[RUN]
    state.run_lengths[state.tally[CHANGES]] = state.tally[RUN]
    state.tally[CHANGES] += 1


@kernel
def consider(examples: Examples, rule: Rule, state: PocketState) -> bool:
    """The weights at work have run longer than those kept: exchange them, if the ratchet agrees.

    Returns whether all the data was looked at.
    """
    tally = state.tally
    if tally[TRIAL] == KEPT:  # they are in the pocket already, and go on running
        tally[KEPT_RUN] = tally[RUN]
        state.run_lengths[tally[CHANGES] - 1] = tally[RUN]
    elif tally[TRIAL] == PENDING:
        tally[TRIAL] = REJECTED
        loss = state.loss[0]
        if state.ratchet:
            loss = loss_below(examples, rule, state.working, state.loss[0])
        if loss < state.loss[0] or not state.ratchet:
            keep(state)
            state.loss[0] = loss
            tally[TRIAL] = KEPT
        return state.ratchet
    return False


@kernel
def present_rows(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: PocketState,
    start: int,
    stop: int,
) -> tuple[int, int]:
    """Present examples from position `start` of `order` (empty: as given) to `stop`, or a trial.

    A trial looks at all the data, and Ctrl-C is heard after it. The epoch ends where the pocket
    makes no error.
    """
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm, tally = state.working.w, state.working.norm, state.tally
    rule = rule_of(examples, tie)
    mistakes = 0
    for t in range(start, stop):
        i = order[t] if len(order) > 0 else t
        bound = norms[i] * w_norm[0]
        right = surely_right(rows, i, push[i], w, bound)
        if right or not is_mistake(rows, i, push[i], w, bound, rule):
            tally[RUN] += 1
            if tally[RUN] > tally[KEPT_RUN]:
                tried = consider(examples, rule, state)
                if state.loss[0] == 0.0:
                    return mistakes, epoch_length(examples, order)
                if tried:
                    return mistakes, t + 1
            continue
        update(rows, i, push[i], w, bias)
        w_norm[0] = norm_after_update(w_norm[0], push[i], norms[i])
        tally[RUN] = 0
        tally[TRIAL] = PENDING
        mistakes += 1
    return mistakes, stop


@kernel
def end(examples: Examples, tie: int, state: PocketState, mistakes: int) -> int:
    """After an epoch: CONVERGED if the pocket holds weights without an error, or GO_ON."""
    # However short their run: weights without an error are as good as any can be.
    if mistakes == 0 and state.loss[0] > 0.0:
        rule = rule_of(examples, tie)
        if loss_below(examples, rule, state.working, np.inf) == 0.0:
            if state.tally[TRIAL] != KEPT:
                keep(state)
                state.tally[TRIAL] = KEPT
            state.loss[0] = 0.0
    if state.loss[0] == 0.0:
        return CONVERGED
    working = state.working
    working.norm[0] = min(working.norm[0], norm_bound(working.w))
    return GO_ON


learner(PocketState, present_with=present_rows, end_with=end)
