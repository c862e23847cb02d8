"""The pieces of a diagram: circles, the lines between them, and the numbers on the lines."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Circle
from numpy.typing import NDArray

from novikoff.figures.style import HALO, INK

__all__ = ["draw_edge", "draw_node", "shown_of", "spread"]

RADIUS = 0.28


def draw_node(
    ax: Axes,
    place: tuple[float, float],
    text: str,
    *,
    colour: str = INK,
    size: float = 12,
) -> None:
    """A circle with a name in it."""
    ax.add_patch(
        Circle(place, RADIUS, facecolor="white", edgecolor=colour, linewidth=1.6, zorder=3)
    )
    ax.text(*place, text, ha="center", va="center", fontsize=size, color=colour, zorder=4)


def draw_edge(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    text: str = "",
    *,
    at: float = 0.4,
    colour: str = INK,
    linestyle: str = "-",
    width: float = 1.3,
) -> None:
    """An arrow from circle to circle with its number on it, `at` that part of the way."""
    a, b = np.array(start), np.array(end)
    unit = (b - a) / np.hypot(*(b - a))
    ax.annotate(
        "",
        tuple(b - RADIUS * unit),
        tuple(a + RADIUS * unit),
        arrowprops={
            "arrowstyle": "-|>",
            "color": colour,
            "linestyle": linestyle,
            "linewidth": width,
            "shrinkA": 0,
            "shrinkB": 0,
        },
        zorder=1,
    )
    if text:
        x, y = a + at * (b - a)
        ax.text(
            x,
            y,
            text,
            ha="center",
            va="center",
            fontsize=9,
            color=colour,
            path_effects=HALO,
            zorder=2,
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.8, "alpha": 0.9},
        )


def spread(count: int, gap: float = 1.0) -> NDArray[np.float64]:
    """Heights for `count` circles in a column, from the top down, around 0."""
    return np.asarray(gap * ((count - 1) / 2 - np.arange(count)), dtype=np.float64)


def shown_of(count: int, most: int) -> Sequence[int | None]:
    """Which of `count` units to draw: all, or the first ones, None for the gap, and the last."""
    if count <= most:
        return list(range(count))
    return [*range(most - 2), None, count - 1]
