"""What all concepts on one X share: its centre, its Gram matrix, and an orthonormal basis.

The scores w·x + b that a hyperplane can give n points are the column space of X̂ = (X, 1). An
orthonormal basis Q of that space makes every labelling's problem well-conditioned, whatever X looks
like, and it does not depend on the labels: A = diag(y)·X̂ has the Gram matrix of X̂ for every y of
±1. It comes from the eigenvectors of the centred Gram matrix (of rows or of columns, whichever are
fewer), and once more from the Gram matrix of what that gives, because squaring loses half of the
digits (CholeskyQR2: Yamamoto, Nakatsukasa, Yanagisawa, Fukaya, 2015). Where columns
of very different sizes hide each other, they are brought to like size first.

All of this guides searches. What is proven is proven on X itself.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.repeats import independent_columns
from novikoff.probes.devices import Device

__all__ = ["Basis", "basis_of"]

FLOOR = 1e-15  # eigenvalues below this share of the largest are rounding
NOISE = 1e-9  # of what a direction should be long, after the first pass: nothing but rounding
ALIKE = 10  # powers of two between columns that do not hide each other
MOST_SCALING = 400  # powers of two, so that squares of weights stay in range
CONDITIONED = 1e-3  # of a Cholesky factor's diagonal that should be about 1


class Basis(NamedTuple):
    """An orthonormal basis of the scores that a hyperplane can give: n × k, the constant last.

    `Q` is float32, for searches. A score vector Q·u is that of w = `back`·u (without the last entry
    of u) about the `centre`. ‖w‖² is about Σ `stiffness`·u². `columns` of X are those that matter:
    the others are 0, constant, or copies, and have no weight.
    """

    Q: Any
    back: Any
    centre: Any
    stiffness: Any
    columns: NDArray[np.intp]

    @property
    def n(self) -> int:
        """How many points."""
        return int(self.Q.shape[0])

    @property
    def rank(self) -> int:
        """The dimension of the points' affine hull, as far as floating point can tell."""
        return int(self.Q.shape[1]) - 1

    def weights(self, u: Any, device: Device) -> tuple[Any, Any]:
        """The weights on `columns` and the intercepts for coordinates u (k × m), in float64."""
        xp = device.xp
        u = device.cast(u, xp.float64)
        w = self.back @ u[:-1, :]
        return w, u[-1, :] / self.n**0.5 - self.centre @ w


def basis_of(X: Any, device: Device) -> Basis:
    """The basis for a matrix on its device."""
    xp = device.xp
    columns = independent_columns(X, xp, with_one=True)
    if len(columns) == 0:
        return _constant_only(X, device)
    part = X if len(columns) == X.shape[1] else X[:, device.array(columns)]
    n, d = part.shape
    centre, back = _orthonormal(Scaled(part, None, device))
    if back.shape[1] < min(d, n - 1):
        exponents = _exponents(part, device)
        if int(exponents.max() - exponents.min()) > ALIKE:
            scale = device.array(np.ldexp(1.0, -exponents.clip(-MOST_SCALING, MOST_SCALING)))
            other, wider = _orthonormal(Scaled(part, scale, device))
            if wider.shape[1] > back.shape[1]:
                centre, back = other / scale, _turned(wider * scale[:, None], device)
    Q = xp.empty((n, back.shape[1] + 1), dtype=xp.float32)
    for rows, block in device.blocks(part):
        Q[rows, :-1] = device.cast((block - centre) @ back, xp.float32)
    Q[:, -1] = 1.0 / n**0.5
    stiffness = xp.sum(back * back, axis=0)
    stiffness = device.concat([stiffness, xp.zeros(1, dtype=xp.float64)])
    return Basis(Q, back, centre, stiffness, columns)


class Scaled(NamedTuple):
    """A matrix on its device, its columns multiplied by powers of two, or as they are."""

    X: Any
    scale: Any | None
    device: Device

    def blocks(self) -> Iterator[Any]:
        """The rows as float64, some at a time."""
        for _, block in self.device.blocks(self.X):
            yield block if self.scale is None else block * self.scale


def _orthonormal(points: Scaled) -> tuple[Any, Any]:
    """The centre of the points, and `back` such that (X − centre)·back is orthonormal."""
    xp = points.device.xp
    n, d = points.X.shape
    centre = xp.zeros(d, dtype=xp.float64)
    for block in points.blocks():
        centre = centre + xp.sum(block, axis=0) / n
    back = _by_columns(points, centre) if d < n else _by_rows(points, centre)
    return centre, _straightened(points, centre, back)


def _exponents(X: Any, device: Device) -> NDArray[np.int32]:
    """The power of two of each column's largest number."""
    xp = device.xp
    sizes = np.zeros(X.shape[1])
    for _, block in device.blocks(X):
        sizes = np.maximum(sizes, device.host(xp.max(xp.abs(block), axis=0)))
    return np.frexp(sizes)[1]


def _turned(back: Any, device: Device) -> Any:
    """The same space with axes for which ‖w‖² is Σ stiffness·u²: orthogonal in the weights."""
    xp = device.xp
    return back @ device.factor(xp.linalg.eigh, back.T @ back)[1]


def _constant_only(X: Any, device: Device) -> Basis:
    """Points that are all the same: the only scores are constant ones."""
    xp, n = device.xp, X.shape[0]
    nothing = np.zeros(0, dtype=np.intp)
    Q = xp.full((n, 1), 1.0 / n**0.5, dtype=xp.float32)
    none = xp.zeros(0, dtype=xp.float64)
    return Basis(
        Q, xp.zeros((0, 0), dtype=xp.float64), none, xp.zeros(1, dtype=xp.float64), nothing
    )


def _by_columns(points: Scaled, centre: Any) -> Any:
    """E·Λ^(−½) of the d × d Gram matrix: X times it has nearly orthonormal columns."""
    device, d = points.device, points.X.shape[1]
    xp = device.xp
    gram = xp.zeros((d, d), dtype=xp.float64)
    for block in points.blocks():
        centred = block - centre
        gram = gram + centred.T @ centred
    values, vectors = device.factor(xp.linalg.eigh, gram)
    floor = FLOOR * float(values[-1])
    return vectors / xp.sqrt(xp.where(values > floor, values, floor))


def _by_rows(points: Scaled, centre: Any) -> Any:
    """The same from the n × n Gram matrix, where points are fewer than columns."""
    device = points.device
    xp = device.xp
    centred = device.concat(list(points.blocks())) - centre
    values, vectors = device.factor(xp.linalg.eigh, centred @ centred.T)
    keep = values > FLOOR * points.X.shape[0] * float(values[-1])
    vectors, values = vectors[:, keep], values[keep]
    return centred.T @ (vectors / values)


def _straightened(points: Scaled, centre: Any, back: Any) -> Any:
    """`back` changed so that X·back is orthonormal to rounding, without directions of noise."""
    device = points.device
    xp = device.xp
    for _ in range(3):
        gram = xp.zeros((back.shape[1], back.shape[1]), dtype=xp.float64)
        for block in points.blocks():
            reached = (block - centre) @ back
            gram = gram + reached.T @ reached
        factor = _factor(gram, xp)
        if factor is not None:
            return back @ device.factor(xp.linalg.inv, factor).T
        values, vectors = device.factor(xp.linalg.eigh, gram)
        keep = values > NOISE * float(values[-1])
        back = back @ (vectors[:, keep] / xp.sqrt(values[keep]))
    return back


def _factor(gram: Any, xp: Any) -> Any | None:
    """The Cholesky factor of a matrix that is nearly the identity; None if it is not."""
    if gram.shape[0] == 0:
        return gram
    try:
        factor = xp.linalg.cholesky(gram)
    except (np.linalg.LinAlgError, ValueError):
        return None
    diagonal = xp.sum(factor * xp.eye(factor.shape[0], dtype=xp.float64), axis=0)
    well = bool(xp.all(xp.isfinite(diagonal))) and float(xp.min(diagonal)) > CONDITIONED
    return factor if well else None
