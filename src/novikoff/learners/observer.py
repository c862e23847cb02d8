"""Observers of a run: a journal of its mistakes, a cycle detector, or none.

The watch is Brent's cycle detection on the weights at the end of each epoch (core/observer.hpp has
the proof that comes of it). The journal says which rows were mistaken, when, and with what score; a
run pauses before an epoch that might not fit into it, so that a run of any length needs no more
memory than its reader wants to keep.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

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
    """A journal, or nobody who writes one, and a watch for cycles, or none."""

    journal: MistakeJournal | None = None
    watch: CycleDetector | None = None


NOBODY = Observer()


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
