"""Columns from .npy and .npz (never pickled), Parquet, Arrow, Feather, pandas and polars."""

import io
import sys
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.data.source import InputFile, Source, refuse_twins
from novikoff.errors import DataError, FileError
from novikoff.matrix.arrays import arrow_table


def read_npy(raw: InputFile) -> Source:
    """A two-dimensional array as columns x0, x1, …; the label is one of them, by its number."""
    return _source_of_arrays(raw, {"x": _load(raw)})


def read_npz(raw: InputFile) -> Source:
    """Arrays by name: a matrix gives columns x0, x1, … (or `names`), a flat array one."""
    arrays = dict(_load(raw).items())
    names = arrays.pop("names", None)
    return _source_of_arrays(raw, arrays, names)


def _load(raw: InputFile) -> Any:
    try:
        if raw.path is not None and raw.compression is None:
            loaded = np.load(raw.path, allow_pickle=False)
        else:
            with raw.stream() as stream:
                loaded = np.load(io.BytesIO(stream.read()), allow_pickle=False)
        if isinstance(loaded, np.lib.npyio.NpzFile):
            with loaded:
                return {name: loaded[name] for name in loaded.files}
    except (ValueError, EOFError, zipfile.BadZipFile, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise FileError(f"{raw.name}: not a whole NumPy file of numbers: {reason}.") from error
    return loaded


def _source_of_arrays(
    raw: InputFile, arrays: dict[str, NDArray[Any]], names: NDArray[Any] | None = None
) -> Source:
    columns: dict[str, Any] = {}
    for key, stored in arrays.items():
        if stored.dtype.kind in "cV":
            raise FileError(
                f"{raw.name}: {key!r} holds {stored.dtype}, and real numbers are needed."
            )
        array = stored.astype(stored.dtype.newbyteorder("="), copy=False)
        if array.ndim == 2:
            given = None if names is None or len(names) != array.shape[1] else names
            prefix = key.lower()
            for j in range(array.shape[1]):
                name = f"{prefix}{j}" if given is None else str(given[j])
                columns[name] = np.ascontiguousarray(array[:, j])
        elif array.ndim == 1:
            columns[key] = array
        else:
            raise FileError(
                f"{raw.name}: {key!r} has {array.ndim} dimensions; give a matrix or a flat array."
            )
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise FileError(f"{raw.name}: columns of different lengths: {lengths}.")
    return Source(pa.table(columns), raw.name, numbered=True)


def read_parquet(raw: InputFile) -> Source:
    """A Parquet file as columns."""
    import pyarrow.parquet as pq

    try:
        with raw.random_access() as file:
            table = pq.read_table(file)
    except FileError as error:
        raise _damaged_error(raw, "Parquet", error) from error
    return source_of_table(table, raw.name)


def read_arrow(raw: InputFile) -> Source:
    """An Arrow IPC file (Feather version 2 is the same) or stream as columns."""
    import pyarrow.feather as feather

    try:
        with raw.random_access() as file:
            if raw.head(6) == b"ARROW1" or raw.head(4) == b"FEA1":
                table = feather.read_table(file)
            else:
                table = pa.ipc.open_stream(file).read_all()
    except FileError as error:
        raise _damaged_error(raw, "Arrow", error) from error
    return source_of_table(table, raw.name)


def read_frame(frame: Any) -> Source:
    """A DataFrame, an Arrow table, or what speaks Arrow's or the dataframe protocol, as columns."""
    pandas = sys.modules.get("pandas")  # without it there can be no DataFrame of its kind
    if pandas is not None and isinstance(frame, pandas.DataFrame):
        refuse_twins(type(frame).__name__, list(map(str, frame.columns)))
        try:
            table = pa.Table.from_pandas(frame, preserve_index=False)
        except (TypeError, ValueError, OverflowError, pa.ArrowException) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise DataError(
                f"DataFrame: a column cannot be read as numbers or text of one kind: {reason}."
            ) from error
    else:
        try:
            table = pa.table(arrow_table(frame))
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise DataError(
                f"a path, a DataFrame or an Arrow table is needed; got {type(frame).__name__}."
            ) from error
    return source_of_table(table, type(frame).__name__)


def source_of_table(table: Any, name: str) -> Source:
    """The table as a source; its text in a layout that Arrow can take rows of (views it cannot)."""
    for j, field in enumerate(table.schema):
        inner = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_string_view(inner):
            table = table.set_column(j, field.name, _without_views(table.column(j)))
    return Source(table, name, decimals=is_written_in_decimal(table))


def _without_views(column: Any) -> Any:
    if not pa.types.is_dictionary(column.type):
        return column.cast(pa.large_string())
    kind, pieces = column.type, column.chunks
    plain = pa.dictionary(kind.index_type, pa.large_string(), kind.ordered)
    return pa.chunked_array(
        [
            pa.DictionaryArray.from_arrays(
                piece.indices, piece.dictionary.cast(pa.large_string()), ordered=kind.ordered
            )
            for piece in pieces
        ],
        type=plain,
    )


def is_written_in_decimal(table: Any) -> bool:
    """Whether the numbers are decimals: at least one column of Arrow's decimals, none of floats."""
    kinds = [field.type for field in table.schema]
    return any(map(pa.types.is_decimal, kinds)) and not any(map(pa.types.is_floating, kinds))


def _damaged_error(raw: InputFile, kind: str, error: FileError) -> FileError:
    reason = str(error.__cause__).splitlines()[0].rstrip(".")
    return FileError(f"{raw.name}: not a whole {kind} file (cut short?): {reason}.")
