"""`strategy="exact"`: the very run of one machine, the weights walking from partition to partition.

Rows are presented in their order, so a partition must wait for the weights that the one before it
ends with. What does not wait: partitions that are not in memory are read ahead; one in which no row
can be a mistake is passed over, by |s(ŵ) − s(ŵ₀)| ≤ ‖ŵ − ŵ₀‖·‖x̂‖ and what its worker found when the
weights were ŵ₀; and the rows near the plane are found by all workers at once.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.cluster_learners.near_rows import (
    Near,
    best_reach,
    gather,
    near_part,
    present_near_rows,
    spread_of,
)
from novikoff.cluster_learners.presented import PresentedPartitions
from novikoff.cluster_learners.tasks import Known, Walked, average_walk, perceptron_walk
from novikoff.exact.signs import norm_bound
from novikoff.learners import averaged, perceptron
from novikoff.learners.skipping import LONGEST_REST, PAID_OFF
from novikoff.learners.status import GO_ON, PAUSED
from novikoff.learners.unit import Examples

__all__ = ["WalkingAverage", "WalkingPerceptron"]

Step = Callable[..., Walked]

SHOW_EVERY = 1.0  # seconds after which the loop around is told how it goes


class Walk:
    """Weights that walk through the partitions, and what is known of each from the last time."""

    def __init__(self, parts: PresentedPartitions, step: Step) -> None:
        self.parts, self.step = parts, step
        self.known: list[Known | None] = [None] * len(parts)

    def through(
        self, tie: int, carried: tuple[NDArray[Any], ...], first: int = 0, start: int = 0
    ) -> int:
        """Present all rows from position `start` of partition `first` on; return the mistakes.

        What is carried is changed in place.
        """
        begun = Walked(tuple(array.copy() for array in carried))
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
    """Whether near rows are at hand, and when to look for them again (see `skipping_epochs`)."""

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
class WalkingPerceptron:
    """`perceptron.epochs` on partitions: the same mistakes, the same bits."""

    parts: PresentedPartitions
    skipping: Skipping = field(default_factory=Skipping)
    pace: float = 0.0

    def __post_init__(self) -> None:
        self.walk = Walk(self.parts, perceptron_walk)

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: perceptron.State,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        until = time.monotonic() + SHOW_EVERY
        for epoch in range(len(mistakes_per_epoch)):
            if epoch and time.monotonic() > until:
                return epoch, PAUSED
            reason = perceptron.begin(examples, order, state)
            if reason != GO_ON:
                return epoch, reason
            start = state.weights.w.copy()
            mistakes_per_epoch[epoch] = self._one_epoch(tie, state)
            self.pace = norm_bound(state.weights.w - start)
            reason = perceptron.end(examples, tie, state, mistakes_per_epoch[epoch])
            if reason != GO_ON:
                return epoch + 1, reason
        return len(mistakes_per_epoch), PAUSED

    def _one_epoch(self, tie: int, state: perceptron.State) -> int:
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

    def _survey(self, state: perceptron.State) -> Near | None:
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
class WalkingAverage:
    """`averaged.epochs` on partitions: the same mistakes, the same bits."""

    parts: PresentedPartitions

    def __post_init__(self) -> None:
        self.walk = Walk(self.parts, average_walk)

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],  # noqa: ARG002
        tie: int,
        state: averaged.State,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        weights = state.weights
        until = time.monotonic() + SHOW_EVERY
        for epoch in range(len(mistakes_per_epoch)):
            if epoch and time.monotonic() > until:
                return epoch, PAUSED
            carried = (*weights, state.delayed, state.rounds)
            mistakes_per_epoch[epoch] = self.walk.through(tie, carried)
            reason = averaged.end(examples, tie, state, mistakes_per_epoch[epoch])
            if reason != GO_ON:
                return epoch + 1, reason
        return len(mistakes_per_epoch), PAUSED
