"""XOR with the impossible lines: each gets some point wrong, and four inequalities say why."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from novikoff.figures.comparison import XOR
from novikoff.figures.points import PlotPoints, draw_points
from novikoff.figures.style import (
    BLUE,
    GREEN,
    HALO,
    INK,
    ORANGE,
    PURPLE,
    VERMILLION,
    axes_for,
    legend_below,
    new_figure,
)
from novikoff.figures.view import draw_line, frame, plane_of

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
