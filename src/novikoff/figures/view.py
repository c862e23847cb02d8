"""The window of a figure onto its plane, and the straight things drawn across it.

The plane of a figure: the data's own two columns, or a projection that says it is one.

In more than two dimensions the figure shows the plane that contains w and the first principal
direction orthogonal to it. Along w nothing is lost: scores, the separator and the margin are what
they are in the data's space. Where no w is given, the difference of the class means stands in.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import AxLine
from matplotlib.patches import FancyArrowPatch, Polygon
from matplotlib.text import Annotation
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from novikoff.figures.points import PlotPoints
from novikoff.figures.style import BAND, HALO, INK, note, wrap_label
from novikoff.matrix.problem import Matrix

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Plane:
    """Two orthonormal directions (`axes`, 2 × d), their labels, and whether they project."""

    axes: NDArray[np.float64]
    labels: tuple[str, str]
    is_projection: bool

    def project(self, X: Matrix, y: ArrayLike | None = None) -> NDArray[np.float64]:
        """Where the rows of `X` stand in the figure; one column alone is set off by the label."""
        places: NDArray[np.float64] = np.asarray(X @ self.axes.T, dtype=np.float64)
        if self.axes.shape[1] == 1 and y is not None:
            places[:, 1] = np.asarray(y)
        return places

    def vector(self, w: ArrayLike) -> Vector:
        """A direction of the data's space, in the figure."""
        return np.asarray(self.axes @ np.asarray(w, dtype=np.float64))

    def cut(self, X: Matrix, w: ArrayLike, b: float) -> tuple[Vector, float]:
        """The line a·z + c = 0 in which w·x + b = 0 cuts the plane, laid through the mean of X."""
        w = np.asarray(w, dtype=np.float64)
        a = self.vector(w)
        if not self.is_projection:
            return a, b
        mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        return a, float(w @ mean + b - a @ self.vector(mean))


def plane_of(points: PlotPoints, w: ArrayLike | None = None) -> Plane:
    """The plane to draw `points` in: their two columns, or the projection along `w`."""
    if points.d == 1:
        return Plane(np.array([[1.0], [0.0]]), (points.names[0], "class"), False)
    if points.d == 2:
        return Plane(np.eye(2), (points.names[0], points.names[1]), False)
    u, along = _unit(w), "w"
    if u is None:
        u, along = _unit(_difference_of_means(points)), "the difference of the class means"
    if u is None:
        u, along = np.eye(points.d)[0], points.names[0]
    v = first_principal_direction(points.X, u)
    across = (
        f"first principal direction\northogonal to {'w' if along == 'w' else 'it'} (projection)"
    )
    first = "w·x / ‖w‖" if along == "w" else f"along {along} (projection)"
    return Plane(np.vstack([u, v]), (first, across), True)


def plane_spanned_by(
    points: PlotPoints, w: ArrayLike, x: ArrayLike, labels: tuple[str, str]
) -> Plane:
    """The plane through the origin that holds both `w` and `x`: nothing of either is lost."""
    if points.d <= 2:
        return plane_of(points)
    u = _unit(w)
    if u is None:
        return plane_of(points, x)
    x = np.asarray(x, dtype=np.float64)
    v = _unit(x - (x @ u) * u)
    if v is None or np.linalg.norm(x - (x @ u) * u) < 1e-9 * np.linalg.norm(x):
        return plane_of(points, w)
    return Plane(np.vstack([u, v]), labels, True)


def first_principal_direction(X: Matrix, u: Vector) -> Vector:
    """The unit direction, orthogonal to the unit vector `u`, in which the rows vary most."""
    d = X.shape[1]
    mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
    scale = float(abs(X).max()) or 1.0  # so that squares neither overflow nor vanish

    def scatter(v: Vector) -> Vector:
        v = v.ravel()
        v = v - (u @ v) * u
        z = (X @ v - mean @ v) / scale
        back = (X.T @ z - mean * z.sum()) / scale
        return np.asarray(back - (u @ back) * u)

    # Of two fixed random directions at least one is not along u.
    starts = np.random.default_rng(0).standard_normal((2, d))
    starts -= np.outer(starts @ u, u)
    start = max(starts, key=np.linalg.norm)
    v = start
    if np.any(scatter(start)):
        operator: Any = LinearOperator((d, d), matvec=scatter, dtype=np.float64)
        _, vectors = eigsh(operator, k=1, v0=start, tol=1e-4)
        v = vectors[:, 0] - (u @ vectors[:, 0]) * u
        if np.linalg.norm(v) < 0.5:  # rounding errors only: the rows vary along u alone
            v = start
    v = v / np.linalg.norm(v)
    v = v - (u @ v) * u
    # The sign is a convention, so that the same data always make the same figure.
    return np.asarray(v if v[np.argmax(np.abs(v))] > 0 else -v)


def _difference_of_means(points: PlotPoints) -> Vector:
    means = [
        np.asarray(points.X[points.y == s].mean(axis=0), dtype=np.float64).ravel() for s in (-1, 1)
    ]
    return np.asarray(means[1] - means[0])


def _unit(w: ArrayLike | None) -> Vector | None:
    if w is None:
        return None
    vector = np.asarray(w, dtype=np.float64).ravel()
    size = np.max(np.abs(vector))
    if size == 0:
        return None
    vector = vector / size
    return np.asarray(vector / np.linalg.norm(vector))


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
    """The line scaled to weights near 1, so that squares neither overflow nor vanish."""
    size = float(np.abs(a).max())
    return np.asarray(a / size), c / size
