"""Passes over the data: the columns' statistics, and what there is to say about weights.

`pass_over` takes the current weights, and gives the most violated rows and proven bounds. A pass
needs no more than one row at a time, so a file can be read by it and a cluster can run it on its
parts: `merge` puts the answers of parts together, and they are the same wherever the parts begin.

For any order of summation |fl(x·w + b) − (x·w + b)| ≤ γ_{k}(|x|·|w| + |b|), γ_k = ku/(1−ku), with k
a little more than the number of terms (Higham, "Accuracy and Stability of Numerical Algorithms",
§3.1). The bound is inflated for its own rounding and has a term for underflow.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
from novikoff.exact.bounds import error_terms
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats

MEANT_ROWS = 1 << 14  # rows of which the class means are taken: they guide, and need not be exact


class ColumnStats(NamedTuple):
    """What one look at all rows tells.

    Class means (a row each, −1 first; of some rows where there are many), the extent of each
    column, the longest row, and how many numbers are stored and how many of them are not 0.
    """

    means: Floats
    least: Floats
    greatest: Floats
    longest: int
    stored: int
    nonzero: int


class _Extent(NamedTuple):
    """What is known of a part of the rows."""

    least: Floats
    greatest: Floats
    longest: int
    longest_square: float
    stored: int
    nonzero: int


def survey(points: ExactProblem) -> ColumnStats:
    """One pass over the rows, and the class means."""
    parts = points.over_parts(_extent_at_hand)
    offsets = [0] if points.remote is None else points.remote.offsets.tolist()
    longest, square = 0, -1.0
    for part, first in zip(parts, offsets, strict=True):
        if part.longest_square > square or not math.isfinite(part.longest_square):
            longest, square = first + part.longest, part.longest_square
    return ColumnStats(
        _means_of(points),
        np.min([part.least for part in parts], axis=0),
        np.max([part.greatest for part in parts], axis=0),
        longest,
        sum(part.stored for part in parts),
        sum(part.nonzero for part in parts),
    )


def some_rows(y: NDArray[np.int8], count: int) -> NDArray[np.intp]:
    """Rows that are evenly chosen, at most half of `count` from each class; all if they are few."""
    if len(y) <= count:
        return np.arange(len(y))
    chosen = []
    for sign in (-1, 1):
        mine = np.flatnonzero(y == sign)
        places = np.linspace(0, len(mine) - 1, min(len(mine), count // 2), dtype=np.intp)
        chosen.append(mine[np.unique(places)])
    return np.sort(np.concatenate(chosen))


def _means_of(points: ExactProblem) -> Floats:
    chosen = some_rows(points.problem.y, MEANT_ROWS)
    part = (
        points if len(chosen) == points.problem.n and points.remote is None else points.part(chosen)
    )
    means = _core.class_means(part.rows, part.problem.y, seconds_in_force())
    return means.reshape(2, part.problem.d)


def _extent_at_hand(points: ExactProblem) -> _Extent:
    return _Extent(*_core.column_extents(points.rows, seconds_in_force()))


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
    """Score every row with ŵ = (w, b), in memory or not."""
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
