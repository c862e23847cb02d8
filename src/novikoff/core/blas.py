"""One BLAS thread inside our solves, whatever the program around them uses.

The order of a sum depends on the number of threads, and with it the last bits of a proposal: with
one thread the same data gives the same certificate, and the same kernel values, everywhere. Small
solves are faster so, too, and calls from several threads do not fight for the cores.

The limit is the whole process's. Threads that ask for it at the same time therefore share it: the
first sets it, and the last to leave puts back what was there.

Dense factorisations a block at a time, so that Ctrl-C is heard between two blocks.

LAPACK does each in one call that nothing can stop. That call is made where it takes a fraction of a
second; beyond, the same textbook algorithm runs over blocks of columns (Golub and Van Loan, "Matrix
Computations", 4th ed., §§3.2.11, 4.2.9, 5.2.3), with BLAS inside them. What cannot be done a block
at a time (eigenvectors) is called in a thread of its own.
"""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from novikoff.core import linalg as la
from novikoff.core.progress import in_time

T = TypeVar("T")

_lock = threading.Lock()
_inside = 0
_limit: Any = None

FEWEST_FOR_THREADS = 2_000  # numbers; BLAS does not use threads for matrices that are smaller


def one_thread(size: int | None = None) -> AbstractContextManager[Any]:
    """A context in which BLAS uses one thread; `size` says how many numbers the data holds.

    SciPy has a BLAS of its own, which must be loaded to be limited; loading it takes longer than
    everything else that is done to small data.
    """
    if size is not None and size < FEWEST_FOR_THREADS:
        return nullcontext()
    return _limit_threads()


@contextmanager
def _limit_threads() -> Iterator[None]:
    global _inside, _limit
    with _lock:
        if _inside == 0:
            _limit = _controller().limit(limits=1, user_api="blas")
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if _inside == 0:
                _limit.restore_original_limits()


@cache
def _controller() -> Any:
    # Looking for the libraries takes milliseconds, so it is done once, after both have loaded.
    import numpy as np  # noqa: F401
    import scipy.linalg  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


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


def orthonormalizer(A: Floats) -> Floats | None:
    """X with nearly orthonormal columns of AX; None if A has no full column rank, as floats see it.

    Of many rows by Cholesky's factor of AᵀA, then of (AX)ᵀAX, which is well-conditioned unless A
    is nearly singular (Yamamoto et al., "Roundoff error analysis of the CholeskyQR2 algorithm",
    2015). Where that fails, by the triangular factor of A.
    """
    if is_quick(A):
        return _inverse_factor(la.qr(A, mode="r", check_finite=False)[0][: A.shape[1]])
    once = _orthonormalized(A, np.eye(A.shape[1]))
    twice = None if once is None else _orthonormalized(A, once)
    return _inverse_factor(orthonormal(A)[1]) if twice is None else twice


def _orthonormalized(A: Floats, X: Floats) -> Floats | None:
    G = np.zeros((A.shape[1], A.shape[1]), order="F")
    for block in in_time(row_blocks(A)):
        W = block @ X
        G += W.T @ W
    try:
        cholesky_in_place(G)
    except la.LinAlgError:
        return None
    inverse = _inverse_factor(np.asfortranarray(np.tril(G).T))
    return None if inverse is None else X @ inverse


def _inverse_factor(R: Floats) -> Floats | None:
    X = invert_upper(R)
    return X if X is not None and np.isfinite(X).all() else None


def row_blocks(A: Floats) -> Iterator[Floats]:
    """The rows in blocks that are quickly multiplied by as many columns; all at once if few."""
    step = max(COLUMNS, AT_ONCE // max(A.shape[1] ** 2, 1))
    return (A[start : start + step] for start in range(0, len(A), step))


def _blocks(k: int) -> Iterator[slice]:
    """Columns 0 to k in blocks, while there is time."""
    return (slice(start, min(start + COLUMNS, k)) for start in in_time(range(0, k, COLUMNS)))
