"""The point of a polytope nearest to the origin, in floating point: a guide, never a proof.

    minimise ‖Σ αᵢaᵢ‖²   over α ≥ 0, with Σ αᵢ = 1 in each group of rows

Wolfe's active-set method ("Finding the nearest point in a polytope", 1976) on a dense working set:
core/wolfe.hpp. Here are the active rows, which it carries from round to round.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.blas import orthonormal
from novikoff.core.progress import seconds_in_force
from novikoff.matrix.rows import Floats

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


# How a solve ended.
BEST = 0  # no row of the working set lies below its level
ZERO = 1  # the point is 0, as far as floating point can tell
STALLED = 2  # rounding stopped the norm from decreasing, or the rounds are over
FULL = 3  # there is no room for another active row


def nearest_in(A: Floats, group: NDArray[np.int64], active: Active, most_rounds: int) -> int:
    """Go on from `active`, which is changed, to the nearest point; say how it ended."""
    return _core.nearest_point(A, group, *active, most_rounds, seconds_in_force())
