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
from novikoff.figures.style import GREEN, MUTED, ORANGE, PURPLE, axes_for, legend_below, title
from novikoff.figures.view import draw_arrow, draw_line, frame

__all__ = ["plot_update"]

Vector = NDArray[np.float64]
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
    old, new = plane.vector(w), plane.vector(new_w)
    view = frame(ax, np.vstack([places, _around_the_arrows(places, old, new)]), plane)
    draw_points(ax, points, places, keep=[row])
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
        _draw_weights(ax, _scale(places, old, new), old, new, eta0)
    towards = "towards" if sign > 0 else "away from"
    title(ax, f"the mistake on row {row} turns w {towards} it")
    legend_below(ax)
    return figure


def _scale(places: Vector, old: Vector, new: Vector) -> float:
    """At which part of their length the arrows are drawn: not longer than the data are wide."""
    longest = max(float(np.hypot(*old)), float(np.hypot(*new)))
    half = np.ptp(np.vstack([places, [[0.0, 0.0]]]), axis=0) / 2
    room = 0.75 * (float(half.min()) or float(half.max()) or 1.0)
    return min(1.0, room / longest) if longest else 1.0


def _around_the_arrows(places: Vector, old: Vector, new: Vector) -> Vector:
    """Corners that the window must hold, so that no arrow, nor the name at its tip, is cut off."""
    tips = _scale(places, old, new) * np.array([np.zeros(2), old, new])
    span = np.ptp(np.vstack([places, tips]), axis=0)
    return np.vstack([tips - 0.06 * span, tips + 0.06 * span])


def _draw_weights(ax: Axes, scale: float, old: Vector, new: Vector, eta0: float) -> None:
    """Old w, the step and new w as a triangle of arrows from the origin, at one common scale."""
    if not np.any(old) and not np.any(new):
        return
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


def _beside(tip: Vector, push: Vector) -> tuple[float, float]:
    """Where a name goes, in points: ahead of its tip, and away from the other tip."""
    ahead = tip / (np.hypot(*tip) or 1.0) + push / (np.hypot(*push) or 1.0)
    ahead = ahead / (np.hypot(*ahead) or 1.0)
    return float(24 * ahead[0]), float(13 * ahead[1])
