"""Few errors by line searches: the 0/1 loss along random directions, minimised exactly.

`_core.descend` does them (core/line_search.hpp).
"""

from collections.abc import Callable

import numpy as np

from novikoff import _core
from novikoff.matrix.rows import Floats

RIGHT = _core.RIGHT  # a score above this is taken to be positive: rows and planes have length 1


def descend(
    U: Floats,
    weights: Floats,
    start: Floats,
    steps: int,
    rng: np.random.Generator,
    is_late: Callable[[], bool],
) -> tuple[Floats, float]:
    """The last of the best ŵ of a walk of so many line searches from `start`, and its loss.

    The walk ends early when it is late; the loss is infinite if there was no time to count it.
    """
    plane = start.copy()
    loss = _core.descend(U, weights, plane, steps, rng.bit_generator.capsule, is_late)
    return plane, loss
