"""Rows that share a place, drawn side by side, so that none hides behind another.

Counts, codes and rounded numbers put many rows on one place. They are moved by less than half the
way to the next value, and along the separator where there is one: no row changes its side of it,
nor its distance from it.
"""

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from novikoff.figures.style import note
from novikoff.figures.view import View

Places = NDArray[np.float64]
FEW = 30  # different values of a column of counts, at most
WIDEST = 0.035  # of the window: how far to each side rows are moved, at most
STRIP = 0.1  # the same where the other axis tells nothing but the class
LEAST = 0.006  # and at least, for they would still hide each other
CELLS = 60  # along the other axis of a column of counts, rows this close share a place


def side_by_side(
    ax: Axes, view: View, places: Places, order: ArrayLike, line: ArrayLike | None = None
) -> Places:
    """`places` with the shared ones spread out, class by class as `order` says; a note says so.

    `line` are the weights, in the figure, of the separator along which rows may move.
    """
    groups, strip = _groups(view, places)
    counts = np.bincount(groups)
    if counts.max() == 1:
        return places
    direction = _direction(view, line, strip)
    most = STRIP if view.one_column else WIDEST
    widest = np.clip(0.35 * _gap(view, places, direction), LEAST, most)
    sorted_rows = np.lexsort((np.arange(len(places)), np.asarray(order), groups))
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    rank = np.empty(len(places))
    rank[sorted_rows] = np.arange(len(places)) - np.repeat(first, counts)
    size = counts[groups]
    part = np.where(size > 1, 2 * rank / np.maximum(size - 1, 1) - 1, 0.0)
    # Two rows need less room than twenty.
    reach = widest * np.minimum(1.0, size / 6)
    note(ax, "rows at one place are drawn side by side")
    moved: Places = places + (part * reach)[:, None] * (2 * view.half * direction)
    return moved


def _groups(view: View, places: Places) -> tuple[NDArray[np.intp], int | None]:
    """Which rows share a place, and the axis of counts if there is one: there, nearly is enough."""
    keys, strip = np.round((places - view.centre) / view.half, 9), None
    few = [_is_counts(places[:, j]) for j in (0, 1)]
    for j in (0, 1):
        if few[j] and not few[1 - j]:
            keys[:, 1 - j] = np.floor(CELLS / 2 * keys[:, 1 - j])
            strip = j
    _, groups = np.unique(keys, axis=0, return_inverse=True)
    return groups.ravel(), strip


def _is_counts(values: Places) -> bool:
    different = len(np.unique(values))
    return 2 <= different <= min(FEW, len(values) // 4)


def _direction(view: View, line: ArrayLike | None, strip: int | None) -> Places:
    """Along which way rows move, as parts of the window's two sides: along the line, if any."""
    if line is not None and np.any(line):
        a = np.asarray(line, dtype=np.float64)
        a = a / np.abs(a).max()
        across = np.array([-a[1] / view.half[0], a[0] / view.half[1]])
        if np.abs(across).max() > 0:
            return np.asarray(across / np.abs(across).max())
    # The axis of one column says how much; the other only which class, and has the room.
    return np.array([0.0, 1.0]) if view.one_column or strip == 1 else np.array([1.0, 0.0])


def _gap(view: View, places: Places, direction: Places) -> float:
    """The least distance between two values of the axis that rows mostly move along, as a part."""
    j = int(np.argmax(np.abs(direction)))
    values = np.unique(places[:, j])
    return float(np.diff(values).min() / (2 * view.half[j])) if len(values) > 1 else 1.0
