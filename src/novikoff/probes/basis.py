"""What all concepts on one X share: its centre, its Gram matrix, and an orthonormal basis.

The scores w·x + b that a hyperplane can give n points are the column space of X̂ = (X, 1). An
orthonormal basis Q of that space makes every labelling's problem well-conditioned, whatever X looks
like, and it does not depend on the labels: A = diag(y)·X̂ has the Gram matrix of X̂ for every y of
±1. It comes from the eigenvectors of the centred Gram matrix (of rows or of columns, whichever are
fewer), and once more from the Gram matrix of what that gives, because squaring loses half of the
digits (CholeskyQR2: Yamamoto, Nakatsukasa, Yanagisawa, Fukaya, 2015).

All of this guides searches. What is proven is proven on X itself.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.repeats import independent_columns
from novikoff.probes.devices import Device

__all__ = ["Basis", "basis_of"]

FLOOR = 1e-15  # eigenvalues below this share of the largest are rounding
NOISE = 1e-9  # of what a direction should be long, after the first pass: nothing but rounding
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
    centre = xp.zeros(d, dtype=xp.float64)
    for _, block in device.blocks(part):
        centre = centre + xp.sum(block, axis=0) / n
    back = _by_columns(part, centre, device) if d < n else _by_rows(part, centre, device)
    back = _straightened(part, centre, back, device)
    Q = xp.empty((n, back.shape[1] + 1), dtype=xp.float32)
    for rows, block in device.blocks(part):
        Q[rows, :-1] = device.cast((block - centre) @ back, xp.float32)
    Q[:, -1] = 1.0 / n**0.5
    stiffness = xp.sum(back * back, axis=0)
    stiffness = device.concat([stiffness, xp.zeros(1, dtype=xp.float64)])
    return Basis(Q, back, centre, stiffness, columns)


def _constant_only(X: Any, device: Device) -> Basis:
    """Points that are all the same: the only scores are constant ones."""
    xp, n = device.xp, X.shape[0]
    nothing = np.zeros(0, dtype=np.intp)
    Q = xp.full((n, 1), 1.0 / n**0.5, dtype=xp.float32)
    none = xp.zeros(0, dtype=xp.float64)
    return Basis(
        Q, xp.zeros((0, 0), dtype=xp.float64), none, xp.zeros(1, dtype=xp.float64), nothing
    )


def _by_columns(X: Any, centre: Any, device: Device) -> Any:
    """E·Λ^(−½) of the d × d Gram matrix: X times it has nearly orthonormal columns."""
    xp = device.xp
    gram = xp.zeros((X.shape[1], X.shape[1]), dtype=xp.float64)
    for _, block in device.blocks(X):
        centred = block - centre
        gram = gram + centred.T @ centred
    values, vectors = device.factor(xp.linalg.eigh, gram)
    floor = FLOOR * float(values[-1])
    return vectors / xp.sqrt(xp.where(values > floor, values, floor))


def _by_rows(X: Any, centre: Any, device: Device) -> Any:
    """The same from the n × n Gram matrix, where points are fewer than columns."""
    xp = device.xp
    centred = device.cast(X, xp.float64) - centre
    values, vectors = device.factor(xp.linalg.eigh, centred @ centred.T)
    keep = values > FLOOR * X.shape[0] * float(values[-1])
    vectors, values = vectors[:, keep], values[keep]
    return centred.T @ (vectors / values)


def _straightened(X: Any, centre: Any, back: Any, device: Device) -> Any:
    """`back` changed so that X·back is orthonormal to rounding, without directions of noise."""
    xp = device.xp
    for _ in range(3):
        gram = xp.zeros((back.shape[1], back.shape[1]), dtype=xp.float64)
        for _, block in device.blocks(X):
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
