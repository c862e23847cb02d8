"""The plane that the plot shows: where points stand, which part is seen, and lines across it."""

from dataclasses import dataclass
from functools import cached_property
from math import floor, log10

import numpy as np
from matplotlib.ticker import MaxNLocator
from numpy.typing import ArrayLike, NDArray

from novikoff.figures.points import PlotPoints
from novikoff.figures.view import Plane, View, foot, plane_of
from novikoff.lab.messages.answers import Arrow, PlaneAnswer, Tick
from novikoff.lab.messages.requests import LabelledPoints, ViewBox

ASPECT = 4 / 3  # width to height of the plot on the page
ROOM = 1.3  # how much wider than the points the view is
FLATTEST = 12  # one scale for both axes unless one column would be flattened to a line

Place = tuple[float, float]
Segment = tuple[Place, Place]
Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Stage:
    """Points in the plane of the plot, and the part of that plane which is seen."""

    points: PlotPoints
    plane: Plane
    view: View

    @cached_property
    def places(self) -> Vector:
        """Where each point stands."""
        return self.plane.project(self.points.X, self.points.y)

    def _cut(self, w: ArrayLike, b: float) -> tuple[Vector, float] | None:
        """The line a·z + c = 0 in which w·x + b = 0 cuts the plane, with ‖a‖ = 1 where it can."""
        return _scale(*self.plane.cut(self.points.X, w, b))

    def line(self, w: ArrayLike, b: float) -> Segment | None:
        """That line, longer than the view on both sides; None where there is no line."""
        scaled = self._cut(w, b)
        if scaled is None:
            return None
        a, c = scaled
        middle, along = foot(self.view, a, c), np.array([-a[1], a[0]]) * self.view.reach
        if not np.all(np.isfinite(middle)) or np.abs(middle - self.view.centre).max() > 1e3 * (
            self.view.reach
        ):
            return None  # far outside of what is seen
        return place_of(middle - along), place_of(middle + along)

    def band(self, w: ArrayLike, b: float, width: float) -> list[Place] | None:
        """The band of that half width on both sides of the line."""
        line = self.line(w, b)
        scaled = self._cut(w, b)
        if line is None or scaled is None:
            return None
        start, end = np.array(line[0]), np.array(line[1])
        across = scaled[0] * width
        corners = (start + across, end + across, end - across, start - across)
        return [place_of(corner) for corner in corners]

    def normal(self, w: ArrayLike, b: float) -> Arrow | None:
        """An arrow from the line towards class +1; none where both axes have their own scale."""
        scaled = self._cut(w, b)
        if scaled is None or not (self.view.equal or self.points.d == 1):
            return None
        start = foot(self.view, *scaled)
        if np.any(np.abs(start - self.view.centre) > self.view.half):
            return None
        size = 0.35 * float(self.view.half.min() if self.view.equal else self.view.half[0])
        return Arrow(start=place_of(start), end=place_of(start + size * scaled[0]))

    def direction(self, w: ArrayLike) -> Place | None:
        """Where w points in the plane, as a vector of length 1."""
        scaled = _scale(self.plane.vector(w), 0.0)
        return None if scaled is None else place_of(scaled[0])

    def answer(self) -> PlaneAnswer:
        """The plane as the page is told of it."""
        view, d = self.view, self.points.d
        low, high = view.centre - view.half, view.centre + view.half
        box = ViewBox(left=low[0], right=high[0], bottom=low[1], top=high[1])
        digits = max(0, 2 - floor(log10(2 * float(view.half.min() if d > 1 else view.half[0]))))
        y_ticks = [Tick(at=-1, text="−1"), Tick(at=1, text="+1")]
        return PlaneAnswer(
            view=box,
            labels=(self.plane.labels[0], self.plane.labels[1].replace("\n", " ")),
            is_projection=self.plane.is_projection,
            note=self._note(),
            x_ticks=ticks_between(low[0], high[0]),
            y_ticks=y_ticks if d == 1 else ticks_between(low[1], high[1]),
            digits=min(digits, 12),
            nudge=float(f"{view.half.max() / 40:.1g}"),
            editable=d <= 2,
        )

    def _note(self) -> str:
        if self.plane.is_projection:
            return (
                f"A projection of {self.points.d} columns: across, {self.plane.labels[0]}; up, "
                f"the {' '.join(self.plane.labels[1].split())}. Planes are lines where they cut "
                "the plane through the mean."
            )
        if self.points.d == 1:
            return "One column: the classes are set above each other."
        return "" if self.view.equal else "The two axes have different scales."


def stage_of(points: LabelledPoints, w: ArrayLike | None, box: ViewBox | None) -> Stage:
    """The stage for these points, seen along `w` where there are more than two columns."""
    X = np.array(points.X, dtype=np.float64).reshape(len(points.X), len(points.names))
    y = np.array(points.y, dtype=np.int8)
    shown = PlotPoints(X, y, points.names, points.classes)
    plane = _plane_of(shown, w)
    return Stage(shown, plane, _view_of(plane.project(X, y), shown.d, box))


def _plane_of(points: PlotPoints, w: ArrayLike | None) -> Plane:
    if points.d > 2 and len(np.unique(points.y)) < 2:
        return Plane(np.eye(points.d)[:2], (points.names[0], points.names[1]), True)
    return plane_of(points, w)


def _view_of(places: Vector, d: int, box: ViewBox | None) -> View:
    if box is not None:
        low, high = np.array([box.left, box.bottom]), np.array([box.right, box.top])
        half = (high - low) / 2
        equal = d > 1 and bool(abs(half[0] / half[1] / ASPECT - 1) < 1e-6)
        return View((low + high) / 2, half, equal)
    if len(places) == 0:
        return View(np.zeros(2), np.array([ASPECT, 1.0]), d > 1)
    low, high = places.min(axis=0), places.max(axis=0)
    centre, half = (low + high) / 2, (high - low) / 2
    largest = float(half.max()) or max(1.0, float(np.abs(low).max()) / 2)
    half = np.where(half == 0, largest, half)
    half = np.maximum(half, 1e-8 * np.abs(centre))  # closer than that no axis could tell apart
    if d == 1:
        return View(np.array([centre[0], 0.0]), np.array([ROOM * half[0], 2.0]), False)
    if half.max() > FLATTEST * half.min():
        return View(centre, ROOM * half, False)
    height = ROOM * max(float(half[1]), float(half[0]) / ASPECT)
    return View(centre, np.array([ASPECT * height, height]), True)


def ticks_between(low: float, high: float, count: int = 6) -> list[Tick]:
    """Round numbers between two ends."""
    values = MaxNLocator(count, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    shown = [float(value) for value in values if low <= value <= high]
    return [Tick(at=value, text=f"{value:.10g}".replace("-", "−")) for value in shown]


def place_of(vector: Vector) -> Place:
    """Two coordinates as JSON has them."""
    return float(vector[0]), float(vector[1])


def _scale(a: Vector, c: float) -> tuple[Vector, float] | None:
    """The line scaled to ‖a‖ = 1, without overflow on the way; None if a is 0."""
    size = float(np.abs(a).max())
    if not size > 0 or not np.isfinite(size):
        return None
    a, c = a / size, c / size
    length = float(np.hypot(*a))
    return a / length, c / length
