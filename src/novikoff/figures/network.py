"""A network of one hidden layer of ReLU units, with the table of its activations."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from novikoff.core.options import with_count
from novikoff.errors import ShapeError
from novikoff.figures.diagrams import draw_edge, draw_node, shown_of, spread
from novikoff.figures.style import (
    BLUE,
    MUTED,
    VERMILLION,
    axes_for,
    drawable,
    new_figure,
    number,
    shorten,
)

MOST_UNITS = 6
MOST_NUMBERED = 4  # with more hidden units the numbers on their edges would collide
GAP = 1.4
MOST_ROWS = 12
NARROW = 7  # columns of a table that leave room for three digits

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Layers:
    """a = max(Wx + b, 0), score = v·a + c."""

    W: Matrix
    b: Matrix
    v: Matrix
    c: float

    def activations(self, X: Matrix) -> Matrix:
        """One row a sample, one column a hidden unit."""
        return np.maximum(X @ self.W.T + self.b, 0)


@drawable
def plot_network(
    W: ArrayLike,
    b: ArrayLike,
    v: ArrayLike,
    c: float,
    *,
    X: ArrayLike | None = None,
    y: ArrayLike | None = None,
    names: Sequence[str] | None = None,
    classes: tuple[Any, Any] | None = None,
    figure: Figure | None = None,
) -> Figure:
    """The network a = max(Wx + b, 0), ŷ = sign(v·a + c) as a diagram; with `X`, its table too.

    The table has a row a sample: inputs, activations, score, prediction and, with `y`, the label.
    `classes` are the labels that −1 and +1 stand for; if not given, the two labels in `y`.
    """
    layers = Layers(
        np.atleast_2d(np.asarray(W, dtype=np.float64)),
        np.asarray(b, dtype=np.float64).ravel(),
        np.asarray(v, dtype=np.float64).ravel(),
        float(c),
    )
    k, d = layers.W.shape
    if len(layers.b) != k or len(layers.v) != k:
        raise ShapeError(
            f"W has {k} hidden units, b has {len(layers.b)} and v has {len(layers.v)}."
        )
    names = [f"$x_{{{j + 1}}}$" for j in range(d)] if names is None else list(names)
    if len(names) != d:
        raise ShapeError(f"W has {d} columns, but there are {len(names)} names.")
    tall = 1.1 * min(max(k, d), MOST_UNITS) + 1.2  # of the diagram, in inches
    if X is None:
        figure = new_figure(6.6, max(4.4, tall)) if figure is None else figure
        _draw_diagram(figure.add_subplot(), layers, names)
        return figure
    samples = np.atleast_2d(np.asarray(X, dtype=np.float64))
    rows = 0.3 * min(len(samples), MOST_ROWS) + 0.9  # of the table below it
    if figure is None:
        figure = new_figure(6.6, tall + rows)
    above, below = figure.subplots(2, 1, height_ratios=[tall, rows])
    _draw_diagram(above, layers, names)
    if classes is None:
        found: list[Any] = [] if y is None else np.unique(np.asarray(y)).tolist()
        classes = (found[0], found[1]) if len(found) == 2 else (-1, 1)
    header, cells = _table(layers, samples, y, names, classes)
    _draw_table(below, header, cells, _finding(layers, samples, y, classes), len(samples))
    return figure


def _draw_diagram(ax: Axes, layers: Layers, names: Sequence[str]) -> None:
    axes_for(ax)
    ax.set_axis_off()
    ax.set_aspect("equal")
    k, d = layers.W.shape
    inputs, hidden = shown_of(d, MOST_UNITS), shown_of(k, MOST_UNITS)
    rows_in, rows_hidden = spread(len(inputs), GAP), spread(len(hidden), GAP)
    with_numbers = len(hidden) <= MOST_NUMBERED
    at = 1 / (len(hidden) + 1)  # there the edges are evenly apart, whatever they join
    for i, unit in enumerate(hidden):
        if unit is None:
            continue
        place = (2.9, float(rows_hidden[i]))
        for j, column in enumerate(inputs):
            if column is not None:
                _weighted(
                    ax, (0.0, float(rows_in[j])), place, layers.W[unit, column], at, with_numbers
                )
        _weighted(ax, place, (5.4, 0.0), layers.v[unit], 0.45, True)
        draw_node(ax, place, f"$a_{{{unit + 1}}}$")
        _bias(ax, place, f"$b_{{{unit + 1}}}$", layers.b[unit])
    for j, column in enumerate(inputs):
        if column is not None:
            draw_node(ax, (0.0, float(rows_in[j])), names[column], size=11)
    draw_node(ax, (5.4, 0.0), r"$\hat{y}$")
    _bias(ax, (5.4, 0.0), "$c$", layers.c)
    for units, rows, x in ((inputs, rows_in, 0.0), (hidden, rows_hidden, 2.9)):
        for unit, height in zip(units, rows, strict=True):
            if unit is None:
                ax.text(x, height, "⋮", ha="center", va="center", fontsize=16, color=MUTED)
    low = float(min(rows_in[-1], rows_hidden[-1])) - 0.75
    style = {"ha": "center", "va": "top", "fontsize": 9, "color": MUTED}
    ax.text(0.0, low, "inputs", **style)  # type: ignore[arg-type]
    ax.text(2.9, low, "hidden: max(w·x + b, 0)", **style)  # type: ignore[arg-type]
    ax.text(5.4, low, "sign(v·a + c)", **style)  # type: ignore[arg-type]
    ax.plot([], [], color=BLUE, label="positive weight")
    ax.plot([], [], color=VERMILLION, linestyle="--", label="negative weight")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False, fontsize=9)
    ax.set_xlim(-0.6, 6.1)
    ax.set_ylim(low - 0.35, float(max(rows_in[0], rows_hidden[0])) + 0.5)


def _weighted(
    ax: Axes,
    start: tuple[float, float],
    end: tuple[float, float],
    weight: float,
    at: float,
    with_number: bool,
) -> None:
    draw_edge(
        ax,
        start,
        end,
        number(weight, 3) if with_number else "",
        at=at,
        colour=VERMILLION if weight < 0 else BLUE,
        linestyle="--" if weight < 0 else "-",
    )


def _bias(ax: Axes, place: tuple[float, float], name: str, value: float) -> None:
    ax.text(
        place[0],
        place[1] - 0.34,
        f"{name} = {number(value, 3)}",
        ha="center",
        va="top",
        fontsize=9,
        color=MUTED,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8},
    )


def _table(
    layers: Layers,
    X: Matrix,
    y: ArrayLike | None,
    names: Sequence[str],
    classes: tuple[Any, Any],
) -> tuple[list[str], list[list[str]]]:
    """The header and the first rows of the activation table, as text."""
    inputs, hidden = shown_of(X.shape[1], 4), shown_of(len(layers.b), 4)
    activations = layers.activations(X)
    scores = activations @ layers.v + layers.c
    header = ["…" if j is None else names[j] for j in inputs]
    header += ["…" if u is None else f"$a_{{{u + 1}}}$" for u in hidden]
    header += ["score", r"$\hat{y}$"] + ([] if y is None else ["y"])
    digits = 3 if len(header) <= NARROW else 2
    cells = []
    for i in range(min(len(X), MOST_ROWS)):
        row = ["…" if j is None else number(X[i, j], digits) for j in inputs]
        row += ["…" if u is None else number(activations[i, u], digits) for u in hidden]
        row += [number(scores[i], digits), _label(classes[int(scores[i] >= 0)], classes)]
        if y is not None:
            row.append(_label(np.asarray(y)[i], classes))
        cells.append(row)
    return header, cells


def _finding(layers: Layers, X: Matrix, y: ArrayLike | None, classes: tuple[Any, Any]) -> str:
    if y is None:
        return ""
    scores = layers.activations(X) @ layers.v + layers.c
    right = int(np.count_nonzero((scores >= 0) == (np.asarray(y) == classes[1])))
    return f": {right:,} of {with_count(len(X))} right"


def _draw_table(ax: Axes, header: list[str], cells: list[list[str]], right: str, n: int) -> None:
    ax.set_axis_off()
    first = "" if n <= MOST_ROWS else f" (the first {MOST_ROWS} of {n:,} rows)"
    ax.set_title(f"activation table{right}{first}", fontsize=11)
    table = ax.table(cells, colLabels=header, loc="upper center", cellLoc="center")
    table.auto_set_font_size(False)
    table.set_fontsize(10 if len(header) <= NARROW else 8.5)
    table.scale(1, 1.5)
    for (row, _), cell in table.get_celld().items():
        cell.set_edgecolor("#CCCCCC")
        if row == 0:
            cell.set_facecolor("#F0F0F0")


def _label(label: object, classes: tuple[Any, Any]) -> str:
    """A label for the table: −1 and +1 with their signs, others as they are."""
    text = {"1": "+1", "-1": "−1"}.get(str(label)) if classes == (-1, 1) else None
    return text or shorten(str(label), 12)
