"""The text of svmlight, parsed by the extension, in chunks that are mapped, on all cores."""

import math
import mmap
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.data.raw import Raw, as_file_error
from novikoff.data.rounding import is_held, is_print, rounded_number
from novikoff.data.text_numbers import POWERS
from novikoff.errors import DataError, FileError
from novikoff.rows import Floats

__all__ = ["SparseChunk", "parse_chunks"]

Bytes: TypeAlias = NDArray[np.uint8]

CHUNK = 1 << 21
FEW = 256  # numbers of a chunk that may be doubtful before there is room for all of them

ENDS = b" \t\r\n#"

FINE, BAD_LABEL, BAD_INDEX, BAD_VALUE, NOT_SORTED = range(5)
REASONS = {
    BAD_LABEL: "it does not begin with a number, the label",
    BAD_INDEX: "an index is not a whole number from 0 to 2147483646 before a colon",
    BAD_VALUE: "a value is not a number",
    NOT_SORTED: "indices must grow along a line, and none may come twice",
}


class SparseChunk(NamedTuple):
    """The rows of a chunk: labels and the three arrays of CSR.

    `prints` says that some numbers have more digits than float64 holds, as only programs write.
    """

    labels: Floats
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats
    prints: bool


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
    lines, pairs = (int(np.count_nonzero(data == ord(byte))) for byte in ("\n", ":"))
    labels, indptr = np.empty(lines), np.zeros(lines + 1, np.int64)
    indices, values = np.empty(pairs, np.int32), np.empty(pairs)
    most = min(FEW, pairs)
    while True:
        doubtful = np.empty((most, 2), np.int64)
        rows, stored, printed, doubts, why, where = _core.parse_svmlight(
            data, POWERS, labels, indptr, indices, values, doubtful
        )
        if doubts <= most or float64:
            break
        most = doubts
    if why != FINE:
        raise _bad_line(data, where, why)
    prints = printed > 0
    if not float64:
        for place, row in doubtful[:doubts].tolist():
            prints = not _is_held(data, place, row) or prints
    kept = (labels[:rows].copy(), indptr[: rows + 1].copy(), indices[:stored], values[:stored])
    return SparseChunk(*kept, prints), lines


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
