"""One pass over the data: the current weights in, the most violated rows and proven bounds out.

It needs no more than one row at a time, so a file can be read by it and a cluster can run it on its
parts: `merged` puts the answers of parts together, and they are the same wherever the parts begin.

For any order of summation |fl(x·w + b) − (x·w + b)| ≤ γ_{k}(|x|·|w| + |b|), γ_k = ku/(1−ku), with k
a little more than the number of terms (Higham, "Accuracy and Stability of Numerical Algorithms",
§3.1). The bound is inflated for its own rounding and has a term for underflow.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.points import ExactProblem
from novikoff.exact.scores import UNIT, error_terms, score_and_size, score_error
from novikoff.matrix.rows import Floats, Rows

__all__ = ["Pass", "merge", "pass_over"]


class Pass(NamedTuple):
    """What a pass over some rows has to say about ŵ; class 0 is −1, class 1 is +1.

    `rows` are the rows of the least yᵢ x̂ᵢ·ŵ, up to `keep` of each class, and `scores` those numbers
    as computed, least first within a class. `lowest` bounds yᵢ x̂ᵢ·ŵ from below over all rows of
    each class, and `highest` bounds the least of them from above: both hold without rounding.
    """

    rows: NDArray[np.int64]
    scores: Floats
    lowest: Floats
    highest: Floats


def pass_over(points: ExactProblem, w_hat: Floats, keep: int) -> Pass:
    """Score every row with ŵ = (w, b), wherever the rows live."""
    far = points.far
    if far is None:
        return _pass_at_hand(points, w_hat, keep)
    parts = points.over_parts(_pass_with_rows, w_hat, keep)
    found = merge([part for part, _ in parts], far.offsets.tolist(), points.problem.y, keep)
    for (part, X), first in zip(parts, far.offsets.tolist(), strict=True):
        places = np.flatnonzero(np.isin(part.rows + first, found.rows))
        far.remember(part.rows[places] + first, X[places])
    return found


def _pass_with_rows(points: ExactProblem, w_hat: Floats, keep: int) -> tuple[Pass, Any]:
    """The pass, and the rows that it found: they are the ones asked for next."""
    found = _pass_at_hand(points, w_hat, keep)
    return found, points.problem.X[found.rows]


def _pass_at_hand(points: ExactProblem, w_hat: Floats, keep: int) -> Pass:
    y, n = points.problem.y, points.problem.n
    extra, floor = error_terms(w_hat, points.rounded)
    found, scores, counts, lowest, highest = _pass(points.rows, y, n, w_hat, keep, extra, floor)
    order = [np.lexsort((found[c, : counts[c]], scores[c, : counts[c]])) for c in range(2)]
    return Pass(
        np.concatenate([found[c, order[c]] for c in range(2)]),
        np.concatenate([scores[c, order[c]] for c in range(2)]),
        lowest,
        highest,
    )


def merge(parts: list[Pass], offsets: list[int], y: NDArray[np.int8], keep: int) -> Pass:
    """The pass over all rows from passes over parts of them, part k starting at row offsets[k]."""
    rows = np.concatenate([part.rows + at for part, at in zip(parts, offsets, strict=True)])
    scores = np.concatenate([part.scores for part in parts])
    chosen = []
    for sign in (-1, 1):
        mine = np.flatnonzero(y[rows] == sign)
        chosen.append(mine[np.argsort(scores[mine], kind="stable")[:keep]])
    picked = np.concatenate(chosen)
    return Pass(
        rows[picked],
        scores[picked],
        np.min([part.lowest for part in parts], axis=0),
        np.min([part.highest for part in parts], axis=0),
    )


@kernel
def _pass(
    rows: Rows, y: NDArray[np.int8], n: int, w_hat: Floats, keep: int, extra: int, floor: float
) -> tuple[NDArray[np.int64], Floats, NDArray[np.int64], Floats, Floats]:
    """The `keep` least scores of each class, in heaps with the greatest on top.

    Of equal scores the earlier row is the lesser one: so it does not matter where parts begin.
    """
    found = np.empty((2, keep), np.int64)
    scores = np.empty((2, keep))
    counts = np.zeros(2, np.int64)
    lowest = np.full(2, np.inf)
    highest = np.full(2, np.inf)
    for i in range(n):
        score, size = score_and_size(rows, i, w_hat)
        c = 1 if y[i] > 0 else 0
        score *= y[i]
        error = score_error(rows, i, size, extra, floor)
        low, high = score - error, score + error
        if not math.isfinite(size):  # an overflow proves nothing
            low, high, score = -np.inf, np.inf, 0.0
        lowest[c] = min(lowest[c], low - abs(low) * UNIT)
        highest[c] = min(highest[c], high + abs(high) * UNIT)
        if counts[c] < keep:
            _push(found[c], scores[c], counts[c], i, score)
            counts[c] += 1
        elif score < scores[c, 0]:
            _replace(found[c], scores[c], keep, i, score)
    return found, scores, counts, lowest, highest


@kernel
def _push(found: NDArray[np.int64], scores: Floats, count: int, i: int, score: float) -> None:
    at = count
    while at > 0:
        above = (at - 1) >> 1
        if scores[above] > score:  # an equal one above came earlier: it stays below
            break
        scores[at], found[at] = scores[above], found[above]
        at = above
    scores[at], found[at] = score, i


@kernel
def _replace(found: NDArray[np.int64], scores: Floats, keep: int, i: int, score: float) -> None:
    at = 0
    while True:
        below = 2 * at + 1
        if below >= keep:
            break
        if below + 1 < keep and _is_greater(scores, found, below + 1, below):
            below += 1
        if scores[below] <= score:  # row i is the last one so far
            break
        scores[at], found[at] = scores[below], found[below]
        at = below
    scores[at], found[at] = score, i


@kernel
def _is_greater(scores: Floats, found: NDArray[np.int64], a: int, b: int) -> bool:
    return bool(scores[a] > scores[b] or (scores[a] == scores[b] and found[a] > found[b]))
