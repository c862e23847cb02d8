"""The figure that a verdict asks for: a separator with its band, or the hulls that meet.

The data with a separator: margin band, weight vector, and the rows that fix the margin.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from novikoff.core.options import with_count
from novikoff.errors import ShapeError
from novikoff.figures.hulls import draw_flipped, draw_hulls, name_hulls
from novikoff.figures.labels import name_directly
from novikoff.figures.points import PlotPoints, class_names, draw_points, ring
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import GREEN, axes_for, drawable, number, title
from novikoff.figures.view import draw_arrow, draw_band, draw_line, foot, frame, plane_of
from novikoff.separability.verdicts import Overlapping, Separable, Touching, Verdict


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


@drawable
def plot_verdict(verdict: Verdict, *, ax: Axes | None = None) -> Figure:
    """Separable: the separator, its margin band and support rows. Touching: the weak separator and
    the rows on its plane. Overlapping: the hulls and a common point. Undecided: the data.
    """  # noqa: D205
    if isinstance(verdict, Overlapping):
        return plot_verdict_hulls(verdict, ax=ax)
    points = PlotPoints.of_problem(verdict.problem)
    figure, ax = axes_for(ax)
    if isinstance(verdict, Separable):
        draw_separator(
            ax,
            points,
            verdict.weights,
            verdict.intercept,
            support=verdict.support.tolist(),
            margin=verdict.margin.lower,
        )
    elif isinstance(verdict, Touching):
        draw_separator(
            ax,
            points,
            verdict.weights,
            verdict.intercept,
            support=verdict.rows_on_plane.tolist(),
            margin=0.0,
        )
    else:
        draw_separator(ax, points, np.zeros(points.d), 0.0)
    title(ax, finding(verdict))
    name_separator(ax, points)
    return figure


def finding(verdict: Verdict) -> str:
    """What a verdict found, in one line for a title."""
    if isinstance(verdict, Separable):
        return f"separable, with a geometric margin of {number(verdict.margin.lower)}"
    if isinstance(verdict, Touching):
        return f"touching: {with_count(len(verdict.rows_on_plane))} on the plane, none beyond it"
    if isinstance(verdict, Overlapping) and not verdict.fit_intercept:
        return "overlapping: the hull of all y·x holds the origin, so nothing separates"
    if isinstance(verdict, Overlapping):
        return "overlapping: the hulls share a point, so nothing separates"
    return "undecided: a limit was hit before a proof was found"


@drawable
def plot_verdict_hulls(verdict: Verdict, *, ax: Axes | None = None) -> Figure:
    """The hulls of the two classes and, where the verdict has one, the point that both hold.

    Without an intercept: the hull of the yᵢxᵢ, which holds the origin if nothing separates.
    """
    points = PlotPoints.of_problem(verdict.problem)
    figure, ax = axes_for(ax)
    rows = verdict.rows.tolist() if isinstance(verdict, Touching | Overlapping) else []
    w = verdict.weights if isinstance(verdict, Separable | Touching) else None
    if verdict.fit_intercept:
        plane = plane_of(points, w)
        draw_hulls(ax, points, plane, rows=rows, shared_point=_shared_point(verdict, points))
    else:
        draw_flipped(ax, points, w, rows=rows)
    title(ax, _between_hulls(verdict))
    name_hulls(ax, points)
    return figure


def _between_hulls(verdict: Verdict) -> str:
    """What the hulls show, in one line for a title."""
    apart = "separable: the hulls are apart"
    meet = "touching: the hulls meet, and a plane between them has rows on it"
    if not verdict.fit_intercept:
        apart = "separable: the hull of all y·x misses the origin"
        meet = "touching: the origin is on the edge of the hull of all y·x"
    if isinstance(verdict, Separable):
        return apart
    return meet if isinstance(verdict, Touching) else finding(verdict)


def _shared_point(verdict: Verdict, points: PlotPoints) -> NDArray[np.float64] | None:
    """A point of both hulls: the mean, by α, of the certificate's rows of class +1."""
    if isinstance(verdict, Overlapping):
        return verdict.shared_point
    if not isinstance(verdict, Touching):
        return None
    positive = points.y[verdict.rows] == 1
    alpha = verdict.alpha_float[positive]
    mean = points.X[verdict.rows[positive]].T @ (alpha / alpha.sum())
    return np.asarray(mean, dtype=np.float64).ravel()
