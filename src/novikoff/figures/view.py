"""The window of a figure onto its plane, and the straight things drawn across it."""

from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import AxLine
from matplotlib.patches import FancyArrowPatch, Polygon
from matplotlib.text import Annotation
from numpy.typing import ArrayLike

from novikoff.figures.plane import Plane, Vector
from novikoff.figures.style import BAND, HALO, INK, note, wrap_label

__all__ = ["View", "crosses", "draw_arrow", "draw_band", "draw_line", "frame"]


@dataclass(frozen=True)
class View:
    """The rectangle that is shown, and whether both of its axes have one scale."""

    centre: Vector
    half: Vector
    equal: bool
    one_column: bool = False

    @property
    def reach(self) -> float:
        """Longer than any way across: a line this long leaves the window on both sides."""
        return float(4 * self.half.sum())


def frame(ax: Axes, places: ArrayLike, plane: Plane) -> View:
    """Set the limits around `places`; one scale for both axes where that leaves them readable."""
    places = np.asarray(places, dtype=np.float64)
    low, high = places.min(axis=0), places.max(axis=0)
    half = (high - low) / 2
    largest = float(half.max()) or max(1.0, float(np.abs(low).max()) / 2)
    half[half == 0] = largest
    # Perpendicular must look perpendicular, unless one column would be flattened to a line.
    equal = plane.axes.shape[1] > 1 and bool(half.max() <= 12 * half.min())
    if equal:
        half = np.maximum(half, 0.62 * half.max())
    half = 1.14 * half
    centre = (low + high) / 2
    ax.set_xlim(centre[0] - half[0], centre[0] + half[0])
    ax.set_ylim(centre[1] - half[1], centre[1] + half[1])
    ax.set_aspect("equal" if equal else "auto")
    ax.set_xlabel(wrap_label(plane.labels[0]))
    ax.set_ylabel(wrap_label(plane.labels[1]))
    if plane.axes.shape[1] == 1:
        ax.set_ylim(-2, 2)
        ax.set_yticks([-1, 1], ["−1", "+1"])
        centre, half = np.array([centre[0], 0.0]), np.array([half[0], 2.0])
    elif not equal and not plane.is_projection:
        note(ax, "the two axes have different scales")
    return View(centre, half, equal, one_column=plane.axes.shape[1] == 1)


def foot(view: View, a: Vector, c: float) -> Vector:
    """The point of the line a·z + c = 0 nearest the middle of the window."""
    return np.asarray(view.centre - (a @ view.centre + c) / (a @ a) * a)


def crosses(view: View, a: Vector, c: float) -> bool:
    """Whether the line a·z + c = 0 passes through the window."""
    return bool(np.any(a)) and bool(abs(a @ view.centre + c) <= np.abs(a) @ view.half)


def draw_line(
    ax: Axes, view: View, a: Vector, c: float, *, label: str = "", **style: object
) -> AxLine | None:
    """Draw a·z + c = 0 across the window; nothing if there is no line, or not there."""
    if not np.any(a):
        return None
    a, c = _scaled(a, c)
    start = foot(view, a, c)
    along = np.array([-a[1], a[0]]) / np.hypot(*a)
    options: dict[str, object] = {"color": INK, "linewidth": 1.6, "zorder": 2, **style}
    if not crosses(view, a, c):
        if label:
            ax.plot([], [], label=f"{label}, outside this picture", **options)  # type: ignore[arg-type]
        return None
    end = start + along * view.half.max()
    return ax.axline(tuple(start), tuple(end), label=label, **options)  # type: ignore[arg-type]


def draw_band(ax: Axes, view: View, a: Vector, c: float, width: float, label: str) -> Polygon:
    """Shade |a·z + c| ≤ width·‖a‖: the margin on both sides of the separator."""
    a, c = _scaled(a, c)
    start = foot(view, a, c)
    across = a / np.hypot(*a)
    along = np.array([-across[1], across[0]]) * view.reach
    corners = [
        start + width * across + along,
        start + width * across - along,
        start - width * across - along,
        start - width * across + along,
    ]
    band = Polygon(np.array(corners), facecolor=BAND, alpha=0.65, zorder=0.5, label=label)
    ax.add_artist(band)  # add_patch would stretch the window to hold it
    band.set_clip_path(ax.patch)
    return band


def draw_arrow(
    ax: Axes,
    start: Vector,
    end: Vector,
    name: str,
    colour: str,
    *,
    linestyle: str = "-",
    away: tuple[float, float] | None = None,
) -> tuple[FancyArrowPatch, Annotation]:
    """An arrow with its name beside the tip, on the side it points to (or `away`, in points)."""
    arrow = FancyArrowPatch(
        tuple(start),
        tuple(end),
        arrowstyle="-|>",
        mutation_scale=14,
        shrinkA=0,
        shrinkB=0,
        linewidth=2,
        linestyle=linestyle,
        color=colour,
        zorder=5,
    )
    ax.add_artist(arrow)
    if away is None:
        step = np.asarray(end) - np.asarray(start)
        length = float(np.hypot(*step)) or 1.0
        away = (9 * step[0] / length, 9 * step[1] / length)
    text = ax.annotate(
        name,
        tuple(end),
        xytext=away,
        textcoords="offset points",
        ha="center",
        va="center",
        color=colour,
        fontsize=11,
        fontweight="bold",
        path_effects=HALO,
        zorder=6,
    )
    return arrow, text


def _scaled(a: Vector, c: float) -> tuple[Vector, float]:
    """The same line with weights near 1, so that squares neither overflow nor vanish."""
    size = float(np.abs(a).max())
    return np.asarray(a / size), c / size
