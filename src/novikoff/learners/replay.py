"""A run played again from its journal: the same updates, in the same order, to the same bits.

The loops are in core/replay.hpp.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.learners.unit import Examples
from novikoff.matrix.rows import Floats


class Followed(NamedTuple):
    """Along a run, after each mistake: ‖ŵ‖, ŵ·ŵ*, and how far rounding can have moved both.

    `drift` bounds how far the rounding of all updates so far has moved ŵ, and `growth` by how much
    it can have raised ‖ŵ‖² above what the proof allows: each update rounds each weight twice.
    """

    norms: Floats
    alignments: Floats
    drift: Floats
    growth: Floats


def replay(examples: Examples, mistakes: NDArray[np.int64], w: Floats) -> None:
    """Push `w` by each of these mistakes in turn."""
    _core.replay(examples, mistakes, w)


def follow(examples: Examples, mistakes: NDArray[np.int64], w: Floats, w_star: Floats) -> Followed:
    """Play a run again from ŵ = `w` = 0 and measure the weights themselves after each mistake.

    ‖ŵ‖ and ŵ·ŵ* are right to len(ŵ) + 8 units in the last place. `w_star` empty: no ŵ·ŵ*.
    """
    n = len(mistakes)
    found = Followed(np.empty(n), np.zeros(n), np.empty(n), np.empty(n))
    _core.follow(examples, mistakes, w, w_star, found)
    return found


def first_false(
    examples: Examples, mistakes: NDArray[np.int64], scores: Floats, w: Floats, tie: int
) -> int:
    """The first of these mistakes, from ŵ = `w` on, that is none or has another score; or −1."""
    return _core.first_false(examples, mistakes, scores, w, tie)
