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

__all__ = ["BEST", "STALLED", "ZERO", "Active", "new_active", "nearest_in"]

UNIT = 2.0**-53
BLOCK = 64  # rows priced together
REFRESH = 64  # rounds between recomputing what is updated

# How a solve ended.
BEST = 0  # no row of the working set lies below its level
ZERO = 1  # the point is 0, as far as floating point can tell
STALLED = 2  # rounding stopped the norm from decreasing, or too many rounds


class Active(NamedTuple):
    """The active rows: one base a group, and columns for the others, with the QR of differences.

    `Qt` and `Rt` hold Q and R transposed. `point` is the nearest point of the affine hull, and
    `along` are the coordinates of the sum of the bases along Q. `alpha` has the columns first and
    then the bases, at the end; `size[0]` is the number of columns.
    """

    bases: NDArray[np.int64]
    columns: NDArray[np.int64]
    alpha: Floats
    Qt: Floats
    Rt: Floats
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
        Rt=np.zeros((most, most)),
        point=A[bases].sum(axis=0),
        along=np.zeros(most),
        size=np.zeros(1, dtype=np.int64),
        is_active=is_active,
    )


@kernel
def nearest_in(A: Floats, group: NDArray[np.int64], active: Active, most_rounds: int) -> int:
    """Go on from `active`, which is changed, to the nearest point; say how it ended."""
    m, d = A.shape
    largest = 0.0
    for i in range(m):
        largest = max(largest, np.dot(A[i], A[i]))
    largest = math.sqrt(largest)
    cursor, stalls, last_norm = 0, 0, np.inf
    for round_number in range(most_rounds):
        if round_number % REFRESH == REFRESH - 1:
            _refresh(A, active)
        if not _to_affine_minimum(A, group, active):
            continue
        norm = math.sqrt(np.dot(active.point, active.point))
        if active.size[0] == d or norm <= 4 * UNIT * largest:
            return ZERO
        stalls = stalls + 1 if norm >= last_norm else 0
        last_norm = min(norm, last_norm)
        if stalls > 8:
            return STALLED
        slack = norm * (1e-13 * norm + 4 * UNIT * largest)
        best, cursor = _priced(A, group, active, slack, cursor)
        if best < 0:
            _refresh(A, active)
            best, cursor = _priced(A, group, active, slack, cursor)
        if best < 0:
            return BEST
        _insert(A, group, active, best)
    return STALLED


@kernel
def _priced(
    A: Floats, group: NDArray[np.int64], active: Active, slack: float, cursor: int
) -> tuple[int, int]:
    """The row furthest below its level in the first block that has one, from `cursor` on."""
    m = len(A)
    levels = np.empty(len(active.bases))
    for g in range(len(active.bases)):
        levels[g] = np.dot(A[active.bases[g]], active.point)
    blocks = (m + BLOCK - 1) // BLOCK
    for step in range(blocks):
        start = ((cursor + step) % blocks) * BLOCK
        stop = min(start + BLOCK, m)
        scores = np.dot(A[start:stop], active.point)
        best, furthest = -1, slack
        for k in range(stop - start):
            below = levels[group[start + k]] - scores[k]
            if below > furthest and not active.is_active[start + k]:
                best, furthest = start + k, below
        if best >= 0:
            return best, (cursor + step) % blocks
    return -1, cursor


@kernel
def _to_affine_minimum(A: Floats, group: NDArray[np.int64], active: Active) -> bool:
    """Move α to the affine minimum and say True, or as far as the signs allow, and drop a row."""
    k, n_groups = active.size[0], len(active.bases)
    target = np.empty(k + n_groups)
    target[k:] = 1.0
    right = -active.along[:k]
    for j in range(k - 1, -1, -1):
        value = right[j] / active.Rt[j, j]
        target[j] = value
        right[:j] -= value * active.Rt[j, :j]
        target[k + group[active.columns[j]]] -= value
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
        _delete(A, active, leaving)
    else:
        _rebase(A, group, active, leaving - k)
    return False


@kernel
def _insert(A: Floats, group: NDArray[np.int64], active: Active, row: int) -> None:
    """A new column for `row`, with α = 0."""
    k = active.size[0]
    v = A[row] - A[active.bases[group[row]]]
    before = math.sqrt(np.dot(v, v))
    coordinates = np.zeros(k)
    for _ in range(3):
        part = np.dot(active.Qt[:k], v)
        coordinates += part
        v -= np.dot(part, active.Qt[:k])
        after = math.sqrt(np.dot(v, v))
        if after > 0.7 * before:
            break
        before = after
    if after == 0.0:
        after = 1e-300  # dependent to the last bit: the next affine step drops something
    active.Rt[k, :k] = coordinates
    active.Rt[k, k] = after
    active.Qt[k] = v / after
    active.columns[k] = row
    active.alpha[k] = 0.0
    active.is_active[row] = True
    # The point loses its part along the new direction; that is where `along` has to grow.
    along = np.dot(active.Qt[k], active.point)
    active.along[k] = along
    active.point[:] -= along * active.Qt[k]
    active.size[0] = k + 1


@kernel
def _delete(A: Floats, active: Active, at: int) -> None:
    """Drop column `at`: rotate R back to triangular, and give its direction back to the point."""
    k = active.size[0]
    active.is_active[active.columns[at]] = False
    cosines, sines = np.empty(k), np.empty(k)
    for j in range(at, k - 1):
        column = active.Rt[j + 1, : j + 2].copy()
        for i in range(at, j):
            upper, lower = column[i], column[i + 1]
            column[i] = cosines[i] * upper + sines[i] * lower
            column[i + 1] = cosines[i] * lower - sines[i] * upper
        radius = math.hypot(column[j], column[j + 1])
        cosines[j], sines[j] = 1.0, 0.0
        if radius > 0.0:
            cosines[j], sines[j] = column[j] / radius, column[j + 1] / radius
        column[j] = radius
        active.Rt[j, : j + 1] = column[: j + 1]
        active.columns[j] = active.columns[j + 1]
        active.alpha[j] = active.alpha[j + 1]
        c, s = cosines[j], sines[j]
        for t in range(A.shape[1]):
            upper, lower = active.Qt[j, t], active.Qt[j + 1, t]
            active.Qt[j, t] = c * upper + s * lower
            active.Qt[j + 1, t] = c * lower - s * upper
        upper, lower = active.along[j], active.along[j + 1]
        active.along[j] = c * upper + s * lower
        active.along[j + 1] = c * lower - s * upper
    active.size[0] = k - 1
    active.point[:] += active.along[k - 1] * active.Qt[k - 1]


@kernel
def _rebase(A: Floats, group: NDArray[np.int64], active: Active, g: int) -> None:
    """The base of group g leaves; the first column of the group takes its place."""
    k = active.size[0]
    first = 0
    while first < k and group[active.columns[first]] != g:
        first += 1
    heir = active.columns[first]
    active.along[: first + 1] += active.Rt[first, : first + 1]
    for j in range(first + 1, k):
        if group[active.columns[j]] == g:
            active.Rt[j, : first + 1] -= active.Rt[first, : first + 1]
    bases_at = len(active.alpha) - len(active.bases)
    active.alpha[bases_at + g] = active.alpha[first]
    active.is_active[active.bases[g]] = False
    _delete(A, active, first)
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
