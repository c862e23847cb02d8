"""Null spaces of all rows of a matrix, and rows projected on a rational basis, exactly.

A null basis of some rows is checked on all rows in one pass, and for each of its vectors some rows
that break it join. Every round adds a row that is independent of those before: there are never more
rounds than columns, and seldom many.
"""

from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.progress import in_time
from novikoff.exact.null_space import is_wide, null_space, rows_not_orthogonal
from novikoff.exact.rational import Vector
from novikoff.exact.reading import ExactMatrix
from novikoff.exact.score_signs import exact_products
from novikoff.exact.sparse_elimination import sparse_null_space
from novikoff.matrix.remote import RemoteMatrix

Indices: TypeAlias = NDArray[np.intp]
BLOCK = 1 << 18  # numbers made integers together
ROWS_A_COLUMN = 3  # that are looked at first


def null_space_of(reading: ExactMatrix, rows: Indices, fit_intercept: bool) -> list[Vector]:
    """A basis of what is orthogonal to many rows; to all of them, if they are not in memory.

    Of dense rows, to a few of them first, and to more if need be.
    """
    if is_wide(reading):
        found = sparse_null_space(reading, rows.tolist(), fit_intercept)
        if found is not None:
            return found
    p, n = reading.X.shape[1] + fit_intercept, len(rows)
    remote = reading.X if isinstance(reading.X, RemoteMatrix) else None
    firsts = [0] if remote is None else remote.offsets.tolist()
    few = rows[np.unique(np.linspace(0, n - 1, min(n, ROWS_A_COLUMN * p), dtype=int))]
    while True:
        basis = null_space(reading.part(few), range(len(few)), fit_intercept)
        if not basis:
            return []
        # Of each vector at once: of rare cells, each is one that the few rows do not see.
        some, among = max(1, p // len(basis)), rows if remote is None else None
        parts = reading.over_parts(_outside, basis, fit_intercept, among, some)
        outside = [first + part for first, part in zip(firsts, parts, strict=True)]
        more = np.unique(np.concatenate(outside))
        if len(more) == 0:
            return basis
        few = np.append(few, more)


def _outside(
    reading: ExactMatrix,
    basis: list[Vector],
    fit_intercept: bool,
    among: Indices | None,
    some: int,
) -> Indices:
    """Some rows of a part that are not orthogonal to a vector, and some for each other vector."""
    found = [np.empty(0, dtype=np.intp)]
    for vector in in_time(basis):
        rows = rows_not_orthogonal(reading, [vector], fit_intercept)
        found.append((rows if among is None else np.intersect1d(rows, among))[:some])
    return np.concatenate(found)


def null_space_at(reading: ExactMatrix, rows: Indices) -> list[Vector]:
    """A basis of what is orthogonal to these rows, which are fetched."""
    return null_space(reading.part(rows), range(len(rows)), False)


def with_intercept(X: Any) -> Any:
    """The rows with a 1 behind them."""
    ones = np.ones((X.shape[0], 1), dtype=X.dtype)
    return sp.csr_array(sp.hstack([X, ones])) if sp.issparse(X) else np.hstack([X, ones])


def project_rows(
    reading: ExactMatrix, rows: Indices, basis: list[Vector], fit_intercept: bool
) -> Any:
    """x̂ᵢ·v for each vector v of the basis, each row times a positive factor of its own.

    float64 numbers that are integers where they fit, else Python's integers.
    """
    columns = [j for j in range(reading.X.shape[1]) if any(vector[j] for vector in basis)]
    last = [vector[-1] if fit_intercept else Fraction(0) for vector in basis]
    vectors = [[*(v[j] for j in columns), b] for v, b in zip(basis, last, strict=True)]
    step = max(1, BLOCK // (len(columns) + 1))
    blocks = [
        exact_products(reading, rows[start : start + step], columns, vectors)
        for start in in_time(range(0, len(rows), step))
    ]
    if any(block.dtype == object for block in blocks):
        blocks = [block if block.dtype == object else _objects(block) for block in blocks]
    return np.vstack(blocks)


def _objects(values: NDArray[Any]) -> NDArray[Any]:
    return values.astype(np.int64).astype(object)
