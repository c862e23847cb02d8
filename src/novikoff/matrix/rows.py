"""Rows of a matrix, dense or CSR: the only code that knows how they are stored.

A compiled loop says `dot(rows, i, w)` and `axpy(rows, i, step, w)`; Numba picks the version for
the storage at hand. `w` may be longer than a row (the bias sits behind the features).
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.compiled import kernel, summation
from novikoff.errors import ShapeError
from novikoff.matrix.arrays import canonical

__all__ = [
    "Csr",
    "Floats",
    "Rows",
    "axpy",
    "dot",
    "entry",
    "longest_row",
    "n_entries",
    "n_features",
    "n_rows",
    "rows_of",
    "sqnorm",
    "stored_values",
]

Floats: TypeAlias = NDArray[np.float64]


class Csr(NamedTuple):
    """The three arrays of a CSR matrix, with unsigned indices, and how many columns it has.

    Unsigned, because Numba guards signed indices against wrap-around: a factor of 2.
    """

    data: NDArray[np.generic]
    indices: NDArray[np.generic]
    indptr: NDArray[np.generic]
    n_features: int


Rows: TypeAlias = NDArray[np.generic] | Csr


def rows_of(X: object) -> Rows:
    """The rows of `X` as compiled loops want them, without a copy when `X` is C-ordered or CSR.

    Views are read-only, always: a memory map and an array then share one compiled version. Compiled
    loops trust the indices of a sparse `X`, so they are checked here, whoever made it.
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
    """Native-endian numbers that a compiled loop can multiply."""
    values = np.ascontiguousarray(values)
    if values.dtype == np.bool_:
        return values.view(np.uint8)
    if values.dtype.kind not in "iuf" or values.dtype.itemsize > 8 or values.dtype == np.float16:
        return values.astype(np.float64)
    return values.astype(values.dtype.newbyteorder("="), copy=False)


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


# The bodies below that only raise are what a type checker reads and what Numba overloads.


def dot(rows: Rows, i: int, w: Floats) -> float:
    """x_i · w, summed in any order: its sign is decided with an error bound, never by itself."""
    raise NotImplementedError("compiled loops only")


def axpy(rows: Rows, i: int, step: float, w: Floats) -> None:
    """`w += step * x_i`, each weight rounded as `w_j + (step * x_j)`, and so in no order at all."""
    raise NotImplementedError("compiled loops only")


def sqnorm(rows: Rows, i: int) -> float:
    """‖x_i‖², rounded."""
    raise NotImplementedError("compiled loops only")


def n_entries(rows: Rows, i: int) -> int:
    """How many stored entries row i has."""
    raise NotImplementedError("compiled loops only")


def entry(rows: Rows, i: int, k: int) -> tuple[int, float]:
    """The column and the value of the k-th stored entry of row i."""
    raise NotImplementedError("compiled loops only")


@summation
def _dense_dot(X: NDArray[np.generic], i: int, w: Floats) -> float:
    total = 0.0
    for j in range(X.shape[1]):
        total += X[i, j] * w[j]
    return total


@summation
def _dense_sqnorm(X: NDArray[np.generic], i: int) -> float:
    total = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        total += x * x
    return total


@kernel
def _dense_axpy(X: NDArray[np.generic], i: int, step: float, w: Floats) -> None:
    for j in range(X.shape[1]):
        w[j] += step * X[i, j]


@summation
def _csr_dot(rows: Csr, i: int, w: Floats) -> float:
    total = 0.0
    for k in range(rows.indptr[i], rows.indptr[i + 1]):
        total += rows.data[k] * w[rows.indices[k]]
    return total


@summation
def _csr_sqnorm(rows: Csr, i: int) -> float:
    total = 0.0
    for k in range(rows.indptr[i], rows.indptr[i + 1]):
        x = np.float64(rows.data[k])
        total += x * x
    return total


@kernel
def _csr_axpy(rows: Csr, i: int, step: float, w: Floats) -> None:
    for k in range(rows.indptr[i], rows.indptr[i + 1]):
        w[rows.indices[k]] += step * rows.data[k]


@kernel
def _dense_n_entries(X: NDArray[np.generic], i: int) -> int:  # noqa: ARG001
    return int(X.shape[1])


@kernel
def _dense_entry(X: NDArray[np.generic], i: int, k: int) -> tuple[int, float]:
    return k, np.float64(X[i, k])


@kernel
def _csr_n_entries(rows: Csr, i: int) -> int:
    return np.int64(rows.indptr[i + 1]) - np.int64(rows.indptr[i])  # type: ignore[return-value]


@kernel
def _csr_entry(rows: Csr, i: int, k: int) -> tuple[int, float]:
    at = np.int64(rows.indptr[i]) + k
    return np.int64(rows.indices[at]), np.float64(rows.data[at])  # type: ignore[return-value]


def _is_csr(rows: object) -> bool:
    return isinstance(rows, types.BaseNamedTuple)


@overload(dot)
def _dot(rows, i, w):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_csr(rows):
        return lambda rows, i, w: _csr_dot(rows, i, w)
    return lambda rows, i, w: _dense_dot(rows, i, w)


@overload(axpy)
def _axpy(rows, i, step, w):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_csr(rows):
        return lambda rows, i, step, w: _csr_axpy(rows, i, step, w)
    return lambda rows, i, step, w: _dense_axpy(rows, i, step, w)


@overload(sqnorm)
def _sqnorm(rows, i):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_csr(rows):
        return lambda rows, i: _csr_sqnorm(rows, i)
    return lambda rows, i: _dense_sqnorm(rows, i)


@overload(n_entries)
def _n_entries(rows, i):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_csr(rows):
        return lambda rows, i: _csr_n_entries(rows, i)
    return lambda rows, i: _dense_n_entries(rows, i)


@overload(entry)
def _entry(rows, i, k):  # type: ignore[no-untyped-def]  # noqa: ARG001
    if _is_csr(rows):
        return lambda rows, i, k: _csr_entry(rows, i, k)
    return lambda rows, i, k: _dense_entry(rows, i, k)
