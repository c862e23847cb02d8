"""Skipping what cannot be a mistake: most rows of a long run are far from the plane.

One pass under weights ŵ₀ tells which rows are *near*: those that could be mistaken before ŵ has
moved a certain distance, its *reach*. Until then only near rows are presented. The mistakes, and
the bits of the weights, are those of the plain loop. Why, and the loop: core/skipping.hpp.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.learners.perceptron import PerceptronState
from novikoff.learners.unit import Examples, Weights
from novikoff.matrix.rows import Floats

# The same numbers as in core/skipping.hpp, for runs on partitions.
LONGEST_REST = 64  # plain epochs between two surveys that did not pay
HORIZONS = 12  # reaches of 2, 4, 8, … epochs' movement are considered
PAID_OFF = 2  # epochs that a survey must last to be worth its pass


class NearRows(NamedTuple):
    """Weights ŵ₀, the positions of the rows near them, how far ŵ has moved, and may move.

    `size[0]` rows are near.
    """

    origin: Floats
    near: NDArray[np.int64]
    size: NDArray[np.int64]
    moved: Floats
    reach: Floats


class SkipSchedule(NamedTuple):
    """When to survey: four counts (see core/skipping.hpp), and how far ŵ moved in an epoch."""

    counts: NDArray[np.int64]
    pace: Floats


@dataclass(frozen=True)
class SkippingRun:
    """`perceptron.epochs`, faster on long runs; it keeps no journal and watches no cycle."""

    survey: NearRows
    schedule: SkipSchedule
    threads: int = 1

    @classmethod
    def over(cls, n: int, p: int, threads: int = 1) -> "SkippingRun":
        """A run over n rows with p weights."""
        # No survey holds, and there is one plain epoch before the first.
        schedule = SkipSchedule(np.array([0, 0, 1, 1]), np.zeros(1))
        return cls(new_survey(n, p), schedule, threads)

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: PerceptronState,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch in the same order; return how many were run, and why it stopped."""
        return _core.skipping_epochs(
            examples,
            order,
            tie,
            state,
            self.survey,
            self.schedule,
            mistakes_per_epoch,
            self.threads,
        )


def new_survey(n: int, p: int) -> NearRows:
    """Room for a survey of n rows with p weights."""
    size = np.zeros(1, np.int64)
    return NearRows(np.zeros(p), np.empty(n, np.int64), size, np.zeros(1), np.zeros(1))


# Present the near rows: the mistakes, and the position from where all must be looked at.
present_near = _core.present_near


def slacks(examples: Examples, order: NDArray[np.int64], weights: Weights) -> Floats:
    """How far ŵ can move before each presented row may be a mistake; −1 where it may be one now."""
    found = np.empty(len(order) or len(examples.push))
    _core.slacks(examples, order, weights, found)
    return found
