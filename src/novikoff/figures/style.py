"""How every figure looks: colours, markers, the words of the legends, and a fresh canvas.

The colours are those of Okabe and Ito, which the colour-blind can tell apart; the classes differ
in their markers too, and lines in their dashes, so that a figure survives a grey printer.
Figures are made without pyplot: nothing is registered anywhere, and no display is needed.

Numbers too large to draw are refused with an error that says what to do.
"""

import textwrap
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import MaxNLocator, StrMethodFormatter

from novikoff.errors import DataError

BLUE = "#0072B2"
ORANGE = "#E69F00"
GREEN = "#009E73"
VERMILLION = "#D55E00"
SKY = "#56B4E9"
PURPLE = "#CC79A7"
INK = "#222222"
MUTED = "#6E6E6E"
BAND = "#D9D9D9"

CLASS_COLOURS = {-1: VERMILLION, 1: BLUE}
CLASS_MARKERS = {-1: "o", 1: "^"}

WIDEST_LEGEND = 76  # letters side by side: wider than that, it would squeeze the picture
LONGEST = 30  # letters of a name in a legend
TITLE_SIZE = 11  # points
WIDTH_OF_LETTERS = 0.53  # of a title, of their height, about

# A white outline keeps a word readable where it crosses points and lines.
HALO = [withStroke(linewidth=3, foreground="white")]


def new_figure(width: float, height: float) -> Figure:
    """A figure of its own, in inches, that makes room for what stands outside its axes."""
    return Figure(figsize=(width, height), layout="constrained", facecolor="white")


def axes_for(ax: Axes | None, width: float = 6.0, height: float = 5.6) -> tuple[Figure, Axes]:
    """The axes to draw in, the caller's or new ones, with the figure they belong to."""
    if ax is None:
        figure = new_figure(width, height)
        ax = figure.add_subplot()
    else:
        root = ax.get_figure(root=True)
        assert isinstance(root, Figure), "axes without a figure"
        figure = root
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(colors=MUTED, labelsize=9)
    return figure, ax


def legend_below(ax: Axes, columns: int = 2, handles: Iterable[Any] | None = None) -> None:
    """A legend under the axes, where no point can hide behind it."""
    if handles is None:
        handles, _ = ax.get_legend_handles_labels()
    handles = list(handles)
    widths = sorted(len(str(handle.get_label())) for handle in handles)
    if sum(widths[-columns:]) > WIDEST_LEGEND:
        columns = 1
    ax.legend(
        handles=handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        # In units of the font size: below the ticks and the lines of the axis label.
        borderaxespad=4.4 + 1.3 * ax.get_xlabel().count("\n"),
        ncols=columns,
        frameon=False,
        fontsize=9,
    )


def title(ax: Axes, text: str) -> None:
    """A title that leaves room for a note under it, in two lines where panels are narrow."""
    place = ax.get_subplotspec()
    panels = 1 if place is None else place.get_gridspec().ncols
    points = ax.figure.bbox.width / ax.figure.dpi * 72 / panels
    letters = int(points / (WIDTH_OF_LETTERS * TITLE_SIZE))
    ax.set_title(textwrap.fill(text, max(20, letters)), fontsize=TITLE_SIZE, pad=16)


def note(ax: Axes, text: str) -> None:
    """A small remark above the axes: what the figure leaves out, or how it was made."""
    for earlier in ax.texts:
        if earlier.get_gid() == "note":
            earlier.set_text(f"{earlier.get_text()}; {text}")
            return
    ax.annotate(
        text,
        (1, 1),
        xycoords="axes fraction",
        xytext=(0, 3),
        textcoords="offset points",
        ha="right",
        fontsize=8,
        color=MUTED,
        gid="note",
    )


def class_label(sign: int, classes: tuple[Any, Any]) -> str:
    """What a legend calls a class: its label, and the sign it stands for."""
    shown = "+1" if sign > 0 else "−1"
    label = shorten(str(classes[(sign + 1) // 2]))
    return f"class {shown}" if classes == (-1, 1) else f"{label} (class {shown})"


def number(value: float, digits: int = 4) -> str:
    """A number for a label: a few significant digits, a real minus sign."""
    return f"{value:.{digits}g}".replace("-", "−")


def shorten(text: str, most: int = LONGEST) -> str:
    """A name that leaves room for the picture: its middle is left out where it is long."""
    if len(text) <= most:
        return text
    return f"{text[: most - most // 3 - 1].rstrip()}…{text[len(text) - most // 3 :].lstrip()}"


def wrap_label(text: str, width: int = 44) -> str:
    """The label of an axis: on two lines where it is long, and shortened where those do not do."""
    return "\n".join(
        line for part in text.split("\n") for line in textwrap.wrap(shorten(part, 2 * width), width)
    )


def whole_numbers(axis: Axis) -> None:
    """Ticks for counts: whole numbers, few enough not to run into each other, 10,000 with comma."""
    axis.set_major_locator(MaxNLocator(nbins=6, integer=True))
    axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))


P = ParamSpec("P")
R = TypeVar("R")


def drawable(function: Callable[P, R]) -> Callable[P, R]:
    """Let a figure refuse numbers whose sums, squares or ratios float64 does not hold.

    Axes end far below 1.8e308 and far above 5e-324: they have margins, and their lengths ratios.
    """

    @wraps(function)
    def draw(*arguments: P.args, **options: P.kwargs) -> R:
        try:
            with np.errstate(over="raise", divide="raise", invalid="raise"):
                return function(*arguments, **options)
        except (FloatingPointError, OverflowError) as error:
            raise DataError(
                "some numbers are too large, or too close to 0, to be drawn (the largest that can "
                "be are about 1e150, the smallest 1e-150): scale the columns."
            ) from error

    return draw
