"""Tasks of the workers: a perceptron on one partition, the weights in, the weights out.

Everything here runs on a worker and changes nothing that it is given, so that a task can be run
again after its worker has died, to the same bits.

Partitions as one run of a learner sees them: with the push and the norm of every row.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.exact.bounds import TINY, UNIT, norm_bound, row_norms
from novikoff.learners import averaged, perceptron
from novikoff.learners.unit import (
    Examples,
    Weights,
    common_power_of_two,
    count_mistakes,
    presented_rows,
    rows_are_integral,
    weights_at,
)
from novikoff.matrix.dask.partitions import Block, Partitions
from novikoff.matrix.rows import Csr, Floats, longest_row, n_rows, rows_of


class PresentedPartitions:
    """The partitions of a run. `push_of(batch)` is yᵢηᵢ of a batch's rows."""

    def __init__(
        self, partitions: Partitions, push_of: Callable[[Any], Floats], *, fit_intercept: bool
    ) -> None:
        self.partitions, self.executor = partitions, partitions.executor
        self.bias, self.unit = 1.0 if fit_intercept else 0.0, 0.0
        blocks = [(k, (block,)) for k, block in enumerate(partitions.blocks)]
        pushes = self.executor.planned("prepare", pushes_of, blocks, push_of, fit_intercept)
        if partitions.held:
            pushes = self.executor.keep(pushes, "preparing")
        self._pairs = list(zip(partitions.blocks, pushes, strict=True))
        self.summaries: list[PushesSummary] = self.executor.each(
            "summarise", summary_of, self._pairs
        )
        self._ahead: tuple[int, list[Any]] = (-1, [])

    def __len__(self) -> int:
        return len(self._pairs)

    @cached_property
    def row_bytes(self) -> float:
        """How many bytes a row takes on average."""
        return self.partitions.nbytes / self.partitions.n + 16

    def on_grid(self, w: Floats) -> "PresentedPartitions":
        """Find the grid that all numbers are on, if all rows have integers.

        For a run that starts at ŵ = `w`.
        """
        units = [summary.unit for summary in self.summaries]
        self.unit = min([*units, common_power_of_two(w)])
        return self

    def whole(self, d: int) -> Examples:
        """All partitions as examples for the loop around the epochs, one row for each.

        Its push is 0 if nothing of the partition is presented, and its norm is such that the sum of
        their squares is that of ηᵢ‖x̂ᵢ‖ over all rows.
        """
        nothing = np.empty(0, np.uint64)
        rows = Csr(np.empty(0), nothing, np.zeros(1, np.uint64), d)
        push = np.array([1.0 if summary.presented else 0.0 for summary in self.summaries])
        norms = np.sqrt([summary.growth for summary in self.summaries])
        radius = max(summary.radius for summary in self.summaries)
        return Examples(rows, push, norms, self.bias, self.unit, radius, d)

    def each(self, what: str, function: Callable[..., Any], *args: Any) -> list[Any]:
        """`function(block, pushes, *args)` of every partition, in their order."""
        return list(self.executor.each(what, function, self._pairs, *args))

    def chain(
        self,
        what: str,
        function: Callable[..., Any],
        given: Sequence[tuple[int, tuple[Any, ...]]],
        first: Any,
        *args: Any,
    ) -> list[Any]:
        """One partition after the other: each is given what the one before it has returned.

        `function(block, pushes, *own, before, *args)` for the partitions in `given`, each with its
        own arguments. Partitions that are not held come one at a time, and the next is read
        meanwhile; all others are one set of tasks, which needs the client only when it is done.
        """
        if self.partitions.held:
            links = [(k, (*self._pairs[k], *own)) for k, own in given]
            return self.executor.chain(what, function, links, first, *args)
        results = []
        for k, own in given:
            link = (k, (*self._read_ahead(k), *own))
            results += self.executor.chain(what, function, [link], first, *args)
            first = results[-1]
        return results

    def _read_ahead(self, k: int) -> Any:
        """Partition k, whose reading began with the call before; and begin with the next."""
        expected, kept = self._ahead
        here = kept if expected == k else self.executor.keep(self._pairs[k], "reading")
        following = (k + 1) % len(self)
        self._ahead = (following, self.executor.keep(self._pairs[following], "reading"))
        return here

    def errors(self, tie: int, w: Floats) -> int:
        """How many presented rows ŵ = `w` gets wrong: one exact pass of all workers."""
        return sum(self.each("certify", errors_of, self.unit, tie, w))


class Pushes(NamedTuple):
    """The numbers yᵢηᵢ and ‖x̂ᵢ‖ of each row of a partition, for one run."""

    push: Floats
    norms: Floats
    bias: float


class PushesSummary(NamedTuple):
    """A summary of `Pushes` for the client: rows presented, R, Σ (ηᵢ‖x̂ᵢ‖)², the grid.

    The grid is that of the pushes; it is 0 if the rows are not integers.
    """

    presented: int
    radius: float
    growth: float
    unit: float


class WalkResult(NamedTuple):
    """After a partition: what the run carries on, its mistakes there, and what is known of it now.

    `carried` is (w, norm), and for the averaged perceptron what it sums and counts as well.
    """

    carried: tuple[NDArray[Any], ...]
    mistakes: int = 0
    known: "SafeRegion | None" = None


class SafeRegion(NamedTuple):
    """Weights under which no row of a partition was in doubt, and how far ŵ may move from them.

    Until it has moved so far, no row of the partition can be a mistake.
    """

    origin: Floats
    slack: float

    def holds(self, w: Floats) -> bool:
        """Whether no row can be a mistake under ŵ = `w`."""
        # A difference of two floats has a relative error of one rounding.
        return bool(norm_bound(w - self.origin) * (1.0 + 4 * UNIT) + TINY < self.slack)


def pushes_of(block: Block, push_of: Callable[[Any], Floats], fit_intercept: bool) -> Pushes:
    """Prepare a partition for a run."""
    rows = rows_of(block.batch.X)
    norms = row_norms(rows, n_rows(rows), fit_intercept)
    return Pushes(push_of(block.batch), norms, 1.0 if fit_intercept else 0.0)


def summary_of(block: Block, pushes: Pushes) -> PushesSummary:
    """The few numbers that the client needs of a partition."""
    on_grid = rows_are_integral(rows_of(block.batch.X))
    unit = common_power_of_two(pushes.push) if on_grid else 0.0
    with np.errstate(over="ignore"):  # an infinite growth is one that may round
        growth = float(np.square(pushes.push * pushes.norms).sum())
    count = int(np.count_nonzero(pushes.push))
    return PushesSummary(count, float(pushes.norms.max()), growth, unit)


def examples_on(block: Block, pushes: Pushes, unit: float) -> Examples:
    """A partition ready for presentation."""
    rows = rows_of(block.batch.X)
    radius = float(pushes.norms.max())
    return Examples(rows, pushes.push, pushes.norms, pushes.bias, unit, radius, longest_row(rows))


def perceptron_walk(
    block: Block,
    pushes: Pushes,
    known: SafeRegion | None,
    start: int,
    before: WalkResult,
    rule: tuple[float, int],
) -> WalkResult:
    """Present a partition from position `start` on, and learn from each mistake.

    `before` is how the partition before it was left; `rule` is the grid and the tie rule.
    """
    if known is not None and known.holds(before.carried[0]):
        return WalkResult(before.carried, 0, known)
    examples = examples_on(block, pushes, rule[0])
    if not examples.push.any():
        return WalkResult(before.carried)
    weights = Weights(*map(np.array, before.carried))
    order = presented_rows(examples)
    doubtful, least = _core.first_doubt(examples, order, weights, start)
    if least < 0:
        state = perceptron.state_of(weights)
        mistakes = perceptron.present(examples, order, rule[1], state, doubtful)
        return WalkResult((weights.w, weights.norm), mistakes)
    return WalkResult(before.carried, 0, SafeRegion(weights.w, least) if start == 0 else None)


def average_walk(
    block: Block,
    pushes: Pushes,
    known: SafeRegion | None,
    start: int,
    before: WalkResult,
    rule: tuple[float, int],
) -> WalkResult:
    """A walk of the averaged perceptron, which counts the rounds as well (`start` is 0)."""
    w, norm, delayed, rounds = map(np.array, before.carried)
    count = int(np.count_nonzero(pushes.push))
    if count == 0 or (known is not None and known.holds(w)):
        return WalkResult((w, norm, delayed, rounds + count), 0, known)
    examples = examples_on(block, pushes, rule[0])
    order = presented_rows(examples)
    state = averaged.AverageState(Weights(w, norm), delayed, rounds)
    doubtful, least = _core.first_doubt(examples, order, state.weights, start)
    if least >= 0:
        return WalkResult((w, norm, delayed, rounds + count), 0, SafeRegion(w.copy(), least))
    mistakes = averaged.present_rows(examples, order, rule[1], state, doubtful, count)
    return WalkResult((w, norm, delayed, rounds), mistakes)


def errors_of(block: Block, pushes: Pushes, unit: float, tie: int, w: Floats) -> int:
    """How many presented rows of a partition these weights get wrong, decided exactly."""
    return count_mistakes(examples_on(block, pushes, unit), tie, weights_at(np.array(w)))
