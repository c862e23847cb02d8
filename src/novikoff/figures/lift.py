"""The lift of XOR: with x₁x₂ as a third coordinate, a plane separates what no line could."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.axes3d import Axes3D
from numpy.typing import ArrayLike

from novikoff.errors import ShapeError
from novikoff.figures.comparison import XOR
from novikoff.figures.points import PlotPoints, draw_points
from novikoff.figures.style import (
    CLASS_COLOURS,
    CLASS_MARKERS,
    GREEN,
    INK,
    MUTED,
    TITLE_SIZE,
    axes_for,
    class_label,
    drawable,
    legend_below,
    new_figure,
)
from novikoff.figures.view import frame, plane_of


@drawable
def plot_lift(
    X: object = XOR[0],
    y: object = XOR[1],
    w: ArrayLike = (2.0, 2.0, -4.0),
    b: float = -1.0,
    *,
    classes: tuple[Any, Any] | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Points of two columns, and the same lifted to (x₁, x₂, x₁x₂) with the plane w·ψ(x) + b = 0.

    Without arguments: XOR and its plane of widest margin. On the left the plane's shadow: where it
    meets the surface x₃ = x₁x₂ that the lift puts every point on.
    """
    points = PlotPoints.of(X, y, classes=classes)
    w = np.asarray(w, dtype=np.float64)
    if points.d != 2:
        raise ShapeError(f"the lift is drawn from two columns to three; X has {points.d}.")
    if w.shape != (3,):
        raise ShapeError(f"the lift's plane has three weights, for x₁, x₂, x₁x₂; w has {w.size}.")
    if figure is None:
        figure = new_figure(7.2, 4.4)
    left = figure.add_subplot(1, 2, 1)
    right = figure.add_subplot(1, 2, 2, projection="3d")
    assert isinstance(right, Axes3D)
    _draw_plane(left, points, w, b)
    _draw_space(right, points, w, b)
    return figure


def _draw_plane(ax: Axes, points: PlotPoints, w: Any, b: float) -> None:
    axes_for(ax)
    places = np.asarray(points.X, dtype=np.float64)
    view = frame(ax, places, plane_of(points))
    draw_points(ax, points, places)
    x1, x2 = _grid(view.centre, view.half, 201)
    scores = w[0] * x1 + w[1] * x2 + w[2] * x1 * x2 + b
    ax.contourf(
        x1,
        x2,
        scores,
        levels=[-np.inf, 0, np.inf],
        colors=[CLASS_COLOURS[-1], CLASS_COLOURS[1]],
        alpha=0.12,
    )
    ax.contour(x1, x2, scores, levels=[0], colors=GREEN, linewidths=1.8)
    ax.plot([], [], color=GREEN, linewidth=1.8, label="where the plane meets the surface")
    ax.set_xlabel("$x_1$")
    ax.set_ylabel("$x_2$")
    ax.set_title("in two dimensions:\nthe plane's shadow", fontsize=TITLE_SIZE)
    legend_below(ax)


def _draw_space(ax: Axes3D, points: PlotPoints, w: Any, b: float) -> None:
    # Matplotlib sorts whole artists by depth, and would lay the plane over the points beyond it.
    ax.computed_zorder = False
    places = np.asarray(points.X, dtype=np.float64)
    heights = places[:, 0] * places[:, 1]
    for sign in (-1, 1):
        own = points.y == sign
        ax.scatter(
            places[own, 0],
            places[own, 1],
            heights[own],
            s=70,
            c=CLASS_COLOURS[sign],
            marker=CLASS_MARKERS[sign],
            edgecolors=INK,
            depthshade=False,
            label=class_label(sign, points.classes),
            zorder=5,
        )
    low, high = places.min(axis=0), places.max(axis=0)
    half = np.maximum((high - low) / 2, 1e-9) * 1.12
    x1, x2 = _grid((low + high) / 2, half, 21)
    ax.plot_wireframe(
        x1, x2, x1 * x2, rstride=4, cstride=4, color=MUTED, linewidth=0.5, alpha=0.6, zorder=2
    )
    ax.plot([], [], [], color=MUTED, linewidth=0.8, label="the surface $x_3 = x_1 x_2$")
    if w[2]:
        plane = -(w[0] * x1 + w[1] * x2 + b) / w[2]
        ax.plot_surface(x1, x2, plane, color=GREEN, alpha=0.3, linewidth=0, shade=False, zorder=1)
        ax.plot([], [], [], color=GREEN, linewidth=6, alpha=0.4, label="the separating plane")
        shadow = -(places @ w[:2] + b) / w[2]
        for place, height, foot in zip(places, heights, shadow, strict=True):
            ax.plot(
                [place[0]] * 2, [place[1]] * 2, [height, foot], color=INK, linestyle=":", zorder=4
            )  # how far, and on which side, each point is from the plane
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.set_major_locator(MaxNLocator(4))
        axis.set_tick_params(labelsize=8, colors=MUTED)
    ax.set_xlabel("$x_1$")
    ax.set_ylabel("$x_2$")
    ax.set_zlabel("$x_1 x_2$")
    ax.view_init(elev=18, azim=-62)
    scores = np.column_stack([places, heights]) @ w + b
    finding = "a plane separates" if np.all(points.y * scores > 0) else "the plane fails"
    ax.set_title(f"lifted to $(x_1, x_2, x_1 x_2)$:\n{finding}", fontsize=TITLE_SIZE)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.02), ncols=2, frameon=False, fontsize=9)


def _grid(centre: Any, half: Any, steps: int) -> tuple[Any, Any]:
    x1, x2 = np.meshgrid(
        np.linspace(centre[0] - half[0], centre[0] + half[0], steps),
        np.linspace(centre[1] - half[1], centre[1] + half[1], steps),
    )
    return x1, x2
