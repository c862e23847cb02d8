"""Epochs over data that comes in batches: the same mistakes, and the same bits, as in memory.

What is kept a row is its push, its norm and, where cycles are watched for, a count: three words.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from novikoff.batches import Batch, Batches
from novikoff.exact.signs import norm_bound, row_norms
from novikoff.learners import averaged, perceptron
from novikoff.learners.cycles import may_round
from novikoff.learners.journal import has_room
from novikoff.learners.status import CONVERGED, OUTGROWN, PAUSED
from novikoff.learners.unit import Examples, Weights, common_power_of_two
from novikoff.rows import Csr, Floats, longest_row, n_rows, rows_of

__all__ = ["BatchedAverage", "BatchedPerceptron", "Parts", "whole_examples"]


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


def _order(examples: Examples) -> NDArray[np.int64]:
    """The rows of a batch that take part; empty for all of them."""
    if np.all(examples.push != 0.0):
        return np.empty(0, np.int64)
    return np.flatnonzero(examples.push)


@dataclass(frozen=True)
class BatchedPerceptron:
    """`perceptron.epochs`, batch by batch."""

    parts: Parts

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: perceptron.State,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        for epoch in range(len(mistakes_per_epoch)):
            if not has_room(state.journal, len(examples.push)):
                return epoch, PAUSED
            if may_round(state.watch, examples.unit, state.weights):
                return epoch, OUTGROWN
            mistakes_per_epoch[epoch] = self._one_epoch(tie, state)
            outcome = perceptron.outcome_of(mistakes_per_epoch[epoch], state)
            if outcome >= 0:
                return epoch + 1, outcome
        return len(mistakes_per_epoch), PAUSED

    def _one_epoch(self, tie: int, state: perceptron.State) -> int:
        mistakes = 0
        for first, examples in self.parts.examples():
            order = _order(examples)
            if len(order) == 0 and not examples.push.any():
                continue
            counts = state.watch.counts
            here = counts[first : first + len(examples.push)] if len(counts) else counts
            written = int(state.journal.size[0])
            watch = state.watch._replace(counts=here)
            mistakes += perceptron.one_epoch(examples, order, tie, state._replace(watch=watch), 0)
            if len(state.journal.rows):
                state.journal.rows[written : state.journal.size[0]] += first
        return mistakes


@dataclass(frozen=True)
class BatchedAverage:
    """`averaged.epochs`, batch by batch."""

    parts: Parts

    def __call__(
        self,
        examples: Examples,  # noqa: ARG002
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: averaged.State,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        weights = state.weights
        for epoch in range(len(mistakes_per_epoch)):
            for _, part in self.parts.examples():
                if part.push.any():
                    mistakes = averaged.one_epoch(part, _order(part), tie, state)
                    mistakes_per_epoch[epoch] += mistakes
            if mistakes_per_epoch[epoch] == 0:
                return epoch + 1, CONVERGED
            weights.norm[0] = min(weights.norm[0], norm_bound(weights.w))
        return len(mistakes_per_epoch), PAUSED
