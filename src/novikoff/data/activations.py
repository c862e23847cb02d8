"""Activations in NumPy's files: one matrix, or the layers of a network, read one at a time.

An .npy file holds a matrix, or the layers along its first axis; it is mapped and not read. In an
.npz file every matrix is a layer, and is read when its turn comes.
"""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import FileError


def read_activations(path: str | Path) -> Any:
    """One matrix, or an iterator of (name, matrix) where there are several."""
    file = Path(path)
    if not file.is_file():
        raise FileError(f"{file}: no such file.")
    loaded = _loaded(file)
    if not isinstance(loaded, np.lib.npyio.NpzFile):
        if loaded.ndim not in (2, 3):
            raise FileError(
                f"{file}: it has {loaded.ndim} dimensions; give a matrix, or layers of matrices."
            )
        return loaded if loaded.ndim == 2 else ((str(k), X) for k, X in enumerate(loaded))
    names = list(loaded.files)
    if not names:
        raise FileError(f"{file}: there are no arrays in it.")
    if len(names) == 1:
        return _matrix(loaded, names[0], file)
    return ((name, _matrix(loaded, name, file)) for name in names)


def _loaded(file: Path) -> Any:
    try:
        # An .npz file cannot be mapped, and is opened without reading its arrays.
        return np.load(file, mmap_mode="r", allow_pickle=False)
    except (ValueError, EOFError, zipfile.BadZipFile, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise FileError(f"{file}: not a whole NumPy file of numbers: {reason}.") from error


def _matrix(loaded: Any, name: str, file: Path) -> Any:
    try:
        array = loaded[name]
    except (ValueError, EOFError, zipfile.BadZipFile, OSError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise FileError(f"{file}: the array {name!r} cannot be read: {reason}.") from error
    if array.ndim != 2:
        raise FileError(
            f"{file}: the array {name!r} has {array.ndim} dimensions; a matrix is needed, a row a "
            "sample."
        )
    return array
