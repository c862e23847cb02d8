"""α > 0 proven in floating point, for sets of rows so large that exact solves take long.

With p + 1 rows, α is the one solution of the square system Lα = e, L = [A_Sᵀ; 1]. Given an
approximate inverse C and ‖I − CL‖∞ = δ < 1, L is invertible and any approximate solution α̃ is off
by at most ‖C(e − Lα̃)‖∞ / (1 − δ) (Rump, "Verification methods", Acta Numerica 2010, §10). What is
computed is rounded, and every rounding is bounded: |fl(PQ) − PQ| ≤ γ_k |P||Q|. If α̃ minus its
error is positive, so is α, and p + 1 such rows prove that the classes overlap.
"""

import math

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.points import Points
from novikoff.rows import Floats

__all__ = ["verified_multipliers"]

UNIT = 2.0**-53
INFLATE = 1.0 + 2.0**-20


def verified_multipliers(points: Points, rows: NDArray[np.intp]) -> Floats | None:
    """α on p + 1 rows, proven positive for the points as they are, to within a small error."""
    k = len(rows)
    if points.rounded or k != points.problem.d + points.problem.fit_intercept + 1:
        return None
    L = _system(points, rows)
    try:
        C: Floats = np.asarray(np.linalg.inv(L), dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    alpha: Floats = C[:, -1].copy()
    alpha -= C @ (L @ alpha - _unit(k))
    error = _error_bound(L, C, alpha)
    return alpha if error < math.inf and (alpha > error).all() else None


def _system(points: Points, rows: NDArray[np.intp]) -> Floats:
    """[A_Sᵀ; 1], its rows multiplied by powers of two to be of like size: the same solutions."""
    signed = points.take(rows) * points.problem.y[rows, None]
    if points.problem.fit_intercept:
        signed = np.column_stack([signed, points.problem.y[rows]])
    sizes = np.abs(signed).max(axis=0)
    scaled = np.ldexp(signed, -np.frexp(np.where(sizes > 0, sizes, 1.0))[1])
    # What a scaling pushed below the normal numbers may have been rounded.
    scaled[(np.abs(scaled) < np.finfo(np.float64).tiny) & (signed != 0)] = np.nan
    return np.ascontiguousarray(np.vstack([scaled.T, np.ones(len(rows))]))


def _unit(k: int) -> Floats:
    unit = np.zeros(k)
    unit[-1] = 1.0
    return unit


def _error_bound(L: Floats, C: Floats, alpha: Floats) -> float:
    """A bound on max |α − α̃|, infinity if there is none."""
    k = len(L)
    gamma = (k + 4) * UNIT * INFLATE / (1 - (k + 4) * UNIT)
    sizes_L, sizes_C = np.abs(L), np.abs(C)
    remainder = np.abs(np.eye(k) - C @ L).sum(axis=1)
    delta = float((remainder + gamma * (sizes_C @ sizes_L.sum(axis=1) + 1.0)).max())
    delta *= INFLATE
    residual = np.abs(_unit(k) - L @ alpha) + gamma * (sizes_L @ np.abs(alpha) + 1.0)
    spread = float((sizes_C @ (residual * INFLATE)).max()) * INFLATE
    if not (math.isfinite(spread) and delta < 0.5):
        return math.inf
    return spread / (1.0 - delta) * INFLATE
