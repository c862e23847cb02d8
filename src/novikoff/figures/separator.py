"""The data with a separator: margin band, weight vector, and the rows that fix the margin."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from novikoff.errors import ShapeError
from novikoff.figures.labels import name_directly
from novikoff.figures.points import PlotPoints, class_names, draw_points, ring
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import GREEN, axes_for, drawable, number, title
from novikoff.figures.view import draw_arrow, draw_band, draw_line, foot, frame, plane_of


@drawable
def plot_separator(
    X: object,
    y: object,
    w: ArrayLike,
    b: float = 0.0,
    *,
    support: Sequence[int] | None = None,
    margin: float | None = None,
    names: Sequence[str] | None = None,
    classes: tuple[Any, Any] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """The data with the separator w·x + b = 0, as a figure.

    `support` are the rows to ring and `margin` the geometric margin; what is not given is read off
    the separator. A separator that leaves rows on its plane, or on the wrong side, has no band.
    """
    points = PlotPoints.of(X, y, names=names, classes=classes)
    figure, ax = axes_for(ax)
    title(ax, draw_separator(ax, points, w, b, support=support, margin=margin))
    name_separator(ax, points)
    return figure


def draw_separator(
    ax: Axes,
    points: PlotPoints,
    w: ArrayLike,
    b: float,
    *,
    support: Sequence[int] | None = None,
    margin: float | None = None,
) -> str:
    """Draw points, line, band, w and rings into `ax`, and say what was found; names come after."""
    w = np.asarray(w, dtype=np.float64).ravel()
    if len(w) != points.d:
        raise ShapeError(f"w has {len(w)} weights, but X has {points.d} columns.")
    plane = plane_of(points, w)
    places = plane.project(points.X, points.y)
    view = frame(ax, places, plane)
    norm = float(np.linalg.norm(w))
    a = plane.vector(w)
    places = side_by_side(ax, view, places, points.y, a)
    if norm == 0:
        draw_points(ax, points, places)
        return "w = 0: no hyperplane"
    distances = points.y * (np.asarray(points.X @ w).ravel() + b) / norm
    if margin is None:
        margin = float(distances.min())
    line, ringed = _words(margin, support is not None)
    if support is None:
        near = margin + 1e-9 * float(np.abs(distances).max())  # the same distance, to the eye
        support = np.flatnonzero(distances <= max(near, 0.0)).tolist()
    draw_points(ax, points, places, keep=support)
    draw_line(ax, view, a, b, label=f"{line} w·x + b = 0")
    if margin > 0:
        draw_band(ax, view, a, b, margin, f"geometric margin {number(margin)} on each side")
    if len(support):
        ring(ax, places[list(support)], f"{ringed} ({len(support):,})", points.n)
    if view.equal or plane.axes.shape[1] != 2:
        start = foot(view, a, b)
        unit = a / np.hypot(*a)
        length = 0.42 * (view.half.min() if view.equal else view.half[0])
        draw_arrow(ax, start, start + length * unit, "w", GREEN)
    return _finding(margin, int(np.count_nonzero(distances <= 0)), points.n)


def name_separator(ax: Axes, points: PlotPoints) -> None:
    """Name the classes and the line where there is room, and the rest in a legend."""
    lines = [str(line.get_label()) for line in ax.lines if "w·x + b = 0" in str(line.get_label())]
    name_directly(ax, class_names(points), [(label,) for label in lines])


def _finding(margin: float, wrong: int, n: int) -> str:
    if margin > 0:
        return f"separated, with a geometric margin of {number(margin)}"
    if margin == 0:
        return "weakly separated: no row is beyond the plane, some are on it"
    return f"{wrong:,} of {n:,} rows are on the plane or beyond it"


def _words(margin: float, support_given: bool) -> tuple[str, str]:
    """What the legend calls the hyperplane and the ringed rows."""
    if margin > 0:
        return "separator", "support rows" if support_given else "rows nearest the separator"
    if margin == 0:
        return "weak separator", "rows on the plane"
    return "hyperplane", "rows on the wrong side or on the plane"
