"""NumPy's .npy and .npz files as columns. Never pickled: nothing in them can run."""

import io
import zipfile
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.data.raw import Raw
from novikoff.data.source import Source
from novikoff.errors import FileError

__all__ = ["read_npy", "read_npz"]


def read_npy(raw: Raw) -> Source:
    """A two-dimensional array as columns x0, x1, …; the label is one of them, by its number."""
    return _source_of_arrays(raw, {"x": _load(raw)})


def read_npz(raw: Raw) -> Source:
    """Arrays by name: a matrix gives columns x0, x1, … (or `names`), a flat array one."""
    arrays = dict(_load(raw).items())
    names = arrays.pop("names", None)
    return _source_of_arrays(raw, arrays, names)


def _load(raw: Raw) -> Any:
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
    raw: Raw, arrays: dict[str, NDArray[Any]], names: NDArray[Any] | None = None
) -> Source:
    columns: dict[str, Any] = {}
    for key, stored in arrays.items():
        if stored.dtype.kind in "cV":
            raise FileError(f"{raw.name}: {key!r} holds {stored.dtype}, and real numbers are due.")
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
                f"{raw.name}: {key!r} has {array.ndim} dimensions; a matrix or a flat array is due."
            )
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) != 1:
        raise FileError(f"{raw.name}: columns of different lengths: {lengths}.")
    return Source(pa.table(columns), raw.name, numbered=True)
