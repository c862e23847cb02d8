"""The point of a polytope nearest to the origin, in floating point: a guide, never a proof.

    minimise ‖Σ αᵢaᵢ‖²   over α ≥ 0, with Σ αᵢ = 1 in each group of rows

Wolfe's active-set method ("Finding the nearest point in a polytope", 1976), as in `exact.nearest`,
on a dense working set. Carried along is the QR factorisation of the *differences* aᵢ − base of the
active rows to one of them, the base of their group; a factorisation of the points themselves stalls
when they are far from the origin and close to each other. A new row is orthogonalised twice where
once is not enough, a row leaves by Givens rotations, and a base hands over to the first of its
group, which only subtracts one column from later ones and so keeps R triangular.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.rows import Floats

__all__ = ["BEST", "STALLED", "ZERO", "Active", "nearest_in", "new_active", "warm_active"]

UNIT = 2.0**-53
BLOCK = 64  # rows priced together
DEPENDENT = 1e-10  # part of a difference that is left when the others are taken off
REFRESH = 64  # rounds between recomputing what is updated

# How a solve ended.
BEST = 0  # no row of the working set lies below its level
ZERO = 1  # the point is 0, as far as floating point can tell
STALLED = 2  # rounding stopped the norm from decreasing, or too many rounds


class Active(NamedTuple):
    """The active rows: one base a group, and columns for the others, with the QR of differences.

    `Qt` holds Q transposed. `point` is the nearest point of the affine hull, and
    `along` are the coordinates of the sum of the bases along Q. `alpha` has the columns first and
    then the bases, at the end; `size[0]` is the number of columns.
    """

    bases: NDArray[np.int64]
    columns: NDArray[np.int64]
    alpha: Floats
    Qt: Floats
    R: Floats
    point: Floats
    along: Floats
    size: NDArray[np.int64]
    is_active: NDArray[np.bool_]


def new_active(A: Floats, bases: NDArray[np.int64], most: int) -> Active:
    """Only the bases are active, one row of each group; there is room for `most` columns."""
    m, d = A.shape
    is_active = np.zeros(m, dtype=np.bool_)
    is_active[bases] = True
    alpha = np.zeros(most + len(bases))
    alpha[-len(bases) :] = 1.0
    return Active(
        bases=bases.copy(),
        columns=np.zeros(most, dtype=np.int64),
        alpha=alpha,
        Qt=np.zeros((most, d)),
        R=np.zeros((most, most)),
        point=A[bases].sum(axis=0),
        along=np.zeros(most),
        size=np.zeros(1, dtype=np.int64),
        is_active=is_active,
    )


def warm_active(
    A: Floats, group: NDArray[np.int64], places: NDArray[np.intp], alpha: Floats, most: int
) -> Active | None:
    """These rows are active, with these α; None if they are too close to being dependent."""
    n_groups = int(group.max()) + 1
    shares = np.array([alpha[group[places] == g].sum() for g in range(n_groups)])
    if len(places) > most or not (shares > 0).all():
        return None
    heaviest = [int(np.argmax(np.where(group[places] == g, alpha, -1.0))) for g in range(n_groups)]
    bases, columns = places[heaviest], np.delete(places, heaviest)
    k = len(columns)
    differences = A[columns] - A[bases[group[columns]]]
    Q, R = np.linalg.qr(differences.T)
    if k > A.shape[1] or (np.abs(np.diag(R)) <= DEPENDENT * np.linalg.norm(differences, axis=1)).any():
        return None
    active = new_active(A, bases, most)
    active.columns[:k] = columns
    active.is_active[columns] = True
    active.Qt[:k] = Q.T
    active.R[:k, :k] = R
    active.size[0] = k
    active.alpha[:k] = np.delete(alpha, heaviest) / shares[group[columns]]
    active.alpha[-n_groups:] = alpha[heaviest] / shares
    active.along[:k] = active.Qt[:k] @ active.point
    active.point[:] -= active.along[:k] @ active.Qt[:k]
    return active


@kernel
def nearest_in(A: Floats, group: NDArray[np.int64], active: Active, most_rounds: int) -> int:
    """Go on from `active`, which is changed, to the nearest point; say how it ended."""
    d = A.shape[1]
    largest = 0.0
    for i in range(len(A)):
        largest = max(largest, np.dot(A[i], A[i]))
    largest = math.sqrt(largest)
    cursor, stalls, last_norm = 0, 0, np.inf
    for round_number in range(most_rounds):
        if round_number % REFRESH == REFRESH - 1:
            _refresh(A, active)
        if not _to_affine_minimum(group, active):
            continue
        norm = math.sqrt(np.dot(active.point, active.point))
        if active.size[0] == d or norm <= 4 * UNIT * largest:
            return ZERO
        stalls = stalls + 1 if norm >= last_norm else 0
        last_norm = min(norm, last_norm)
        if stalls > 8:
            return STALLED
        slack = norm * (1e-13 * norm + 4 * UNIT * largest)
        most = min(d - active.size[0], 1 + active.size[0] // 16, 32)
        entering, cursor = _priced(A, group, active, slack, cursor, most)
        if len(entering) == 0:
            _refresh(A, active)
            entering, cursor = _priced(A, group, active, slack, cursor, most)
        if len(entering) == 0:
            return BEST
        _insert(A, group, active, entering)
    return STALLED


@kernel
def _priced(
    A: Floats, group: NDArray[np.int64], active: Active, slack: float, cursor: int, most: int
) -> tuple[NDArray[np.int64], int]:
    """The rows furthest below their level in the first block that has any, from `cursor` on."""
    m = len(A)
    levels = np.empty(len(active.bases))
    for g in range(len(active.bases)):
        levels[g] = np.dot(A[active.bases[g]], active.point)
    size = BLOCK * most
    blocks = (m + size - 1) // size
    for step in range(blocks):
        at = (cursor + step) % blocks
        start, stop = at * size, min((at + 1) * size, m)
        below = -np.dot(A[start:stop], active.point)
        for k in range(stop - start):
            below[k] += levels[group[start + k]]
            if active.is_active[start + k]:
                below[k] = 0.0
        order = np.argsort(-below)[:most]
        entering = order[below[order] > slack] + start
        if len(entering) > 0:
            return entering, at + 1
    return np.empty(0, np.int64), cursor


@kernel
def _to_affine_minimum(group: NDArray[np.int64], active: Active) -> bool:
    """Move α to the affine minimum and say True, or as far as the signs allow, and drop a row."""
    k, n_groups = active.size[0], len(active.bases)
    target = np.empty(k + n_groups)
    target[k:] = 1.0
    for j in range(k - 1, -1, -1):
        later = np.dot(active.R[j, j + 1 : k], target[j + 1 : k])
        target[j] = -(active.along[j] + later) / active.R[j, j]
        target[k + group[active.columns[j]]] -= target[j]
    bases_at = len(active.alpha) - n_groups
    step, leaving = 1.0, -1
    for j in range(k + n_groups):
        if target[j] <= 0.0:
            alpha = active.alpha[j] if j < k else active.alpha[bases_at + j - k]
            ratio = alpha / (alpha - target[j]) if alpha > target[j] else 0.0
            if leaving < 0 or ratio < step:
                step, leaving = ratio, j
    for j in range(k + n_groups):
        at = j if j < k else bases_at + j - k
        active.alpha[at] += step * (target[j] - active.alpha[at])
    if leaving < 0:
        return True
    if leaving < k:
        _delete(active, leaving)
    else:
        _rebase(group, active, leaving - k)
    return False


@kernel
def _insert(
    A: Floats, group: NDArray[np.int64], active: Active, entering: NDArray[np.int64]
) -> None:
    """New columns for some rows, with α = 0; a row that depends on the others is left out."""
    k = active.size[0]
    V = np.empty((len(entering), A.shape[1]))
    for t in range(len(entering)):
        V[t] = A[entering[t]] - A[active.bases[group[entering[t]]]]
    lengths = np.sqrt((V * V).sum(axis=1))
    coordinates = np.zeros((len(entering), k))
    for _ in range(2):
        part = np.dot(V, active.Qt[:k].T)
        coordinates += part
        V -= np.dot(part, active.Qt[:k])
    for t in range(len(entering)):
        now, v = active.size[0], V[t]
        column = np.zeros(now + 1)
        column[:k] = coordinates[t]
        for _ in range(2):
            for j in range(k, now):
                part_along = np.dot(active.Qt[j], v)
                column[j] += part_along
                v -= part_along * active.Qt[j]
        length = math.sqrt(np.dot(v, v))
        if length <= 4 * UNIT * lengths[t]:
            continue
        column[now] = length
        active.R[: now + 1, now] = column
        active.Qt[now] = v / length
        active.columns[now] = entering[t]
        active.alpha[now] = 0.0
        active.is_active[entering[t]] = True
        # The point loses its part along the new direction; that is where `along` has to grow.
        along = np.dot(active.Qt[now], active.point)
        active.along[now] = along
        active.point[:] -= along * active.Qt[now]
        active.size[0] = now + 1


@kernel
def _rotate(upper: Floats, lower: Floats, cosine: float, sine: float) -> None:
    for t in range(len(upper)):
        above, beneath = upper[t], lower[t]
        upper[t] = cosine * above + sine * beneath
        lower[t] = cosine * beneath - sine * above


@kernel
def _delete(active: Active, at: int) -> None:
    """Drop column `at`: rotate R back to triangular, and give its direction back to the point."""
    k = active.size[0]
    active.is_active[active.columns[at]] = False
    for j in range(at, k - 1):
        active.columns[j] = active.columns[j + 1]
        active.alpha[j] = active.alpha[j + 1]
    for i in range(k):
        for j in range(max(at, i - 1), k - 1):
            active.R[i, j] = active.R[i, j + 1]
    for i in range(at, k - 1):
        radius = math.hypot(active.R[i, i], active.R[i + 1, i])
        if radius == 0.0:
            continue
        cosine, sine = active.R[i, i] / radius, active.R[i + 1, i] / radius
        _rotate(active.R[i, i : k - 1], active.R[i + 1, i : k - 1], cosine, sine)
        _rotate(active.Qt[i], active.Qt[i + 1], cosine, sine)
        _rotate(active.along[i : i + 1], active.along[i + 1 : i + 2], cosine, sine)
    active.size[0] = k - 1
    active.point[:] += active.along[k - 1] * active.Qt[k - 1]


@kernel
def _rebase(group: NDArray[np.int64], active: Active, g: int) -> None:
    """The base of group g leaves; the first column of the group takes its place."""
    k = active.size[0]
    first = 0
    while first < k and group[active.columns[first]] != g:
        first += 1
    heir = active.columns[first]
    active.along[: first + 1] += active.R[: first + 1, first]
    for j in range(first + 1, k):
        if group[active.columns[j]] == g:
            active.R[: first + 1, j] -= active.R[: first + 1, first]
    bases_at = len(active.alpha) - len(active.bases)
    active.alpha[bases_at + g] = active.alpha[first]
    active.is_active[active.bases[g]] = False
    _delete(active, first)
    active.bases[g] = heir
    active.is_active[heir] = True


@kernel
def _refresh(A: Floats, active: Active) -> None:
    """Recompute what has been updated: the point and its coordinates, from the bases and Q."""
    k = active.size[0]
    active.point[:] = 0.0
    for base in active.bases:
        active.point[:] += A[base]
    active.along[:k] = 0.0
    for _ in range(2):
        part = np.dot(active.Qt[:k], active.point)
        active.along[:k] += part
        active.point[:] -= np.dot(part, active.Qt[:k])
