"""One update of the perceptron: the example it got wrong turns the weights towards itself."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from numpy.typing import ArrayLike, NDArray

from novikoff.errors import ShapeError
from novikoff.figures.plane import plane_spanned_by
from novikoff.figures.points import Points, draw_points
from novikoff.figures.style import GREEN, MUTED, ORANGE, PURPLE, axes_for, legend_below
from novikoff.figures.view import View, draw_arrow, draw_line, frame

__all__ = ["plot_update"]

SPAN = ("along w (projection on the plane of w and x)", "the rest of x,\northogonal to w")


def plot_update(
    X: object,
    y: object,
    row: int,
    w: ArrayLike,
    b: float = 0.0,
    *,
    eta0: float = 1.0,
    fit_intercept: bool = True,
    names: Sequence[str] | None = None,
    classes: tuple[Any, Any] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """The mistake on `row` by the weights (w, b), and the update w ← w + η·y·x, b ← b + η·y.

    In more than two dimensions the figure is the plane of w and x: it holds the old and the new
    weights whole, so both hyperplanes stay lines.
    """
    points = Points.of(X, y, names=names, classes=classes)
    if not 0 <= row < points.n:
        raise ShapeError(f"row {row} is not one of the {points.n} rows of X.")
    w = np.asarray(w, dtype=np.float64).ravel()
    if len(w) != points.d:
        raise ShapeError(f"w has {len(w)} weights, but X has {points.d} columns.")
    x = np.asarray(points.X[[row]] @ np.eye(points.d), dtype=np.float64).ravel()
    sign = int(points.y[row])
    new_w, new_b = w + eta0 * sign * x, b + eta0 * sign * fit_intercept

    figure, ax = axes_for(ax)
    plane = plane_spanned_by(points, w, x, SPAN)
    places = plane.project(points.X, points.y)
    view = frame(ax, np.vstack([places, [[0.0, 0.0]]]), plane)
    draw_points(ax, points, places, keep=[row])
    old, new = plane.vector(w), plane.vector(new_w)
    draw_line(ax, view, old, b, label="old hyperplane", color=PURPLE, linestyle="--")
    draw_line(ax, view, new, new_b, label="new hyperplane", color=GREEN)
    ax.scatter(
        places[[row], 0],
        places[[row], 1],
        s=230,
        facecolors="none",
        edgecolors=ORANGE,
        linewidths=2.6,
        label=f"the mistake: row {row}, y = {'+1' if sign > 0 else '−1'}",
        zorder=4,
    )
    if view.equal or points.d == 1:
        _draw_weights(ax, view, old, new, eta0)
    legend_below(ax)
    return figure


def _draw_weights(
    ax: Axes, view: View, old: NDArray[np.float64], new: NDArray[np.float64], eta0: float
) -> None:
    """Old w, the step and new w as a triangle of arrows from the origin, at one common scale."""
    longest = max(float(np.hypot(*old)), float(np.hypot(*new)))
    if longest == 0:
        return
    room = 0.75 * float(view.half.min())
    scale = min(1.0, room / longest)
    tip_old, tip_new, origin = scale * old, scale * new, np.zeros(2)
    step = tip_new - tip_old
    draw_arrow(ax, tip_old, tip_new, "", ORANGE, linestyle="-")
    # From zero, w grows towards the example itself: its name goes to the side, not onto the point.
    aside = step if np.any(old) else np.array([step[1], -step[0]]) - step
    draw_arrow(ax, origin, tip_new, "new w", GREEN, away=_beside(tip_new, aside))
    if np.any(old):
        draw_arrow(ax, origin, tip_old, "old w", PURPLE, away=_beside(tip_old, -step))
    ax.plot(0, 0, marker="+", color=MUTED, markersize=9, linestyle="none", zorder=2)
    shrunk = "" if scale == 1 else f" (arrows drawn at {scale:.2g} of their length)"
    rate = "" if eta0 == 1 else "η"
    for colour, label in (
        (PURPLE, "old w" if np.any(old) else "old w = 0, no hyperplane yet"),
        (GREEN, f"new w = w + {rate}yx{shrunk}"),
        (ORANGE, f"the step {rate}yx"),
    ):
        ax.add_line(Line2D([], [], color=colour, linewidth=2, label=label))


def _beside(tip: NDArray[np.float64], push: NDArray[np.float64]) -> tuple[float, float]:
    """Where a name goes, in points: ahead of its tip, and away from the other tip."""
    ahead = tip / (np.hypot(*tip) or 1.0) + push / (np.hypot(*push) or 1.0)
    ahead = ahead / (np.hypot(*ahead) or 1.0)
    return float(24 * ahead[0]), float(13 * ahead[1])
