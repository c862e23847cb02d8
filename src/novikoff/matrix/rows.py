"""Rows of a matrix, dense or CSR, as the loops of the core take them (`core/rows.hpp`).

A compiled loop, scipy's own conversions among them, trusts the indices of a sparse matrix: one out
of range reads or writes memory that is not the matrix's. So every sparse matrix is checked here,
whatever its storage, once, by passes over the index arrays that copy nothing.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.errors import ShapeError
from novikoff.matrix.arrays import native

Floats: TypeAlias = NDArray[np.float64]


class Csr(NamedTuple):
    """The three arrays of a CSR matrix, with unsigned indices, and how many columns it has."""

    data: NDArray[np.generic]
    indices: NDArray[np.generic]
    indptr: NDArray[np.generic]
    n_features: int


Rows: TypeAlias = NDArray[np.generic] | Csr


def rows_of(X: object) -> Rows:
    """The rows of `X` as the core takes them, without a copy when `X` is C-ordered or CSR.

    The loops of the core trust the indices of a sparse `X`, so they are checked here.
    """
    if sp.issparse(X):
        matrix = canonical(X)
        indices, indptr = _as_unsigned(matrix.indices, matrix.indptr)
        n_features = int(matrix.shape[1])
        if not _core.csr_is_sound(indices, indptr, n_features):
            raise ShapeError("X is a sparse matrix whose indices do not fit its shape.")
        return Csr(_read_only(_numeric(matrix.data)), indices, indptr, n_features)
    return _read_only(_numeric(np.asarray(X)))


def _numeric(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """Native-endian numbers that the core can multiply."""
    values = np.ascontiguousarray(values)
    if values.dtype == np.bool_:
        return values.view(np.uint8)
    if values.dtype.kind not in "iuf" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        return values.astype(np.float64)
    return native(values)


def _as_unsigned(*arrays: NDArray[np.generic]) -> list[NDArray[np.generic]]:
    """The indices in unsigned numbers of 32 bits, or all of 64 if one of them needs them."""
    size = 4 if all(indices.dtype.itemsize <= 4 for indices in arrays) else 8
    return [
        _read_only(np.ascontiguousarray(indices, dtype=f"i{size}").view(f"u{size}"))
        for indices in arrays
    ]


def _read_only(values: NDArray[np.generic]) -> NDArray[np.generic]:
    view = values.view()
    view.flags.writeable = False
    return view


def n_rows(rows: Rows) -> int:
    """How many rows there are."""
    return len(rows.indptr) - 1 if isinstance(rows, Csr) else len(rows)


def n_features(rows: Rows) -> int:
    """How many columns there are."""
    return rows.n_features if isinstance(rows, Csr) else int(rows.shape[1])


def longest_row(rows: Rows) -> int:
    """The greatest number of stored entries in a row."""
    return int(np.diff(rows.indptr).max()) if isinstance(rows, Csr) else int(rows.shape[1])


def stored_values(rows: Rows) -> NDArray[np.generic]:
    """The numbers that are stored (for CSR: without the zeros that are not)."""
    return rows.data if isinstance(rows, Csr) else rows


def csr_of(X: Any) -> Any:
    """`X`, sparse of any storage, as a sound CSR array: indices in range, sorted, none twice.

    The same object where it will do; the arrays of the caller are never changed.
    """
    if X.ndim != 2:
        raise ShapeError(f"X must have two dimensions, rows and columns; it has {X.ndim}.")
    check_storage(X)
    return canonical(X)


def canonical(X: Any) -> Any:
    """A sparse matrix that is known to be sound as CSR: nothing unused, sorted, no index twice."""
    # The same object where it will do: it remembers that its order was looked at.
    matrix = X if isinstance(X, sp.csr_array) else sp.csr_array(X)
    used = int(matrix.indptr[-1])
    if used < len(matrix.data):
        parts = (matrix.data[:used], matrix.indices[:used], matrix.indptr)
        matrix = sp.csr_array(parts, shape=matrix.shape)
    if not matrix.has_canonical_format:
        matrix = matrix.copy()
        matrix.sum_duplicates()
    return matrix


def check_storage(X: Any) -> None:
    """Raise `ShapeError` unless the arrays of a sparse matrix agree with each other and its shape.

    Dictionaries of keys are checked by scipy itself when they are converted.
    """
    rows, columns = X.shape
    if X.format == "csr":
        _check_compressed(X, X.data.shape, rows, columns)
    elif X.format == "csc":
        _check_compressed(X, X.data.shape, columns, rows)
    elif X.format == "bsr":
        if X.data.ndim != 3 or any(s < 1 for s in X.data.shape[1:]):
            raise _storage_error(X, f"its blocks have the shape {X.data.shape[1:]}")
        high, wide = X.data.shape[1:]
        if rows % high or columns % wide:
            raise _storage_error(X, f"blocks of {high}×{wide} do not tile it")
        _check_compressed(X, X.data.shape, rows // high, columns // wide)
    elif X.format == "coo":
        _check_coordinates(X)
    elif X.format == "lil":
        _check_lists(X)
    elif X.format == "dia" and (X.data.ndim != 2 or X.offsets.shape != X.data.shape[:1]):
        raise _storage_error(
            X, f"it has {len(X.offsets)} offsets for data of the shape {X.data.shape}"
        )


def _check_compressed(X: Any, data: tuple[int, ...], major: int, minor: int) -> None:
    """`indptr` cuts `indices` into `major` runs, and each index is below `minor`."""
    for name in ("indices", "indptr"):
        values = getattr(X, name)
        if values.ndim != 1 or values.dtype.kind not in "iu":
            raise _storage_error(X, f"its {name} are no flat array of integers")
    if len(X.indices) != data[0] or len(X.indptr) != major + 1:
        raise _storage_error(
            X,
            f"it has {data[0]} data for {len(X.indices)} indices, and indptr has "
            f"{len(X.indptr)} entries where {major + 1} are needed",
        )
    starts = X.indptr
    if int(starts[0]) != 0 or int(starts[-1]) > data[0] or (starts[1:] < starts[:-1]).any():
        raise _storage_error(X, f"indptr must rise from 0 to at most {data[0]}")
    _check_range(X, X.indices[: int(starts[-1])], minor)


def _check_coordinates(X: Any) -> None:
    for indices, bound in zip(X.coords, X.shape, strict=True):
        if indices.dtype.kind not in "iu" or indices.shape != X.data.shape:
            raise _storage_error(X, "its coordinates are not one integer for each number")
        _check_range(X, indices, bound)


def _check_lists(X: Any) -> None:
    if len(X.rows) != X.shape[0] or len(X.data) != X.shape[0]:
        raise _storage_error(X, "it does not have one list for each row")
    for indices, values in zip(X.rows, X.data, strict=True):
        if len(indices) != len(values):
            raise _storage_error(X, f"{len(indices)} indices for {len(values)} numbers in a row")
        if indices and not 0 <= min(indices) <= max(indices) < X.shape[1]:
            raise _storage_error(X, f"an index is not from 0 to {X.shape[1] - 1}")


def _check_range(X: Any, indices: NDArray[Any], bound: int) -> None:
    if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < bound:
        bad = int(indices.min()) if int(indices.min()) < 0 else int(indices.max())
        raise _storage_error(X, f"the index {bad} is not from 0 to {bound - 1}")


def _storage_error(X: Any, why: str) -> ShapeError:
    rows, columns = X.shape
    return ShapeError(
        f"X is a {X.format.upper()} matrix of {rows}×{columns} whose arrays do not fit: {why}. "
        "Build it again from its entries."
    )
