"""Which rows and columns carry a matrix: independent ones, as floating point sees them.

Whoever uses them solves exactly and checks, so a wrong guess costs time and no more.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import linalg as la
from novikoff import sparse as sp
from novikoff.blockwise import eliminate_in_place, row_blocks
from novikoff.rows import Floats

__all__ = ["independent_columns", "independent_rows", "of_like_size"]

SMALL = 1e-9  # of a pivot beside the largest: the column depends on those before
ROWS_A_COLUMN = 4
ALL_AT_ONCE = 1 << 25  # numbers of a dense block that is factored as a whole


def of_like_size(A: Any) -> Any:
    """The same matrix with columns multiplied by powers of two: entries of 1 or so in each."""
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
