"""Newton's method for one labelling that the batched search did not settle.

    minimise Σ φ(zᵢ)   over z = y∘v, v a score vector,   −φ′(z) = α = ½(√(z² + 4) − z)

φ is a quarter of a parabola where z is far below 0, and −log z where it is far above: a penalty on
one side and a barrier on the other (α is what goes with the slack s = z + α on the central path
s·α = 1). If the classes overlap there is a minimum, and there Σ αᵢyᵢx̂ᵢ = 0 with every α > 0. If
they are separable there is none, and Newton's method doubles z at each step until all of it is
positive. Either way a few steps decide, each with one k × k Gram matrix and its Cholesky factor.
"""

from typing import Any, NamedTuple

import numpy as np

from novikoff.core import linalg as la
from novikoff.core.progress import Deadline
from novikoff.probes.devices import Device
from novikoff.probes.search import Judge, Proposals, ScoreBasis

MOST_STEPS = 40
START_LENGTH = 30.0  # of a typical score at the start: far enough for the barrier to show the way
CLEARLY = 1e-9  # of the largest entry; the proof has the last word
HALVINGS = 12


class LeftOver(NamedTuple):
    """A labelling that the batch has left over: its number, its signs, and where it stood."""

    number: int
    y: Any
    u: Any


def settle_alone(
    basis: ScoreBasis,
    left: LeftOver,
    device: Device,
    deadline: Deadline,
    judges: tuple[Judge, Judge],
) -> bool:
    """Whether the labelling could be settled, starting from where it stood."""
    xp = device.xp
    labelling = np.array([left.number])
    A = SignedBasisRows(basis.Q, device.cast(left.y, xp.float64), device)
    u = device.cast(left.u, xp.float64)
    z = A.scores(u)
    typical = float(xp.mean(z * z)) ** 0.5
    if typical > 0.0:
        u, z = u * (START_LENGTH / typical), z * (START_LENGTH / typical)
    for _ in range(MOST_STEPS):
        deadline.check()
        if _is_positive(z, xp) and bool(judges[0](Proposals(labelling, u[:, None]))[0]):
            return True
        alpha, root = _alpha(z, xp)
        slope = A.combined(alpha)
        near = alpha - A.scores(slope)
        if _is_positive(near, xp) and bool(judges[1](Proposals(labelling, near[:, None]))[0]):
            return True
        direction = _solved(A.gram(alpha / root), slope, device)
        if direction is None:
            return False
        ahead = A.scores(direction)
        length = _length(z, ahead, xp)
        u, z = u + length * direction, z + length * ahead
        if not np.isfinite(float(xp.sum(z))):
            return False
    return False


class SignedBasisRows:
    """A, the rows yᵢqᵢ of the basis: float64 some at a time, so that no copy of Q is needed."""

    def __init__(self, Q: Any, y: Any, device: Device) -> None:
        self.Q, self.y, self.device = Q, y, device

    def scores(self, u: Any) -> Any:
        """A·u."""
        parts = [block @ u for _, block in self.device.blocks(self.Q)]
        return self.y * self.device.concat(parts)

    def combined(self, alpha: Any) -> Any:
        """Aᵀ·α."""
        signed = self.y * alpha
        total = 0.0
        for rows, block in self.device.blocks(self.Q):
            total = total + block.T @ signed[rows]
        return total

    def gram(self, weights: Any) -> Any:
        """AᵀDA for D = diag(weights); the signs cancel."""
        roots = self.device.xp.sqrt(weights)
        total = 0.0
        for rows, block in self.device.blocks(self.Q):
            weighted = block * roots[rows, None]
            total = total + weighted.T @ weighted
        return total


def _is_positive(values: Any, xp: Any) -> bool:
    return float(xp.min(values)) > CLEARLY * float(xp.max(values))


def _alpha(z: Any, xp: Any) -> tuple[Any, Any]:
    """½(√(z² + 4) − z), without cancellation, and the root."""
    root = xp.sqrt(z * z + 4.0)
    far = 2.0 / (root + xp.abs(z))
    return xp.where(z > 0.0, far, 0.5 * (root - z)), root


def _length(z: Any, ahead: Any, xp: Any) -> float:
    """How far to go: where Σ φ stops falling, found by doubling and halving."""

    def falls(length: float) -> bool:
        return float(xp.sum(_alpha(z + length * ahead, xp)[0] * ahead)) > 0.0

    high = 1.0
    while falls(high) and high < 2.0**10:
        high *= 2.0
    low = 0.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if falls(middle) else (low, middle)
    return (low + high) / 2


def _solved(gram: Any, slope: Any, device: Device) -> Any | None:
    """The solution x of gram·x = slope; None if rounding forbids it."""
    xp = device.xp
    solve = _on_cpu if device.name == "cpu" else _on_gpu
    identity = xp.eye(gram.shape[0], dtype=xp.float64)
    largest = float(xp.max(gram * identity))
    for ridge in (1e-13, 1e-10, 1e-7):
        found = solve(gram + identity * (ridge * largest), slope)
        if found is not None:
            return found
    return None


def _on_cpu(gram: Any, slope: Any) -> Any | None:
    try:
        return la.cho_solve(la.cho_factor(gram, check_finite=False), slope, check_finite=False)
    except la.LinAlgError:
        return None


def _on_gpu(gram: Any, slope: Any) -> Any | None:
    import cupy
    from cupyx.scipy.linalg import solve_triangular

    factor = cupy.linalg.cholesky(gram)
    # A factor that does not exist is not a number on a GPU, and no error.
    if not bool(cupy.isfinite(factor.diagonal()).all()):
        return None
    half = solve_triangular(factor, slope, lower=True)
    return solve_triangular(factor, half, lower=True, trans="T")
