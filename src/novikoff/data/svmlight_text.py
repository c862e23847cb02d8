"""The text of svmlight, parsed in compiled code, in chunks that are mapped, on all cores.

Every number is the float64 nearest to the decimal that is written. Up to 19 digits and 10²² that is
decided here: the digits m as a sum of two float64 numbers, divided by a power of ten that is exact,
with a remainder that is exact; the last rounding is certain unless two candidates are left. Then,
and for longer numbers, the C library decides.
"""

import mmap
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from novikoff.compiled import kernel
from novikoff.data.raw import Raw, as_file_error
from novikoff.errors import FileError
from novikoff.rows import Floats

__all__ = ["SparseChunk", "parse_chunks"]

CHUNK = 1 << 24
Bytes = NDArray[np.uint8]

NEWLINE, SPACE, TAB, RETURN, HASH, COLON, POINT = 10, 32, 9, 13, 35, 58, 46
PLUS, MINUS, ZERO, NINE, SMALL_E, LARGE_E = 43, 45, 48, 57, 101, 69
POWERS = np.array([float(10**k) for k in range(23)])
SPLIT = 134217729.0  # 2²⁷ + 1, which halves a float64 (Veltkamp)

FINE, BAD_LABEL, BAD_INDEX, BAD_VALUE, NOT_SORTED = range(5)
REASONS = {
    BAD_LABEL: "it does not begin with a number, the label",
    BAD_INDEX: "an index is not a whole number from 0 to 2147483646 before a colon",
    BAD_VALUE: "a value is not a number",
    NOT_SORTED: "indices must grow along a line, and none may come twice",
}


class SparseChunk(NamedTuple):
    """The rows of a chunk: labels and the three arrays of CSR."""

    labels: Floats
    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: Floats


def _strtod(typing_context, data, at):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """What the C library reads at a place of a buffer, and how far it read."""
    signature = types.UniTuple(types.float64, 2)(data, types.int64)  # type: ignore[no-untyped-call]

    def code(context, builder, sig, args):  # type: ignore[no-untyped-def]
        byte, number, i64 = ir.IntType(8).as_pointer(), ir.DoubleType(), ir.IntType(64)
        array = context.make_array(sig.args[0])(context, builder, args[0])
        start = builder.gep(builder.bitcast(array.data, byte), [args[1]])
        kind = ir.FunctionType(number, [byte, byte.as_pointer()])
        function = insert_function(builder.module, kind, "strtod")
        end = alloca(builder, byte)
        value = builder.call(function, [start, end])
        stop = builder.ptrtoint(builder.load(end), i64)
        used = builder.sitofp(builder.sub(stop, builder.ptrtoint(start, i64)), number)
        return context.make_tuple(builder, sig.return_type, [value, used])

    return signature, code


insert_function: Any = cgutils.get_or_insert_function
alloca: Any = cgutils.alloca_once
_c_strtod: Any = intrinsic(_strtod)


@kernel
def _product_tail(a: float, b: float, product: float) -> float:
    """a·b − fl(a·b), exactly (Dekker)."""
    c = SPLIT * a
    a_high = c - (c - a)
    a_low = a - a_high
    c = SPLIT * b
    b_high = c - (c - b)
    b_low = b - b_high
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@kernel
def _scale(mantissa: np.uint64, exponent: int) -> tuple[float, bool]:
    """The float64 nearest to mantissa·10^exponent, and whether that is certain."""
    high = np.float64(mantissa)
    if high >= 18446744073709549568.0:  # it would round beyond what an integer can hold
        return 0.0, False
    low = np.float64(np.int64(mantissa - np.uint64(high)))
    if exponent == 0:
        return high + low, True
    power = POWERS[abs(exponent)]
    if exponent < 0:
        first = high / power
        product = first * power
        rest = ((high - product) - _product_tail(first, power, product)) + low
        second = rest / power
    else:
        first = high * power
        second = _product_tail(high, power, first) + low * power
    # `second` is right to a few units in its last place: do all of those lead to the same sum?
    wide = second * 8.881784197001252e-16  # 2⁻⁵⁰
    result = first + (second + wide)
    return result, result == first + (second - wide)


@kernel
def _number(data: Bytes, at: int, end: int) -> tuple[float, int]:
    """The number that is written from `at` on, and where it ends; `at` if there is none."""
    start, negative = at, False
    if at < end and (data[at] == MINUS or data[at] == PLUS):
        negative = data[at] == MINUS
        at += 1
    mantissa, digits, exponent, seen = np.uint64(0), 0, 0, False
    while at < end and ZERO <= data[at] <= NINE:
        mantissa = mantissa * np.uint64(10) + np.uint64(data[at] - ZERO)
        digits += 1 if mantissa else 0
        seen = True
        at += 1
    if at < end and data[at] == POINT:
        at += 1
        while at < end and ZERO <= data[at] <= NINE:
            mantissa = mantissa * np.uint64(10) + np.uint64(data[at] - ZERO)
            digits += 1 if mantissa else 0
            exponent -= 1
            seen = True
            at += 1
    if seen and at < end and (data[at] == SMALL_E or data[at] == LARGE_E):
        place, sign, power = at + 1, 1, 0
        if place < end and (data[place] == MINUS or data[place] == PLUS):
            sign = -1 if data[place] == MINUS else 1
            place += 1
        first = place
        while place < end and ZERO <= data[place] <= NINE and power < 10000:
            power = power * 10 + int(data[place] - ZERO)
            place += 1
        if place > first:
            at, exponent = place, exponent + sign * power
    if seen and mantissa == 0:
        return (-0.0 if negative else 0.0), at
    if seen and digits <= 19 and -22 <= exponent <= 22:
        value, certain = _scale(mantissa, exponent)
        if certain:
            return (-value if negative else value), at
    # The C library would go past blanks and line ends to find a number.
    if not seen and (at >= end or not (65 <= data[at] <= 90 or 97 <= data[at] <= 122)):
        return 0.0, start
    value, used = _c_strtod(data, start)
    return value, start + int(used)


@kernel
def _is_blank(byte: int) -> bool:
    return byte in (SPACE, TAB, RETURN)


@kernel
def _parse_line(
    data: Bytes, at: int, end: int, indices: NDArray[np.int32], values: Floats, size: int
) -> tuple[int, int, int]:
    """The pairs from `at` to the end of a line: where it ends, how many are stored now, and why."""
    before = np.int64(-1)
    while True:
        while at < end and _is_blank(data[at]):
            at += 1
        if at >= end or data[at] == NEWLINE:
            return at, size, FINE
        if data[at] == HASH:
            while at < end and data[at] != NEWLINE:
                at += 1
            return at, size, FINE
        if data[at] == 113 and at + 3 < end and data[at + 1] == 105 and data[at + 2] == 100:  # qid
            while at < end and not _is_blank(data[at]) and data[at] != NEWLINE:
                at += 1
            continue
        index, first = np.int64(0), at
        while at < end and ZERO <= data[at] <= NINE and index < 1 << 40:
            index = index * 10 + np.int64(data[at] - ZERO)
            at += 1
        if at == first or at >= end or data[at] != COLON or index > 2147483646:
            return at, size, BAD_INDEX
        if index <= before:
            return at, size, NOT_SORTED
        before = index
        value, after = _number(data, at + 1, end)
        ended = after >= end or _is_blank(data[after]) or data[after] == NEWLINE
        if after == at + 1 or not (ended or data[after] == HASH):
            return at, size, BAD_VALUE
        if value != 0.0:
            indices[size], values[size] = index, value
            size += 1
        at = after


@kernel
def _count(data: Bytes, byte: int) -> int:
    total = 0
    for value in data:
        total += value == byte
    return total


@kernel
def _parse(
    data: Bytes,
    labels: Floats,
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: Floats,
) -> tuple[int, int, int, int]:
    """Parse whole lines; how many rows and values there are, why it stopped, and where."""
    rows, size, at, end = 0, 0, 0, len(data)
    indptr[0] = 0
    while at < end:
        while at < end and _is_blank(data[at]):
            at += 1
        if at >= end:
            break
        if data[at] == NEWLINE:
            at += 1
            continue
        if data[at] == HASH:
            while at < end and data[at] != NEWLINE:
                at += 1
            continue
        label, after = _number(data, at, end)
        if after == at or not (after >= end or _is_blank(data[after]) or data[after] == NEWLINE):
            return rows, size, BAD_LABEL, at
        at, size, why = _parse_line(data, after, end, indices, values, size)
        if why != FINE:
            return rows, size, why, at
        labels[rows] = label
        rows += 1
        indptr[rows] = size
        at += 1
    return rows, size, FINE, end


def parse_chunks(raw: Raw, size: int = CHUNK, workers: int | None = None) -> Iterator[SparseChunk]:
    """The rows of a file, chunk by chunk in its order; the next chunks are parsed meanwhile."""
    workers = workers or min(4, os.cpu_count() or 1)
    waiting: deque[Future[tuple[SparseChunk, int]]] = deque()
    lines = 0

    def parsed() -> SparseChunk:
        nonlocal lines
        try:
            chunk, here = waiting.popleft().result()
        except _BadLineError as bad:
            raise FileError(
                f"{raw.name}: line {lines + bad.line}: not svmlight ('label index:value …' a "
                f"line): {REASONS[bad.why]}: {bad.text!r}."
            ) from None
        lines += here
        return chunk

    with ThreadPoolExecutor(workers) as pool:
        try:
            for data in _chunks(raw, size):
                waiting.append(pool.submit(_parse_chunk, data))
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


def _parse_chunk(data: Bytes) -> tuple[SparseChunk, int]:
    """The rows of a chunk, and how many lines it has."""
    lines, pairs = _count(data, NEWLINE), _count(data, COLON)
    labels, indptr = np.empty(lines + 1), np.empty(lines + 2, np.int64)
    indices, values = np.empty(pairs, np.int32), np.empty(pairs)
    rows, stored, why, at = _parse(data, labels, indptr, indices, values)
    if why != FINE:
        text = bytes(data)
        start = text.rfind(b"\n", 0, at) + 1
        end = text.find(b"\n", start)
        line = text[start : end if end >= 0 else None][:60].decode("utf-8", errors="replace")
        raise _BadLineError(text.count(b"\n", 0, start) + 1, why, line)
    chunk = SparseChunk(
        labels[:rows].copy(), indptr[: rows + 1].copy(), indices[:stored], values[:stored]
    )
    return chunk, lines


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
