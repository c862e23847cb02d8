"""Arrays, frames, Arrow tables and lists as one array, no integer rounded on the way.

Also what is asked of arrays of any kind: whether their columns fit in memory, and whether two
records hold the same ones.
"""

import os
import sys
from dataclasses import fields
from decimal import Decimal
from numbers import Integral, Rational, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.errors import DataError, NotFiniteError, NotNumericError, ShapeError

LARGEST_EXACT_INTEGER = 2**53
SHARE = 0.5  # of the memory, that columns alone may take
UNKNOWN = 1 << 40  # where the system does not say
LITTLE = 1 << 20  # what every machine has: the system is not asked
MOST_ZEROS = 10_000  # that the exponent of a decimal may stand for


def dense_of(X: object) -> NDArray[Any]:
    """`X` as a C-ordered array of numbers, or of exact objects that float64 may not hold."""
    array = _array_of(X)
    if array.dtype == object:
        return _objects(array)
    return np.ascontiguousarray(narrow(array))


def numpy_of(values: Any) -> Any:
    """An array of another library that follows the array API standard, as NumPy's; else itself."""
    if type(values) is np.ndarray:
        return values
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
    """An object with Arrow's protocol, or that of data frames, as an Arrow table; else itself."""
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
        return native(array)
    floats = array.astype(np.float64)
    if not np.array_equal(floats, array, equal_nan=True):
        raise DataError(f"X is {array.dtype}, and float64 cannot hold its values; convert it.")
    return floats


def native(array: NDArray[Any]) -> NDArray[Any]:
    """The numbers in the byte order of this machine, where it can read them at once."""
    if array.dtype.isnative and array.flags.aligned:
        return array
    return array.astype(array.dtype.newbyteorder("="))


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


def refuse_too_wide(columns: int, bytes_each: int, where: str, advice: str) -> None:
    """Raise `DataError` if what is kept for each column would take most of the memory."""
    needed = columns * bytes_each
    if needed > LITTLE and needed > SHARE * memory():
        raise DataError(
            f"{where} has {columns:,} columns, for which names and weights would take about "
            f"{needed / 1e9:,.0f} GB of memory, more than there is room for: {advice}."
        )


def memory() -> float:
    """Bytes that this process may have."""
    try:
        most = float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        most = UNKNOWN
    if sys.platform != "win32":
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            most = min(most, limit)
    return most


class ComparedByValue:
    """A dataclass (declared with `eq=False`) whose arrays are compared by what they hold."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(
            same(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)  # type: ignore[arg-type]
        )

    __hash__ = None  # type: ignore[assignment]  # arrays can change, so there is no hash


def same(a: Any, b: Any) -> bool:
    """Whether two values are equal; arrays if they have one shape and the same entries."""
    if a is b:
        return True
    if sp.issparse(a) or sp.issparse(b):
        if not (sp.issparse(a) and sp.issparse(b)) or a.shape != b.shape:
            return False
        return bool((a != b).nnz == 0)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        floating = a.dtype.kind == "f" and b.dtype.kind == "f"
        return bool(np.array_equal(a, b, equal_nan=floating))
    return bool(a == b)
