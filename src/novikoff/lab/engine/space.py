"""The lift of the plane to three dimensions, (x₁, x₂, x₁x₂), seen from any direction."""

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

import novikoff
from novikoff.lab.engine.cached_answers import arrays_of
from novikoff.lab.engine.regions import two_columns
from novikoff.lab.engine.stage import Place, place_of
from novikoff.lab.messages.answers import SpaceAnswer, SpacePoint
from novikoff.lab.messages.requests import SpaceRequest

LINES = 7  # of the wire frame of the surface, each way
BENDS = 13  # places along each of them
ROOM = 1.12

Vectors = NDArray[np.float64]


def space(request: SpaceRequest) -> SpaceAnswer:
    """The lifted points, the surface they lie on and, where one separates them, the plane."""
    points = request.points
    two_columns(points, "The lift is drawn")
    X, y = arrays_of(points)
    lifted = np.column_stack([X, X[:, 0] * X[:, 1]])
    verdict = novikoff.separate(lifted, y, decimals=points.decimals)
    camera = Camera.around(X, request.azimuth, request.elevation)
    plane = None
    if isinstance(verdict, novikoff.Separable):
        plane = _plane(camera, verdict.weights, verdict.intercept)
    return SpaceAnswer(
        points=_seen(camera, lifted, y, verdict),
        plane=plane,
        surface=[[place_of(p) for p in camera.seen(line)] for line in _surface(camera)],
        axes=_axes(camera, points.names),
        word=verdict.word,
        sentence=_sentence(verdict),
    )


@dataclass(frozen=True)
class Camera:
    """A box around the lifted points, and the direction it is seen from (no perspective)."""

    low: Vectors
    high: Vectors
    across: Vectors
    up: Vectors

    @classmethod
    def around(cls, X: Vectors, azimuth: float, elevation: float) -> "Camera":
        """The camera on the part of the surface over the points."""
        middle, half = (X.max(axis=0) + X.min(axis=0)) / 2, (X.max(axis=0) - X.min(axis=0)) / 2
        half = np.where(half > 0, half, float(half.max()) or 1.0) * ROOM
        low, high = middle - half, middle + half
        heights = np.outer([low[0], high[0]], [low[1], high[1]])
        a, e = radians(azimuth), radians(elevation)
        return cls(
            low=np.append(low, min(heights.min(), 0.0)),
            high=np.append(high, max(heights.max(), 0.0)),
            across=np.array([-sin(a), cos(a), 0.0]),
            up=np.array([-sin(e) * cos(a), -sin(e) * sin(a), cos(e)]),
        )

    def _unit(self, places: Vectors) -> Vectors:
        """The box scaled to the cube from −1 to 1."""
        middle, half = (self.high + self.low) / 2, (self.high - self.low) / 2
        return np.asarray((places - middle) / np.where(half > 0, half, 1.0))

    def seen(self, places: Vectors) -> Vectors:
        """Where places of the space stand in the picture, which reaches from −1 to 1."""
        return self._unit(places) @ np.column_stack([self.across, self.up]) / 1.75

    def depth(self, places: Vectors) -> Vectors:
        """How near each place is: greater is nearer."""
        return np.asarray(self._unit(places) @ np.cross(self.across, self.up))


def _seen(camera: Camera, lifted: Vectors, y: Any, verdict: Any) -> list[SpacePoint]:
    places = camera.seen(lifted)
    feet: list[Place | None] = [None] * len(y)
    if verdict.word == "separable" and verdict.weights[2] != 0:
        w, b = verdict.weights, verdict.intercept
        under = lifted.copy()
        under[:, 2] = -(lifted[:, :2] @ w[:2] + b) / w[2]
        inside = (under[:, 2] >= 2 * camera.low[2] - 1) & (under[:, 2] <= 2 * camera.high[2] + 1)
        feet = [
            place_of(p) if near else None
            for p, near in zip(camera.seen(under), inside.tolist(), strict=True)
        ]
    return [
        SpacePoint(row=int(i), sign=int(y[i]), place=place_of(places[i]), foot=feet[i])
        for i in np.argsort(camera.depth(lifted), kind="stable")
    ]


def _surface(camera: Camera) -> list[Vectors]:
    """The wire frame of x₃ = x₁x₂."""
    lines = []
    for axis in (0, 1):
        fixed = np.linspace(camera.low[axis], camera.high[axis], LINES)
        moving = np.linspace(camera.low[1 - axis], camera.high[1 - axis], BENDS)
        for value in fixed:
            line = np.empty((BENDS, 3))
            line[:, axis], line[:, 1 - axis] = value, moving
            line[:, 2] = line[:, 0] * line[:, 1]
            lines.append(line)
    return lines


def _plane(camera: Camera, w: Vectors, b: float) -> list[Place]:
    """The corners in which w·ψ + b = 0 cuts the box, in order around it."""
    corners = []
    for axis in range(3):
        others = [j for j in range(3) if j != axis]
        for first in (camera.low, camera.high):
            for second in (camera.low, camera.high):
                corner = np.empty(3)
                corner[others[0]], corner[others[1]] = first[others[0]], second[others[1]]
                if w[axis] == 0:
                    continue
                corner[axis] = -(w[others] @ corner[others] + b) / w[axis]
                if camera.low[axis] <= corner[axis] <= camera.high[axis]:
                    corners.append(corner)
    if len(corners) < 3:
        return []
    cut = np.array(corners)
    middle = cut.mean(axis=0)
    first = cut[0] - middle
    second = np.cross(w, first)
    angles = np.arctan2(
        (cut - middle) @ second * np.linalg.norm(first),
        (cut - middle) @ first * np.linalg.norm(second),
    )
    return [place_of(p) for p in camera.seen(cut[np.argsort(angles)])]


def _axes(camera: Camera, names: tuple[str, ...]) -> list[tuple[tuple[Place, Place], str]]:
    labels = (names[0], names[1], f"{names[0]}·{names[1]}")
    axes = []
    for axis, label in enumerate(labels):
        end = camera.low.copy()
        end[axis] = camera.high[axis]
        start, tip = camera.seen(np.array([camera.low, end]))
        axes.append(((place_of(start), place_of(tip)), label))
    return axes


def _sentence(verdict: Any) -> str:
    if verdict.word != "separable":
        return (
            "With the product as a third coordinate they are still "
            f"{verdict.word}: this lift is not enough."
        )
    return (
        "With the product as a third coordinate a plane separates them, with a geometric margin of "
        f"{verdict.margin.lower:.6g}: proven."
    )
