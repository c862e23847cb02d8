"""Conflicts as vertices: walks of a small simplex method from one conflict to the next.

`_core.enumerate_conflicts` makes them (core/conflict_simplex.hpp), and this is where a walk stands
between two calls.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.matrix.rows import Floats


class WalkState(NamedTuple):
    """The basic rows (n + k: artificial column k) and the inverse of their columns.

    `separator` is the dual solution of a walk that could not avoid the forbidden rows. `age` is the
    number of pivots since the inverse was fresh; it is negative as long as there is no basis.
    """

    columns: Floats  # of U, a line each
    basis: NDArray[np.int64]
    inverse: Floats
    right_sides: Floats
    separator: Floats
    age: NDArray[np.int64]


def new_walk(columns: Floats, seed: int) -> WalkState:
    """A walk at its start, for U with these columns, a line each."""
    rank = len(columns)
    m = rank + 1
    # Tiny positive right sides keep the walk from going in circles on degenerate data.
    right_sides = np.random.default_rng(seed).uniform(0.5, 1.0, m) * 1e-7
    right_sides[-1] = 1.0
    age = np.full(1, -1, dtype=np.int64)
    return WalkState(
        columns, np.zeros(m, dtype=np.int64), np.zeros((m, m)), right_sides, np.zeros(rank), age
    )
