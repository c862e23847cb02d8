"""Files of JSON and arrays under one checksum, replaced in one step: checkpoints of all kinds.

    magic, length of the header, header (JSON), the arrays one after the other, checksum

A file whose checksum is not that of its content is refused: nothing in it can be trusted.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core.files import replace_whole
from novikoff.errors import FileError

Arrays = Mapping[str, NDArray[Any]]

VERSION = 1
CHECKSUM = 32


def write_sealed(
    path: str | os.PathLike[str], magic: bytes, about: Mapping[str, Any], arrays: Arrays
) -> int:
    """Write plain JSON and arrays, whole or not at all, and on disk; return the size."""
    listed = [[name, array.dtype.str, list(array.shape)] for name, array in arrays.items()]
    header = {"version": VERSION, "arrays": listed, "about": dict(about)}
    try:
        text = json.dumps(header, allow_nan=False).encode()
    except TypeError as error:
        raise FileError(f"{path}: only numbers and texts can be written: {error}.") from error
    parts = [magic, len(text).to_bytes(8, "little"), text]
    parts += [np.ascontiguousarray(array).tobytes() for array in arrays.values()]
    content = b"".join(parts)
    with replace_whole(path, durable=True) as temporary:
        seal = hashlib.blake2b(content, digest_size=CHECKSUM).digest()
        temporary.write_bytes(content + seal)
    return len(content) + CHECKSUM


def read_sealed(
    path: str | os.PathLike[str], magic: bytes, what: str
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What `write_sealed` wrote; an error if a single byte is not what was written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}.") from error
    body, checksum = content[:-CHECKSUM], content[-CHECKSUM:]
    if not body.startswith(magic):
        raise FileError(f"{path}: not {what}.")
    if hashlib.blake2b(body, digest_size=CHECKSUM).digest() != checksum:
        raise FileError(f"{path}: damaged: its checksum is not that of its content.")
    try:
        return _unpack(path, body, len(magic))
    except FileError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FileError(f"{path}: not {what} as this version of novikoff writes it.") from error


def _unpack(
    path: str | os.PathLike[str], body: bytes, place: int
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The header and the arrays, from `place` on."""
    start = place + 8
    end = start + int.from_bytes(body[place:start], "little")
    header = json.loads(body[start:end])
    version = header.get("version")
    if version != VERSION:
        raise FileError(f"{path}: of version {version!r}, and this program knows {VERSION}.")
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape in header["arrays"]:
        array = np.frombuffer(body, np.dtype(kind), int(np.prod(shape)), end)
        arrays[name] = array.reshape(shape).copy()
        end += array.nbytes
    return dict(header["about"]), arrays
