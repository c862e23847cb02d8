"""Arrays, frames, Arrow tables and lists as one array, no integer rounded on the way.

Sparse matrices are checked: every index in range, whatever the storage.

A compiled loop, scipy's own conversions among them, trusts the indices of a sparse matrix: one out
of range reads or writes memory that is not the matrix's. They are checked here, once, by passes
over the index arrays that copy nothing.
"""

from decimal import Decimal
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.errors import DataError, NotFiniteError, NotNumericError, ShapeError


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


LARGEST_EXACT_INTEGER = 2**53
MOST_ZEROS = 10_000  # that the exponent of a decimal may stand for


def dense_of(X: object) -> NDArray[Any]:
    """`X` as a C-ordered array of numbers, or of exact objects that float64 may not hold."""
    array = _array_of(X)
    if array.dtype == object:
        return _objects(array)
    return np.ascontiguousarray(narrow(array))


def numpy_of(values: Any) -> Any:
    """An array of another library that follows the array API standard, as NumPy's; else itself."""
    if np.ma.is_masked(values):  # NumPy would take what lies behind the mask
        raise NotFiniteError("X or y has masked values: drop those rows, or fill them in.")
    if isinstance(values, (np.ndarray, np.generic)) or not hasattr(values, "__array_namespace__"):
        return values
    try:
        return np.asarray(values)
    except (TypeError, RuntimeError, BufferError):  # it lies on another device
        return np.from_dlpack(values, device="cpu")


def labels_of(y: Any) -> Any:
    """Labels as NumPy reads them: those of a frame that it cannot read are a table."""
    return numpy_of(y if hasattr(y, "__array__") else arrow_table(y))


def _array_of(X: object) -> NDArray[Any]:
    """`X` as an array; as objects where a type for all of it would round its integers."""
    X = numpy_of(X)
    if isinstance(X, np.ndarray):
        return np.asarray(X)
    if not hasattr(X, "to_numpy"):
        X = arrow_table(X)
    if hasattr(X, "itercolumns"):  # an Arrow table
        return _stack([column.to_numpy(zero_copy_only=False) for column in X.itercolumns()], X)
    try:
        array = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X)
    except ValueError as error:
        raise ShapeError(f"X must have rows of equal length: {error}") from error
    if array.ndim != 2 or _holds_integers(array):
        return array
    if hasattr(X, "iter_columns"):  # polars
        return _stack([column.to_numpy() for column in X.iter_columns()], X)
    if hasattr(X, "items") and hasattr(X, "columns"):  # pandas
        return _stack([column.to_numpy() for _, column in X.items()], X)
    if isinstance(X, (list, tuple)):
        objects = np.array(X, dtype=object)
        return objects if any(is_long(value) for value in objects.flat) else array
    return array


def speaks_arrow(X: object) -> bool:
    """Whether it has Arrow's protocol, or that of data frames."""
    return hasattr(X, "__arrow_c_stream__") or hasattr(X, "__dataframe__")


def arrow_table(X: Any) -> Any:
    """What speaks Arrow's protocol or that of data frames as an Arrow table; else itself."""
    if hasattr(X, "__arrow_c_stream__"):
        import pyarrow as pa

        return pa.table(X)
    if hasattr(X, "__dataframe__"):
        from pyarrow.interchange import from_dataframe

        return from_dataframe(X)
    return X


def _holds_integers(array: NDArray[Any]) -> bool:
    """Whether no integer can have been rounded on its way into this array."""
    if array.dtype.kind != "f" or not array.size:
        return array.dtype.kind in "biuf"
    return bool(max(-float(array.min()), float(array.max())) < LARGEST_EXACT_INTEGER)


def is_long(value: object) -> bool:
    """Whether float64 may have to round this integer."""
    return isinstance(value, Integral) and abs(int(value)) > LARGEST_EXACT_INTEGER


def _stack(columns: list[NDArray[Any]], X: object) -> NDArray[Any]:
    """Columns of any types side by side, as objects where one of floats would round integers."""
    if not columns:
        return np.empty((len(X), 0))  # type: ignore[arg-type]
    for name, column in zip(column_names(X) or (), columns, strict=True):
        is_number = column.dtype.kind in "biufc"
        text = None if is_number else next((v for v in column if isinstance(v, str)), None)
        if text is not None:
            raise NotNumericError(
                f"X must hold numbers, but its column {name!r} holds text, for instance {text!r}: "
                f"make categories of it (novikoff.read(frame, label=…, categorical=[{name!r}]), or "
                "scikit-learn's OneHotEncoder), or leave it out."
            )
        if column.dtype.kind not in "biufcO":
            raise NotNumericError(f"X must hold numbers; its column {name!r} is {column.dtype}.")
    if any(column.dtype == object for column in columns):
        return np.column_stack([column.astype(object) for column in columns])
    stacked = np.column_stack(columns)
    whole = [column for column in columns if column.dtype.kind in "iu" and column.size]
    if stacked.dtype.kind == "f" and any(is_long(m) for c in whole for m in (c.min(), c.max())):
        return np.column_stack([column.astype(object) for column in columns])
    return stacked


def narrow(array: NDArray[Any]) -> NDArray[Any]:
    """Numbers that float64 holds, in the byte order of this machine; an error for anything else."""
    if array.dtype.kind == "c":
        raise DataError("Complex data not supported: X must hold real numbers.")
    if array.dtype.kind not in "biuf":
        raise NotNumericError(f"X must hold numbers; its type is {array.dtype}.")
    if array.dtype.itemsize <= 8:
        return array.astype(array.dtype.newbyteorder("="), copy=False)
    floats = array.astype(np.float64)
    if not np.array_equal(floats, array, equal_nan=True):
        raise DataError(f"X is {array.dtype}, and float64 cannot hold its values; convert it.")
    return floats


def _objects(array: NDArray[Any]) -> NDArray[Any]:
    """Objects stay objects if they are exact numbers that float64 may not hold."""
    kinds = {type(value) for value in array.flat}
    plain = (float, np.floating, np.integer, np.bool_, bool)
    held = all(issubclass(kind, plain) and kind is not np.longdouble for kind in kinds)
    if held and not any(map(is_long, array.flat)):
        return np.ascontiguousarray(array.astype(np.float64))
    for at, value in np.ndenumerate(array):
        is_number = isinstance(value, (Rational, Decimal, Real))
        if is_number and not (isinstance(value, Decimal) and _has_many_zeros(value)):
            continue
        place = f"row {at[0]}, column {at[1]}" if len(at) == 2 else f"position {at}"
        if not is_number:
            if is_missing(value):
                raise NotFiniteError(
                    f"X has a missing value ({place}): drop those rows, or fill them in."
                )
            raise NotNumericError(
                f"X must hold numbers, but {place} is {value!r}, a {type(value).__name__}: "
                "each argument must be neither a string nor a container, but a number."
            )
        raise DataError(
            f"X holds {value} ({place}), whose exponent is beyond ±{MOST_ZEROS:,}: "
            "multiply that column by a power of ten, which changes no verdict."
        )
    return np.ascontiguousarray(array)


def _has_many_zeros(value: Decimal) -> bool:
    """Whether so short a text stands for an integer, or a denominator, that fills the memory."""
    exponent = value.as_tuple().exponent
    return isinstance(exponent, int) and abs(exponent) > MOST_ZEROS


def is_missing(value: Any) -> bool:
    """None, NaN, or pandas' NA: what is not equal to itself."""
    if value is None:
        return True
    if isinstance(value, (list, dict, np.ndarray)):
        return False
    try:
        same = value == value
    except TypeError:  # it can be compared with nothing, as a LazyFrame of polars
        return False
    return not isinstance(same, (bool, np.bool_)) or not same


def column_names(X: object) -> tuple[str, ...] | None:
    """The names a DataFrame or an Arrow table gives its columns, or None."""
    names = getattr(X, "column_names", None)
    if names is None:
        names = getattr(X, "columns", None)
    if names is None:  # a stream of Arrow's
        names = getattr(getattr(X, "schema", None), "names", None)
    return None if names is None else tuple(str(name) for name in names)
