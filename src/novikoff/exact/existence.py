"""That a positive α with Aᵀα = 0 exists near a given one, proven in floating point.

If A has full column rank, α plus the least correction δ solves Aᵀ(α + δ) = 0 exactly, and
‖δ‖ ≤ ‖Aᵀα‖ / σ_min(A). So min α · σ_min(A) > ‖Aᵀα‖ proves that α + δ > 0. Both sides are
bounded in `novikoff.exact.bounds`. α is divided by its greatest entry first, and sums of squares by
the greatest square, so no bound depends on the scale of α.
A verifier checks the claim with other arithmetic (`novikoff.certificates.floating_point`).

Columns of zeros, constant ones beside an intercept, and copies of others are left out first: they
are combinations of the others exactly, so Σ αᵢyᵢx̂ᵢ is 0 in them too, and the rank is the same.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import linalg as la
from novikoff.core import sparse as sp
from novikoff.core.blas import is_quick, orthonormalizer, row_blocks
from novikoff.exact.bounds import LEAST_NORMAL, UNIT, residual_bounds, singular_value_bound
from novikoff.exact.duplicates import distinct_columns
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats

ROWS_A_COLUMN = 4  # of those that σ_min is bounded on
LARGE = 1 << 22  # numbers, worth being kept sparse
FULL_OF_ZEROS = 0.35


def positive_solution_exists(points: ExactProblem, rows: NDArray[np.intp], alpha: Floats) -> bool:
    """Whether α > 0 with Σ αᵢyᵢx̂ᵢ = 0 over all of these rows is proven to exist, near `alpha`.

    The rows then also have the rank of all columns: the classes overlap.
    """
    if len(alpha) == 0 or not (alpha > 0.0).all() or not np.isfinite(alpha).all():
        return False
    alpha = np.ldexp(alpha, -np.frexp(alpha.max())[1])
    if alpha.min() < LEAST_NORMAL:
        return False
    A = _scale(points, rows)
    if A is None or 0 in A.shape or A.shape[0] < A.shape[1]:
        return False
    extra = 2 if points.rounded else 0  # the floats are within one rounding of the points
    with np.errstate(all="ignore"):
        needed = _residual_bound(A, alpha, extra) / (float(alpha.min()) * (1 - 4 * UNIT))
        # Of fewer rows σ_min is no greater.
        return any(_least_singular_value(some, extra) > needed for _, some in _spanning(A))


def near_solution(
    points: ExactProblem, rows: NDArray[np.intp], alpha: Floats | None
) -> Floats | None:
    """α moved towards Aᵀα = 0 by least corrections; for p + 1 rows it needs no start."""
    A = _scale(points, rows)
    if A is None or A.shape[0] < A.shape[1]:
        return None
    unique = alpha is None and A.shape[0] == A.shape[1] + 1
    if not unique and not is_quick(A):
        return _moved(A, np.ones(A.shape[0]) if alpha is None else alpha)
    try:
        dense = A.toarray() if sp.issparse(A) else A
        Q, _ = la.qr(dense, mode="full" if unique else "economic", check_finite=False)
    except (la.LinAlgError, ValueError):
        return None
    if alpha is None:
        alpha = Q[:, -1] * np.sign(Q[:, -1].sum() or 1.0) if unique else np.ones(len(Q))
        Q = Q[:, : A.shape[1]]
    for _ in range(3):
        alpha = alpha - Q @ (Q.T @ alpha)
    return _normalised(alpha)


def _moved(A: Any, alpha: Floats) -> Floats | None:
    """α with corrections on rows that span all, so few that it stays positive; or on all rows."""
    near = None
    for rows, some in _spanning(A):
        X = orthonormalizer(some)
        if X is None:
            continue
        near = alpha.copy()
        for _ in range(3):
            near[rows] -= some @ (X @ (X.T @ (A.T @ near)))
        if near.min() > 0:
            break
    return None if near is None else _normalised(near)


def _normalised(alpha: Floats) -> Floats | None:
    total = float(alpha.sum())
    return alpha / total if math.isfinite(total) and total > 0 else None


def _spanning(A: Any) -> Iterator[tuple[NDArray[np.intp], Floats]]:
    """Some rows that may span all and are quickly factored, dense; then all."""
    n, p = A.shape
    if n > 2 * ROWS_A_COLUMN * p and not is_quick(A):
        rows = np.linspace(0, n - 1, ROWS_A_COLUMN * p, dtype=np.intp)
        if sp.issparse(A):  # a column of few entries needs the rows that have them
            columns = A.tocsc()
            ends = np.minimum(columns.indptr[:-1] + ROWS_A_COLUMN, columns.indptr[1:])
            few = [columns.indices[a:b] for a, b in zip(columns.indptr, ends, strict=False)]
            rows = np.union1d(rows, np.concatenate(few)).astype(np.intp)
        yield rows, A[rows].toarray() if sp.issparse(A) else A[rows]
    yield np.arange(n), A.toarray() if sp.issparse(A) else A


def _scale(points: ExactProblem, rows: NDArray[np.intp]) -> Any:
    """The rows yᵢx̂ᵢ, columns multiplied by powers of two to be of like size: the same solutions."""
    y = points.problem.y[rows].astype(np.float64)
    X = points.floats[rows] if sp.issparse(points.floats) else points.take(rows)
    X = X[:, _columns(points, rows)]
    if not sp.issparse(X) and X.size > LARGE and np.count_nonzero(X) < FULL_OF_ZEROS * X.size:
        X = sp.csr_of(X)
    ones = np.ones((len(rows), int(points.problem.fit_intercept)))
    if sp.issparse(X):
        signed = sp.csr_array(sp.hstack([X.astype(np.float64), ones]))
        signed.sum_duplicates()
        signed.eliminate_zeros()
        signed.data *= np.repeat(y, np.diff(signed.indptr))
        sizes, given = abs(signed).max(axis=0).toarray().ravel(), signed.data
    else:
        signed = np.hstack([X, ones]) * y[:, None]
        sizes, given = np.abs(signed).max(axis=0, initial=0.0), signed
    # A number that was rounded to a subnormal one may be off by more than a relative rounding.
    if not (sizes > 0).all() or (points.rounded and _has_subnormal(given)):
        return None
    powers = -np.frexp(sizes)[1]
    scaled = np.ldexp(given, powers[signed.indices] if sp.issparse(signed) else powers)
    # What a scaling pushed below the normal numbers may have been rounded.
    if _has_subnormal(scaled) or (scaled[given != 0] == 0).any():
        return None
    if not sp.issparse(signed):
        return scaled
    signed.data = scaled
    return signed


def _has_subnormal(values: Floats) -> bool:
    return bool(((np.abs(values) < LEAST_NORMAL) & (values != 0)).any())


def _columns(points: ExactProblem, rows: NDArray[np.intp]) -> NDArray[np.intp]:
    """The columns to look at: all, or those that others of them do not repeat in every row."""
    X, with_one = points.floats, points.problem.fit_intercept
    # Of numbers that were rounded, or of sparse ones, none is left out: equal floats may differ.
    if points.rounded or sp.issparse(X) or (points.remote is not None and points.remote.is_sparse):
        return np.arange(points.problem.d)
    near = None if points.remote is None else points.take(rows)
    return distinct_columns(X, with_one=with_one, near=near)


def _least_singular_value(A: Floats, extra: int) -> float:
    """A lower bound on σ_min(A), 0 if there is none."""
    X = orthonormalizer(A)
    return 0.0 if X is None else singular_value_bound(row_blocks(A), X, extra=extra)


def _residual_bound(A: Any, alpha: Floats, extra: int) -> float:
    """An upper bound on ‖Aᵀα‖."""
    bounds = residual_bounds(A.T @ alpha, abs(A).T @ alpha, A.shape[0], extra=extra)
    return float(bounds)
