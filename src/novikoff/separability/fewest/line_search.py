"""Few errors by line searches: the 0/1 loss along random directions, minimised exactly.

Along a line w + θv each row changes sides once, so sorting the n places where that happens finds
the least loss on the whole line (Li and Lin, "Optimizing 0/1 loss for perceptrons by random
coordinate descent", 2007). Moves to an equal loss are taken too: they let the plane drift over
plateaus. It proposes; whether the rows that it gets right can be separated is proven elsewhere.
"""

import numpy as np

from novikoff.core.compiled import kernel
from novikoff.matrix.rows import Floats

__all__ = ["RIGHT", "descend", "loss_of", "places_sorted"]

RIGHT = 1e-10  # a score above this is taken to be positive: rows and planes have length 1
MOST_TURNED = 200  # rows near the plane whose scores stay as they are


def places_sorted(n: int, rank: int) -> float:
    """What a line search costs in places sorted, scores and the turned direction included."""
    return n + n * rank / 25 + rank * min(rank, MOST_TURNED) ** 2 / 200


@kernel
def loss_of(U: Floats, weights: Floats, w: Floats) -> float:
    """What the rows weigh whose score is not positive, or hardly."""
    scores, total = U @ w, 0.0
    for i in range(len(scores)):
        if scores[i] <= RIGHT:
            total += weights[i]
    return total


@kernel
def _best_step(scores: Floats, slopes: Floats, weights: Floats) -> tuple[float, float]:
    """The θ in the middle of the best interval of scores + θ·slopes, and the loss there."""
    n = len(scores)
    loss = 0.0
    places = np.full(n, np.inf)
    for i in range(n):
        if slopes[i] > 0.0 or (slopes[i] == 0.0 and scores[i] <= 0.0):
            loss += weights[i]
        if slopes[i] != 0.0:
            places[i] = -scores[i] / slopes[i]
    order = np.argsort(places)
    best, best_loss, width = 0.0, np.inf, 0.0
    for k in range(n - 1):
        i = order[k]
        if not np.isfinite(places[i]):
            break
        loss += -weights[i] if slopes[i] > 0.0 else weights[i]
        following = places[order[k + 1]]
        if not np.isfinite(following):
            following = places[i] + 1.0
        gap = following - places[i]
        if gap > 1e-11 and (loss < best_loss - 1e-9 or (loss < best_loss + 1e-9 and gap > width)):
            best, best_loss, width = places[i] + 0.5 * gap, loss, gap
    return best, best_loss


@kernel
def _direction(U: Floats, scores: Floats, kind: int, rng: np.random.Generator) -> Floats:
    """Where to look: anywhere, along a row that is wrong, or along the plane of some near rows."""
    rank = U.shape[1]
    v: Floats = np.empty(rank)
    for k in range(rank):
        v[k] = rng.standard_normal()
    if kind == 0:
        return v
    if kind == 1:
        wrong = np.flatnonzero(scores <= 0.0)
        if len(wrong) > 0:
            v[:] = U[wrong[int(rng.random() * len(wrong))]]
        return v
    # Turn around rows near the plane: their scores stay as they are.
    near = np.argsort(np.abs(scores))[: 3 * rank]
    widest = min(rank, MOST_TURNED)
    kept = np.empty((widest, rank))
    size = 0
    most = 1 + int(rng.random() * (widest - 1)) if rank > 1 else 0
    for _ in range(most):
        u = U[near[int(rng.random() * len(near))]].copy()
        for k in range(size):
            u -= (u @ kept[k]) * kept[k]
        length = np.sqrt(u @ u)
        if length > 1e-9:
            kept[size] = u / length
            size += 1
    for k in range(size):
        v -= (v @ kept[k]) * kept[k]
    return v


@kernel
def descend(
    U: Floats, weights: Floats, start: Floats, steps: int, rng: np.random.Generator
) -> tuple[Floats, float]:
    """The last of the best ŵ of a walk of so many line searches from `start`, and its loss."""
    w = start / np.sqrt(start @ start)
    loss = loss_of(U, weights, w)
    best, best_loss = w.copy(), loss
    for step in range(steps):
        scores = U @ w
        v = _direction(U, scores, step % 3, rng)
        length = np.sqrt(v @ v)
        if length == 0.0:
            continue
        v /= length
        theta, found = _best_step(scores, U @ v, weights)
        if found > loss + 1e-9:
            continue
        moved = w + theta * v
        length = np.sqrt(moved @ moved)
        if not length > 1e-9:
            continue
        w = moved / length
        loss = loss_of(U, weights, w)
        if loss <= best_loss:
            best, best_loss = w.copy(), loss
    return best, best_loss
