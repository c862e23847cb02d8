"""The archive of a model: JSON and the arrays that it names, and no byte unpacked that is neither.

What comes out of a file is bounded before it is unpacked: at most `PER_BYTE` times the file's size
and `ALLOWANCE` in all (of JSON, whose objects take some thirty times the room of its text, much
less). `write` keeps below that: what would shrink further than it may is stored as it is.
"""

import json
import math
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import FileError
from novikoff.matrix.arrays import native

JSON = "model.json"
MEGABYTE = 2**20
PER_BYTE, ALLOWANCE = 32, 64 * MEGABYTE
JSON_PER_BYTE, JSON_ALLOWANCE = 8, MEGABYTE
# Kinds of numbers and texts; none of them holds objects.
KINDS = "biufUS"


def write(path: Path, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write an archive that `read` will unpack."""
    _write(path, content, arrays, zipfile.ZIP_DEFLATED)
    with zipfile.ZipFile(path) as file:
        members = file.infolist()
    if not _fits(members, path.stat().st_size):
        _write(path, content, arrays, zipfile.ZIP_STORED)


def _write(
    path: Path, content: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], method: int
) -> None:
    with zipfile.ZipFile(path, "w", method) as file:
        with file.open(JSON, "w") as member:
            member.write(json.dumps(content, indent=1, ensure_ascii=False).encode())
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.ascontiguousarray(array), allow_pickle=False)


def read(path: Path) -> tuple[Any, dict[str, NDArray[Any]]]:
    """The JSON and the arrays of an archive; an error before anything oversized is unpacked."""
    with zipfile.ZipFile(path) as file:
        members = {info.filename: info for info in file.infolist()}
        _check_members(file.infolist(), path.stat().st_size)
        content = json.loads(file.read(JSON))
        named = {f"{name}.npy" for name in _names_of_arrays(content)}
        others = sorted(members.keys() - named - {JSON})
        if others:
            raise FileError(f"the archive holds {others[0]!r}, which the model does not name.")
        arrays = {
            name.removesuffix(".npy"): _array(file, members[name])
            for name in sorted(named & members.keys())
        }
    return content, arrays


def _check_members(members: list[zipfile.ZipInfo], size: int) -> None:
    names = [info.filename for info in members]
    if len(set(names)) != len(names):
        raise FileError("the archive holds two members of one name.")
    for info in members:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise FileError(f"{info.filename!r} is compressed in a way that save does not use.")
    if not _fits(members, size):
        raise FileError(
            f"{sum(info.file_size for info in members):,} bytes are packed into its {size:,}, "
            "more than any model that save writes."
        )


def _fits(members: list[zipfile.ZipInfo], size: int) -> bool:
    """Whether an archive of this size may hold so much."""
    text = sum(info.file_size for info in members if info.filename == JSON)
    whole = sum(info.file_size for info in members)
    return text <= JSON_ALLOWANCE + JSON_PER_BYTE * size and whole <= ALLOWANCE + PER_BYTE * size


def _names_of_arrays(content: Any) -> Iterable[str]:
    """The names of arrays anywhere in the JSON, whatever else it holds."""
    waiting = [content]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            if isinstance(value.get("array"), str):
                yield value["array"]
            if isinstance(value.get("csr"), Mapping):
                yield from (part for part in value["csr"].values() if isinstance(part, str))
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)


def _array(file: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """An array whose header promises as many bytes as there are, and no objects."""
    with file.open(info) as stream:
        version = np.lib.format.read_magic(stream)
        if version == (1, 0):
            shape, _, dtype = np.lib.format.read_array_header_1_0(stream)
        else:
            shape, _, dtype = np.lib.format.read_array_header_2_0(stream)
        if dtype.kind not in KINDS or dtype.hasobject:
            raise FileError(f"{info.filename!r} holds {dtype}, which is neither numbers nor texts.")
        promised = stream.tell() + math.prod(shape) * dtype.itemsize
        if min((*shape, 0)) < 0 or promised != info.file_size:
            raise FileError(
                f"{info.filename!r} has {info.file_size:,} bytes, and its header says {promised:,}."
            )
    with file.open(info) as stream:
        array: NDArray[Any] = np.lib.format.read_array(stream, allow_pickle=False)
    return np.ascontiguousarray(native(array))
