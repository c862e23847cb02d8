"""Epochs over data that comes in batches: the same mistakes, and the same bits, as in memory.

What is kept a row is its push, its norm and, where cycles are watched for, a count: three words.

The pocket over data that comes in batches: the loop stops where the ratchet must see all of it.

A trial costs a pass over the file, as it costs a pass over the array in memory; it ends as soon as
the weights on trial are known to be no better.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.exact.bounds import norm_bound, row_norms
from novikoff.learners import averaged, perceptron
from novikoff.learners.pocket import KEPT, REJECTED, TRIAL, PocketState, keep
from novikoff.learners.run import EpochLoop, PartsLoop
from novikoff.learners.status import CONVERGED, GO_ON
from novikoff.learners.unit import (
    Examples,
    Weights,
    common_power_of_two,
    presented_rows,
)
from novikoff.matrix.batches import Batch, Batches
from novikoff.matrix.rows import Csr, Floats, longest_row, n_rows, rows_of


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
        """Read all batches once, and note the grid that all numbers are on."""
        for _ in self.examples():
            pass
        return replace(self, unit=common_power_of_two(np.append(self.push, weights.w)))


def whole_examples(parts: Parts, d: int) -> Examples:
    """All examples without their rows, for the loop around the epochs."""
    nothing = np.empty(0, np.uint64)
    rows = Csr(np.empty(0), nothing, np.zeros(1, np.uint64), d)
    radius = float(parts.norms.max(initial=0.0))
    return Examples(rows, parts.push, parts.norms, parts.bias, parts.unit, radius, d)


@dataclass(frozen=True)
class BatchedPerceptron(EpochLoop):
    """Epochs of the perceptron, batch by batch."""

    parts: Parts

    def epoch(
        self,
        examples: Examples,
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: perceptron.PerceptronState,
    ) -> tuple[int | None, int]:
        """One epoch, unless its mistakes might not fit into the journal."""
        reason = perceptron.begin(examples, state)
        if reason != GO_ON:
            return None, reason
        mistakes = 0
        for first, part in self.parts.examples():
            if part.push.any():
                here = _observed_from(first, part, state)
                mistakes += perceptron.present(part, presented_rows(part), tie, here)
        return mistakes, perceptron.end(state, mistakes)


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
class BatchedAverage(PartsLoop):
    """Epochs of the averaged perceptron, batch by batch."""

    parts: Parts

    def over_parts(self, tie: int, state: averaged.AverageState) -> tuple[int, int]:
        """One epoch."""
        mistakes = 0
        for _, part in self.parts.examples():
            if part.push.any():
                order = presented_rows(part)
                rounds = len(order) or len(part.push)
                mistakes += averaged.present_rows(part, order, tie, state, 0, rounds)
        return mistakes, averaged.end(state, mistakes)


def count_errors(
    parts: Parts, tie: int, weights: Weights, limit: float = np.inf
) -> tuple[float, int]:
    """The sum of η over the examples of all batches that are misclassified, and their number."""
    loss, errors = 0.0, 0
    for _, examples in parts.examples():
        loss, more = _core.loss_on(examples, tie, weights, loss, limit)
        errors += more
        if loss >= limit:
            break
    return loss, errors


def loss_over(parts: Parts, tie: int, weights: Weights, limit: float = np.inf) -> float:
    """The sum of η over the examples of all batches that the weights misclassify."""
    return count_errors(parts, tie, weights, limit)[0]


@dataclass(frozen=True)
class BatchedPocket(PartsLoop):
    """`pocket.epochs`, batch by batch."""

    parts: Parts

    def over_parts(self, tie: int, state: PocketState) -> tuple[int, int]:
        """One epoch; the last one is that in which the pocket gets weights without an error."""
        mistakes = self._one_epoch(tie, state)
        if mistakes == 0 and state.loss[0] > 0.0:
            self._keep_if_perfect(tie, state)
        if state.loss[0] == 0.0:
            return mistakes, CONVERGED
        working = state.working
        working.norm[0] = min(working.norm[0], norm_bound(working.w))
        return mistakes, GO_ON

    def _one_epoch(self, tie: int, state: PocketState) -> int:
        mistakes = 0
        for _, examples in self.parts.examples():
            if not examples.push.any():
                continue
            order, at = presented_rows(examples), 0
            while at < (len(order) or len(examples.push)):
                at, more, is_due = _core.pocket_until_trial(examples, order, tie, state, at)
                mistakes += more
                if is_due:
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

    def _keep_if_perfect(self, tie: int, state: PocketState) -> None:
        """However short their run: weights without an error are as good as any can be."""
        if loss_over(self.parts, tie, state.working) == 0.0:
            if state.tally[TRIAL] != KEPT:
                keep(state)
            state.loss[0] = 0.0
