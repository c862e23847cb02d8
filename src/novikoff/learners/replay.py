"""A run played again from its journal: the same updates, in the same order, to the same bits."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.accumulator import LEAST, exact_dot, exact_score
from novikoff.exact.signs import INFLATE, SAFE_HIGH, SAFE_LOW, UNIT
from novikoff.learners.unit import Examples, update
from novikoff.matrix.rows import Floats

__all__ = ["Followed", "first_false", "follow", "replay"]

# Multiply-adds between two returns to Python, so that Ctrl-C is prompt.
WORK_PER_CALL = 1 << 24


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
    step = _mistakes_per_call(w)
    for start in range(0, len(mistakes), step):
        _replay(examples, mistakes[start : start + step], w)


def follow(examples: Examples, mistakes: NDArray[np.int64], w: Floats, w_star: Floats) -> Followed:
    """Play a run again from ŵ = `w` = 0 and measure the weights themselves after each mistake.

    ‖ŵ‖ and ŵ·ŵ* are right to len(ŵ) + 8 units in the last place. `w_star` empty: no ŵ·ŵ*.
    """
    n = len(mistakes)
    found = Followed(np.empty(n), np.zeros(n), np.empty(n), np.empty(n))
    carried = np.zeros(3)
    step = _mistakes_per_call(w)
    for start in range(0, n, step):
        part = slice(start, start + step)
        _follow(examples, mistakes[part], w, w_star, Followed(*(a[part] for a in found)), carried)
    return found


def first_false(
    examples: Examples, mistakes: NDArray[np.int64], scores: Floats, w: Floats, tie: int
) -> int:
    """The first of these mistakes, from ŵ = `w` on, that is none or has another score; or −1."""
    step = _mistakes_per_call(w)
    for start in range(0, len(mistakes), step):
        part = slice(start, start + step)
        found = _first_false(examples, mistakes[part], scores[part], w, tie)
        if found >= 0:
            return start + found
    return -1


def _mistakes_per_call(w: Floats) -> int:
    return max(1, WORK_PER_CALL // (4 * len(w)))


@kernel
def _replay(examples: Examples, mistakes: NDArray[np.int64], w: Floats) -> None:
    rows, push, bias = examples.rows, examples.push, examples.bias
    for i in mistakes:
        update(rows, i, push[i], w, bias)


@kernel
def _first_false(
    examples: Examples, mistakes: NDArray[np.int64], scores: Floats, w: Floats, tie: int
) -> int:
    rows, push, bias = examples.rows, examples.push, examples.bias
    for k in range(len(mistakes)):
        i = mistakes[k]
        score = exact_score(rows, i, w)
        side = score if push[i] > 0.0 else -score
        right = side > 0.0 or (side == 0.0 and tie * push[i] > 0.0)
        if right or score != scores[k]:
            return k
        update(rows, i, push[i], w, bias)
    return -1


@kernel
def _follow(
    examples: Examples,
    mistakes: NDArray[np.int64],
    w: Floats,
    w_star: Floats,
    found: Followed,
    carried: Floats,
) -> None:
    rows, push, bias, norms = examples.rows, examples.push, examples.bias, examples.norms
    before, drift, growth = carried
    for k in range(len(mistakes)):
        i = mistakes[k]
        update(rows, i, push[i], w, bias)
        now = _length(w)
        found.norms[k] = now
        if len(w_star) > 0:
            found.alignments[k] = _product(w, w_star)
        step = abs(push[i]) * norms[i]
        rounding = 2.0 * UNIT * INFLATE * (now + step) + len(w) * LEAST
        drift = (drift + rounding) * (1.0 + 4 * UNIT)
        growth = (growth + rounding * (2.0 * (before + step) + rounding)) * (1.0 + 8 * UNIT)
        before = now
        found.drift[k], found.growth[k] = drift, growth
    carried[0], carried[1], carried[2] = before, drift, growth


@kernel
def _length(w: Floats) -> float:
    """‖w‖: nothing cancels in a sum of squares, so only their range needs care."""
    total, largest = 0.0, 0.0
    for value in w:
        total += value * value
        largest = max(largest, abs(value))
    if SAFE_LOW < total < SAFE_HIGH or largest == 0.0:
        return math.sqrt(total)
    total = 0.0
    for value in w:
        total += (value / largest) ** 2
    return largest * math.sqrt(total)


@kernel
def _product(u: Floats, v: Floats) -> float:
    """u·v, done exactly where the rounding of a plain sum would be more than that of its terms."""
    total, size = 0.0, 0.0
    for j in range(len(u)):
        term = u[j] * v[j]
        total += term
        size += abs(term)
    if SAFE_LOW < size < SAFE_HIGH and size <= 2.0 * abs(total):
        return total
    return exact_dot(u, v)
