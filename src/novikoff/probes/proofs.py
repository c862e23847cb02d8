"""Proofs for many labellings by one float64 pass over X, with a bound on every rounding.

A product of float64 matrices, in any order of summation and with or without fused operations, is
within γ_k·|A||B| of the true one, γ_k = ku/(1 − ku), u = 2⁻⁵³: so one more product with the
absolute values bounds the error of all scores, or all sums, at once. The same holds on a GPU.

- A separator: every y·(w·x + b) is positive by more than its error. - No separator: α > 0 with ‖Σ
αᵢyᵢx̂ᵢ‖ < min α · σ_min(X̂), so that a positive solution exists near α (see
`novikoff.exact.existence`). The bound on σ_min is shared by all labellings, because diag(y)·X̂ has
the singular values of X̂. - The margin: from below by a separator's scores, from above by ‖Σ
αᵢyᵢxᵢ‖ (weak duality).
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.bounds import INFLATE, TINY, UNIT, residual_bounds, singular_value_bound
from novikoff.matrix.rows import Floats
from novikoff.probes.devices import Device
from novikoff.probes.search import ScoreBasis

WHOLE = 2.0**40  # α as integers of this size add up without rounding
LEAST_EXPONENT = -1000  # of a column that is scaled to be of size 1
REFINEMENTS = 3
TO_SPARE = 4.0  # times what a proof needs, so that whoever checks it with other roundings agrees


class Separators(NamedTuple):
    """Which candidates separate; weights (columns × m) and intercepts; margins from below."""

    hold: NDArray[np.bool_]
    weights: Any
    intercepts: Floats
    margins: Floats


class BatchMultipliers(NamedTuple):
    """Which candidates are near a positive solution, and what they are (n × m)."""

    hold: NDArray[np.bool_]
    alpha: Any


class Prover:
    """The data on its device, and the bounds that all labellings share."""

    def __init__(self, X: Any, basis: ScoreBasis, device: Device) -> None:
        self.device, self.basis = device, basis
        whole = len(basis.columns) == X.shape[1]
        self.X = X if whole else X[:, device.array(basis.columns)]
        self._copies = None if whole else _copies(X, basis.columns, device)
        self.n, self.d = self.X.shape
        sizes = np.zeros(self.d)
        for _, block in device.blocks(self.X):
            sizes = np.maximum(sizes, device.host(device.xp.max(device.xp.abs(block), axis=0)))
        # Not more than float64 holds: a column of subnormal numbers stays small.
        self._exponents = np.append(np.maximum(np.frexp(sizes)[1], LEAST_EXPONENT), 1)
        self._scale = device.array(np.ldexp(1.0, -self._exponents))
        self._sigma: float | None = None

    @property
    def sigma(self) -> float:
        """A lower bound on σ_min of X̂ with its columns scaled by powers of two; 0 if none."""
        if self._sigma is None:
            self._sigma = self._bound_sigma()
        return self._sigma

    def _bound_sigma(self) -> float:
        xp, basis = self.device.xp, self.basis
        if basis.rank < self.d or self.n <= self.d:
            return 0.0
        last = -(basis.centre @ basis.back)
        inverse = xp.zeros((self.d + 1, self.d + 1), dtype=xp.float64)
        inverse[: self.d, : self.d] = basis.back
        inverse[self.d, : self.d] = last
        inverse[self.d, self.d] = 1.0 / self.n**0.5
        inverse = inverse / self._scale[:, None]
        return singular_value_bound(self._scaled_blocks(), inverse, xp=xp)

    def rows_are_independent(self) -> bool:
        """Whether the rows of X̂ are proven to be independent: then every labelling is separable."""
        xp = self.device.xp
        if self.n > self.d + 1:
            return False
        X_hat = self.device.concat(list(self._scaled_blocks()), axis=0)
        try:
            factor = self.device.factor(xp.linalg.cholesky, X_hat @ X_hat.T)
        except np.linalg.LinAlgError:
            return False
        if not bool(xp.all(xp.isfinite(factor))):
            return False
        return (
            singular_value_bound([X_hat.T], self.device.factor(xp.linalg.inv, factor).T, xp=xp)
            > 0.0
        )

    def _scaled_blocks(self) -> Any:
        xp = self.device.xp
        for _, block in self.device.blocks(self.X):
            ones = xp.ones((block.shape[0], 1), dtype=xp.float64)
            yield self.device.concat([block, ones], axis=1) * self._scale

    def separators(self, w: Any, Y: Any) -> Separators:
        """Which of the weights (columns of `w`) separate the labellings (columns of `Y`)."""
        xp = self.device.xp
        largest = xp.max(xp.abs(w), axis=0)
        w = w / xp.where(largest > 0.0, largest, xp.ones_like(largest))
        infinity = xp.full(w.shape[1], float("inf"), dtype=xp.float64)
        low, high = infinity, -infinity
        for rows, block in self.device.blocks(self.X):
            score, error = self._scores(block, w)
            positive = Y[rows, :] > 0
            above = xp.where(positive, score - error, infinity)
            below = xp.where(positive, -infinity, score + error)
            low = xp.minimum(low, xp.min(above, axis=0))
            high = xp.maximum(high, xp.max(below, axis=0))
        b = -(low * 0.5 + high * 0.5)
        hold = (low + b > 0.0) & (high + b < 0.0) & xp.isfinite(b)
        gap = (low * 0.5 - high * 0.5) * (1 - 4 * UNIT)
        length = xp.sqrt(xp.sum(w * w, axis=0)) * (1 + (self.d + 16) * UNIT)
        margins = xp.where(hold, gap / xp.where(hold, length, 1.0) * (1 - 8 * UNIT), 0.0)
        host = self.device.host
        return Separators(host(hold), w, host(b), host(margins))

    def _scores(self, block: Any, w: Any) -> tuple[Any, Any]:
        xp = self.device.xp
        size = xp.abs(block) @ xp.abs(w)
        return block @ w, (self.d + 8) * UNIT * INFLATE * size + TINY

    def errors(self, w: Any, b: Any, Y: Any) -> NDArray[np.intp]:
        """How many rows each plane does not have strictly on their own side, at most."""
        xp = self.device.xp
        largest = xp.max(xp.abs(self.device.concat([w, b[None, :]], axis=0)), axis=0)
        largest = xp.where(largest > 0.0, largest, xp.ones_like(largest))
        w, b = w / largest, b / largest
        wrong = xp.zeros(w.shape[1], dtype=xp.int64)
        for rows, block in self.device.blocks(self.X):
            score, error = self._scores(block, w)
            error = error + 4 * UNIT * (xp.abs(score) + xp.abs(b))
            right = self.device.cast(Y[rows, :], xp.float64) * (score + b) > error
            wrong = wrong + xp.sum(self.device.cast(~right, xp.int64), axis=0)
        return self.device.host(wrong)

    def multipliers(self, alpha: Any, Y: Any, *, refined: bool = False) -> BatchMultipliers:
        """Which α (columns) are proven to be near a positive solution of Σ αᵢyᵢx̂ᵢ = 0.

        They are moved towards one first, unless they are `refined` already.
        """
        device, xp = self.device, self.device.xp
        none = BatchMultipliers(np.zeros(alpha.shape[1], dtype=np.bool_), alpha)
        if self.sigma == 0.0:
            return none
        alpha = device.cast(alpha, xp.float64)
        signs = device.cast(Y, xp.float64)
        if not refined:
            alpha = alpha / xp.max(alpha, axis=0)
            for _ in range(REFINEMENTS):
                alpha = alpha - signs * self._fitted(signs * alpha)
        least = xp.min(alpha, axis=0)
        alpha = xp.where(least > 0.0, alpha, xp.ones_like(alpha))
        sums, sizes = self._sums(signs * alpha, alpha)
        residual = residual_bounds(sums, sizes, self.n, xp=xp)
        reached = xp.min(alpha, axis=0) * (self.sigma * (1 - 4 * UNIT))
        spare = 1.0 if refined else TO_SPARE
        hold = (least > 0.0) & (reached > spare * residual)
        return BatchMultipliers(device.host(hold), alpha)

    def _fitted(self, V: Any) -> Any:
        """The projection of V onto the score vectors, in float64."""
        device, basis = self.device, self.basis
        xp = device.xp
        total = xp.sum(V, axis=0)
        moments = xp.zeros((self.d, V.shape[1]), dtype=xp.float64)
        for rows, block in device.blocks(self.X):
            moments = moments + (block - basis.centre).T @ V[rows, :]
        w = basis.back @ (basis.back.T @ moments)
        fitted = xp.empty_like(V)
        for rows, block in device.blocks(self.X):
            fitted[rows, :] = (block - basis.centre) @ w + total / self.n
        return fitted

    def _sums(self, V: Any, sizes: Any) -> tuple[Any, Any]:
        """X̂ᵀV and |X̂|ᵀ·sizes, the columns of X̂ scaled, so that no product of theirs vanishes."""
        xp = self.device.xp
        shape = (self.d + 1, V.shape[1])
        sums, bounds = xp.zeros(shape, dtype=xp.float64), xp.zeros(shape, dtype=xp.float64)
        start = 0
        for part in self._scaled_blocks():
            rows = slice(start, start + part.shape[0])
            sums = sums + part.T @ V[rows, :]
            bounds = bounds + xp.abs(part).T @ sizes[rows, :]
            start = rows.stop
        return sums, bounds

    def margins_above(self, alpha: Any, Y: Any) -> Floats:
        """‖Σ αᵢyᵢxᵢ‖/2 with Σα = 1 in each class, rounded up: no margin is greater."""
        xp = self.device.xp
        positive = Y > 0
        shares, usable = _class_shares(alpha, positive, xp)
        signs = self.device.cast(Y, xp.float64)
        sums, sizes = self._sums(signs * shares, shares)
        # Without the last row: Σ αᵢyᵢ is 0 exactly. The scaling is undone exactly, too.
        unscaled = 1.0 / self._scale[:-1, None]
        reached = residual_bounds(sums[:-1, :] * unscaled, sizes[:-1, :] * unscaled, self.n, xp=xp)
        if self._copies is not None:
            # A weight may be shared with the copies of its column, which makes ‖w‖ smaller.
            sums, sizes = (xp.zeros((self._copies.shape[1], shares.shape[1])) for _ in range(2))
            for rows, block in self.device.blocks(self._copies):
                sums = sums + block.T @ (signs * shares)[rows, :]
                sizes = sizes + xp.abs(block).T @ shares[rows, :]
            more = residual_bounds(sums, sizes, self.n, xp=xp)
            reached = xp.sqrt(reached * reached + more * more) * (1 + 8 * UNIT)
        bound = reached / (2 * WHOLE) * (1 + 8 * UNIT)
        return self.device.host(xp.where(usable & xp.isfinite(bound), bound, float("inf")))


def _copies(X: Any, columns: NDArray[np.intp], device: Device) -> Any | None:
    """The columns that were left out as multiples of others: those left out that vary."""
    varies = device.host(X.min(axis=0)) < device.host(X.max(axis=0))
    left_out = np.setdiff1d(np.flatnonzero(varies), columns)
    return X[:, device.array(left_out)] if len(left_out) else None


def _class_shares(alpha: Any, positive: Any, xp: Any) -> tuple[Any, Any]:
    """α as integers whose sum is 2⁴⁰ in both classes, exactly; and where that is possible."""
    total, usable = None, None
    for of_class in (positive, ~positive):
        part = xp.where(of_class, alpha, xp.zeros_like(alpha))
        sums = xp.sum(part, axis=0)
        good = sums > 0.0
        whole = xp.round(part / xp.where(good, sums, xp.ones_like(sums)) * WHOLE)
        heaviest = xp.max(whole, axis=0)
        first = xp.arange(whole.shape[0])[:, None] == xp.argmax(whole, axis=0)[None, :]
        # What rounding has left over goes to one entry, the heaviest.
        rest = WHOLE - xp.sum(whole, axis=0)
        whole = xp.where(first, whole + rest, whole)
        good = good & (heaviest + rest > 0.0)
        total = whole if total is None else total + whole
        usable = good if usable is None else usable & good
    return total, usable
