"""The figures of the textbooks, which need no data: separable beside not, XOR, and its lift.

Linearly separable beside not: a line between the classes, and two hulls that meet. XOR with the
impossible lines: each gets some point wrong, and four inequalities say why. The lift of XOR: with
x₁x₂ as a third coordinate, a plane separates what no line could.
"""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from mpl_toolkits.mplot3d.axes3d import Axes3D
from numpy.typing import ArrayLike

from novikoff.errors import ShapeError
from novikoff.figures.hulls import draw_hulls, name_hulls
from novikoff.figures.points import PlotPoints, draw_points
from novikoff.figures.style import (
    BLUE,
    CLASS_COLOURS,
    CLASS_MARKERS,
    GREEN,
    HALO,
    INK,
    MUTED,
    ORANGE,
    PURPLE,
    TITLE_SIZE,
    VERMILLION,
    axes_for,
    class_label,
    drawable,
    legend_below,
    new_figure,
    title,
)
from novikoff.figures.verdict import draw_separator, name_separator
from novikoff.figures.view import draw_line, frame, plane_of

# Two clouds whose widest street is x₁ + x₂ = 8; its sides run through rows 0, 1 and 7, 8.
SEPARABLE = (
    np.array(
        [
            [2, 4], [4, 2], [1, 2], [2, 1], [1, 4], [3, 1], [2, 3],
            [4, 6], [6, 4], [7, 5], [5, 7], [6, 7], [7, 7], [5, 6],
        ],
        dtype=np.float64,
    ),
    np.repeat([-1, 1], 7),
)  # fmt: skip
NAMES = ("x1", "x2")
SEPARATOR = (np.array([1.0, 1.0]), -8.0)

# The same with row 6 moved among the other class, and a point that both hulls then hold.
MOVED = (np.vstack([SEPARABLE[0][:6], [[6.0, 6.0]], SEPARABLE[0][7:]]), SEPARABLE[1])
SHARED = np.array([5.3, 5.3])

XOR = (
    np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.float64),
    np.array([-1, 1, 1, -1]),
)


@drawable
def plot_comparison(
    separable: tuple[Any, Any] = SEPARABLE,
    separator: tuple[ArrayLike, float] = SEPARATOR,
    not_separable: tuple[Any, Any] = MOVED,
    *,
    shared_point: ArrayLike | None = None,
    figure: Figure | None = None,
) -> Figure:
    """Two data sets, each (X, y), one above the other: the first one with its `separator` (w, b).

    Without arguments, a textbook's example: the second one is the first one with one point moved.
    """
    if figure is None:
        figure = new_figure(6.0, 10.0)
    above, below = figure.subplots(2, 1)
    for ax in (above, below):
        axes_for(ax)
    apart = PlotPoints.of(*separable, names=NAMES if separable is SEPARABLE else None)
    draw_separator(above, apart, *separator)
    title(above, "linearly separable")
    points = PlotPoints.of(*not_separable, names=NAMES if not_separable is MOVED else None)
    if shared_point is None and not_separable is MOVED:
        shared_point = SHARED
    draw_hulls(below, points, plane_of(points), shared_point=shared_point)
    title(below, "not linearly separable")
    name_separator(above, apart)
    name_hulls(below, points)
    return figure


# (w, b), the colour and the dashes of each attempt; what it gets wrong is computed.
ATTEMPTS = (
    ((1.0, 1.0), -0.5, GREEN, "-"),
    ((-1.0, -1.0), 1.5, PURPLE, "--"),
    ((1.0, 0.0), -0.5, ORANGE, "-."),
)
INEQUALITIES = (
    (r"$(0,0)$ is class $-1$:", r"$b < 0$", VERMILLION),
    (r"$(0,1)$ is class $+1$:", r"$w_2 + b > 0$", BLUE),
    (r"$(1,0)$ is class $+1$:", r"$w_1 + b > 0$", BLUE),
    (r"$(1,1)$ is class $-1$:", r"$w_1 + w_2 + b < 0$", VERMILLION),
)


def plot_xor(figure: Figure | None = None) -> Figure:
    """The four points of XOR, three lines that fail, and the contradiction behind every failure."""
    if figure is None:
        figure = new_figure(6.0, 8.8)
    above, below = figure.subplots(2, 1, height_ratios=[1.3, 1])
    _draw_attempts(above)
    _write_contradiction(below)
    return figure


def _draw_attempts(ax: Axes) -> None:
    axes_for(ax)
    points = PlotPoints.of(*XOR, names=["$x_1$", "$x_2$"])
    plane = plane_of(points)
    view = frame(ax, np.array([[-0.3, -0.3], [1.3, 1.3]]), plane)
    draw_points(ax, points, points.X)
    for w, b, colour, dashes in ATTEMPTS:
        scores = points.y * (points.X @ np.array(w) + b)
        wrong = ", ".join(f"({x:.0f},{z:.0f})" for x, z in points.X[scores <= 0])
        draw_line(
            ax,
            view,
            np.array(w),
            b,
            label=f"wrong about {wrong}",
            color=colour,
            linestyle=dashes,
        )
    for (x, z), sign in zip(points.X, points.y, strict=True):
        ax.annotate(
            f"({x:.0f},{z:.0f}) → {'+1' if sign > 0 else '−1'}",
            (x, z),
            xytext=(0, 11 if z else -13),
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=9,
            path_effects=HALO,
        )
    ax.set_xticks([0, 1])
    ax.set_yticks([0, 1])
    ax.set_title("every line gets some point wrong")
    legend_below(ax)


def _write_contradiction(ax: Axes) -> None:
    ax.set_axis_off()
    ax.set_title("why: four inequalities that cannot all hold")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1)
    height = 0.9
    for point, inequality, colour in INEQUALITIES:
        ax.text(0.02, height, point, fontsize=12, color=colour)
        ax.text(0.46, height, inequality, fontsize=12, color=colour)
        height -= 0.095
    ax.axhline(height + 0.04, 0.02, 0.98, color=INK, linewidth=0.8)
    height -= 0.06
    for first, second, colour in (
        ("the two of class $+1$, added:", r"$w_1 + w_2 + 2b > 0$", BLUE),
        ("the two of class $-1$, added:", r"$w_1 + w_2 + 2b < 0$", VERMILLION),
    ):
        ax.text(0.02, height, first, fontsize=12, color=colour)
        ax.text(0.56, height, second, fontsize=12, color=colour)
        height -= 0.095
    ax.text(
        0.02,
        height - 0.05,
        "No $w_1, w_2, b$ can do both. In the picture: the middle\n"
        "$(½, ½)$ lies between the two points of class $+1$ and\n"
        "between the two of class $-1$, so it would have to be\n"
        "on both sides of the line.",
        fontsize=11,
        va="top",
        linespacing=1.5,
    )


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
