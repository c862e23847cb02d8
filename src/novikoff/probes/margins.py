"""Margins of many separable labellings at once: intervals, proven at both ends.

    minimise ½‖w‖² + ½C Σ max(0, 1 − yᵢ(w·xᵢ + b))²

comes near the maximum margin as C grows, and α = C·max(0, 1 − y∘v) comes near the multipliers that
bound it from above. In the coordinates u of the shared basis ‖w‖² is a weighted sum of squares, so
that a step with the diagonal 1/(C + stiffness) needs no other factor, for any C of each column's
own. The steps are accelerated and restarted as in the search.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import Deadline
from novikoff.matrix.rows import Floats
from novikoff.probes.devices import Device
from novikoff.probes.proofs import Prover
from novikoff.probes.search import ScoreBasis

# How far the nearest points may be within the gap, relative to it, in each round.
ROUNDS = (0.3, 0.1, 0.03, 0.01, 0.003)
STEPS = 60


class Gaps(NamedTuple):
    """The best separators found, and the margins between two proven bounds."""

    improved: NDArray[np.bool_]
    weights: Any
    intercepts: Floats
    lower: Floats
    upper: Floats


def widest_gaps(prover: Prover, u: Any, Y: Any, lower: Floats, deadline: Deadline) -> Gaps:
    """Margins of the labellings `Y` (n × m), from coordinates u whose margins are `lower`."""
    device, basis = prover.device, prover.basis
    xp = device.xp
    count = int(Y.shape[1])
    u = device.cast(u, xp.float64)
    lower, upper = lower.copy(), np.full(count, np.inf)
    improved = np.zeros(count, dtype=np.bool_)
    weights = xp.zeros((prover.d, count), dtype=xp.float64)
    intercepts = np.zeros(count)
    for share in ROUNDS:
        deadline.stage(f"geometric margins of {count} labellings, to {share:.1%} of the gap")
        C = _penalty(basis, u, Y, share, device)
        u = _minimised(basis, u, Y, C, device, deadline)
        pressure = _short(basis, u, Y, device)
        upper = np.minimum(upper, prover.margins_above(pressure, Y))
        found = prover.separators(basis.weights(u, device)[0], Y)
        better = np.flatnonzero(found.hold & (found.margins > lower))
        if len(better) == 0:
            continue
        at = device.array(better)
        weights[:, at] = xp.take(found.weights, at, axis=1)
        intercepts[better] = found.intercepts[better]
        lower[better], improved[better] = found.margins[better], True
    return Gaps(improved, weights, intercepts, lower, upper)


def _scores(basis: ScoreBasis, u: Any, device: Device) -> Any:
    return basis.Q @ device.cast(u, device.xp.float32)


def _short(basis: ScoreBasis, u: Any, Y: Any, device: Device) -> Any:
    """How much each row falls short of a score of 1 on its own side."""
    xp = device.xp
    short = 1.0 - device.cast(Y * _scores(basis, u, device), xp.float64)
    return xp.where(short > 0.0, short, xp.zeros_like(short))


def _penalty(basis: ScoreBasis, u: Any, Y: Any, share: float, device: Device) -> Any:
    """C for which the rows that matter fall short by about `share`: Σα is ‖w‖² at the optimum."""
    xp = device.xp
    square = xp.sum(basis.stiffness[:, None] * u * u, axis=0)
    active = xp.sum(device.cast(_short(basis, u, Y, device) > 0.0, xp.float64), axis=0)
    active = xp.where(active > 1.0, active, xp.ones_like(active))
    return square / active / share


def _minimised(
    basis: ScoreBasis, u: Any, Y: Any, C: Any, device: Device, deadline: Deadline
) -> Any:
    xp = device.xp
    stiffness = basis.stiffness[:, None]
    step = 1.0 / (C + stiffness)
    now, ahead = u, u
    momentum = xp.ones(u.shape[1], dtype=xp.float64)
    for _ in range(STEPS):
        deadline.check()
        short = 1.0 - Y * _scores(basis, ahead, device)
        push = Y * xp.where(short > 0.0, short, xp.zeros_like(short))
        slope = C * device.cast(basis.Q.T @ push, xp.float64) - stiffness * ahead
        then = ahead + step * slope
        moved = then - now
        uphill = xp.sum(slope * moved, axis=0) < 0.0
        old = xp.where(uphill, xp.ones_like(momentum), momentum)
        momentum = (1.0 + xp.sqrt(1.0 + 4.0 * old * old)) * 0.5
        ahead = then + ((old - 1.0) / momentum) * moved
        now = then
    return now
