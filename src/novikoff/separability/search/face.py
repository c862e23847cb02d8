"""Proposals for the face: which rows every weak separator has on its plane, with w and α.

One-sided columns are taken out first where the data is full of zeros, then the interior-point
method works on what is left. Columns are centred and scaled, rows brought to length 1: that guides,
and decides nothing.

Independent rows and columns are guessed in floating point. The exact solver checks them, so a wrong
guess costs time and no more.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import linalg as la
from novikoff.core import sparse as sp
from novikoff.core.blas import eliminate_in_place, row_blocks
from novikoff.core.progress import Deadline, seconds_in_force
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats
from novikoff.separability.search.interior import interior_points


class OneSided(NamedTuple):
    """The columns that were taken out, in order, and for each row which of them settled it.

    `settled` is the place in `columns`, −1 for rows that stay.
    """

    columns: NDArray[np.int64]
    signs: NDArray[np.int8]
    settled: NDArray[np.int64]


def one_sided(A: Any) -> OneSided:
    """Take one-sided columns out of the CSR matrix `A` until none is left."""
    by_column = A.tocsc()
    starts, indices = by_column.indptr, by_column.indices
    seconds = seconds_in_force()
    return OneSided(
        *_core.take_out_one_sided(A.indptr, A.indices, A.data, starts, indices, seconds)
    )


def with_one_sided(A: Any, taken: OneSided, w: Floats) -> Floats:
    """`w` with weights on the columns that were taken out, each large enough for its own rows.

    A column's rows have no entry in those taken out before, so the last one is weighed first.
    """
    w = w.copy()
    by_column = A.tocsc()
    # Only the rows that were settled need a score, and each needs one when its column's turn comes.
    for at in range(len(taken.columns) - 1, -1, -1):
        j = taken.columns[at]
        part = slice(by_column.indptr[j], by_column.indptr[j + 1])
        rows, entries = by_column.indices[part], np.abs(by_column.data[part])
        of_this_column = taken.settled[rows] == at
        scores = A[rows[of_this_column]] @ w
        needed = (1.0 + np.maximum(0.0, -scores)) / entries[of_this_column]
        w[j] = taken.signs[at] * 2.0 ** np.ceil(np.log2(needed.max()))
    return w


SMALL = 1e-9  # of a pivot beside the largest: the column depends on those before
ROWS_A_COLUMN = 4
ALL_AT_ONCE = 1 << 25  # numbers of a dense block that is factored as a whole


def of_like_size(A: Any) -> Any:
    """The matrix, each column multiplied by a power of two so that its entries are near 1."""
    if sp.issparse(A):
        sizes = abs(A).max(axis=0).toarray().ravel()
        exponents = np.frexp(np.where(sizes > 0, sizes, 1.0))[1]
        scaled = A.copy()
        scaled.data = np.ldexp(scaled.data, -exponents[scaled.indices])
        return scaled
    sizes = np.abs(A).max(axis=0, initial=0.0)
    return np.ldexp(A, -np.frexp(np.where(sizes > 0, sizes, 1.0))[1])


def independent_columns(A: Any, weights: Floats) -> NDArray[np.intp]:
    """Columns of `A` that span all of them, sorted: Cholesky with pivots of the Gram matrix."""
    if sp.issparse(A):
        weighted = A.multiply(np.sqrt(weights)[:, None]).tocsr()
        G = (weighted.T @ weighted).toarray()
    else:
        weighted = A * np.sqrt(weights)[:, None]
        G = sum(block.T @ block for block in row_blocks(weighted))
    sizes = np.sqrt(np.diagonal(G))
    used = np.flatnonzero(sizes > 0)
    if len(used) == 0:
        return used
    G = G[np.ix_(used, used)] / np.outer(sizes[used], sizes[used])
    _, pivots, rank, _ = la.lapack.dpstrf(G, tol=SMALL, lower=1)
    return np.sort(used[pivots[:rank] - 1])


def independent_rows(A: Any, weights: Floats) -> NDArray[np.intp] | None:
    """As many independent rows as `A` has columns, heavy ones first; None if it has not so many.

    Gaussian elimination with row pivoting on the weighted rows: those of the greatest weight, and
    for each column those that weigh most in it. All rows are looked at only if those do not do.
    """
    n, r = A.shape
    if r == 0:
        return np.empty(0, np.intp)
    few = _candidates(A, weights)
    for rows in (few, np.arange(n)) if len(few) < n else (few,):
        if len(rows) < r or len(rows) * r > ALL_AT_ONCE:
            continue
        block = A[rows].toarray() if sp.issparse(A) else A[rows]
        block = block * weights[rows, None]
        sizes = np.abs(block).max(axis=0)
        block = np.asfortranarray(block / np.where(sizes > 0, sizes, 1.0))
        order = eliminate_in_place(block)
        pivots = np.abs(np.diagonal(block))
        if pivots.min() > SMALL * pivots.max():
            return rows[order[:r]]
    return None


def _candidates(A: Any, weights: Floats) -> NDArray[np.intp]:
    """The heaviest rows, and the heaviest of each column."""
    n, r = A.shape
    heaviest = np.argsort(-weights, kind="stable")[: 2 * r]
    if not sp.issparse(A):
        return heaviest if n > 8 * r else np.arange(n)
    columns = A.multiply(weights[:, None]).tocsc()
    candidates = [heaviest]
    for j in range(r):
        start, end = columns.indptr[j], columns.indptr[j + 1]
        order = np.argsort(-np.abs(columns.data[start:end]), kind="stable")[:ROWS_A_COLUMN]
        candidates.append(columns.indices[start:end][order])
    return np.unique(np.concatenate(candidates)).astype(np.intp)


FULL_OF_ZEROS = 0.35  # the share of entries that are not 0, below which rows are kept sparse
Indices = NDArray[np.intp]


class FaceProposal(NamedTuple):
    """Rows `on` the plane of every weak separator, with their α; and ŵ, positive on all others.

    No row on: ŵ separates. `w_hat` has the bias last where there is one.
    """

    on: Indices
    alpha: Floats
    w_hat: Floats
    steps: int


def signed_floats(points: ExactProblem, rows: Indices | None = None) -> Any:
    """The rows yᵢx̂ᵢ in float64: CSR where most entries are 0, else dense."""
    X = points.floats if rows is None else points.floats[rows]
    y = points.problem.y if rows is None else points.problem.y[rows]
    if not sp.issparse(X) and np.count_nonzero(X) < FULL_OF_ZEROS * X.size:
        X = sp.csr_of(X)
    ones = np.ones((X.shape[0], int(points.problem.fit_intercept)))
    if not sp.issparse(X):
        return np.hstack([X, ones]) * y[:, None].astype(np.float64)
    A = sp.csr_array(sp.hstack([X.astype(np.float64), ones]))
    A.data *= np.repeat(y.astype(np.float64), np.diff(A.indptr))
    A.eliminate_zeros()
    A.sort_indices()
    return A


def face_proposals(points: ExactProblem, A: Any, deadline: Deadline) -> Iterator[FaceProposal]:
    """Proposals for the rows of `A`, each better than the one before."""
    p = A.shape[1]
    taken = one_sided(A) if sp.issparse(A) else None
    live_rows, live_columns = _left(A, taken)
    if len(live_rows) == 0 or len(live_columns) == 0:
        # Every row is settled, or is 0 and on every plane.
        yield _whole(A, taken, live_rows, np.ones(len(live_rows)), np.zeros(p), 0)
        return
    core = A if taken is None else sp.csr_array(A[live_rows][:, live_columns])
    seen, back = well_scaled(core, centred=points.problem.fit_intercept and taken is None)
    seen, lengths = rows_of_length_one(seen)
    tried = -1.0
    for steps, now in enumerate(interior_points(seen)):
        deadline.stage(f"interior point, step {steps}: {len(live_rows)} rows, gap {now.gap:.1e}")
        separates = bool(now.scores.min() > 0.0)
        if not separates and (not now.is_settled() or 0 <= tried < 1e2 * now.gap):
            continue
        tried = now.gap
        on = np.zeros(len(live_rows), np.bool_) if separates else now.on_plane
        w = np.zeros(p)
        w[live_columns] = back(now.w)
        alpha = now.alpha[on] / lengths[on]
        yield _whole(A, taken, live_rows[on], alpha, w, steps)


def _left(A: Any, taken: OneSided | None) -> tuple[Indices, Indices]:
    """The rows that are not settled, and the columns that they have entries in."""
    n, p = A.shape
    if taken is None:
        return np.arange(n), np.arange(p)
    rows = np.flatnonzero(taken.settled < 0)
    columns = np.unique(A[rows].indices).astype(np.intp)
    return rows, columns


def _whole(
    A: Any, taken: OneSided | None, on: Indices, alpha: Floats, w: Floats, steps: int
) -> FaceProposal:
    if taken is not None and len(taken.columns):
        w = with_one_sided(A, taken, w)
    return FaceProposal(on, alpha, w, steps)


def well_scaled(core: Any, *, centred: bool) -> tuple[Any, Callable[[Floats], Floats]]:
    """Columns of like size, about a common centre; and the way back to weights on `core`."""
    if sp.issparse(core):
        sizes = abs(core).max(axis=0).toarray().ravel()
        scale = _powers(sizes)
        seen = core.copy()
        seen.data = seen.data * scale[seen.indices]
        return seen, lambda w: w * scale
    if not centred:
        scale = _powers(np.abs(core).max(axis=0))
        return core * scale, lambda w: w * scale
    y = core[:, -1]
    X = core[:, :-1] * y[:, None]
    centre = X.mean(axis=0)
    scale = _powers(np.abs(X - centre).max(axis=0))
    seen = np.column_stack([(X - centre) * scale, np.ones(len(X))]) * y[:, None]

    def back(w: Floats) -> Floats:
        plain: Floats = w[:-1] * scale
        return np.asarray(np.append(plain, w[-1] - plain @ centre), dtype=np.float64)

    return seen, back


def _powers(sizes: Floats) -> Floats:
    """Powers of two that bring these sizes to about 1."""
    exponents = np.frexp(np.where(sizes > 0, sizes, 1.0))[1]
    return np.asarray(np.ldexp(1.0, np.clip(-exponents, -1000, 1000)))


def rows_of_length_one(A: Any) -> tuple[Any, Floats]:
    """The rows divided by their lengths, and those; a row of zeros stays as it is."""
    squares = A.multiply(A).sum(axis=1) if sp.issparse(A) else np.einsum("ij,ij->i", A, A)
    lengths = np.sqrt(np.asarray(squares).ravel())
    lengths[lengths == 0.0] = 1.0
    if not sp.issparse(A):
        return A / lengths[:, None], lengths
    scaled = A.copy()
    scaled.data = scaled.data / np.repeat(lengths, np.diff(scaled.indptr))
    return scaled, lengths
