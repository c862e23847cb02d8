"""`strategy="exact"`: the very run of one machine, the weights walking from partition to partition.

Rows are presented in their order, so a partition must wait for the weights that the one before it
ends with. What does not wait: partitions that are not in memory are read ahead; one in which no row
can be a mistake is passed over, by |s(ŵ) − s(ŵ₀)| ≤ ‖ŵ − ŵ₀‖·‖x̂‖ and what its worker found when
the weights were ŵ₀; and the rows near the plane are found by all workers at once.

The rows near the plane, found by all workers at once, for the client to learn from.

Row j stays right while ‖ŵ − ŵ₀‖·‖x̂ⱼ‖ < yⱼ·s₀(xⱼ) (see `novikoff.learners.skipping`). Under weights
ŵ₀ every worker says how many of its rows could be mistaken before ŵ has moved so and so far, all
together choose a *reach*, and the rows within it come to the client: few, and the only data that
ever travels. Until ŵ has moved that far, whole epochs need no cluster at all.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.exact.bounds import norm_bound
from novikoff.learners import averaged, perceptron
from novikoff.learners.distributed.tasks import (
    PresentedPartitions,
    Pushes,
    SafeRegion,
    WalkResult,
    average_walk,
    examples_on,
    perceptron_walk,
)
from novikoff.learners.run import EpochLoop, PartsLoop
from novikoff.learners.skipping import (
    HORIZONS,
    LONGEST_REST,
    PAID_OFF,
    NearRows,
    new_survey,
    present_near,
    slacks,
)
from novikoff.learners.status import GO_ON
from novikoff.learners.unit import Examples, Weights, presented_rows
from novikoff.matrix.dask.partitions import Block
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats, longest_row, rows_of

MOST_BYTES = 1 << 26  # of near rows on the client
WORTHWHILE = 0.75  # of a walk through all partitions


class NearPart(NamedTuple):
    """The near rows of a partition: their positions there, and all that learning needs of them."""

    positions: NDArray[np.int64]
    X: Matrix
    push: Floats
    norms: Floats


class Near(NamedTuple):
    """The near rows of all partitions as examples, where each came from, and the survey."""

    examples: Examples
    part: NDArray[np.int64]
    position: NDArray[np.int64]
    survey: NearRows


def spread_of(
    block: Block, pushes: Pushes, unit: float, w: Floats, norm: Floats, pace: float
) -> NDArray[np.int64]:
    """How many rows of a partition are within 2, 4, 8, … epochs' movement; the rest last."""
    examples = examples_on(block, pushes, unit)
    room = slacks(examples, presented_rows(examples), Weights(np.array(w), np.array(norm)))
    if not examples.push.any():
        return np.zeros(HORIZONS + 1, np.int64)
    horizon = np.frexp(np.maximum(room, pace) / pace)[1] - 1
    return np.bincount(np.clip(horizon, 0, HORIZONS), minlength=HORIZONS + 1)


def best_reach(spread: NDArray[np.int64], pace: float, row_bytes: float) -> float:
    """The reach that saves most, if ŵ moves by `pace` an epoch; 0 if none saves enough.

    Counted in passes over all rows that an epoch costs: two to find the near rows, which are spread
    over the epochs that they last, and the near rows themselves, which must fit on the client.
    """
    cheapest, reach, near = WORTHWHILE, 0.0, 0
    for h in range(HORIZONS):
        near += int(spread[h])
        cost = 2 * 0.5 ** (h + 1) + near / int(spread.sum())
        if cost < cheapest and near * row_bytes <= MOST_BYTES:
            cheapest, reach = cost, pace * 2.0 ** (h + 1)
    return reach


def near_part(
    block: Block, pushes: Pushes, unit: float, w: Floats, norm: Floats, reach: float
) -> NearPart:
    """The rows of a partition within the reach of these weights."""
    examples = examples_on(block, pushes, unit)
    order = presented_rows(examples)
    if not examples.push.any():
        positions = np.empty(0, np.int64)
    else:
        room = slacks(examples, order, Weights(np.array(w), np.array(norm)))
        positions = np.flatnonzero(room <= reach)
    rows = order[positions] if len(order) else positions
    return NearPart(positions, block.batch.X[rows], pushes.push[rows], pushes.norms[rows])


def gather(parts: list[NearPart], bias: float, unit: float, w: Floats, reach: float) -> Near:
    """The near rows of all partitions together."""
    matrices = [part.X for part in parts]
    stacked = (
        sp.vstack(matrices, format="csr")
        if any(sp.issparse(X) for X in matrices)
        else np.concatenate(matrices)
    )
    rows = rows_of(stacked)
    push = np.concatenate([part.push for part in parts])
    norms = np.concatenate([part.norms for part in parts])
    size = len(push)
    radius = float(norms.max(initial=0.0))
    entries = longest_row(rows) if size else 0
    examples = Examples(rows, push, norms, bias, unit, radius, entries)
    survey = new_survey(size, len(w))
    survey.origin[:], survey.near[:] = w, np.arange(size)
    survey.size[0], survey.reach[0] = size, reach
    origin = np.repeat(np.arange(len(parts)), [len(part.positions) for part in parts])
    return Near(examples, origin, np.concatenate([part.positions for part in parts]), survey)


def present_near_rows(near: Near, tie: int, state: perceptron.PerceptronState) -> tuple[int, int]:
    """One epoch over the near rows: the mistakes, and how many rows were looked at.

    They are fewer than all where ŵ has moved beyond the reach.
    """
    if len(near.position) == 0:
        return 0, 0
    # Whoever watches the whole run cannot be told of rows by their places among these.
    return present_near(near.examples, tie, state.weights, near.survey)


Step = Callable[..., WalkResult]


class PartitionWalk:
    """Weights that walk through the partitions, and what is known of each from the last time."""

    def __init__(self, parts: PresentedPartitions, step: Step) -> None:
        self.parts, self.step = parts, step
        self.known: list[SafeRegion | None] = [None] * len(parts)

    def through(
        self, tie: int, carried: tuple[NDArray[Any], ...], first: int = 0, start: int = 0
    ) -> int:
        """Present all rows from position `start` of partition `first` on; return the mistakes.

        What is carried is changed in place.
        """
        begun = WalkResult(tuple(array.copy() for array in carried))
        given = [
            (k, (self.known[k] if k > first or start == 0 else None, start if k == first else 0))
            for k in range(first, len(self.parts))
        ]
        walked = self.parts.chain("walk", self.step, given, begun, (self.parts.unit, tie))
        for (k, _), after in zip(given, walked, strict=True):
            self.known[k] = after.known
        if walked:
            for array, value in zip(carried, walked[-1].carried, strict=True):
                array[:] = value
        return sum(after.mistakes for after in walked)


@dataclass
class Skipping:
    """Whether near rows are kept, and when to look for them again (see `SkippingRun`)."""

    near: Near | None = None
    lasted: int = 0
    rest: int = 1
    patience: int = 1

    def found(self, near: Near | None) -> None:
        """After a survey."""
        self.near, self.lasted = near, 0
        self.rest = 0 if near is not None else self.patience
        if near is None:
            self.patience = min(2 * self.patience, LONGEST_REST)

    def exhausted(self) -> None:
        """ŵ has moved beyond the reach; a survey that did not last was not worth its pass."""
        paid = self.lasted > PAID_OFF
        self.patience = 1 if paid else min(2 * self.patience, LONGEST_REST)
        self.rest = 0 if paid else self.patience
        self.near = None


@dataclass
class WalkingPerceptron(EpochLoop):
    """`perceptron.epochs` on partitions: the same mistakes, the same bits."""

    parts: PresentedPartitions
    skipping: Skipping = field(default_factory=Skipping)
    pace: float = 0.0

    def __post_init__(self) -> None:
        self.walk = PartitionWalk(self.parts, perceptron_walk)

    def epoch(
        self,
        examples: Examples,
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: perceptron.PerceptronState,
    ) -> tuple[int | None, int]:
        """One epoch, through all partitions or over the near rows alone."""
        reason = perceptron.begin(examples, state)
        if reason != GO_ON:
            return None, reason
        start = state.weights.w.copy()
        mistakes = self._one_epoch(tie, state)
        self.pace = norm_bound(state.weights.w - start)
        return mistakes, perceptron.end(state, mistakes)

    def _one_epoch(self, tie: int, state: perceptron.PerceptronState) -> int:
        skipping = self.skipping
        if skipping.near is None and skipping.rest == 0:
            skipping.found(self._survey(state))
        if skipping.near is None:
            skipping.rest -= 1
            return self.walk.through(tie, state.weights)
        near = skipping.near
        mistakes, stopped = present_near_rows(near, tie, state)
        skipping.lasted += 1
        if near.survey.moved[0] < near.survey.reach[0]:
            return mistakes
        skipping.exhausted()
        last = stopped - 1
        first, start = int(near.part[last]), int(near.position[last]) + 1
        return mistakes + self.walk.through(tie, state.weights, first, start)

    def _survey(self, state: perceptron.PerceptronState) -> Near | None:
        """The near rows, if they are few enough for ŵ's pace."""
        if self.pace == 0.0:
            return None
        parts, weights = self.parts, state.weights
        arguments = (parts.unit, weights.w, weights.norm)
        spread = sum(parts.each("find-near-rows", spread_of, *arguments, self.pace))
        reach = best_reach(np.asarray(spread), self.pace, parts.row_bytes)
        if reach == 0.0:
            return None
        found = parts.each("bring-near-rows", near_part, *arguments, reach)
        return gather(found, parts.bias, parts.unit, weights.w, reach)


@dataclass
class WalkingAverage(PartsLoop):
    """`averaged.epochs` on partitions: the same mistakes, the same bits."""

    parts: PresentedPartitions

    def __post_init__(self) -> None:
        self.walk = PartitionWalk(self.parts, average_walk)

    def over_parts(self, tie: int, state: averaged.AverageState) -> tuple[int, int]:
        """One epoch, through all partitions."""
        mistakes = self.walk.through(tie, (*state.weights, state.delayed, state.rounds))
        return mistakes, averaged.end(state, mistakes)
