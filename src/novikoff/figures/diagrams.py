"""The perceptron as a diagram: inputs, weights, bias, sum, threshold.

Circles, the lines between them, and the numbers on the lines are drawn here for all diagrams.
"""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle
from numpy.typing import ArrayLike, NDArray

from novikoff.errors import ShapeError
from novikoff.figures.style import BLUE, GREEN, HALO, INK, MUTED, axes_for, drawable, note, number

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


MOST_INPUTS = 6


@drawable
def plot_perceptron(
    w: ArrayLike | None = None,
    b: float | None = None,
    *,
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Figure:
    """Inputs x, weights w, bias b, the sum Σ and the threshold; numbers where they are given."""
    weights = None if w is None else np.asarray(w, dtype=np.float64).ravel()
    d = len(weights) if weights is not None else len(names) if names is not None else 3
    if names is not None and len(names) != d:
        raise ShapeError(f"there are {d} weights, but {len(names)} names.")
    figure, ax = axes_for(ax, 8.2, 4.6)
    ax.set_axis_off()
    ax.set_aspect("equal")
    shown = shown_of(d, MOST_INPUTS)
    heights = spread(len(shown) + 1, 0.95)
    total, threshold = (3.4, 0.0), (5.1, 0.0)
    draw_edge(ax, (0.0, float(heights[0])), total, _with("b", b), colour=GREEN)
    draw_node(ax, (0.0, float(heights[0])), "1", colour=GREEN)
    for j, height in zip(shown, heights[1:], strict=True):
        place = (0.0, float(height))
        if j is None:
            ax.text(*place, "⋮", ha="center", va="center", fontsize=16, color=MUTED)
            continue
        weight = None if weights is None else float(weights[j])
        draw_edge(ax, place, total, _with(f"w_{{{j + 1}}}", weight), colour=BLUE)
        draw_node(ax, place, f"$x_{{{j + 1}}}$", colour=BLUE)
        if names is not None:
            ax.text(-RADIUS - 0.12, height, names[j], ha="right", va="center", fontsize=10)
    draw_edge(ax, total, threshold)
    draw_node(ax, total, "Σ", size=15)
    _draw_threshold(ax, threshold)
    draw_edge(ax, threshold, (6.7, 0.0))
    ax.text(6.5, 0.0, r"$\hat{y} = \pm 1$", ha="left", va="center", fontsize=13)
    _explain(ax, total[0], threshold[0], float(heights[0]))
    left = -0.6 if names is None else -0.6 - 0.13 * max(len(name) for name in names)
    ax.set_xlim(left, 7.5)
    ax.set_ylim(float(heights[-1]) - 0.75, float(heights[0]) + 0.6)
    return figure


MOST_BARS = 20


@drawable
def plot_multipliers(
    rows: Sequence[int], shares: Sequence[float], *, ax: Axes | None = None
) -> Figure:
    """A bar for each row of a certificate, its share of all α, the largest ones first."""
    order = np.argsort(-np.asarray(shares), kind="stable")[:MOST_BARS]
    figure, ax = axes_for(ax, 6.0, 1.2 + 0.26 * len(order))
    ax.barh(np.arange(len(order)), np.asarray(shares)[order], color=BLUE)
    ax.set_yticks(np.arange(len(order)), [f"row {rows[i]}" for i in order])
    ax.invert_yaxis()
    ax.set_xlabel("share of α")
    if len(order) < len(rows):
        note(ax, f"the largest {len(order)} of {len(rows):,}")
    return figure


def _draw_threshold(ax: Axes, place: tuple[float, float]) -> None:
    draw_node(ax, place, "")
    x, y = place
    reach = 0.6 * RADIUS
    ax.plot(
        [x - reach, x, x, x + reach],
        [y - 0.5 * reach, y - 0.5 * reach, y + 0.5 * reach, y + 0.5 * reach],
        color=INK,
        linewidth=1.8,
        zorder=4,
    )


def _explain(ax: Axes, total: float, threshold: float, top: float) -> None:
    """Name the parts above and below, where no edge passes."""
    style = {"ha": "center", "fontsize": 10, "color": MUTED}
    below = -RADIUS - 0.3
    ax.text(total + 0.1, below, "score", va="top", **style)  # type: ignore[arg-type]
    ax.text(total + 0.1, below - 0.28, r"$s = w \cdot x + b$", va="top", **style)  # type: ignore[arg-type]
    ax.text(threshold, below, "threshold", va="top", **style)  # type: ignore[arg-type]
    ax.text(threshold, below - 0.28, "the sign of s", va="top", **style)  # type: ignore[arg-type]
    ax.text(0.0, top + RADIUS + 0.08, "bias", va="bottom", **style)  # type: ignore[arg-type]


def _with(name: str, value: float | None) -> str:
    return f"${name}$" if value is None else f"${name}$ = {number(value, 3)}"
