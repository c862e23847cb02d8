"""The pocket over data that comes in batches: the loop stops where the ratchet must see all of it.

A trial costs a pass over the file, as it costs a pass over the array in memory; it ends as soon as
the weights on trial are known to be no better.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.exact.signs import norm_after_update, norm_bound, surely_right
from novikoff.learners.batched import Parts
from novikoff.learners.pocket import (
    CHANGES,
    KEPT,
    KEPT_RUN,
    PENDING,
    REJECTED,
    RUN,
    TRIAL,
    State,
    keep,
)
from novikoff.learners.status import CONVERGED, PAUSED
from novikoff.learners.unit import Examples, Weights, is_mistake, rule_of, update

__all__ = ["BatchedPocket", "count_errors", "loss_over"]


@kernel
def until_trial(examples: Examples, start: int, tie: int, state: State) -> tuple[int, int]:
    """Present rows from `start` on, up to one that makes a trial due; where it stopped, mistakes.

    A trial is due where the weights at work have run longer than those kept, and were not tried.
    """
    rows, push, norms, bias = examples.rows, examples.push, examples.norms, examples.bias
    w, w_norm, tally = state.working.w, state.working.norm, state.tally
    rule = rule_of(examples, tie)
    mistakes = 0
    for i in range(start, len(push)):
        if push[i] == 0.0:
            continue
        bound = norms[i] * w_norm[0]
        right = surely_right(rows, i, push[i], w, bound)
        if right or not is_mistake(rows, i, push[i], w, bound, rule):
            tally[RUN] += 1
            if tally[RUN] > tally[KEPT_RUN]:
                if tally[TRIAL] == KEPT:
                    tally[KEPT_RUN] = tally[RUN]
                    state.run_lengths[tally[CHANGES] - 1] = tally[RUN]
                elif tally[TRIAL] == PENDING:
                    return i + 1, mistakes
            continue
        update(rows, i, push[i], w, bias)
        w_norm[0] = norm_after_update(w_norm[0], push[i], norms[i])
        tally[RUN] = 0
        tally[TRIAL] = PENDING
        mistakes += 1
    return len(push) + 1, mistakes


@kernel
def loss_on(
    examples: Examples, tie: int, weights: Weights, loss: float, limit: float
) -> tuple[float, int]:
    """`loss` and η of every example here that the weights misclassify, up to `limit`; how many."""
    rows, push, norms = examples.rows, examples.push, examples.norms
    w, w_norm = weights.w, weights.norm[0]
    rule = rule_of(examples, tie)
    errors = 0
    for i in range(len(push)):
        bound = norms[i] * w_norm
        if push[i] == 0.0 or surely_right(rows, i, push[i], w, bound):
            continue
        if is_mistake(rows, i, push[i], w, bound, rule):
            errors += 1
            loss += abs(push[i])
            if loss >= limit:
                break
    return loss, errors


def count_errors(
    parts: Parts, tie: int, weights: Weights, limit: float = np.inf
) -> tuple[float, int]:
    """The sum of η over the examples of all batches that are misclassified, and their number."""
    loss, errors = 0.0, 0
    for _, examples in parts.examples():
        loss, more = loss_on(examples, tie, weights, loss, limit)
        errors += more
        if loss >= limit:
            break
    return loss, errors


def loss_over(parts: Parts, tie: int, weights: Weights, limit: float = np.inf) -> float:
    """The sum of η over the examples of all batches that the weights misclassify."""
    return count_errors(parts, tie, weights, limit)[0]


@dataclass(frozen=True)
class BatchedPocket:
    """`pocket.epochs`, batch by batch."""

    parts: Parts

    def __call__(
        self,
        examples: Examples,  # noqa: ARG002
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: State,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch, until the pocket holds weights without an error."""
        for epoch in range(len(mistakes_per_epoch)):
            mistakes_per_epoch[epoch] = self._one_epoch(tie, state)
            if mistakes_per_epoch[epoch] == 0 and state.loss[0] > 0.0:
                self._keep_if_perfect(tie, state)
            if state.loss[0] == 0.0:
                return epoch + 1, CONVERGED
            working = state.working
            working.norm[0] = min(working.norm[0], norm_bound(working.w))
        return len(mistakes_per_epoch), PAUSED

    def _one_epoch(self, tie: int, state: State) -> int:
        mistakes = 0
        for _, examples in self.parts.examples():
            at = 0
            while at <= len(examples.push):
                at, more = until_trial(examples, at, tie, state)
                mistakes += more
                if at > len(examples.push):
                    break
                self._consider(tie, state)
                if state.loss[0] == 0.0:
                    return mistakes
        return mistakes

    def _consider(self, tie: int, state: State) -> None:
        """Exchange the weights in the pocket for those at work, if the ratchet agrees."""
        state.tally[TRIAL] = REJECTED
        loss = float(state.loss[0])
        if state.ratchet:
            loss = loss_over(self.parts, tie, state.working, loss)
        if loss < state.loss[0] or not state.ratchet:
            keep(state)
            state.loss[0] = loss
            state.tally[TRIAL] = KEPT

    def _keep_if_perfect(self, tie: int, state: State) -> None:
        """However short their run: weights without an error are as good as any can be."""
        if loss_over(self.parts, tie, state.working) == 0.0:
            if state.tally[TRIAL] != KEPT:
                keep(state)
                state.tally[TRIAL] = KEPT
            state.loss[0] = 0.0
