"""Both sides of the alternative for many labellings at once, by products with one matrix.

Let S be the space of all score vectors on n points, the column space of X̂. A labelling y is
separable if some v in S has y∘v > 0 in every row. If some v in the orthogonal complement of S has
y∘v > 0 in every row, then α = y∘v > 0 has Σ αᵢyᵢx̂ᵢ = 0: the classes overlap. The two questions have
one form (Gale duality), one of the two has an answer unless the classes touch, and with P the
projection onto S or onto its complement both are

    minimise ½ Σ max(0, 1 − yᵢvᵢ)²   over v = Pv

whose gradient step is v ← v + P(y∘max(0, 1 − y∘v)), of length 1 because P is a projection. Steps
are accelerated, and restarted in each column by itself where they go uphill (Nesterov 1983;
O'Donoghue and Candès 2015). A step for all labellings is two products of matrices.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.probes.basis import Basis
from novikoff.probes.devices import Device
from novikoff.progress import Watch

__all__ = ["Proposals", "search_both"]

CHECK_EVERY = 25  # steps
MOST_STEPS = 3000
PATIENCE = 100  # steps before the yield is looked at
CLEARLY = 1e-4  # of the largest entry, above which the least one counts as positive
# An interior point takes about as long as this many steps for as many columns as the rank.
STEPS_OF_ONE_INTERIOR_POINT = 40


class Proposals(NamedTuple):
    """Candidates for some labellings: coordinates of separators (k × m), or α (n × m)."""

    labellings: NDArray[np.intp]
    values: Any


Judge = Callable[[Proposals], NDArray[np.bool_]]


@dataclass
class Columns:
    """The columns of the game: which labelling each is of, on which side, and where it stands."""

    labelling: NDArray[np.intp]
    is_plane: NDArray[np.bool_]
    Y: Any
    V: Any
    Z: Any
    momentum: Any
    inside: Any

    def kept(self, keep: NDArray[np.bool_], device: Device) -> "Columns":
        """Some of them."""
        at, take = device.array(np.flatnonzero(keep)), device.xp.take
        return Columns(
            self.labelling[keep],
            self.is_plane[keep],
            Y=take(self.Y, at, axis=1),
            V=take(self.V, at, axis=1),
            Z=take(self.Z, at, axis=1),
            momentum=take(self.momentum, at, axis=0),
            inside=take(self.inside, at, axis=0),
        )


class Best:
    """For each labelling the coordinates with the fewest errors that any check has met."""

    def __init__(self, basis: Basis, count: int, device: Device) -> None:
        xp = device.xp
        self.device = device
        self.u = xp.zeros((basis.Q.shape[1], count), dtype=xp.float32)
        self.errors = np.full(count, basis.n + 1)

    def take(self, labellings: NDArray[np.intp], u: Any, errors: NDArray[np.intp]) -> None:
        """Keep those that are better."""
        better = np.flatnonzero(errors < self.errors[labellings])
        if len(better) == 0:
            return
        at = self.device.array(better)
        self.u[:, self.device.array(labellings[better])] = self.device.xp.take(u, at, axis=1)
        self.errors[labellings[better]] = errors[better]


def search_both(
    basis: Basis,
    Y: Any,
    device: Device,
    watch: Watch,
    judges: tuple[Judge, Judge],
) -> tuple[NDArray[np.intp], Best]:
    """Search until every labelling (a column of `Y`, ±1) is settled or the yield is low.

    `judges` prove separators and α, and say which of the proposals hold. What is left is returned,
    with the best coordinates met for every labelling.
    """
    count = int(Y.shape[1])
    best = Best(basis, count, device)
    game = _started(basis, Y, device)
    settled = 0
    for step in range(MOST_STEPS + 1):
        if step % CHECK_EVERY == 0:
            before = len(game.labelling)
            watch.stage(f"all labellings at once, step {step}: {before // 2} of {count} left")
            game = _judged(game, basis, device, judges, best)
            settled += (before - len(game.labelling)) // 2
            if len(game.labelling) == 0 or step == MOST_STEPS:
                break
            if step >= PATIENCE and step % (2 * CHECK_EVERY) == 0:
                if settled * basis.rank < STEPS_OF_ONE_INTERIOR_POINT * len(game.labelling):
                    break
                settled = 0
        watch.check()
        _step(game, basis, device)
    return np.unique(game.labelling), best


def _started(basis: Basis, Y: Any, device: Device) -> Columns:
    """Least squares on both sides: the projections of y."""
    xp = device.xp
    count = int(Y.shape[1])
    fitted = _onto(basis, Y)
    V = device.concat([fitted, Y - fitted], axis=1)
    labelling = np.concatenate([np.arange(count), np.arange(count)])
    is_plane = np.arange(2 * count) < count
    inside = device.array(is_plane)
    ones = xp.ones(2 * count, dtype=xp.float32)
    return Columns(labelling, is_plane, device.concat([Y, Y], axis=1), V, V, ones, inside)


def _onto(basis: Basis, V: Any) -> Any:
    return basis.Q @ (basis.Q.T @ V)


def _step(game: Columns, basis: Basis, device: Device) -> None:
    """One accelerated step in every column."""
    xp, Y, Z = device.xp, game.Y, game.Z
    push = Y * Z
    push = Y * xp.where(push < 1.0, 1.0 - push, xp.zeros_like(push))
    fitted = _onto(basis, push)
    push = xp.where(game.inside, fitted, push - fitted)
    V = Z + push
    moved = V - game.V
    uphill = xp.sum(push * moved, axis=0) < 0.0
    now = xp.where(uphill, xp.ones_like(game.momentum), game.momentum)
    then = (1.0 + xp.sqrt(1.0 + 4.0 * now * now)) * 0.5
    game.Z = V + ((now - 1.0) / then) * moved
    game.V, game.momentum = V, then


def _judged(
    game: Columns, basis: Basis, device: Device, judges: tuple[Judge, Judge], best: Best
) -> Columns:
    """Have what looks positive proven, and go on with the labellings of the others."""
    xp = device.xp
    signed = game.Y * game.V
    least = device.host(xp.min(signed, axis=0))
    largest = device.host(xp.max(xp.abs(signed), axis=0))
    wrong = device.host(xp.sum(device.cast(signed <= 0.0, xp.int32), axis=0))
    ready = least > CLEARLY * largest
    planes = np.flatnonzero(game.is_plane)
    better = planes[(wrong[planes] < best.errors[game.labelling[planes]]) | ready[planes]]
    done = np.zeros(len(best.errors), dtype=np.bool_)
    if len(better):
        u = basis.Q.T @ xp.take(game.V, device.array(better), axis=1)
        best.take(game.labelling[better], u, wrong[better])
        sure = np.flatnonzero(ready[better])
        if len(sure):
            proposal = Proposals(
                game.labelling[better[sure]], xp.take(u, device.array(sure), axis=1)
            )
            done[proposal.labellings[judges[0](proposal)]] = True
    others = np.flatnonzero(~game.is_plane & ready)
    if len(others):
        at = device.array(others)
        proposal = Proposals(game.labelling[others], xp.take(signed, at, axis=1))
        done[proposal.labellings[judges[1](proposal)]] = True
    keep = ~done[game.labelling]
    return game if keep.all() else game.kept(keep, device)
