"""A learner as one file: its options and arrays, a checksum over all, replaced in one step.

    magic, length of the header, header (JSON), the arrays one after the other, checksum

The header says which learner it is, its options, its names, and where each array lies. A file whose
checksum is not that of its content is refused: nothing in it can be trusted.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.errors import FileError, NovikoffError
from novikoff.files import replacing
from novikoff.stream.classifier import OnlineClassifier
from novikoff.stream.names import names_of
from novikoff.stream.online import (
    OnlineAveragedPerceptron,
    OnlinePerceptron,
    OnlinePocketPerceptron,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Checkpoint", "read_checkpoint", "write_checkpoint"]

MAGIC = b"novikoff-stream\n"
VERSION = 1
CHECKSUM = 32
OPTIONS = ("eta0", "tie", "fit_intercept", "classes", "window", "keep_rows", "hashing")
LEARNERS = {
    kind.__name__: kind
    for kind in (OnlinePerceptron, OnlineAveragedPerceptron, OnlinePocketPerceptron)
}


@dataclass(frozen=True)
class Checkpoint:
    """A learner from a file, and what was written about it (plain JSON)."""

    learner: OnlineClassifier
    about: Mapping[str, Any] = field(default_factory=dict)


def write_checkpoint(
    learner: OnlineClassifier,
    path: str | os.PathLike[str],
    *,
    about: Mapping[str, Any] | None = None,
) -> int:
    """Write a learner, and anything in JSON about it, whole or not at all; return the size."""
    content = encoded(learner, about or {})
    with replacing(path, durable=True) as temporary:
        temporary.write_bytes(content)
    return len(content)


def encoded(learner: OnlineClassifier, about: Mapping[str, Any]) -> bytes:
    """The bytes of a checkpoint."""
    arrays = learner._arrays()
    header = {
        "version": VERSION,
        "learner": type(learner).__name__,
        "options": {name: getattr(learner, name) for name in OPTIONS},
        "names": None if learner._names is None else learner._names.to_dict(),
        "arrays": [[name, a.dtype.str, list(a.shape)] for name, a in arrays.items()],
        "about": dict(about),
    }
    try:
        text = json.dumps(header, allow_nan=False).encode()
    except TypeError as error:
        raise FileError(f"a checkpoint holds numbers and texts only: {error}.") from error
    parts = [MAGIC, len(text).to_bytes(8, "little"), text]
    parts += [np.ascontiguousarray(array).tobytes() for array in arrays.values()]
    content = b"".join(parts)
    return content + hashlib.blake2b(content, digest_size=CHECKSUM).digest()


def read_checkpoint(path: str | os.PathLike[str]) -> Checkpoint:
    """The learner in a file, ready to go on; an error if a single byte is not what was written."""
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}.") from error
    body, checksum = content[:-CHECKSUM], content[-CHECKSUM:]
    if not body.startswith(MAGIC):
        raise FileError(f"{path}: not a checkpoint of a stream.")
    if hashlib.blake2b(body, digest_size=CHECKSUM).digest() != checksum:
        raise FileError(f"{path}: damaged: its checksum is not that of its content.")
    try:
        return _decoded(body)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, NovikoffError):
            raise FileError(f"{path}: {error}") from error
        raise FileError(f"{path}: not a checkpoint this program knows: {error}.") from error


def _decoded(body: bytes) -> Checkpoint:
    start = len(MAGIC) + 8
    end = start + int.from_bytes(body[len(MAGIC) : start], "little")
    header = json.loads(body[start:end])
    if header["version"] != VERSION:
        raise FileError(f"of version {header['version']!r}, and this program knows {VERSION}.")
    options = dict(header["options"])
    options["classes"] = tuple(options["classes"])
    learner = LEARNERS[header["learner"]](**options)
    arrays: dict[str, NDArray[Any]] = {}
    for name, kind, shape in header["arrays"]:
        dtype, size = np.dtype(kind), int(np.prod(shape))
        array = np.frombuffer(body, dtype, size, end).reshape(shape).copy()
        arrays[name] = array
        end += array.nbytes
    if header["names"] is not None:
        learner._names = names_of(header["names"])
    learner._set_arrays(arrays)
    return Checkpoint(learner, header["about"])
