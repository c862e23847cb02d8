"""Dense factorisations a block at a time, so that Ctrl-C is heard between two blocks.

LAPACK does each in one call that nothing can stop. That call is made where it takes a fraction of a
second; beyond, the same textbook algorithm runs over blocks of columns (Golub and Van Loan, "Matrix
Computations", 4th ed., §§3.2.11, 4.2.9, 5.2.3), with BLAS inside them.
"""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import linalg as la
from novikoff.progress import in_time

__all__ = [
    "AT_ONCE",
    "cholesky_in_place",
    "eliminate_in_place",
    "invert_upper",
    "is_quick",
    "orthonormal",
    "row_blocks",
]

Floats: TypeAlias = NDArray[np.float64]

AT_ONCE = 1 << 31  # multiply-adds of a call that is made as a whole
COLUMNS = 256  # in a block


def is_quick(A: Floats) -> bool:
    """Whether a factorisation of so many rows and columns is made in one call."""
    return bool(A.shape[0] * A.shape[1] ** 2 <= AT_ONCE)


def orthonormal(A: Floats) -> tuple[Floats, Floats]:
    """Q with orthonormal columns and R upper triangular, with A = QR; no fewer rows than columns.

    Block Gram-Schmidt, each block orthogonalised twice against all before it: twice is enough.
    """
    m, k = A.shape
    if is_quick(A):
        Q, R = np.linalg.qr(A)
        return Q, R
    Q, R = np.empty((m, k), order="F"), np.zeros((k, k))
    for now in _blocks(k):
        V = A[:, now].copy()
        coordinates = np.eye(V.shape[1])
        for _ in range(2):
            for before in _blocks(now.start):
                part = Q[:, before].T @ V
                V -= Q[:, before] @ part
                R[before, now] += part @ coordinates
            V, triangle = np.linalg.qr(V)
            coordinates = triangle @ coordinates
        Q[:, now], R[now, now] = V, coordinates
    return Q, R


def cholesky_in_place(G: Floats) -> None:
    """Replace the lower triangle of G, in column-major order, by its Cholesky factor.

    Raises `LinAlgError` where G is not positive definite. What is above the diagonal is not read,
    and is 0 afterwards or anything else.
    """
    p = len(G)
    size = max(p, 1) if is_quick(G) else COLUMNS
    for start in range(0, p, size):
        end = min(start + size, p)
        for before in _blocks(start):
            G[start:, start:end] -= G[start:, before] @ G[start:end, before].T
        corner, failed = la.lapack.dpotrf(G[start:end, start:end], lower=1)
        if failed:
            raise la.LinAlgError(f"the leading minor of order {start + failed} is not positive.")
        G[start:end, start:end] = corner
        if end < p:
            G[end:, start:end] = la.blas.dtrsm(1.0, corner, G[end:, start:end], 1, 1, 1)


def eliminate_in_place(A: Floats) -> NDArray[np.intp]:
    """Gaussian elimination with row pivoting: U replaces the upper triangle of A (column-major).

    Returns the order in which it puts the rows; there are no fewer rows than columns.
    """
    m, r = A.shape
    order = np.arange(m)
    size = max(r, 1) if is_quick(A) else COLUMNS
    for start in range(0, r, size):
        end = min(start + size, r)
        V = A[:, start:end]
        for before in _blocks(start):
            V[before] = la.blas.dtrsm(1.0, A[before, before], V[before], lower=1, diag=1)
            V[before.stop :] -= A[before.stop :, before] @ V[before]
        V[start:], swaps, _ = la.lapack.dgetrf(V[start:])
        moved = start + _order(swaps, m - start)
        changed = np.flatnonzero(moved != np.arange(start, m))
        order[start + changed] = order[moved[changed]]
        for others in (slice(0, start), slice(end, r)):
            A[start + changed, others] = A[moved[changed], others]
    return order


def _order(swaps: NDArray[np.intp], n: int) -> NDArray[np.intp]:
    """The permutation that LAPACK's exchanges of rows amount to."""
    order = np.arange(n)
    for i, j in enumerate(swaps.tolist()):
        order[i], order[j] = order[j], order[i]
    return order


def invert_upper(R: Floats) -> Floats | None:
    """The inverse of an upper triangular matrix; None if there is none."""
    p = len(R)
    size = max(p, 1) if is_quick(R) else COLUMNS
    X = np.zeros((p, p), order="F")
    for start in range(0, p, size):
        now = slice(start, min(start + size, p))
        corner, failed = la.lapack.dtrtri(R[now, now], lower=0)
        if failed:
            return None
        X[now, now] = np.triu(corner)
        for rows in _blocks(start):
            X[rows, now] = -(X[rows, rows.start : start] @ R[rows.start : start, now]) @ X[now, now]
    return X


def row_blocks(A: Floats) -> Iterator[Floats]:
    """The rows in blocks that are quickly multiplied by as many columns; all at once if few."""
    step = max(COLUMNS, AT_ONCE // max(A.shape[1] ** 2, 1))
    return (A[start : start + step] for start in range(0, len(A), step))


def _blocks(k: int) -> Iterator[slice]:
    """Columns 0 to k in blocks, while there is time."""
    return (slice(start, min(start + COLUMNS, k)) for start in in_time(range(0, k, COLUMNS)))
