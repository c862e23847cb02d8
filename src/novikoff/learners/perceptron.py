"""The perceptron (Rosenblatt 1958): find ŵ with yᵢ ŵ·x̂ᵢ > 0 for all i, one mistake at a time.

On a mistake, w ← w + η·y·x and b ← b + η·y. If a separator of augmented margin γ exists, at most
R²/γ² mistakes are made, in any order (Novikoff 1962); if none exists, the run never stops. The loop
is in core/perceptron.hpp.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.learners.observer import NOBODY, Observer
from novikoff.learners.unit import Examples, Weights


class PerceptronState(NamedTuple):
    """What a run carries: the weights, whoever watches it, and the rounds before this epoch."""

    weights: Weights
    observer: Observer
    clock: NDArray[np.int64]


def state_of(weights: Weights, observer: Observer = NOBODY) -> PerceptronState:
    """The state of a run that is about to start at `weights`."""
    return PerceptronState(weights, observer, np.zeros(1, np.int64))


def epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: PerceptronState,
    mistakes_per_epoch: NDArray[np.int64],
    threads: int = 1,
) -> tuple[int, int]:
    """Epoch after epoch in the same order; return how many were run, and why it stopped."""
    return _core.perceptron_epochs(examples, order, tie, state, mistakes_per_epoch, threads)


def begin(examples: Examples, state: PerceptronState) -> int:
    """Before an epoch: why it must not begin, or GO_ON."""
    return _core.perceptron_begin(len(examples.push), examples.unit, state)


def present(
    examples: Examples, order: NDArray[np.int64], tie: int, state: PerceptronState, start: int = 0
) -> int:
    """Present the examples from position `start` of `order` (empty: as they are given) to its end.

    Learns from each mistake; returns how many there were.
    """
    return _core.perceptron_present(examples, order, tie, state, start)


def end(state: PerceptronState, mistakes: int) -> int:
    """After an epoch: why no other is needed, or GO_ON."""
    return _core.perceptron_end(state, mistakes)
