"""The best plane, its errors, and the conflicts that forbid fewer."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import NDArray

from novikoff.figures.hulls import draw_hull
from novikoff.figures.labels import name_directly
from novikoff.figures.points import PlotPoints, class_names, draw_points, ring
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import CLASS_COLOURS, INK, axes_for, drawable, title
from novikoff.figures.view import draw_line, frame, plane_of
from novikoff.separability.fewest.result import FewestErrors

BEST = "the best plane w·x + b = 0"
MOST_CONFLICTS = 6  # drawn; more hide each other


@drawable
def plot_fewest(found: FewestErrors, *, ax: Axes | None = None) -> Figure:
    """The rows, the plane with the fewest errors known, the errors ringed, and the conflicts.

    A conflict is drawn as the two small hulls of its rows, a class each, which meet: no line keeps
    them apart. In more than two dimensions all of it is projected onto the plane along w.
    """
    points = PlotPoints.of_problem(found.problem)
    w = np.array([float(value) for value in found.weights])
    figure, ax = axes_for(ax)
    plane = plane_of(points, w if w.any() else None)
    places = plane.project(points.X, points.y)
    view = frame(ax, places, plane)
    places = side_by_side(ax, view, places, points.y, plane.vector(w))
    wrong = found.wrong_rows.tolist()
    shared = sorted(found.conflicts, key=lambda conflict: -conflict.share)
    for conflict in shared[:MOST_CONFLICTS]:
        _draw_conflict(ax, places, points.y, list(conflict.rows))
    keep = [*wrong, *(row for conflict in shared[:MOST_CONFLICTS] for row in conflict.rows)]
    draw_points(ax, points, places, keep=keep)
    if w.any():
        b = float(found.intercept)
        draw_line(ax, view, plane.vector(w), b, label=BEST)
    if wrong:
        ring(ax, places[wrong], f"errors ({len(wrong):,})")
    if shared:
        drawn = min(len(shared), MOST_CONFLICTS)
        label = f"conflicts: hulls that meet ({drawn:,} of {len(shared):,})"
        ax.add_line(Line2D([], [], color=INK, linewidth=1, alpha=0.5, label=label))
    title(ax, found.title)
    name_directly(ax, class_names(points), [(BEST,)])
    return figure


def _draw_conflict(
    ax: Axes, places: NDArray[np.float64], y: NDArray[np.int8], rows: list[int]
) -> None:
    for sign in (-1, 1):
        own = [row for row in rows if y[row] == sign]
        if own:
            colour = CLASS_COLOURS[sign]
            draw_hull(ax, places[own], colour, shade=0.08, edgecolor=(colour, 0.55), linewidth=0.8)
