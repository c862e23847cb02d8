"""The figure that a verdict asks for: a separator with its band, or the hulls that meet."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from novikoff.core.options import with_count
from novikoff.figures.hulls import draw_flipped, draw_hulls, name_hulls
from novikoff.figures.points import PlotPoints
from novikoff.figures.separator import draw_separator, name_separator
from novikoff.figures.style import axes_for, drawable, number, title
from novikoff.figures.view import plane_of
from novikoff.separability.verdicts import Overlapping, Separable, Touching, Verdict


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
