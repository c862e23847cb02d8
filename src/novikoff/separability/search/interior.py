"""The whole face at once, in floating point: which rows lie on the plane of every weak separator.

A has the rows yᵢx̂ᵢ. By Goldman and Tucker (1956) some w and α have Aw ≥ 0, α ≥ 0, Aᵀα = 0 and
Aw + α > 0: the rows with α > 0 lie on the plane of every weak separator, and all others can be off
it together. An interior-point method converges to such a pair, where a simplex method stops at some
vertex. The pair of linear programs has nice numbers:

    maximise Σ tᵢ   over Aw ≥ t, 0 ≤ t ≤ 1                   t is 1 off the plane, 0 on it
    minimise Σ vᵢ   over Aᵀα = 0, α ≥ 0, v ≥ 0, v ≥ 1 − α    α is at least 1 on it, 0 off it

Mehrotra's predictor-corrector method ("On the implementation of a primal-dual interior point
method", 1992): each step solves two systems with one p × p Gram matrix AᵀDA, D a positive diagonal.
What comes out is a proposal. Nothing here is decided by a tolerance that anybody has to believe.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import linalg as la
from novikoff.core import sparse as sp
from novikoff.core.blas import AT_ONCE, cholesky_in_place
from novikoff.core.progress import seconds_in_force
from novikoff.matrix.rows import Floats

MOST_STEPS = 100
BLOCK = 1 << 22  # numbers of a dense A that are weighted together
SHORT_OF_THE_WALL = 0.995

Solve = Callable[[Floats], Floats]


class Iterate(NamedTuple):
    """Where the method stands: w, t and α, the scores Aw, and the average complementarity."""

    w: Floats
    t: Floats
    alpha: Floats
    scores: Floats
    gap: float

    @property
    def on_plane(self) -> NDArray[np.bool_]:
        """The rows that look as if they were on the plane of every weak separator."""
        return np.asarray(self.t < self.alpha)

    def is_settled(self) -> bool:
        """Whether every row is clearly on one side of the alternative: t near 1, or α above 1/2."""
        on_plane = self.on_plane
        off_clearly = self.t[~on_plane].min(initial=1.0) > 0.9
        on_clearly = self.alpha[on_plane].min(initial=1.0) > 0.5
        near_zero = self.t[on_plane].max(initial=0.0) < 1e-3
        return bool(off_clearly and on_clearly and near_zero)


def interior_points(A: Any) -> Iterator[Iterate]:
    """The iterates for a dense or CSR matrix `A`, until they stop getting better."""
    n, p = A.shape
    gram = _Gram(A)
    transposed = A.T.tocsr() if sp.issparse(A) else A.T
    w, t = np.zeros(p), np.full(n, 0.5)
    s, alpha, v, u = np.ones(n), np.ones(n), np.ones(n), np.ones(n)
    for _ in range(MOST_STEPS):
        z = 1.0 - t
        scores = A @ w
        gap = float(s @ alpha + z @ v + t @ u) / (3 * n)
        if not np.isfinite(gap):
            return
        yield Iterate(w, t, alpha, scores, gap)
        if gap < 1e-14:
            return
        primal, dual, balance = scores - t - s, transposed @ alpha, 1.0 - alpha - v + u
        E, F = u / t + v / z, alpha / s
        solve = gram.solver(F * E / (E + F))
        if solve is None:
            return

        def direction(
            cs: Floats,
            cv: Floats,
            cu: Floats,
            # Bound now: the loop moves on.
            state: tuple[Floats, ...] = (s, t, z, v, u, primal, dual, balance, E, F),
            solve: Solve = solve,
        ) -> tuple[Floats, ...]:
            s, t, z, v, u, primal, dual, balance, E, F = state
            g = cs / s + cv / z - cu / t - balance
            dw = solve(dual + transposed @ (cs / s - F * (E * primal + g) / (E + F)))
            for refined in (False, True):
                moved = A @ dw + primal
                ds = (E * moved + g) / (E + F)
                dalpha = cs / s - F * ds
                if not refined:
                    dw = dw + solve(transposed @ dalpha + dual)
            dt = moved - ds
            return dw, dt, ds, dalpha, (cv + v * dt) / z, (cu - u * dt) / t

        dw, dt, ds, da, dv, du = direction(-s * alpha, -z * v, -t * u)
        ahead = min(_room(s, ds), _room(t, dt), _room(z, -dt))
        ahead_dual = min(_room(alpha, da), _room(v, dv), _room(u, du))
        reached = (s + ahead * ds) @ (alpha + ahead_dual * da)
        reached += (z - ahead * dt) @ (v + ahead_dual * dv)
        reached += (t + ahead * dt) @ (u + ahead_dual * du)
        centre = (float(reached) / (3 * n) / gap) ** 3 * gap
        dw, dt, ds, da, dv, du = direction(
            centre - s * alpha - ds * da, centre - z * v + dt * dv, centre - t * u - dt * du
        )
        ahead = SHORT_OF_THE_WALL * min(_room(s, ds), _room(t, dt), _room(z, -dt))
        ahead_dual = SHORT_OF_THE_WALL * min(_room(alpha, da), _room(v, dv), _room(u, du))
        ahead, ahead_dual = min(1.0, ahead), min(1.0, ahead_dual)
        w, t, s = w + ahead * dw, t + ahead * dt, s + ahead * ds
        alpha, v, u = alpha + ahead_dual * da, v + ahead_dual * dv, u + ahead_dual * du


def _room(x: Floats, dx: Floats) -> float:
    """How far x > 0 can go along dx before an entry of it is 0, in units of dx; 1/0.995 at most."""
    falling = dx < 0
    return float(np.min(-x[falling] / dx[falling], initial=1.0 / SHORT_OF_THE_WALL))


class _Gram:
    """AᵀDA and its Cholesky factor, with a ridge so small that refinement undoes it."""

    def __init__(self, A: Any) -> None:
        self.A = A
        self.G = np.zeros((A.shape[1], A.shape[1]), order="F")

    def solver(self, weights: Floats) -> Solve | None:
        """A function that solves AᵀDAx = b for D = diag(weights); None if rounding forbids it."""
        for ridge, floor in ((1e-10, 1e-13), (1e-8, 1e-10), (1e-5, 1e-7)):
            self._weigh(weights)
            diagonal = np.diagonal(self.G).copy()
            np.fill_diagonal(self.G, diagonal * (1 + ridge) + floor * max(diagonal.max(), 1e-300))
            try:
                cholesky_in_place(self.G)
            except la.LinAlgError:
                continue
            factor = (self.G, True)
            return lambda b: la.cho_solve(factor, b, check_finite=False)
        return None

    def _weigh(self, weights: Floats) -> None:
        """Put AᵀDA into the lower triangle of G."""
        A = self.A
        if sp.issparse(A):
            self.G = np.zeros((A.shape[1], A.shape[1]), order="F")
            _core.add_weighted_gram(
                A.indptr, A.indices, A.data, weights, self.G, seconds_in_force()
            )
            return
        total = None
        p = A.shape[1]
        step = max(1, min(BLOCK // p, 2 * AT_ONCE // p**2))
        roots = np.sqrt(weights)
        for start in range(0, len(A), step):
            block = A[start : start + step] * roots[start : start + step, None]
            # syrk computes one triangle only; a row-major block is its own transpose to BLAS.
            part = la.blas.dsyrk(1.0, block.T, lower=1)
            if total is None:
                total = part
            else:
                total += part
        self.G = np.asfortranarray(total)
