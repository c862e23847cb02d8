"""The plane of a figure: the data's own two columns, or a projection that says it is one.

In more than two dimensions the figure shows the plane that contains w and the first principal
direction orthogonal to it. Along w nothing is lost: scores, the separator and the margin are what
they are in the data's space. Where no w is given, the difference of the class means stands in.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse.linalg import LinearOperator, eigsh

from novikoff.figures.points import Points
from novikoff.problem import Matrix

__all__ = ["Plane", "plane_of", "plane_spanned_by"]

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


def plane_of(points: Points, w: ArrayLike | None = None) -> Plane:
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


def plane_spanned_by(points: Points, w: ArrayLike, x: ArrayLike, labels: tuple[str, str]) -> Plane:
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


def _difference_of_means(points: Points) -> Vector:
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
