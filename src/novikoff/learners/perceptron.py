"""The perceptron (Rosenblatt 1958): find ŵ with yᵢ ŵ·x̂ᵢ > 0 for all i, one mistake at a time.

On a mistake, w ← w + η·y·x and b ← b + η·y. If a separator of augmented margin γ exists, at most
R²/γ² mistakes are made, in any order (Novikoff 1962); if none exists, the run never stops. The loop
is in core/perceptron.hpp, that of the order "worst" in core/greedy.hpp.

A run may be observed. A *journal* says which rows were mistaken, when, and with what score; a run
pauses before an epoch that might not fit into it, so that a run of any length needs no more memory
than its reader wants to keep. From its journal a run is played again to the same bits
(core/replay.hpp). A *cycle detector* is Brent's, on the weights at the end of each epoch
(core/observer.hpp has the proof that comes of it).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.options import Order
from novikoff.learners.unit import Examples, Weights
from novikoff.matrix.rows import Floats


class CycleDetector(NamedTuple):
    """The saved weights, the mistakes on each row since, and how far to go before saving again.

    `saved` is empty where an epoch is not a function of the weights it starts from. `growth` bounds
    what one epoch can add to ‖ŵ‖² (the second inequality of the proof).
    """

    saved: Floats
    counts: NDArray[np.int64]
    lap: NDArray[np.int64]
    power: NDArray[np.int64]
    growth: float


class MistakeJournal(NamedTuple):
    """Mistakes in the order they were made; `size[0]` of them are filled in."""

    rounds: NDArray[np.int64]
    rows: NDArray[np.int64]
    scores: NDArray[np.float64]
    size: NDArray[np.int64]


class Observer(NamedTuple):
    """The journal of a run and its cycle detector, where it has them."""

    journal: MistakeJournal | None = None
    watch: CycleDetector | None = None


UNOBSERVED = Observer()


def watch_from(examples: Examples, weights: Weights, order: Order) -> CycleDetector | None:
    """Watch that these weights stay exact and, where it proves something, that they never return.

    On data that is not on a grid nothing is exact, and nothing is watched.
    """
    if examples.unit == 0.0:
        return None
    once_each = order in ("cyclic", "shuffled")
    with np.errstate(over="ignore"):  # an infinite growth is one that may round
        gains = np.square(examples.push * examples.norms)
        growth = float(gains.sum() if once_each else gains.max() * len(gains)) * (1 + 1e-9)
    if order in ("shuffled", "random"):
        nothing = np.zeros(0, np.int64)
        return CycleDetector(np.empty(0), nothing, nothing, nothing, growth)
    counts = np.zeros(len(examples.push), np.int64)
    return CycleDetector(
        weights.w.copy(), counts, np.zeros(1, np.int64), np.ones(1, np.int64), growth
    )


def journal_of(capacity: int) -> MistakeJournal:
    """An empty journal for up to `capacity` mistakes; 0 records nothing."""
    return MistakeJournal(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.int64),
        np.empty(capacity),
        np.zeros(1, np.int64),
    )


class PerceptronState(NamedTuple):
    """The state of a run: the weights, its observer, and the rounds before this epoch."""

    weights: Weights
    observer: Observer
    clock: NDArray[np.int64]


def state_of(weights: Weights, observer: Observer = UNOBSERVED) -> PerceptronState:
    """The state of a run that is about to start at `weights`."""
    return PerceptronState(weights, observer, np.zeros(1, np.int64))


# Epoch after epoch in the same order; return how many were run, and why it stopped.
epochs = _core.perceptron_epochs


def greedy_epochs(
    examples: Examples,
    order: NDArray[np.int64],
    tie: int,
    state: PerceptronState,
    mistakes_per_epoch: NDArray[np.int64],
) -> tuple[int, int]:
    """`epochs` in the order "worst": as many rounds as examples, each on the worst mistake."""
    sides = np.empty(len(examples.push))
    return _core.greedy_epochs(examples, order, tie, state, sides, mistakes_per_epoch)


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


# After an epoch: why no other is needed, or GO_ON.
end = _core.perceptron_end


class RunMeasures(NamedTuple):
    """Along a run, after each mistake: ‖ŵ‖, ŵ·ŵ*, and how far rounding can have moved both.

    `drift` bounds how far the rounding of all updates so far has moved ŵ, and `growth` by how much
    it can have raised ‖ŵ‖² above what the proof allows: each update rounds each weight twice.
    """

    norms: Floats
    alignments: Floats
    drift: Floats
    growth: Floats


# Push `w` by each of these mistakes in turn.
replay = _core.replay


def follow(
    examples: Examples, mistakes: NDArray[np.int64], w: Floats, w_star: Floats
) -> RunMeasures:
    """Play a run again from ŵ = `w` = 0 and measure the weights themselves after each mistake.

    ‖ŵ‖ and ŵ·ŵ* are right to len(ŵ) + 8 units in the last place. `w_star` empty: no ŵ·ŵ*.
    """
    n = len(mistakes)
    found = RunMeasures(np.empty(n), np.zeros(n), np.empty(n), np.empty(n))
    _core.follow(examples, mistakes, w, w_star, found)
    return found


# The first of these mistakes, from ŵ = `w` on, that is none or has another score; or −1.
first_false = _core.first_false
