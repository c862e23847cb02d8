"""The bytes of a file, packed or not, or of standard input, and the name errors give it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.errors import FileError
from novikoff.files import refuse_no_name

__all__ = ["Raw", "open_raw"]

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass(frozen=True)
class Raw:
    """Where bytes come from: a path, or what was read from standard input.

    `suffix` is the ending that says the format, the one of compression taken off.
    """

    name: str
    suffix: str
    path: str | None
    data: bytes
    compression: str | None

    @contextmanager
    def stream(self) -> Iterator[Any]:
        """The uncompressed bytes as an Arrow stream, in order; errors name the file."""
        source = self.path if self.path is not None else pa.BufferReader(self.data)
        with as_file_error(self.name), pa.input_stream(source, self.compression) as stream:
            yield stream

    @contextmanager
    def random_access(self) -> Iterator[Any]:
        """The uncompressed bytes as an Arrow file that can seek: mapped, where that is possible."""
        with as_file_error(self.name):
            if self.path is not None and self.compression is None:
                with pa.memory_map(self.path) as file:
                    yield file
                return
            with self.stream() as stream:
                content = stream.read_buffer() if self.compression is None else stream.read()
            yield pa.BufferReader(content)

    def head(self, size: int = 1 << 16) -> bytes:
        """The first bytes, uncompressed."""
        with self.stream() as stream:
            return bytes(stream.read(size))

    def blocks(self, size: int = 1 << 24, overlap: int = 64) -> Iterator[NDArray[np.uint8]]:
        """All bytes, uncompressed, some at a time; each block begins with the end of the last."""
        with self.stream() as stream:
            last = b""
            while block := stream.read(size):
                yield np.frombuffer(last + block, dtype=np.uint8)
                last = block[len(block) - overlap :] if overlap else b""

    def has(self, byte: bytes) -> bool:
        """Whether a byte occurs; for what is compressed, whether it may."""
        if self.compression is not None:
            return True
        if self.path is None:
            return byte in self.data
        with as_file_error(self.name), Path(self.path).open("rb", buffering=0) as file:
            return any(byte in block for block in iter(lambda: file.read(1 << 20), b""))


@contextmanager
def as_file_error(name: str) -> Iterator[None]:
    """Turn what the system and Arrow say about a file into a `FileError` that names it."""
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        number = getattr(error, "errno", None)
        reason = os.strerror(number) if number else _plain(str(error))
        raise FileError(f"{name}: cannot be read: {reason}.") from error


def _plain(message: str) -> str:
    """What Arrow says, as a line that can be shown: it may quote any bytes of the file."""
    line = next(iter(message.splitlines()), "").rstrip(".")[:200]
    return "".join(c if c.isprintable() and c != "\ufffd" else "?" for c in line)


def open_raw(source: str | os.PathLike[str]) -> Raw:
    """Look at a path, or read standard input for `-`: what it is called and how it is packed."""
    refuse_no_name(source)
    if str(source) == "-":
        return _in_memory("standard input", sys.stdin.buffer.read())
    path = Path(source)
    if not path.exists():
        raise FileError(f"{path}: no such file.")
    if path.is_dir():
        raise FileError(f"{path}: a directory, and a file is needed.")
    if not path.is_file():  # a pipe: it can be read only once
        with as_file_error(str(path)):
            return _in_memory(str(path), path.read_bytes())
    suffixes = [suffix.lower() for suffix in path.suffixes]
    compression = COMPRESSIONS.get(suffixes[-1]) if suffixes else None
    if compression:
        suffixes.pop()
    if path.stat().st_size == 0:
        raise FileError(f"{path}: empty, there is nothing in the file.")
    return Raw(str(path), suffixes[-1] if suffixes else "", os.fspath(path), b"", compression)


def _in_memory(name: str, data: bytes) -> Raw:
    if not data:
        raise FileError(f"{name}: empty, there is nothing to read.")
    compression = next((kind for magic, kind in MAGIC.items() if data.startswith(magic)), None)
    return Raw(name, "", None, data, compression)
