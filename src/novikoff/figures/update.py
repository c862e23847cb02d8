"""One update of the perceptron: the example it got wrong turns the weights towards itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from novikoff.errors import ShapeError
from novikoff.figures.labels import name_directly
from novikoff.figures.points import PlotPoints, class_names, draw_points
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import (
    GREEN,
    HALO,
    MUTED,
    ORANGE,
    PURPLE,
    axes_for,
    drawable,
    note,
    title,
)
from novikoff.figures.view import draw_arrow, draw_line, frame, plane_spanned_by

Vector = NDArray[np.float64]
FARTHEST = 2.0  # times the width of the data: a line beyond would leave them too little room
SPAN = ("along w (projection on the plane of w and x)", "the rest of x,\northogonal to w")


@dataclass(frozen=True)
class Update:
    """A mistake: its row, the weights (w, b) that made it, and the steps η of w and of b."""

    row: int
    w: Vector
    b: float
    eta0: float
    eta_of_b: float


@drawable
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
    points = PlotPoints.of(X, y, names=names, classes=classes)
    if not 0 <= row < points.n:
        raise ShapeError(f"row {row} is not one of the {points.n} rows of X.")
    w = np.asarray(w, dtype=np.float64).ravel()
    if len(w) != points.d:
        raise ShapeError(f"w has {len(w)} weights, but X has {points.d} columns.")
    update = Update(row, w, b, eta0, eta0 if fit_intercept else 0.0)
    return draw_update(points, update, ax=ax)


def draw_update(points: PlotPoints, update: Update, *, ax: Axes | None = None) -> Figure:
    """The figure of one update of a run on `points`."""
    row, w, b, eta0 = update.row, update.w, update.b, update.eta0
    x = np.asarray(points.X[[row]] @ np.eye(points.d), dtype=np.float64).ravel()
    sign = int(points.y[row])
    new_w, new_b = w + eta0 * sign * x, b + update.eta_of_b * sign
    named = f"row {points.number(row)}"
    figure, ax = axes_for(ax)
    plane = plane_spanned_by(points, w, x, SPAN)
    places = plane.project(points.X, points.y)
    old, new = plane.vector(w), plane.vector(new_w)
    feet = _feet(places, (old, b), (new, new_b))
    view = frame(ax, np.vstack([places, _around_the_arrows(places, old, new), *feet]), plane)
    drawn = side_by_side(ax, view, places, points.y, new)
    draw_points(ax, points, drawn, keep=[row])
    draw_line(ax, view, old, b, label="old hyperplane", color=PURPLE, linestyle="--")
    draw_line(ax, view, new, new_b, label="new hyperplane", color=GREEN)
    mistake = f"the mistake: {named}, y = {'+1' if sign > 0 else '−1'}"
    ax.scatter(
        drawn[[row], 0],
        drawn[[row], 1],
        s=230,
        facecolors="none",
        edgecolors=ORANGE,
        linewidths=2.6,
        label=mistake,
        zorder=4,
    )
    scale, step = _scale(places, old, new), "yx" if eta0 == 1 else "ηyx"
    if points.d == 1:
        _draw_weights_of_one(ax, scale * old[0], scale * new[0], step)
    elif view.equal:
        _draw_weights(ax, scale * old, scale * new, step)
    if not np.any(old):
        note(ax, "old w = 0, no hyperplane yet")
    if scale < 1 and (view.equal or points.d == 1):
        note(ax, f"arrows at {scale:.2g} of their length")
    title(ax, _finding(named, sign, old, new, step))
    name_directly(ax, [(mistake,)], class_names(points), [("old hyperplane",), ("new hyperplane",)])
    return figure


def _finding(row: str, sign: int, old: Vector, new: Vector, step: str) -> str:
    """What the update did, in a line for the title."""
    if np.array_equal(old, new):
        return f"the mistake on {row}, where x is 0, changes b alone"
    if not np.any(old):
        return f"the first w is {step} of {row}"
    towards = "towards" if sign > 0 else "away from"
    return f"the mistake on {row} turns w {towards} it: new w = old w + {step}"


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


def _feet(places: Vector, *lines: tuple[Vector, float]) -> list[Vector]:
    """Of each line the place nearest to the rows, so that it is in the picture; none far away."""
    low, high = places.min(axis=0), places.max(axis=0)
    middle, far = (low + high) / 2, FARTHEST * float(np.hypot(*(high - low)))
    feet = []
    for a, c in lines:
        size = float(np.hypot(*a))
        distance = (a @ middle + c) / size if size else np.inf
        if abs(distance) <= far:
            feet.append(middle - distance * a / size)
    return feet


def _draw_weights(ax: Axes, tip_old: Vector, tip_new: Vector, name: str) -> None:
    """Old w, the step and new w as a triangle of arrows from the origin."""
    origin, step = np.zeros(2), tip_new - tip_old
    if not np.any(step):
        draw_arrow(ax, origin, tip_new, "w", GREEN)
        return
    # From zero, w grows towards the example itself: its name goes to the side, not onto the point.
    aside = step if np.any(tip_old) else np.array([step[1], -step[0]]) - step
    draw_arrow(ax, origin, tip_new, "new w", GREEN, away=_beside(tip_new, aside))
    if np.any(tip_old):
        draw_arrow(ax, origin, tip_old, "old w", PURPLE, away=_beside(tip_old, -step))
        draw_arrow(ax, tip_old, tip_new, "", ORANGE)
        _name_step(ax, tip_old, tip_new, name)
    ax.plot(0, 0, marker="+", color=MUTED, markersize=9, linestyle="none", zorder=2)


def _draw_weights_of_one(ax: Axes, old: float, new: float, name: str) -> None:
    """Old w, the step and new w where there is one weight: arrows one above the other."""
    arrows = [(0.0, new, 0.4, "new w", GREEN), (old, new, 0.0, name, ORANGE)]
    arrows += [(0.0, old, -0.4, "old w", PURPLE)]
    for start, end, height, text, colour in arrows:
        if start != end:
            away = (24.0 if end > start else -24.0, 0.0)
            draw_arrow(
                ax, np.array([start, height]), np.array([end, height]), text, colour, away=away
            )


def _name_step(ax: Axes, start: Vector, end: Vector, name: str) -> None:
    """Write the step's name beside its middle, on the side away from the origin."""
    middle, along = (start + end) / 2, end - start
    across = np.array([along[1], -along[0]]) / (np.hypot(*along) or 1.0)
    across = across if across @ middle >= 0 else -across
    text = ax.annotate(name, tuple(middle), xytext=tuple(10 * across), textcoords="offset points")
    text.set(ha="center", va="center", color=ORANGE, fontweight="bold", path_effects=HALO, zorder=6)


def _beside(tip: Vector, push: Vector) -> tuple[float, float]:
    """Where a name goes, in points: ahead of its tip, and away from the other tip."""
    ahead = tip / (np.hypot(*tip) or 1.0) + push / (np.hypot(*push) or 1.0)
    ahead = ahead / (np.hypot(*ahead) or 1.0)
    return float(24 * ahead[0]), float(13 * ahead[1])
