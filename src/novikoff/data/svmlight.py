"""Files of svmlight and libsvm: sparse, `label index:value …` a line.

A column is called by its index in the file: x7 is what the file calls 7, wherever it counts from.

The extension parses the text in chunks, on all cores.
"""

import math
import mmap
import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.data.columns import standardise_and_lift
from novikoff.data.features import FeatureRecipe
from novikoff.data.labels import choose_classes
from novikoff.data.number_text import POWERS
from novikoff.data.options import ReadOptions
from novikoff.data.rounding import BINARY, rounded_number, stands_for
from novikoff.data.source import InputFile, as_file_error, list_names
from novikoff.data.table import Table
from novikoff.errors import DataError, FileError, NotFiniteError, OptionError, ShapeError
from novikoff.matrix.rows import Floats

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
    raw: InputFile, size: int = CHUNK, workers: int | None = None, *, float64: bool = False
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
    held = math.isinf(value) or stands_for(value, text)
    if held is not None:
        return held
    start = place - 1
    while 48 <= data[start - 1] <= 57:
        start -= 1
    raise _RoundedError(row, bytes(data[start : place - 1]).decode("ascii"), text)


def _chunks(raw: InputFile, size: int) -> Iterator[Bytes]:
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


def _chunks_of_stream(raw: InputFile, size: int) -> Iterator[Bytes]:
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


MANY_COLUMNS = 1 << 24


def read_sparse(raw: InputFile, *, float64: bool) -> tuple[Any, Any, bool]:
    """The CSR matrix and the labels of a file; whether its numbers are binary ones.

    Of numbers that float64 would change the nearest float64 ones are meant (`float64`), or they are
    an error.
    """
    chunks = list(parse_chunks(raw, float64=float64))
    labels = np.concatenate([chunk.labels for chunk in chunks] or [np.empty(0)])
    width = max((int(chunk.indices.max(initial=-1)) + 1 for chunk in chunks), default=0)
    values = np.concatenate([chunk.values for chunk in chunks] or [np.empty(0)])
    indices = np.concatenate([chunk.indices for chunk in chunks] or [np.empty(0, np.int32)])
    counts = [np.diff(chunk.indptr) for chunk in chunks] or [np.empty(0, np.int64)]
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    X = csr_of_rows(values, indices, indptr, width)
    check_numbers(X, raw.name)
    return X, labels, float64 or any(chunk.prints for chunk in chunks)


def csr_of_rows(values: Any, indices: Any, indptr: Any, width: int) -> Any:
    """A CSR matrix of these arrays, none of them copied; 64 bits an index only where needed."""
    kind = np.int32 if len(values) < 2**31 else np.int64
    parts = (values, indices.astype(kind, copy=False), indptr.astype(kind, copy=False))
    X = sp.csr_array(parts, shape=(len(indptr) - 1, width))
    X.has_canonical_format = True  # the parser has seen to it
    return X


def check_numbers(X: Any, name: str, first: int = 0) -> None:
    """Raise `NotFiniteError` at the first NaN or infinity; rows count from `first` on."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.data.sum()) or np.isfinite(X.data).all():
            return
    at = int(np.argmin(np.isfinite(X.data)))
    row = int(np.searchsorted(X.indptr, at, side="right")) - 1
    raise NotFiniteError(f"{name}: row {first + row}, column {X.indices[at]}: not a finite number.")


def counts_from_1(X: Any, *, width: int) -> bool:
    """Whether the file has no column 0, so that x1 is the first."""
    return width > 1 and int(X.indices.min(initial=1)) > 0


def without_column_0(X: Any) -> Any:
    """The matrix without its first column, which is empty; its indices are moved in place."""
    X.indices -= 1
    return csr_of_rows(X.data, X.indices, X.indptr, X.shape[1] - 1)


def is_mostly_empty(X: Any) -> bool:
    """Whether there are so many columns beside few numbers that only those with any are kept."""
    return bool(X.shape[1] > MANY_COLUMNS > 64 * X.nnz)


def with_stored_columns(X: Any) -> Any:
    """The matrix with only the columns that have an entry."""
    stored, places = np.unique(X.indices, return_inverse=True)
    return csr_of_rows(X.data, places.ravel(), X.indptr, len(stored))


def _names(X: Any, first: int) -> list[str]:
    """The columns by their indices in the file: all, or those with an entry."""
    kept = np.unique(X.indices).tolist() if is_mostly_empty(X) else range(X.shape[1])
    return [f"x{j + first}" for j in kept]


def read_svmlight(raw: InputFile, choice: ReadOptions) -> Table:
    """Labelled points from a sparse file; there is an x0 only if the file counts from 0."""
    refuse_names(raw.name, choice)
    X, y, binary = read_sparse(raw, float64=choice.float64)
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ShapeError(
            f"{raw.name}: {X.shape[0]} rows and {X.shape[1]} columns: nothing to learn."
        )
    if np.all(y == np.trunc(y)):
        y = y.astype(np.int64)
    every = np.ones(len(y), dtype=np.bool_)
    where = f"{raw.name}: column 'label'"
    labels = choose_classes(y, every, y, choice, where)
    first = int(counts_from_1(X, width=X.shape[1]))
    X = without_column_0(X) if first else X
    width = X.shape[1]
    notes: tuple[str, ...] = (BINARY,) if binary and not choice.float64 else ()
    names = _names(X, first)
    if len(names) < width:
        X = with_stored_columns(X)
        notes += (f"the other {width - len(names):,} columns are empty, and left out",)
    features = select_columns(names, choice, raw.name)
    used = set(features)
    if features != names:
        place = {name: j for j, name in enumerate(names)}
        X = X[:, [place[name] for name in features]]
    rows = None if labels.keep.all() else np.flatnonzero(labels.keep)
    y = labels.y
    if rows is not None:
        X, y = X[rows], y[rows]
    table = Table(
        X, y, tuple(features), "label", labels.classes, raw.name, FeatureRecipe(tuple(features)),
        decimals=not binary, rows=rows, file_rows=len(labels.y),
        left_out=tuple(name for name in names if name not in used),
        notes=notes,
    )  # fmt: skip
    return standardise_and_lift(table, choice)


def refuse_names(file: str, choice: ReadOptions) -> None:
    """Raise `OptionError` for options that speak of columns by their names."""
    named = choice.formula or choice.categorical or choice.dates or choice.impute
    if named or choice.weights is not None:
        raise OptionError(
            f"{file}: a sparse file has neither names nor missing values: no formula, categorical, "
            "dates, impute or weights."
        )


def select_columns(names: list[str], choice: ReadOptions, name: str) -> list[str]:
    """The columns that are chosen, by the names they have in the file."""
    wanted = names if choice.features is None else [str(column) for column in choice.features]
    dropped = {str(column) for column in choice.drop}
    known = set(names)
    for column in [*wanted, *sorted(dropped)]:
        if column not in known:
            raise DataError(f"{name}: no column {column!r}; there are {list_names(names)}.")
    return [column for column in wanted if column not in dropped]
