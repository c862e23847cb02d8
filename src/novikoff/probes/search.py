"""Both sides of the alternative for many labellings at once, by products with one matrix.

Let S be the space of all score vectors on n points, the column space of X̂. A labelling y is
separable if some v in S has y∘v > 0 in every row. If some v in the orthogonal complement of S has
y∘v > 0 in every row, then α = y∘v > 0 has Σ αᵢyᵢx̂ᵢ = 0: the classes overlap. The two questions
have one form (Gale duality), one of the two has an answer unless the classes touch, and with P the
projection onto S or onto its complement both are

    minimise ½ Σ max(0, 1 − yᵢvᵢ)²   over v = Pv

whose gradient step is v ← v + P(y∘max(0, 1 − y∘v)), of length 1 because P is a projection. Steps
are accelerated, and restarted in each column by itself where they go uphill (Nesterov 1983;
O'Donoghue and Candès 2015). A step for all labellings is two products of matrices.

`ScoreBasis` has what all concepts on one X share: its centre and an orthonormal basis.

The scores w·x + b that a hyperplane can give n points are the column space of X̂ = (X, 1). An
orthonormal basis Q of that space makes every labelling's problem well-conditioned, whatever X looks
like, and it does not depend on the labels: A = diag(y)·X̂ has the Gram matrix of X̂ for every y of
±1. It comes from the eigenvectors of the centred Gram matrix (of rows or of columns, whichever are
fewer), and once more from the Gram matrix of what that gives, because squaring loses half of the
digits (CholeskyQR2: Yamamoto, Nakatsukasa, Yanagisawa, Fukaya, 2015). Where columns
of very different sizes hide each other, they are brought to like size first.

All of this guides searches. What is proven is proven on X itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import Deadline
from novikoff.exact.duplicates import distinct_columns
from novikoff.probes.devices import Device

FLOOR = 1e-15  # eigenvalues below this share of the largest are rounding
NOISE = 1e-9  # of what a direction should be long, after the first pass: nothing but rounding
ALIKE = 10  # powers of two between columns that do not hide each other
MOST_SCALING = 400  # powers of two, so that squares of weights stay in range
CONDITIONED = 1e-3  # of a Cholesky factor's diagonal that should be about 1


class ScoreBasis(NamedTuple):
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


def basis_of(X: Any, device: Device) -> ScoreBasis:
    """The basis for a matrix on its device."""
    xp = device.xp
    columns = distinct_columns(X, xp, with_one=True)
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
    return ScoreBasis(Q, back, centre, stiffness, columns)


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
    """A basis of the space in which ‖w‖² is Σ stiffness·u²."""
    xp = device.xp
    return back @ device.factor(xp.linalg.eigh, back.T @ back)[1]


def _constant_only(X: Any, device: Device) -> ScoreBasis:
    """Points that are all the same: the only scores are constant ones."""
    xp, n = device.xp, X.shape[0]
    nothing = np.zeros(0, dtype=np.intp)
    Q = xp.full((n, 1), 1.0 / n**0.5, dtype=xp.float32)
    none = xp.zeros(0, dtype=xp.float64)
    return ScoreBasis(
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
    """`_by_columns` from the n × n Gram matrix, for fewer points than columns."""
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
class GameColumns:
    """The columns of the game: which labelling each is of, on which side, and where it stands."""

    labelling: NDArray[np.intp]
    is_plane: NDArray[np.bool_]
    Y: Any
    V: Any
    Z: Any
    momentum: Any
    inside: Any

    def kept(self, keep: NDArray[np.bool_], device: Device) -> "GameColumns":
        """Some of them."""
        at, take = device.array(np.flatnonzero(keep)), device.xp.take
        return GameColumns(
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

    def __init__(self, basis: ScoreBasis, count: int, device: Device) -> None:
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
    basis: ScoreBasis,
    Y: Any,
    device: Device,
    deadline: Deadline,
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
            deadline.stage(f"all labellings at once, step {step}: {before // 2} of {count} left")
            game = _judged(game, basis, device, judges, best)
            settled += (before - len(game.labelling)) // 2
            if len(game.labelling) == 0 or step == MOST_STEPS:
                break
            if step >= PATIENCE and step % (2 * CHECK_EVERY) == 0:
                if settled * basis.rank < STEPS_OF_ONE_INTERIOR_POINT * len(game.labelling):
                    break
                settled = 0
        deadline.check()
        _step(game, basis, device)
    return np.unique(game.labelling), best


def _started(basis: ScoreBasis, Y: Any, device: Device) -> GameColumns:
    """Least squares on both sides: the projections of y."""
    xp = device.xp
    count = int(Y.shape[1])
    fitted = _onto(basis, Y)
    V = device.concat([fitted, Y - fitted], axis=1)
    labelling = np.concatenate([np.arange(count), np.arange(count)])
    is_plane = np.arange(2 * count) < count
    inside = device.array(is_plane)
    ones = xp.ones(2 * count, dtype=xp.float32)
    return GameColumns(labelling, is_plane, device.concat([Y, Y], axis=1), V, V, ones, inside)


def _onto(basis: ScoreBasis, V: Any) -> Any:
    return basis.Q @ (basis.Q.T @ V)


def _step(game: GameColumns, basis: ScoreBasis, device: Device) -> None:
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
    game: GameColumns, basis: ScoreBasis, device: Device, judges: tuple[Judge, Judge], best: Best
) -> GameColumns:
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
