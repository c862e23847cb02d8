"""The multiclass perceptron: one ŵ a class, and the true class must score more than every other.

Kessler's construction (Nilsson 1965) turns "ŵ_y·x̂ > ŵ_r·x̂ for all r ≠ y" into a binary problem of
differences. On a mistake the best of the other classes is pushed away from x̂, and the true one
towards it: an ultraconservative update (Crammer and Singer, "Ultraconservative online algorithms
for multiclass problems", JMLR 3, 2003). The result is the average over all rounds.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.exact.bounds import norm_bound
from novikoff.matrix.rows import Floats


class JointState(NamedTuple):
    """The state of a run: each row's class, one ŵ a class with its norm, delays, rounds so far."""

    labels: NDArray[np.int64]
    W: Floats
    norms: Floats
    delayed: Floats
    rounds: NDArray[np.int64]


def state_of(labels: NDArray[np.int64], W: Floats, delayed: Floats, rounds: int) -> JointState:
    """The state of a run that goes on from `W` after so many rounds (nothing is copied)."""
    return JointState(labels, W, np.array([norm_bound(w) for w in W]), delayed, np.array([rounds]))


def average_of(state: JointState) -> Floats:
    """The mean of the weights after each round, one row a class."""
    return state.W - state.delayed / max(1, int(state.rounds[0]))


# How many of the presented examples are misclassified, without learning from them.
errors = _core.joint_errors


# Epoch after epoch in the same order; return how many were run, and why it stopped.
epochs = _core.joint_epochs
