"""Statistics of the columns before the search: the means of the classes, and the widths."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
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
