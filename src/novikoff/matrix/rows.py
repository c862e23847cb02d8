"""Rows of a matrix, dense or CSR, as the loops of the core take them (`core/rows.hpp`)."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.errors import ShapeError
from novikoff.matrix.arrays import canonical, native

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
