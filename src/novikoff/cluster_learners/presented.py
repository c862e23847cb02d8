"""Partitions as one run of a learner sees them: with the push and the norm of every row."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.cluster.partitions import Partitions
from novikoff.cluster_learners.tasks import PushesSummary, errors_of, pushes_of, summary_of
from novikoff.learners.unit import Examples, common_power_of_two
from novikoff.rows import Csr, Floats

__all__ = ["PresentedPartitions"]


class PresentedPartitions:
    """The partitions of a run. `push_of(batch)` is yᵢηᵢ of a batch's rows."""

    def __init__(
        self, partitions: Partitions, push_of: Callable[[Any], Floats], *, fit_intercept: bool
    ) -> None:
        self.partitions, self.crew = partitions, partitions.crew
        self.bias, self.unit = 1.0 if fit_intercept else 0.0, 0.0
        blocks = [(k, (block,)) for k, block in enumerate(partitions.blocks)]
        pushes = self.crew.planned("prepare", pushes_of, blocks, push_of, fit_intercept)
        if partitions.held:
            pushes = self.crew.keep(pushes, "preparing")
        self._pairs = list(zip(partitions.blocks, pushes, strict=True))
        self.summaries: list[PushesSummary] = self.crew.each("summarise", summary_of, self._pairs)
        self._ahead: tuple[int, list[Any]] = (-1, [])

    def __len__(self) -> int:
        return len(self._pairs)

    @cached_property
    def row_bytes(self) -> float:
        """How many bytes a row takes on average."""
        return self.partitions.nbytes / self.partitions.n + 16

    def on_grid(self, w: Floats) -> "PresentedPartitions":
        """The same on the grid that integers are on, if all rows are of integers.

        For a run that starts at ŵ = `w`.
        """
        units = [summary.unit for summary in self.summaries]
        self.unit = min([*units, common_power_of_two(w)])
        return self

    def whole(self, d: int) -> Examples:
        """What the loop around the epochs asks of all rows, with one row for each partition.

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
        return list(self.crew.each(what, function, self._pairs, *args))

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
            return self.crew.chain(what, function, links, first, *args)
        results = []
        for k, own in given:
            link = (k, (*self._read_ahead(k), *own))
            results += self.crew.chain(what, function, [link], first, *args)
            first = results[-1]
        return results

    def _read_ahead(self, k: int) -> Any:
        """Partition k, whose reading began with the call before; and begin with the next."""
        expected, kept = self._ahead
        here = kept if expected == k else self.crew.keep(self._pairs[k], "reading")
        following = (k + 1) % len(self)
        self._ahead = (following, self.crew.keep(self._pairs[following], "reading"))
        return here

    def errors(self, tie: int, w: Floats) -> int:
        """How many presented rows ŵ = `w` gets wrong: one exact pass of all workers."""
        return sum(self.each("certify", errors_of, self.unit, tie, w))
