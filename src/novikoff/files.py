"""Files are written whole or not at all: beside their place first, then put there in one step.

What is written says who wrote it, so that nothing else need ever be replaced unasked.
"""

import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from novikoff.errors import FileError

__all__ = ["is_ours", "refuse_no_name", "replace_whole", "sync", "write_errors", "write_text"]

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


def refuse_no_name(source: object) -> None:
    """Raise `FileError` if the name of a file to read is empty: it would be this folder's."""
    if str(source) == "":
        raise FileError("the name of the file is empty: which file is meant?")


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
        handle, name = tempfile.mkstemp(
            dir=target.resolve().parent, prefix=f".{target.stem}.", suffix=target.suffix
        )
        os.close(handle)
        temporary = Path(name)
        try:
            yield temporary
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
            if durable:
                sync(temporary)
            temporary.replace(target.resolve())
            if durable:
                sync(target.resolve().parent)
        finally:
            temporary.unlink(missing_ok=True)


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
