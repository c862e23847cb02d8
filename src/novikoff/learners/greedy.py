"""The order "worst": epochs of as many rounds as there are examples, each on the worst mistake.

The loop is in core/greedy.hpp.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.learners.perceptron import PerceptronState
from novikoff.learners.unit import Examples
from novikoff.matrix.rows import Floats


@dataclass(frozen=True)
class GreedyRun:
    """`perceptron.epochs` in the order "worst"; `sides` is room for a number a row."""

    sides: Floats

    def __call__(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,
        state: PerceptronState,
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch; return how many were run, and why it stopped."""
        return _core.greedy_epochs(examples, order, tie, state, self.sides, mistakes_per_epoch)
