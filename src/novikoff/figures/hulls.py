"""The two convex hulls and a point they share: why no line can pass between the classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, QhullError

from novikoff.figures.labels import name_directly
from novikoff.figures.points import PlotPoints, class_names, draw_points, ring
from novikoff.figures.spread import side_by_side
from novikoff.figures.style import CLASS_COLOURS, GREEN, INK, ORANGE, axes_for, drawable, title
from novikoff.figures.view import Plane, frame, plane_of

HULLS = {-1: "hull of class −1", 1: "hull of class +1"}
ALL = "hull of all y·x"
COMMON = "common point of the two hulls"
ORIGIN = "the origin"


@drawable
def plot_hulls(
    X: object,
    y: object,
    *,
    rows: Sequence[int] = (),
    shared_point: ArrayLike | None = None,
    w: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    classes: tuple[Any, Any] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """The hulls of the two classes, the rows of a certificate and the point both hulls hold.

    In more than two dimensions the plane is the one along `w` (or along the difference of the class
    means): a point that two hulls share is a point that their projections share.
    """
    points = PlotPoints.of(X, y, names=names, classes=classes)
    figure, ax = axes_for(ax)
    draw_hulls(ax, points, plane_of(points, w), rows=rows, shared_point=shared_point)
    shared = "the hulls share a point, so nothing separates"
    title(ax, "the hulls of the two classes" if shared_point is None else shared)
    name_hulls(ax, points)
    return figure


def name_hulls(ax: Axes, points: PlotPoints) -> None:
    """Name the classes with their hulls, and the common point, where there is room."""
    negative, positive = class_names(points)
    classes = [(*negative, HULLS[-1]), (*positive, HULLS[1])]
    name_directly(ax, classes, [(COMMON,)], [(ALL,)], [(ORIGIN,)])


def draw_hulls(
    ax: Axes,
    points: PlotPoints,
    plane: Plane,
    *,
    rows: Sequence[int] = (),
    shared_point: ArrayLike | None = None,
) -> None:
    """Draw points, hulls, rings and the common point into `ax`; the legend is the caller's."""
    places = plane.project(points.X, points.y)
    view = frame(ax, places, plane)
    drawn = side_by_side(ax, view, places, points.y)
    draw_points(ax, points, drawn, keep=rows)
    for sign in (-1, 1):
        own, dashes = places[points.y == sign], "-" if sign > 0 else "--"
        draw_hull(ax, own, CLASS_COLOURS[sign], linestyle=dashes, label=HULLS[sign])
    if len(rows):
        ring(ax, drawn[list(rows)], f"rows of the certificate ({len(rows):,})", points.n)
    if shared_point is not None:
        place = plane.project(np.asarray(shared_point, dtype=np.float64).reshape(1, -1))
        if points.d == 1:
            ax.axvline(place[0, 0], color=INK, linewidth=1, linestyle=":", zorder=1)
        _star(ax, place, places, COMMON)


def draw_hull(
    ax: Axes, places: NDArray[np.float64], colour: str, *, shade: float = 0.13, **style: Any
) -> None:
    """The convex hull of some places, shaded where it is more than a line."""
    corners = hull_corners(places)
    flat = len(corners) < 3
    face = (colour, 0.0 if flat else shade)
    look = {"edgecolor": colour, "linewidth": 1.4, "zorder": 1, **style}
    ax.add_artist(Polygon(corners, closed=not flat, facecolor=face, **look))


def hull_corners(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """The corners of the convex hull, in order; the two ends where all lie on one line."""
    places = np.unique(places, axis=0)
    if len(places) < 3:
        return places
    low = places.min(axis=0)
    size = places.max(axis=0) - low
    try:
        hull = ConvexHull((places - low) / np.where(size > 0, size, 1.0))
    except QhullError:  # all on one line, along which `unique` has sorted them
        return places[[0, -1]]
    return np.asarray(places[hull.vertices])


def draw_flipped(
    ax: Axes, points: PlotPoints, w: ArrayLike | None = None, *, rows: Sequence[int] = ()
) -> None:
    """Without an intercept: every yᵢxᵢ, and their hull, which must miss the origin.

    Class −1 is mirrored through the origin; a hyperplane through the origin separates the classes
    exactly if it has all the mirrored points on one side.
    """
    signs = points.y.astype(np.float64)
    plane = plane_of(points, w)
    places = plane.project(points.X) * signs[:, None]
    view = frame(ax, np.vstack([places, [[0.0, 0.0]]]), plane)
    if points.d == 1:
        ax.set_yticks([])
        ax.set_ylabel("")
    else:
        ax.set_ylabel(f"{plane.labels[1]}, times y")
    ax.set_xlabel(f"{plane.labels[0]}, times y")
    drawn = side_by_side(ax, view, places, points.y)
    draw_points(ax, points, drawn, keep=rows)
    draw_hull(ax, places, GREEN, label=ALL)
    if len(rows):
        ring(ax, drawn[list(rows)], f"rows of the certificate ({len(rows):,})", points.n)
    _star(ax, np.zeros((1, 2)), places, ORIGIN)


def _star(ax: Axes, place: NDArray[np.float64], places: NDArray[np.float64], label: str) -> None:
    """Mark the point the proof is about: over the data, but under a row that stands just there."""
    size = places.max(axis=0) - places.min(axis=0)
    taken = bool(np.any(np.all(np.abs(places - place) <= 0.01 * size, axis=1)))
    ax.scatter(
        place[:, 0],
        place[:, 1],
        s=420 if taken else 260,
        marker="*",
        c=ORANGE,
        edgecolors=INK,
        linewidths=1,
        label=label,
        zorder=2.5 if taken else 6,
    )
