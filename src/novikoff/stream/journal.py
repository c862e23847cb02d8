"""The journal of a stream: what has happened since the last checkpoint, appended and checksummed.

Only mistakes change the weights, so it holds the mistakes, with what they were made on, and now and
then how far the stream has come. The convergence theorem says that it is short.

    magic, generation, checksum;  then records:  length, checksum of it, payload, checksum of that

Every checksum goes on from the one before, so that no record can be exchanged, left out or moved. A
record that is cut short at the end of the file was never acknowledged: it is taken off. Whatever
else is wrong is damage, and refused.
"""

import json
import os
import struct
import zlib
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from novikoff.core.files import sync, write_errors
from novikoff.errors import FileError

MAGIC = b"novikoff-journal"
START = struct.Struct("<16sQI")
LENGTH = struct.Struct("<II")
CHECK = struct.Struct("<I")
# examples, R, the four numbers of the place; sign (0: progress only), form, numbers in the row,
# bytes of names.
HEAD = struct.Struct("<qdqqqqbbII")
PROGRESS, DENSE, SPARSE = 0, 1, 2


class Place(NamedTuple):
    """Where a stream stands: the bytes and lines of its input that are behind it.

    `skipped` of the lines could not be learned; `outputs` bytes of predictions have been written.
    """

    position: int
    lines: int = 0
    skipped: int = 0
    outputs: int = 0


@dataclass(frozen=True)
class Record:
    """How far the stream has come; with a `row`, the last example and its sign.

    `row` is a flat array, or values and columns; `names` are those that are new since the last
    record.
    """

    examples: int
    radius: float
    place: Place
    sign: int = 0
    row: Any = None
    names: tuple[Hashable, ...] = ()

    def encode(self) -> bytes:
        """The payload of this record."""
        names = json.dumps(self.names).encode() if self.names else b""
        form, parts, size = PROGRESS, b"", 0
        if isinstance(self.row, np.ndarray):
            form, parts, size = DENSE, self.row.tobytes(), len(self.row)
        elif self.row is not None:
            values, columns = self.row
            form, parts, size = SPARSE, values.tobytes() + columns.tobytes(), len(values)
        head = HEAD.pack(
            self.examples, self.radius, *self.place, self.sign, form, size, len(names)
        )  # fmt: skip
        return head + names + parts

    @classmethod
    def decode(cls, payload: bytes) -> "Record":
        """The record of a payload whose checksum was right."""
        examples, radius, *place, sign, form, size, names_size = HEAD.unpack_from(payload)
        at = HEAD.size
        names = json.loads(payload[at : at + names_size]) if names_size else ()
        at += names_size
        row: Any = None
        if form != PROGRESS:
            row = np.frombuffer(payload, np.float64, size, at).copy()
            if form == SPARSE:
                row = (row, np.frombuffer(payload, np.uint64, size, at + 8 * size).copy())
        return cls(examples, radius, Place(*place), sign, row, tuple(names))


class StreamJournal:
    """A journal that is open for appending: records wait here until they are written together."""

    def __init__(self, path: Path, handle: int, size: int, chain: int) -> None:
        self.path, self.size, self.is_torn = path, size, False
        self._handle, self._chain, self._waiting = handle, chain, bytearray()

    @property
    def waiting(self) -> int:
        """Bytes that are not written yet."""
        return len(self._waiting)

    def append(self, record: Record) -> None:
        """One more record; it is written with the next `write`."""
        framed, self._chain = _frame(record.encode(), self._chain)
        self._waiting += framed

    def write(self, *, durable: bool) -> None:
        """Write what waits; if `durable`, return only when it is on disk.

        If there is no room for all of it, the file may end in a record that is cut short: `is_torn`
        says so, and nothing can be written behind it.
        """
        with write_errors(self.path):
            try:
                while self._waiting:
                    written = os.write(self._handle, self._waiting)
                    del self._waiting[:written]
                    self.size += written
                if durable:
                    os.fdatasync(self._handle)
            except OSError:
                # A record that was cut short is taken off when the journal is next opened.
                self.is_torn = True
                self._waiting.clear()
                raise

    def close(self) -> None:
        """Close the file; what waits is lost."""
        os.close(self._handle)


def create_journal(path: Path, generation: int) -> StreamJournal:
    """A new journal with nothing in it, on disk under its name."""
    start = START.pack(MAGIC, generation, 0)
    chain = zlib.crc32(start[: -CHECK.size])
    start = START.pack(MAGIC, generation, chain)
    with write_errors(path):
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
        try:
            os.write(handle, start)
            os.fsync(handle)
            sync(path.parent)
        except OSError:
            os.close(handle)
            raise
    return StreamJournal(path, handle, len(start), chain)


def read_journal(path: Path) -> tuple[int, list[Record]]:
    """Which checkpoint a journal belongs to, and what it holds; the file is left as it is."""
    content = _content(path)
    generation, chain = _check_start(path, content)
    return generation, [Record.decode(one) for one in _payloads(path, content, chain)[0]]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise FileError(
            f"{path}: missing: mistakes that were acknowledged after the last checkpoint are lost."
        ) from None
    except OSError as error:
        raise FileError(f"{path}: cannot be read: {error.strerror or error}.") from error


def open_journal(path: Path, generation: int) -> tuple[list[Record], StreamJournal]:
    """The records of a journal, and the journal open for more; a torn end is taken off."""
    content = _content(path)
    number, chain = _check_start(path, content)
    if number != generation:
        raise FileError(f"{path}: belongs to checkpoint {number}, and not to {generation}.")
    payloads, end, chain = _payloads(path, content, chain)
    records = [Record.decode(payload) for payload in payloads]
    with write_errors(path):
        handle = os.open(path, os.O_WRONLY)
        if end < len(content):
            os.ftruncate(handle, end)
            os.fsync(handle)
        os.lseek(handle, end, os.SEEK_SET)
    return records, StreamJournal(path, handle, end, chain)


def _frame(payload: bytes, chain: int) -> tuple[bytes, int]:
    length = CHECK.pack(len(payload))
    chain = zlib.crc32(length, chain)
    head = length + CHECK.pack(chain)
    chain = zlib.crc32(payload, chain)
    return head + payload + CHECK.pack(chain), chain


def _check_start(path: Path, content: bytes) -> tuple[int, int]:
    """The generation of a journal, and its first checksum."""
    if len(content) < START.size:
        raise FileError(f"{path}: damaged: it is shorter than its own beginning.")
    magic, number, check = START.unpack_from(content)
    chain = zlib.crc32(content[: START.size - CHECK.size])
    if magic != MAGIC or check != chain:
        raise FileError(f"{path}: damaged: it does not begin as a journal does.")
    return number, chain


def _payloads(path: Path, content: bytes, chain: int) -> tuple[list[bytes], int, int]:
    """The payloads up to a torn end, where the last record ends, and the checksum so far."""
    payloads: list[bytes] = []
    at = START.size
    while len(content) - at >= LENGTH.size:
        length, check = LENGTH.unpack_from(content, at)
        after_length = zlib.crc32(content[at : at + CHECK.size], chain)
        if check != after_length:
            # A power failure can leave a stretch of zeros where data was to go.
            if not any(content[at:]):
                break
            raise _damaged_error(path, at)
        end = at + LENGTH.size + length + CHECK.size
        if end > len(content):
            break
        payload = content[at + LENGTH.size : end - CHECK.size]
        after_payload = zlib.crc32(payload, after_length)
        if CHECK.unpack_from(content, end - CHECK.size)[0] != after_payload:
            raise _damaged_error(path, at)
        payloads.append(payload)
        at, chain = end, after_payload
    return payloads, at, chain


def _damaged_error(path: Path, at: int) -> FileError:
    return FileError(
        f"{path}: damaged at byte {at}: the checksum does not match. "
        "Nothing was changed; use an undamaged copy, or start anew in another folder."
    )
