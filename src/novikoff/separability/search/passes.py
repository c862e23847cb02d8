"""One pass over the data: the current weights in, the most violated rows and proven bounds out.

It needs no more than one row at a time, so a file can be read by it and a cluster can run it on its
parts: `merged` puts the answers of parts together, and they are the same wherever the parts begin.

For any order of summation |fl(x·w + b) − (x·w + b)| ≤ γ_{k}(|x|·|w| + |b|), γ_k = ku/(1−ku), with k
a little more than the number of terms (Higham, "Accuracy and Stability of Numerical Algorithms",
§3.1). The bound is inflated for its own rounding and has a term for underflow.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
from novikoff.exact.bounds import error_terms
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats


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
    remote = points.remote
    if remote is None:
        return _pass_at_hand(points, w_hat, keep)
    parts = points.over_parts(_pass_with_rows, w_hat, keep)
    found = merge([part for part, _ in parts], remote.offsets.tolist(), points.problem.y, keep)
    for (part, X), first in zip(parts, remote.offsets.tolist(), strict=True):
        places = np.flatnonzero(np.isin(part.rows + first, found.rows))
        remote.remember(part.rows[places] + first, X[places])
    return found


def _pass_with_rows(points: ExactProblem, w_hat: Floats, keep: int) -> tuple[Pass, Any]:
    """The pass, and the rows that it found: they are the ones asked for next."""
    found = _pass_at_hand(points, w_hat, keep)
    return found, points.problem.X[found.rows]


def _pass_at_hand(points: ExactProblem, w_hat: Floats, keep: int) -> Pass:
    extra, floor = error_terms(w_hat, points.rounded)
    seconds = seconds_in_force()
    return Pass(
        *_core.least_scores(points.rows, points.problem.y, w_hat, keep, extra, floor, seconds)
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
