"""The text of svmlight, parsed in compiled code, in chunks that are mapped, on all cores."""

import math
import mmap
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.data.raw import Raw, as_file_error
from novikoff.data.rounding import is_held, is_print, rounded_number
from novikoff.data.text_numbers import DOUBTFUL, PRINTS, Bytes, number_at
from novikoff.errors import DataError, FileError
from novikoff.rows import Floats

__all__ = ["SparseChunk", "parse_chunks"]

CHUNK = 1 << 21
FEW = 256  # numbers of a chunk that may be doubtful before there is room for all of them

NEWLINE, SPACE, TAB, RETURN, HASH, COLON, ZERO = 10, 32, 9, 13, 35, 58, 48
ENDS = b" \t\r\n#"
LARGEST_INDEX = 2147483646

FINE, BAD_LABEL, BAD_INDEX, BAD_VALUE, NOT_SORTED = range(5)
REASONS = {
    BAD_LABEL: "it does not begin with a number, the label",
    BAD_INDEX: "an index is not a whole number from 0 to 2147483646 before a colon",
    BAD_VALUE: "a value is not a number",
    NOT_SORTED: "indices must grow along a line, and none may come twice",
}

# Places in `facts`: rows, pairs that are stored, numbers that are only printed, doubtful numbers,
# and, if a line is bad, why and where.
ROWS, STORED, PRINTED, DOUBTS, WHY, WHERE = range(6)


class SparseChunk(NamedTuple):
    """The rows of a chunk: labels and the three arrays of CSR.

    `prints` says that some numbers have more digits than float64 holds, as only programs write.
    """

    labels: Floats
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats
    prints: bool


class Room(NamedTuple):
    """Where the rows of a chunk are written to; `doubtful` has a place and a row a number."""

    labels: Floats
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats
    doubtful: NDArray[np.int64]


@kernel
def _is_blank(byte: int) -> bool:
    return byte in (SPACE, TAB, RETURN)


@kernel
def _parse_pairs(data: Bytes, at: int, room: Room, facts: NDArray[np.int64]) -> int:
    """Store the pairs from `at` to the end of a line; where it ends."""
    indices, values, doubtful = room.indices, room.values, room.doubtful
    size, before = facts[STORED], np.int64(-1)
    while True:
        byte = data[np.uintp(at)]
        if _is_blank(byte):
            at += 1
            continue
        if byte in (NEWLINE, HASH):
            break
        if byte == 113 and data[np.uintp(at + 1)] == 105 and data[np.uintp(at + 2)] == 100:  # qid
            while not _is_blank(data[np.uintp(at)]) and data[np.uintp(at)] != NEWLINE:
                at += 1
            continue
        index, first = np.int64(0), at
        while ZERO <= data[np.uintp(at)] <= 57 and index <= LARGEST_INDEX:
            index = index * 10 + (np.int64(data[np.uintp(at)]) - ZERO)
            at += 1
        if at == first or data[np.uintp(at)] != COLON or index > LARGEST_INDEX:
            facts[WHY] = BAD_INDEX
            break
        if index <= before:
            facts[WHY] = NOT_SORTED
            break
        before = index
        value, after, how = number_at(data, at + 1)
        byte = data[np.uintp(after)]
        if after == at + 1 or not (_is_blank(byte) or byte in (NEWLINE, HASH)):
            facts[WHY] = BAD_VALUE
            break
        if how == PRINTS:
            facts[PRINTED] += 1
        elif how == DOUBTFUL:
            if facts[DOUBTS] < len(doubtful):
                doubtful[facts[DOUBTS], 0], doubtful[facts[DOUBTS], 1] = at + 1, facts[ROWS]
            facts[DOUBTS] += 1
        if value != 0.0:
            indices[np.uintp(size)], values[np.uintp(size)] = index, value
            size += 1
        at = after
    facts[STORED] = size
    return at


@kernel
def _parse(data: Bytes, room: Room, facts: NDArray[np.int64]) -> None:
    """Parse whole lines, up to one that is bad; the last byte is a line end."""
    labels, indptr, end = room.labels, room.indptr, len(data)
    at = 0
    while at < end:
        byte = data[np.uintp(at)]
        if _is_blank(byte) or byte == NEWLINE:
            at += 1
            continue
        if byte != HASH:
            label, after, _ = number_at(data, at)
            byte = data[np.uintp(after)]
            facts[WHERE] = at
            if after == at or not (_is_blank(byte) or byte == NEWLINE):
                facts[WHY] = BAD_LABEL
                return
            at = _parse_pairs(data, after, room, facts)
            if facts[WHY] != FINE:
                return
            labels[facts[ROWS]] = label
            facts[ROWS] += 1
            indptr[facts[ROWS]] = facts[STORED]
        while data[np.uintp(at)] != NEWLINE:
            at += 1
        at += 1


@kernel
def _count(data: Bytes, byte: int) -> int:
    total = 0
    for value in data:
        total += value == byte
    return total


def parse_chunks(
    raw: Raw, size: int = CHUNK, workers: int | None = None, *, float64: bool = False
) -> Iterator[SparseChunk]:
    """The rows of a file, chunk by chunk in its order; the next chunks are parsed meanwhile.

    A number that float64 would change is an error, unless `float64`, the nearest one, is meant.
    """
    workers = workers or min(4, os.cpu_count() or 1)
    waiting: deque[Future[tuple[SparseChunk, int]]] = deque()
    lines = rows = 0

    def parsed() -> SparseChunk:
        nonlocal lines, rows
        try:
            chunk, here = waiting.popleft().result()
        except _BadLineError as bad:
            raise FileError(
                f"{raw.name}: line {lines + bad.line}: not svmlight ('label index:value …' a "
                f"line): {REASONS[bad.why]}: {bad.text!r}."
            ) from None
        except _RoundedError as bad:
            raise DataError(
                rounded_number(raw.name, bad.index, bad.text, f"row {rows + bad.row}")
            ) from None
        lines, rows = lines + here, rows + len(chunk.labels)
        return chunk

    with ThreadPoolExecutor(workers) as pool:
        try:
            for data in _chunks(raw, size):
                waiting.append(pool.submit(_parse_chunk, data, float64))
                if len(waiting) > workers:
                    yield parsed()
            while waiting:
                yield parsed()
        finally:
            for future in waiting:
                future.cancel()


class _BadLineError(Exception):
    """A line of a chunk that cannot be read: its number there, why, and how it begins."""

    def __init__(self, line: int, why: int, text: str) -> None:
        self.line, self.why, self.text = line, why, text


class _RoundedError(Exception):
    """A number of a chunk that float64 would change: its row there, its column, its text."""

    def __init__(self, row: int, index: str, text: str) -> None:
        self.row, self.index, self.text = row, index, text


def _parse_chunk(data: Bytes, float64: bool) -> tuple[SparseChunk, int]:
    """The rows of a chunk, and how many lines it has."""
    lines, pairs = _count(data, NEWLINE), _count(data, COLON)
    most = min(FEW, pairs)
    while True:
        room = Room(
            np.empty(lines), np.zeros(lines + 1, np.int64),
            np.empty(pairs, np.int32), np.empty(pairs), np.empty((most, 2), np.int64),
        )  # fmt: skip
        facts = np.zeros(6, np.int64)
        _parse(data, room, facts)
        if facts[DOUBTS] <= most or float64:
            break
        most = int(facts[DOUBTS])
    if facts[WHY] != FINE:
        raise _bad_line(data, int(facts[WHERE]), int(facts[WHY]))
    rows, stored, printed = int(facts[ROWS]), int(facts[STORED]), bool(facts[PRINTED])
    if not float64:
        for place, row in room.doubtful[: facts[DOUBTS]].tolist():
            printed = not _is_held(data, place, row) or printed
    return (
        SparseChunk(
            room.labels[:rows].copy(), room.indptr[: rows + 1].copy(),
            room.indices[:stored], room.values[:stored], printed,
        ),
        lines,
    )  # fmt: skip


def _bad_line(data: Bytes, at: int, why: int) -> _BadLineError:
    text = bytes(data)
    start = text.rfind(b"\n", 0, at) + 1
    line = text[start : text.find(b"\n", start)][:60].decode("utf-8", errors="replace")
    return _BadLineError(text.count(b"\n", 0, start) + 1, why, line)


def _is_held(data: Bytes, place: int, row: int) -> bool:
    """Whether float64 holds the number at this place; if it only prints so, no; else an error."""
    end = place
    while data[end] not in ENDS:
        end += 1
    text = bytes(data[place:end]).decode("ascii")
    value = float(text)
    # An infinity is refused with its row later; the rational number could have 10^9 digits.
    if math.isinf(value) or is_held(text, value, printed=True, stored=True):
        return True
    if is_print(text, value):
        return False
    start = place - 1
    while 48 <= data[start - 1] <= 57:
        start -= 1
    raise _RoundedError(row, bytes(data[start : place - 1]).decode("ascii"), text)


def _chunks(raw: Raw, size: int) -> Iterator[Bytes]:
    """The bytes of a file in pieces that end with a line; the last has a line end of its own."""
    if raw.path is None or raw.compression is not None:
        yield from _chunks_of_stream(raw, size)
        return
    with as_file_error(raw.name), Path(raw.path).open("rb") as file:
        total, at = os.fstat(file.fileno()).st_size, 0
        while at < total:
            before = at % mmap.ALLOCATIONGRANULARITY
            length = min(size + before, total - at + before)
            mapped = mmap.mmap(file.fileno(), length, access=mmap.ACCESS_READ, offset=at - before)
            end = mapped.rfind(b"\n") + 1
            if end <= before:
                if at - before + length < total:  # a line longer than a chunk
                    size *= 2
                    continue
                yield np.frombuffer(mapped[before:] + b"\n", np.uint8)
                return
            yield np.frombuffer(mapped, np.uint8)[before:end]
            at += end - before


def _chunks_of_stream(raw: Raw, size: int) -> Iterator[Bytes]:
    with raw.stream() as stream:
        rest = b""
        while True:
            block = bytes(stream.read(size))
            if not block:
                break
            whole, found, after = (rest + block).rpartition(b"\n")
            rest = after if found else rest + block
            if found:
                yield np.frombuffer(whole + b"\n", np.uint8)
        if rest:
            yield np.frombuffer(rest + b"\n", np.uint8)
