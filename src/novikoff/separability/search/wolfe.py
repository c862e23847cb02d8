"""The point of a polytope nearest to the origin, in floating point: a guide, never a proof.

    minimise ‖Σ αᵢaᵢ‖²   over α ≥ 0, with Σ αᵢ = 1 in each group of rows

Wolfe's active-set method ("Finding the nearest point in a polytope", 1976), as in `exact.nearest`,
on a dense working set. Carried along is the QR factorisation of the *differences* aᵢ − base of the
active rows to one of them, the base of their group; a factorisation of the points themselves stalls
when they are far from the origin and close to each other. A new row is orthogonalised twice where
once is not enough, a row leaves by Givens rotations, and a base hands over to the first of its
group, which only subtracts one column from later ones and so keeps R triangular.

The active rows of Wolfe's method: what it carries from round to round.
"""

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.core.blas import orthonormal
from novikoff.core.compiled import kernel, summation
from novikoff.matrix.rows import Floats

__all__ = ["BEST", "FULL", "STALLED", "ZERO", "Active", "nearest_in", "new_active", "warm_active"]

DEPENDENT = 1e-10  # part of a difference that is left when the others are taken off


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
    if len(places) > most or len(places) - n_groups > A.shape[1] or not (shares > 0).all():
        return None
    heaviest = [int(np.argmax(np.where(group[places] == g, alpha, -1.0))) for g in range(n_groups)]
    bases, columns = places[heaviest], np.delete(places, heaviest)
    k = len(columns)
    differences = A[columns] - A[bases[group[columns]]]
    Q, R = orthonormal(differences.T)
    lengths = np.linalg.norm(differences, axis=1)
    if (np.abs(np.diag(R)) <= DEPENDENT * lengths).any():
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


UNIT = 2.0**-53
BLOCK = 64  # rows priced together, for each that may enter
MOST_ENTERING = 32
FEWEST_FOR_BLAS = 1 << 16  # multiplications
REFRESH = 64  # rounds between recomputing what is updated
SLICE = 1 << 28  # multiply-adds in compiled code before Python can hear Ctrl-C

# How a solve ended.
BEST = 0  # no row of the working set lies below its level
ZERO = 1  # the point is 0, as far as floating point can tell
STALLED = 2  # rounding stopped the norm from decreasing, or the rounds are over
FULL = 3  # there is no room for another active row
PAUSED = 4  # not yet: it can go on from here


class Carried(NamedTuple):
    """What a solve carries from slice to slice, so that slices change nothing but the time.

    `counts` are the rounds that are left, the block that is priced next, the rounds without a
    shorter point, and those since a refresh; `lengths` are of the longest row and the best point.
    """

    counts: NDArray[np.int64]
    lengths: Floats


def nearest_in(
    A: Floats,
    group: NDArray[np.int64],
    active: Active,
    most_rounds: int,
    check: Callable[[], None],
) -> int:
    """Go on from `active`, which is changed, to the nearest point; say how it ended.

    Between two slices of bounded work it can be interrupted, and `check` may raise.
    """
    longest = _longest_row(A)
    # What is carried is recomputed at once: it may come from an earlier solve.
    carried = Carried(
        np.array([most_rounds, 0, 0, REFRESH], dtype=np.int64), np.array([longest, np.inf])
    )
    while (ended := _slice(A, group, active, carried, SLICE)) == PAUSED:
        check()
    return ended


@kernel
def _longest_row(A: Floats) -> float:
    largest = 0.0
    for i in range(len(A)):
        largest = max(largest, _dot(A[i], A[i]))
    return math.sqrt(largest)


@kernel
def _slice(
    A: Floats, group: NDArray[np.int64], active: Active, carried: Carried, most_work: int
) -> int:
    """Rounds of about so many multiply-adds in all; how the solve ended, or that it has not."""
    d = A.shape[1]
    point = active.point
    counts, lengths = carried.counts, carried.lengths
    largest = lengths[0]
    entering = np.empty(MOST_ENTERING, np.int64)
    work = 0
    while counts[0] > 0:
        if work > most_work:
            return PAUSED
        counts[0] -= 1
        if counts[3] == REFRESH:
            _refresh(A, active)
            counts[3] = 0
            work += 4 * d * active.size[0]
        counts[3] += 1
        work += active.size[0] ** 2
        if not _to_affine_minimum(group, active):
            work += 2 * d * active.size[0]
            continue
        norm = math.sqrt(_dot(point, point))
        k = active.size[0]
        if k == d or norm <= 4 * UNIT * largest:
            return ZERO
        counts[2] = counts[2] + 1 if norm >= lengths[1] else 0
        lengths[1] = min(norm, lengths[1])
        if counts[2] > 8:
            return STALLED
        slack = norm * (1e-13 * norm + 4 * UNIT * largest)
        most = min(len(active.columns) - k, d - k, 1 + k // 16, MOST_ENTERING)
        if most == 0:
            return FULL
        count, counts[1], priced = _price(A, group, active, slack, counts[1], entering[:most])
        work += d * (priced + 4 * (k + count) * count)
        if count > 0:
            _insert(A, group, active, entering[:count])
        elif counts[3] == 1:
            return BEST
        else:
            counts[3] = REFRESH  # look again with fresh numbers
    return STALLED


@summation
def _dot(a: Floats, b: Floats) -> float:
    total = 0.0
    for t in range(len(a)):
        total += a[t] * b[t]
    return total


@kernel
def _add(a: Floats, step: float, b: Floats) -> None:
    for t in range(len(a)):
        a[t] += step * b[t]


@kernel
def _price(
    A: Floats,
    group: NDArray[np.int64],
    active: Active,
    slack: float,
    cursor: int,
    entering: NDArray[np.int64],
) -> tuple[int, int, int]:
    """Put the rows furthest below their level into `entering`: of the first block that has any.

    Returns how many they are, the block after theirs, and how many rows were looked at.
    """
    m, most = len(A), len(entering)
    bases, point, is_active = active.bases, active.point, active.is_active
    levels = np.empty(len(bases))
    for g in range(len(bases)):
        levels[g] = _dot(A[bases[g]], point)
    size = max(BLOCK * most, active.size[0])
    blocks = (m + size - 1) // size
    below = np.empty(most)
    for step in range(blocks):
        at = (cursor + step) % blocks
        count = 0
        for i in range(at * size, min((at + 1) * size, m)):
            value = levels[group[i]] - _dot(A[i], point)
            if value <= slack or is_active[i] or (count == most and value <= below[most - 1]):
                continue
            count = min(count + 1, most)
            place = count - 1
            while place > 0 and below[place - 1] < value:
                below[place], entering[place] = below[place - 1], entering[place - 1]
                place -= 1
            below[place], entering[place] = value, i
        if count > 0:
            return count, at + 1, (step + 1) * size
    return 0, cursor, m


@kernel
def _to_affine_minimum(group: NDArray[np.int64], active: Active) -> bool:
    """Move α to the affine minimum and say True, or as far as the signs allow, and drop a row."""
    k, n_groups = active.size[0], len(active.bases)
    R, along, columns, alpha = active.R, active.along, active.columns, active.alpha
    target = np.ones(k + n_groups)
    for j in range(k - 1, -1, -1):
        later = _dot(R[j, j + 1 : k], target[j + 1 : k])
        target[j] = -(along[j] + later) / R[j, j]
        target[k + group[columns[j]]] -= target[j]
    bases_at = len(alpha) - n_groups - k
    step, leaving = 1.0, -1
    for j in range(k + n_groups):
        if target[j] <= 0.0:
            now = alpha[j if j < k else bases_at + j]
            ratio = now / (now - target[j]) if now > target[j] else 0.0
            if leaving < 0 or ratio < step:
                step, leaving = ratio, j
    for j in range(k + n_groups):
        at = j if j < k else bases_at + j
        alpha[at] += step * (target[j] - alpha[at])
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
    k, count = active.size[0], len(entering)
    bases, Qt, R, point = active.bases, active.Qt, active.R, active.point
    V = np.empty((count, A.shape[1]))
    coordinates = np.zeros((count, k + count))
    lengths = np.empty(count)
    for t in range(count):
        base = bases[group[entering[t]]]
        for j in range(A.shape[1]):
            V[t, j] = A[entering[t], j] - A[base, j]
        lengths[t] = math.sqrt(_dot(V[t], V[t]))
    _take_out(Qt[:k], V, coordinates)
    _take_out(Qt[:k], V, coordinates)  # twice is enough
    now = k
    for t in range(count):
        length = math.sqrt(_dot(V[t], V[t]))
        if length <= 4 * UNIT * lengths[t]:
            continue
        for j in range(now):
            R[j, now] = coordinates[t, j]
        R[now, now] = length
        for j in range(A.shape[1]):
            Qt[now, j] = V[t, j] / length
        for later in range(2 * (t + 1), 2 * count):
            part_along = _dot(Qt[now], V[later // 2])
            coordinates[later // 2, now] += part_along
            _add(V[later // 2], -part_along, Qt[now])
        active.columns[now] = entering[t]
        active.alpha[now] = 0.0
        active.is_active[entering[t]] = True
        # The point loses its part along the new direction; that is where `along` has to grow.
        active.along[now] = _dot(Qt[now], point)
        _add(point, -active.along[now], Qt[now])
        now += 1
    active.size[0] = now


@kernel
def _take_out(Qt: Floats, V: Floats, coordinates: Floats) -> None:
    """Subtract from each row of V its parts along the rows of Qt, and add these to its coordinates.

    Blocks of some size are left to BLAS. Its first call loads `scipy.linalg`, which takes longer
    than everything else that is done to small data.
    """
    if V.size * len(Qt) < FEWEST_FOR_BLAS:
        for t in range(len(V)):
            for j in range(len(Qt)):
                part = _dot(Qt[j], V[t])
                coordinates[t, j] += part
                _add(V[t], -part, Qt[j])
        return
    parts = np.dot(Qt, V.T)
    taken = np.dot(parts.T, Qt)
    for t in range(len(V)):
        for j in range(len(Qt)):
            coordinates[t, j] += parts[j, t]
        _add(V[t], -1.0, taken[t])


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
    Qt, R, along = active.Qt, active.R, active.along
    active.is_active[active.columns[at]] = False
    for j in range(at, k - 1):
        active.columns[j] = active.columns[j + 1]
        active.alpha[j] = active.alpha[j + 1]
    for i in range(k):
        for j in range(max(at, i - 1), k - 1):
            R[i, j] = R[i, j + 1]
    for i in range(at, k - 1):
        radius = math.hypot(R[i, i], R[i + 1, i])
        if radius == 0.0:
            continue
        cosine, sine = R[i, i] / radius, R[i + 1, i] / radius
        _rotate(R[i, i : k - 1], R[i + 1, i : k - 1], cosine, sine)
        _rotate(Qt[i], Qt[i + 1], cosine, sine)
        above, beneath = along[i], along[i + 1]
        along[i] = cosine * above + sine * beneath
        along[i + 1] = cosine * beneath - sine * above
    active.size[0] = k - 1
    _add(active.point, along[k - 1], Qt[k - 1])


@kernel
def _rebase(group: NDArray[np.int64], active: Active, g: int) -> None:
    """The base of group g leaves; the first column of the group takes its place."""
    k = active.size[0]
    R, columns, bases = active.R, active.columns, active.bases
    first = 0
    while first < k and group[columns[first]] != g:
        first += 1
    new_base = columns[first]
    for i in range(first + 1):
        active.along[i] += R[i, first]
        for j in range(first + 1, k):
            if group[columns[j]] == g:
                R[i, j] -= R[i, first]
    active.alpha[len(active.alpha) - len(bases) + g] = active.alpha[first]
    active.is_active[bases[g]] = False
    _delete(active, first)
    bases[g] = new_base
    active.is_active[new_base] = True


@kernel
def _refresh(A: Floats, active: Active) -> None:
    """Recompute what has been updated: the point and its coordinates, from the bases and Q."""
    k = active.size[0]
    Qt, point, along = active.Qt, active.point, active.along
    point[:] = 0.0
    for base in active.bases:
        _add(point, 1.0, A[base])
    along[:k] = 0.0
    for _ in range(2):
        for j in range(k):
            part = _dot(Qt[j], point)
            along[j] += part
            _add(point, -part, Qt[j])
