"""Check exactly that some rows of A span all rows.

No more columns than rows. Let V be k independent vectors that are orthogonal to all rows of A. Then
rank A ≤ p − k. The rank of A_S modulo a prime is at most rank A_S. So if it is p − k,

    p − k ≤ rank A_S ≤ rank A ≤ p − k.

The vectors are proposed by `novikoff.exact.null_space`, and checked here: they are independent
modulo a prime, and exactly orthogonal to all rows.

Of many sparse columns the vectors are sparse, too, and `core/verifier_span.hpp` finds the rank.

More columns than rows. cᵀA = 0 exactly if cᵀAAᵀ = 0, because cᵀAAᵀc = ‖Aᵀc‖². So rows of A span the
others exactly if these rows of the Gram matrix AAᵀ do, which is as wide as there are rows.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.progress import seconds_in_force
from novikoff.exact.null_space import null_space, rows_not_orthogonal
from novikoff.exact.rational import Vector, over_one_denominator
from novikoff.exact.reading import BINARY, ExactMatrix
from novikoff.exact.sparse_elimination import eliminate
from novikoff.matrix.problem import as_fraction
from novikoff.matrix.remote import RemoteMatrix

PRIMES = (2**61 - 1, 2**59 - 55, 2**57 - 13)  # a prime is unlucky if it divides a minor
BLOCK = 1 << 18  # numbers made integers together
SPARSE = 64  # columns of a sparse matrix that is reduced row by row
MOST_MEASURED = 64  # of them that are no dummies
LONGEST = 2.0**61
SMALL_PRIMES = (2**31 - 1, 2**31 - 19)
MOST_DENSE = 4096  # columns of a matrix that FLINT eliminates, with all its zeros

BEYOND = (
    "the rows of α do not span all rows (row {row} is outside): they prove that no plane separates "
    "strictly, but not that none touches."
)
NOT_PROVEN = "that the rows of α span all rows could not be proven."


def span_reason(reading: ExactMatrix, rows: Sequence[int], with_one: bool) -> str | None:
    """Why these rows are not proven to span all rows x̂ of the data, or None."""
    n, d = reading.X.shape
    if len(rows) == n:
        return None
    if isinstance(reading.X, RemoteMatrix):
        reading = ExactMatrix(reading.X.at_hand(), reading.decimals)
    if not with_one and sp.issparse(reading.X) and d >= SPARSE:
        told, reason = _sparse_reason(reading, np.asarray(rows))
        if told:
            return reason
    if d + with_one > n:
        everything = reading.part(np.arange(n))
        reading, with_one = ExactMatrix(_gram(everything, with_one), decimals=False), False
    near = reading.part(list(rows))
    p = near.X.shape[1] + with_one
    order = _rows_of_rare_columns_first(near.X)
    if _rank(near, order, with_one, p, PRIMES[0]) == p:
        return None
    basis = null_space(near, range(len(rows)), with_one)
    beyond = rows_not_orthogonal(reading, basis, with_one)
    if len(beyond):
        return BEYOND.format(row=beyond[0])
    rank = p - len(basis)
    reached = any(_rank(near, order, with_one, rank, prime) >= rank for prime in PRIMES)
    return None if reached and _are_independent(basis) else NOT_PROVEN


def _sparse_reason(reading: ExactMatrix, chosen: NDArray[np.intp]) -> tuple[bool, str | None]:
    """Whether it could be told, and the reason; numbers are whole, and shorter than 64 bits."""
    A = _whole_sparse(reading)
    proposed = None if A is None else eliminate(A, chosen)
    if A is None or proposed is None:
        return False, None
    null = proposed.null
    # Each vector is alone in one column: they are independent.
    alone = null[:, proposed.free].toarray() != 0
    if (alone.sum(axis=0) != 1).any() or (alone.sum(axis=1) != 1).any():
        return False, None
    sizes = abs(A.astype(np.float64)) @ abs(null.T.astype(np.float64))
    if sizes.data.max(initial=0.0) > LONGEST:
        return False, None
    scores = sp.csr_array(A @ sp.csr_array(null.T))
    scores.eliminate_zeros()
    beyond = np.flatnonzero(np.diff(scores.indptr))
    if len(beyond):
        return True, BEYOND.format(row=beyond[0])
    rarity = np.argsort(np.bincount(A.indices, minlength=A.shape[1]), kind="stable")
    near = A[chosen[np.argsort(np.diff(A.indptr)[chosen], kind="stable")]][:, rarity]
    near = sp.csr_array(near)
    near.sort_indices()
    starts, columns = near.indptr.astype(np.int64), near.indices.astype(np.int64)
    for prime in SMALL_PRIMES:
        residues, seconds = near.data % prime, seconds_in_force()
        rank = _core.rank_below(starts, columns, residues, A.shape[1], prime, seconds)
        if rank + null.shape[0] == A.shape[1]:
            return True, None
    return False, None


def _whole_sparse(reading: ExactMatrix) -> Any | None:
    """The rows as sparse int64, each column times some factor; None if a number is too long."""
    A = sp.csr_array(reading.X, dtype=np.float64, copy=True)
    A.sum_duplicates()
    A.eliminate_zeros()
    measured = np.unique(A.indices[np.abs(A.data) != 1])
    at_row = np.repeat(np.arange(A.shape[0]), np.diff(A.indptr))
    for j in measured.tolist() if len(measured) <= MOST_MEASURED else ():
        column = reading.whole_floats(slice(None), [j])
        if column is None:
            return None
        here = A.indices == j
        A.data[here] = column[0][at_row[here], 0]
    if (A.data != np.rint(A.data)).any() or (np.abs(A.data) >= 2.0**53).any():
        return None
    return A.astype(np.int64)


def _rows_of_rare_columns_first(X: Any) -> NDArray[np.intp]:
    """All rows; two for each column first, as rare dummies are in few rows."""
    m = X.shape[0]
    if not sp.issparse(X):
        return np.arange(m)
    columns = sp.csc_array(X)
    starts, ends = columns.indptr[:-1], columns.indptr[1:]
    places = np.concatenate([starts[starts < ends], starts[starts + 1 < ends] + 1])
    first = np.unique(columns.indices[places])
    return np.concatenate([first, np.setdiff1d(np.arange(m), first)]).astype(np.intp)


def _rank(
    near: ExactMatrix, order: NDArray[np.intp], with_one: bool, enough: int, prime: int
) -> int:
    """The rank modulo a prime of the rows, or of as many as have rank `enough`; 0 if it is no help.

    It is at most the rank.
    """
    by_rows = _rank_of_few_columns if near.X.shape[1] <= MOST_DENSE else _rank_of_many_columns
    try:
        return by_rows(near, order, with_one, enough, prime)
    except ValueError:  # the prime divides a denominator
        return 0


def _rank_of_few_columns(
    near: ExactMatrix, order: NDArray[np.intp], with_one: bool, enough: int, prime: int
) -> int:
    """`_rank` by FLINT, some rows at a time."""
    d = near.X.shape[1]
    echelon: list[list[int]] = []
    start, size = 0, 2 * (d + 1)
    while start < len(order) and len(echelon) < enough:
        integers, factors = near.integers(order[start : start + size], range(d))
        # Other rows may have other factors: they are taken out again.
        back = [f.denominator * pow(f.numerator, -1, prime) % prime for f in factors]
        table = [
            [x * inverse % prime for x, inverse in zip(row, back, strict=True)] + [1] * with_one
            for row in integers.tolist()
        ]
        reduced, rank = flint.nmod_mat([*echelon, *table], prime).rref()
        echelon = [[int(x) for x in row] for row in reduced.table()[:rank]]
        start, size = start + size, 2 * size
    return len(echelon)


def _rank_of_many_columns(
    near: ExactMatrix, order: NDArray[np.intp], with_one: bool, enough: int, prime: int
) -> int:
    """`_rank` a row at a time, the rarest columns first, so that rows of dummies stay short."""
    X, d = near.X, near.X.shape[1]
    counts = np.bincount((X if sp.issparse(X) else np.array(X != 0)).nonzero()[1], minlength=d)
    place = np.append(np.argsort(np.argsort(counts)), d).tolist()
    residue_of = _Residues(near, prime)
    echelon: dict[int, dict[int, int]] = {}  # by the first column, where the entry is 1
    for i in order.tolist():
        if sp.issparse(X):
            here = slice(X.indptr[i], X.indptr[i + 1])
            columns, values = X.indices[here].tolist(), X.data[here].tolist()
        else:
            columns, values = range(d), X[i].tolist()
        entries = zip(columns, values, strict=True)
        row = {place[j]: residue for j, x in entries if x and (residue := residue_of(x, j))}
        if with_one:
            row[d] = 1
        while row:
            lead = min(row)
            if lead not in echelon:
                inverse = pow(row[lead], -1, prime)
                echelon[lead] = {j: x * inverse % prime for j, x in row.items()}
                break
            factor = row[lead]
            for j, x in echelon[lead].items():
                value = (row.get(j, 0) - factor * x) % prime
                if value:
                    row[j] = value
                else:
                    row.pop(j, None)
        if len(echelon) >= enough:
            break
    return len(echelon)


class _Residues:
    """Numbers of a matrix modulo a prime, each different one worked out once."""

    def __init__(self, near: ExactMatrix, prime: int) -> None:
        self.is_float, self.prime = near.is_float, prime
        self.is_binary = (near.places == BINARY).tolist()
        self.known: dict[tuple[Any, bool], int] = {}

    def __call__(self, x: Any, j: int) -> int:
        """The residue of an entry of column j."""
        key = x, self.is_binary[j]
        if key not in self.known:
            is_decimal = self.is_float and not self.is_binary[j]
            exact = Fraction(repr(float(x))) if is_decimal else as_fraction(x)
            inverse = pow(exact.denominator, -1, self.prime)
            self.known[key] = exact.numerator * inverse % self.prime
        return self.known[key]


def _are_independent(basis: Sequence[Vector]) -> bool:
    """Whether the vectors are independent: at once if each is alone in a column."""
    alone: set[int] = set()
    counts = [0] * len(basis[0]) if basis else []
    for vector in basis:
        for j, value in enumerate(vector):
            counts[j] += value != 0
    for k, vector in enumerate(basis):
        if any(value and counts[j] == 1 for j, value in enumerate(vector)):
            alone.add(k)
    if len(alone) == len(basis):
        return True
    whole = [over_one_denominator(vector)[0] for vector in basis]
    return any(
        flint.nmod_mat([[x % prime for x in row] for row in whole], prime).rank() == len(basis)
        for prime in PRIMES
    )


def _gram(reading: ExactMatrix, with_one: bool) -> NDArray[Any]:
    """The products of the rows with each other, each column times a factor that makes it whole."""
    X, n = reading.X, reading.X.shape[0]
    stored = np.unique(X.indices).tolist() if sp.issparse(X) else range(X.shape[1])
    total = flint.fmpz_mat([[int(with_one)] * n] * n)
    step = max(1, BLOCK // n)
    for start in range(0, len(stored), step):
        integers, _ = reading.integers(range(n), stored[start : start + step])
        rows = flint.fmpz_mat(integers.tolist())
        total += rows * rows.transpose()
    return np.array([[int(value) for value in row] for row in total.table()], dtype=object)
