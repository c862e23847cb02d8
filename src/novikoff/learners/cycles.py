"""When a run must go on for ever: Brent's cycle detection on the weights at the start of an epoch.

In exact arithmetic and cyclic order an epoch is a function of the weights it starts from. If they
return, everything returns; and the mistakes in between add up to nothing, Σ cᵢ yᵢ x̂ᵢ = 0 with
cᵢ ≥ 0: the perceptron's own proof that no separator exists. Brent (1980) needs one saved vector.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.conventions import Order
from novikoff.learners.unit import LARGEST_EXACT, Examples, Weights
from novikoff.rows import Floats

__all__ = ["Watch", "has_cycled", "may_round", "no_watch", "watch_from"]


class Watch(NamedTuple):
    """The saved weights, the mistakes on each row since, and how far to go before saving again.

    `saved` is empty where an epoch is not a function of the weights it starts from. `growth` bounds
    what one epoch can add to ‖ŵ‖² (the second inequality of the proof); −1 where nothing is exact.
    """

    saved: Floats
    counts: NDArray[np.int64]
    lap: NDArray[np.int64]
    power: NDArray[np.int64]
    growth: float


def watch_from(examples: Examples, weights: Weights, order: Order) -> Watch:
    """Watch that these weights stay exact and, where it proves something, that they never return.

    On data that is not on a grid nothing is exact, and nothing is watched.
    """
    if examples.unit == 0.0:
        return no_watch()
    once_each = order in ("cyclic", "shuffled")
    with np.errstate(over="ignore"):  # an infinite growth is one that may round
        gains = np.square(examples.push * examples.norms)
        growth = float(gains.sum() if once_each else gains.max() * len(gains)) * (1 + 1e-9)
    if order in ("shuffled", "random"):
        return no_watch()._replace(growth=growth)
    counts = np.zeros(len(examples.push), np.int64)
    return Watch(weights.w.copy(), counts, np.zeros(1, np.int64), np.ones(1, np.int64), growth)


def no_watch() -> Watch:
    """Watch nothing."""
    nothing = np.zeros(0, np.int64)
    return Watch(np.empty(0), nothing, nothing, nothing, -1.0)


@kernel
def may_round(watch: Watch, unit: float, weights: Weights) -> bool:
    """Whether one more epoch could round a weight that has been exact so far."""
    limit = unit * LARGEST_EXACT
    return watch.growth >= 0.0 and weights.norm[0] ** 2 + watch.growth >= limit**2


@kernel
def are_equal(w: Floats, saved: Floats) -> bool:
    """Whether all weights are the saved ones; mostly the first one says no."""
    for j in range(len(w)):  # noqa: SIM110 (Numba has no generators)
        if w[j] != saved[j]:
            return False
    return True


@kernel
def has_cycled(watch: Watch, weights: Weights) -> bool:
    """After each epoch: are these the saved weights? If not, save anew at each power of 2."""
    if len(watch.saved) == 0:
        return False
    if are_equal(weights.w, watch.saved):
        return True
    watch.lap[0] += 1
    if watch.lap[0] == watch.power[0]:
        watch.saved[:] = weights.w
        watch.counts[:] = 0
        watch.lap[0] = 0
        watch.power[0] *= 2
    return False
