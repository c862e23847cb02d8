"""Files are written whole or not at all: beside their place first, then put there in one step.

What is written says who wrote it, so that nothing else need ever be replaced unasked. A file that
is being written is locked: one that nobody holds was left by a process that was killed, and the
next one that writes the same file removes it.

Checkpoints of all kinds are JSON and arrays under one checksum:

    magic, length of the header, header (JSON), the arrays one after the other, checksum

A file whose checksum is not that of its content is refused: nothing in it can be trusted.
"""

import glob
import hashlib
import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from novikoff.errors import FileError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LOCKS = find_spec("fcntl") is not None  # not on Windows: there, what a killed process left stays
if LOCKS:
    import fcntl

# How a file begins, and what stands near its beginning or its end if novikoff wrote it.
MARKS = {
    b"{": b'"format": "novikoff-certificate"',
    b"<!doctype html>": b'name="generator" content="novikoff"',
    b"PAR1": b"novikoff-trace",
    b"\x89PNG": b"Software\x00novikoff",
    b"<?xml": b"<dc:title>novikoff</dc:title>",
    b"%PDF": b"/Creator (novikoff)",
    b"GIF8": b"!\xfe\x08novikoff\x00;",
}
NEAR = 1 << 16  # bytes
MARK_OF_PART = "novikoff-"  # in the name of a file that is being written


def refuse_no_name(source: object) -> None:
    """Raise `FileError` for a name that is empty, which would be this folder's, or is no text."""
    if str(source) == "":
        raise FileError("the name of the file is empty: which file is meant?")
    try:
        str(source).encode()
    except UnicodeEncodeError as error:
        raise FileError(
            f"{str(source)!a}: the name of the file is not text as this system writes it (UTF-8, "
            "usually): give it another one."
        ) from error


def is_ours(path: str | os.PathLike[str]) -> bool:
    """Whether novikoff wrote this file: a certificate, a report, a model, a trace or a figure."""
    with write_errors(Path(path)), Path(path).open("rb") as file:
        content = file.read(NEAR)
        file.seek(max(len(content), os.fstat(file.fileno()).st_size - NEAR))
        content += file.read(NEAR)
    if content.startswith(b"PK"):
        return _is_model(path)
    if content.rstrip().endswith(b"Print Assumptions answer."):  # a proof for Coq
        return True
    if content[4:8] == b"ftyp":  # a film, whose length comes first
        return b"novikoff" in content
    return any(content.startswith(begin) and mark in content for begin, mark in MARKS.items())


def _is_model(path: str | os.PathLike[str]) -> bool:
    try:
        with zipfile.ZipFile(path) as archive, archive.open("model.json") as member:
            return b'"novikoff-model"' in member.read(200)
    except (OSError, KeyError, ValueError, RuntimeError, zipfile.BadZipFile, zlib.error):
        return False


@contextmanager
def replace_whole(path: str | os.PathLike[str], *, durable: bool = False) -> Iterator[Path]:
    """A path to write to, which becomes `path` if the block succeeds and vanishes if it does not.

    An interrupt counts as not succeeding. What is not a regular file (a device, a pipe) is written
    to as it is: nothing may take its place. `durable`: the file and its name are on disk at the
    end, and not only in the memory of the system.
    """
    target = Path(path)
    if target.is_dir():
        raise FileError(f"{target}: a directory, and the name of a file is needed.")
    if target.exists() and not target.is_file():
        with write_errors(target):
            yield target
        return
    with write_errors(target):
        place = target.resolve()
        remove_leftovers(place)
        handle, temporary = _begin(place)
        try:
            yield temporary
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
            if durable:
                sync(temporary)
            temporary.replace(place)
            if durable:
                sync(place.parent)
        finally:
            temporary.unlink(missing_ok=True)
            if handle is not None:
                os.close(handle)


def _begin(place: Path) -> tuple[int | None, Path]:
    """A new file beside `place`, and the handle whose lock says that somebody writes it."""
    while True:
        handle, name = tempfile.mkstemp(
            dir=place.parent, prefix=f".{place.stem}.{MARK_OF_PART}", suffix=place.suffix
        )
        if not LOCKS:
            os.close(handle)
            return None, Path(name)
        with suppress(OSError):  # a file system without locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:
            return handle, Path(name)
        os.close(handle)  # somebody was quicker, and took it for one that was left


def remove_leftovers(path: Path) -> None:
    """Remove what killed processes left of this file: parts with our mark that nobody locks."""
    if not LOCKS:
        return
    place = path.resolve()
    stem, suffix = glob.escape(place.stem), glob.escape(place.suffix)
    for left in place.parent.glob(f".{stem}.{MARK_OF_PART}????????{suffix}"):
        with suppress(OSError):
            handle = os.open(left, os.O_RDWR)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                left.unlink()
            finally:
                os.close(handle)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a directory, are on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def write_errors(path: Path) -> Iterator[None]:
    """Turn what the system says about writing a file into a `FileError` that names it."""
    try:
        yield
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else str(error)
        raise FileError(f"{path}: cannot be written: {reason}.") from error


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole or not at all."""
    with replace_whole(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="\n")


Arrays = Mapping[str, "NDArray[Any]"]

VERSION = 1
CHECKSUM = 32


def write_checksummed(
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
    parts += [array.tobytes() for array in arrays.values()]
    content = b"".join(parts)
    with replace_whole(path, durable=True) as temporary:
        seal = hashlib.blake2b(content, digest_size=CHECKSUM).digest()
        temporary.write_bytes(content + seal)
    return len(content) + CHECKSUM


def read_checksummed(
    path: str | os.PathLike[str], magic: bytes, what: str
) -> "tuple[dict[str, Any], dict[str, NDArray[Any]]]":
    """Read what `write_checksummed` wrote; an error if a single byte has changed."""
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
) -> "tuple[dict[str, Any], dict[str, NDArray[Any]]]":
    """The header and the arrays, from `place` on."""
    import numpy as np  # loads slowly, and most commands read no checkpoint

    start = place + 8
    end = start + int.from_bytes(body[place:start], "little")
    header = json.loads(body[start:end])
    version = header.get("version")
    if version != VERSION:
        raise FileError(f"{path}: of version {version!r}, and this program knows {VERSION}.")
    arrays = {}
    for name, kind, shape in header["arrays"]:
        array = np.frombuffer(body, np.dtype(kind), int(np.prod(shape)), end)
        arrays[name] = array.reshape(shape).copy()
        end += array.nbytes
    return dict(header["about"]), arrays
