"""Linearly separable beside not: a line between the classes, and two hulls that meet.

The small data of the textbook's figures, so that each can be drawn without any data.
"""

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from novikoff.figures.hulls import draw_hulls, name_hulls
from novikoff.figures.points import PlotPoints
from novikoff.figures.separator import draw_separator, name_separator
from novikoff.figures.style import axes_for, drawable, new_figure, title
from novikoff.figures.view import plane_of

# Two clouds whose widest street is x₁ + x₂ = 8; its sides run through rows 0, 1 and 7, 8.
SEPARABLE = (
    np.array(
        [
            [2, 4], [4, 2], [1, 2], [2, 1], [1, 4], [3, 1], [2, 3],
            [4, 6], [6, 4], [7, 5], [5, 7], [6, 7], [7, 7], [5, 6],
        ],
        dtype=np.float64,
    ),
    np.repeat([-1, 1], 7),
)  # fmt: skip
NAMES = ("x1", "x2")
SEPARATOR = (np.array([1.0, 1.0]), -8.0)

# The same with row 6 moved among the other class, and a point that both hulls then hold.
MOVED = (np.vstack([SEPARABLE[0][:6], [[6.0, 6.0]], SEPARABLE[0][7:]]), SEPARABLE[1])
SHARED = np.array([5.3, 5.3])

XOR = (
    np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64),
    np.array([-1, 1, 1, -1]),
)


@drawable
def plot_comparison(
    separable: tuple[Any, Any] = SEPARABLE,
    separator: tuple[ArrayLike, float] = SEPARATOR,
    not_separable: tuple[Any, Any] = MOVED,
    *,
    shared_point: ArrayLike | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Two data sets, each (X, y), one above the other: the first one with its `separator` (w, b).

    Without arguments, a textbook's example: the second one is the first one with one point moved.
    """
    if figure is None:
        figure = new_figure(6.0, 10.0)
    above, below = figure.subplots(2, 1)
    for ax in (above, below):
        axes_for(ax)
    apart = PlotPoints.of(*separable, names=NAMES if separable is SEPARABLE else None)
    draw_separator(above, apart, *separator)
    title(above, "linearly separable")
    points = PlotPoints.of(*not_separable, names=NAMES if not_separable is MOVED else None)
    if shared_point is None and not_separable is MOVED:
        shared_point = SHARED
    draw_hulls(below, points, plane_of(points), shared_point=shared_point)
    title(below, "not linearly separable")
    name_separator(above, apart)
    name_hulls(below, points)
    return figure
