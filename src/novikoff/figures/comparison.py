"""Linearly separable beside not: a line between the classes, and two hulls that meet."""

from typing import Any

from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from novikoff.figures.drawable import drawable
from novikoff.figures.examples import MOVED, SEPARABLE, SEPARATOR, SHARED
from novikoff.figures.hulls import draw_hulls, name_hulls
from novikoff.figures.plane import plane_of
from novikoff.figures.points import Points
from novikoff.figures.separator import draw_separator, name_separator
from novikoff.figures.style import axes_for, new_figure, title

__all__ = ["plot_comparison"]


@drawable
def plot_comparison(
    separable: tuple[Any, Any] = SEPARABLE,
    separator: tuple[ArrayLike, float] = SEPARATOR,
    not_separable: tuple[Any, Any] = MOVED,
    *,
    shared_point: ArrayLike | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Two data sets, each (X, y), side by side: the left one with its `separator` (w, b).

    Without arguments, a textbook's example: the right one is the left one with one point moved.
    """
    if figure is None:
        figure = new_figure(10.5, 5.4)
    left, right = figure.subplots(1, 2)
    for ax in (left, right):
        axes_for(ax)
    apart = Points.of(*separable)
    draw_separator(left, apart, *separator)
    title(left, "linearly separable")
    points = Points.of(*not_separable)
    if shared_point is None and not_separable is MOVED:
        shared_point = SHARED
    draw_hulls(right, points, plane_of(points), shared_point=shared_point)
    title(right, "not linearly separable")
    name_separator(left, apart)
    name_hulls(right, points)
    return figure
