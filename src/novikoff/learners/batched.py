"""Epochs over data that comes in batches: the same mistakes, and the same bits, as in memory.

What is kept a row is its push, its norm and, where cycles are watched for, a count: three words.

The pocket over data that comes in batches: the loop stops where the ratchet must see all of it.

A trial costs a pass over the file, as it costs a pass over the array in memory; it ends as soon as
the weights on trial are known to be no better.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.signs import norm_after_update, norm_bound, row_norms, surely_right
from novikoff.learners import averaged, perceptron
from novikoff.learners.epochs import epoch_length, rounds_per_call
from novikoff.learners.pocket import (
    CHANGES,
    KEPT,
    KEPT_RUN,
    PENDING,
    REJECTED,
    RUN,
    TRIAL,
    PocketState,
    keep,
)
from novikoff.learners.status import CONVERGED, GO_ON, PAUSED
from novikoff.learners.unit import (
    Examples,
    Weights,
    common_power_of_two,
    is_mistake,
    presented_rows,
    rule_of,
    update,
)
from novikoff.matrix.batches import Batch, Batches
from novikoff.matrix.rows import Csr, Floats, longest_row, n_rows, rows_of

__all__ = [
    "BatchedAverage",
    "BatchedPerceptron",
    "BatchedPocket",
    "Parts",
    "count_errors",
    "loss_over",
    "whole_examples",
]

# (examples, order, tie, state, start, stop) -> (mistakes, where to go on)
Present = Callable[[Examples, NDArray[np.int64], int, Any, int, int], tuple[int, int]]


@dataclass(frozen=True)
class Parts:
    """Batches to be read again and again, and what is known of every row of them.

    `batches` are read in order. `push_of(batch)` is yᵢηᵢ of its rows. `push` and `norms` are filled
    in as the batches come for the first time; a norm below 0 is not known yet.
    """

    batches: Batches
    push_of: Callable[[Batch], Floats]
    push: Floats
    norms: Floats
    bias: float
    unit: float = 0.0

    @classmethod
    def of(
        cls, batches: Batches, push_of: Callable[[Batch], Floats], *, fit_intercept: bool
    ) -> "Parts":
        """Nothing is known yet of any row."""
        unknown = np.full(batches.n, -1.0)
        return cls(batches, push_of, np.ones(batches.n), unknown, 1.0 if fit_intercept else 0.0)

    def examples(self) -> Iterator[tuple[int, Examples]]:
        """Each batch ready for presentation, and the number of its first row."""
        first = 0
        for batch in self.batches:
            rows = rows_of(batch.X)
            here = slice(first, first + n_rows(rows))
            norms, push = self.norms[here], self.push[here]
            if norms[0] < 0:
                norms[:] = row_norms(rows, n_rows(rows), self.bias > 0)
                push[:] = self.push_of(batch)
            radius, entries = float(norms.max()), longest_row(rows)
            yield first, Examples(rows, push, norms, self.bias, self.unit, radius, entries)
            first = here.stop

    def surveyed(self, weights: Weights) -> "Parts":
        """The same after a pass of its own, with the grid that integers are on."""
        for _ in self.examples():
            pass
        return replace(self, unit=common_power_of_two(np.append(self.push, weights.w)))


def whole_examples(parts: Parts, d: int) -> Examples:
    """What the loop around the epochs asks of all examples: everything but the rows."""
    nothing = np.empty(0, np.uint64)
    rows = Csr(np.empty(0), nothing, np.zeros(1, np.uint64), d)
    radius = float(parts.norms.max(initial=0.0))
    return Examples(rows, parts.push, parts.norms, parts.bias, parts.unit, radius, d)


@dataclass(frozen=True)
class BatchedPerceptron:
    """Epochs of the perceptron, batch by batch."""

    parts: Parts

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: perceptron.PerceptronState,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        for epoch in range(len(mistakes_per_epoch)):
            reason = perceptron.begin(examples, state)
            if reason != GO_ON:
                return epoch, reason
            mistakes_per_epoch[epoch] = self._one_epoch(tie, state)
            reason = perceptron.end(state, int(mistakes_per_epoch[epoch]))
            if reason != GO_ON:
                return epoch + 1, reason
        return len(mistakes_per_epoch), PAUSED

    def _one_epoch(self, tie: int, state: perceptron.PerceptronState) -> int:
        mistakes = 0
        for first, examples in self.parts.examples():
            if examples.push.any():
                here = _observed_from(first, examples, state)
                mistakes += perceptron.present(examples, presented_rows(examples), tie, here)
        return mistakes


def _observed_from(
    first: int, examples: Examples, state: perceptron.PerceptronState
) -> perceptron.PerceptronState:
    """The state for a batch that begins with row `first`: its own part of the cycle counts."""
    watch = state.observer.watch
    if watch is None or not len(watch.counts):
        return state
    here = watch._replace(counts=watch.counts[first : first + len(examples.push)])
    return state._replace(observer=state.observer._replace(watch=here))


@dataclass(frozen=True)
class BatchedAverage:
    """Epochs of the averaged perceptron, batch by batch."""

    parts: Parts

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: averaged.AverageState,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        for epoch in range(len(mistakes_per_epoch)):
            for _, part in self.parts.examples():
                if part.push.any():
                    made = present_all(averaged.present_rows, part, tie, state)
                    mistakes_per_epoch[epoch] += made
            reason = averaged.end(examples, tie, state, mistakes_per_epoch[epoch])
            if reason != GO_ON:
                return epoch + 1, reason
        return len(mistakes_per_epoch), PAUSED


def present_all(present: Present, examples: Examples, tie: int, state: Any) -> int:
    """Present all examples of a batch, returning to Python between blocks; the mistakes."""
    order = presented_rows(examples)
    n, together = epoch_length(examples, order), rounds_per_call(examples)
    return sum(
        present(examples, order, tie, state, start, min(n, start + together))[0]
        for start in range(0, n, together)
    )


@kernel
def until_trial(examples: Examples, start: int, tie: int, state: PocketState) -> tuple[int, int]:
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
        state: PocketState,
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

    def _one_epoch(self, tie: int, state: PocketState) -> int:
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

    def _consider(self, tie: int, state: PocketState) -> None:
        """Exchange the weights in the pocket for those at work, if the ratchet agrees."""
        state.tally[TRIAL] = REJECTED
        loss = float(state.loss[0])
        if state.ratchet:
            loss = loss_over(self.parts, tie, state.working, loss)
        if loss < state.loss[0] or not state.ratchet:
            keep(state)
            state.loss[0] = loss
            state.tally[TRIAL] = KEPT

    def _keep_if_perfect(self, tie: int, state: PocketState) -> None:
        """However short their run: weights without an error are as good as any can be."""
        if loss_over(self.parts, tie, state.working) == 0.0:
            if state.tally[TRIAL] != KEPT:
                keep(state)
                state.tally[TRIAL] = KEPT
            state.loss[0] = 0.0
