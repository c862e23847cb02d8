"""Read a file, compressed or not, or standard input, as named columns."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.core.files import refuse_no_name
from novikoff.core.options import list_names, quote, with_count
from novikoff.data.number_text import is_number_text
from novikoff.errors import DataError, FileError

__all__ = [
    "InputFile",
    "Source",
    "as_arrow",
    "as_numpy",
    "did_you_mean",
    "in_row",
    "joined",
    "list_names",
    "open_raw",
    "plain_column",
    "quote",
    "with_count",
]

COMPRESSIONS = {".gz": "gzip", ".zst": "zstd"}
MAGIC = {b"\x1f\x8b": "gzip", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass(frozen=True)
class InputFile:
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


def open_raw(source: str | os.PathLike[str]) -> InputFile:
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
    return InputFile(str(path), suffixes[-1] if suffixes else "", os.fspath(path), b"", compression)


def _in_memory(name: str, data: bytes) -> InputFile:
    if not data:
        raise FileError(f"{name}: empty, there is nothing to read.")
    compression = next((kind for magic, kind in MAGIC.items() if data.startswith(magic)), None)
    return InputFile(name, "", None, data, compression)


def in_row(row: int) -> str:
    """How a row is named where there is no line to name: rows count from 0, as in a certificate."""
    return f"row {row}"


def read_as_numbers(table: Any, names: Sequence[str]) -> list[str]:
    """Those columns of a text whose values are not the texts themselves: numbers, dates, times."""
    kinds = {name: table.schema.field(name).type for name in names}
    return [k for k, t in kinds.items() if pa.types.is_floating(t) or pa.types.is_temporal(t)]


def plain_column(column: Any) -> Any:
    """A column as one array of values, without a dictionary."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def refuse_twins(source: str, names: Sequence[str], otherwise: str = "") -> None:
    """Raise `DataError` if two columns have the same name."""
    seen: dict[str, int] = {}
    for j, name in enumerate(names):
        if name in seen:
            raise DataError(
                f"{source}: columns {seen[name]} and {j} are both called {name!r}: "
                f"give each its own name{otherwise}."
            )
        seen[name] = j


@dataclass(frozen=True)
class Source:
    """An Arrow table, the name errors give it, and what its numbers stand for.

    `decimals` says that numbers were written in decimal, so that 0.1 is one tenth; `place` tells
    where a row is: its number and, for a text file, its line. `numbered` files have no names of
    their own, so that a column may be called by its number. `written` gives columns of a text file
    as they stand there; `has_long_numbers` says that float64 may change a number of the file.
    `named_by_line` says that the names are the first line of a text file, which may have been a row
    of data.
    """

    table: Any
    name: str
    decimals: bool = False
    numbered: bool = False
    place: Callable[[int], str] = in_row
    written: Callable[[Sequence[str]], dict[str, Any]] | None = None
    named_by_line: bool = False
    has_long_numbers: bool = False

    def __post_init__(self) -> None:
        names = self.names
        refuse_twins(self.name, names, self._or_no_header)
        if self.table.num_rows == 0:
            raise FileError(
                f"{self.name}: no rows, only the names of {len(names)} columns: "
                f"{list_names(names)}."
            )

    @property
    def names(self) -> list[str]:
        """The columns' names, in order."""
        return list(self.table.column_names)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know about the reading: that a row may have been taken for names."""
        if not self.named_by_line:
            return ()
        if all(map(is_number_text, self.names)):
            why = "holds only numbers"
        elif self._first_line_is_like_the_rows:
            why = "is like the rows below it"
        else:
            return ()
        return (
            f"the first line {why} ({_line(self.names)}) and was read as the names of "
            f"the columns{self._or_no_header}",
        )

    @property
    def warning(self) -> str:
        """The notes at the end of an error: they may be the reason for it."""
        return "".join(f" Note that {note}." for note in self.notes)

    @property
    def _first_line_is_like_the_rows(self) -> bool:
        """Whether columns of numbers are called by numbers, and those of text by one of theirs."""
        columns = dict(zip(self.names, self.table.columns, strict=True))
        texts = [name for name, column in columns.items() if pa.types.is_string(column.type)]
        others = [name for name in columns if name not in texts]
        if not others or not all(map(is_number_text, others)):
            return False
        return all(pc.any(pc.equal(columns[name], name)).as_py() for name in texts)

    @property
    def _or_no_header(self) -> str:
        if not self.named_by_line:
            return ""
        return "; if the first line is a row of data, say so (header=False, --no-header)"

    def resolve(self, column: str | int, option: str) -> str:
        """The name of the column that `option` asks for, or an error that lists those there are."""
        names = self.names
        if isinstance(column, str) and column in names:
            return column
        if isinstance(column, int) or (self.numbered and column.lstrip("-").isdigit()):
            j = int(column)
            if -len(names) <= j < len(names):
                return names[j]
        hint = did_you_mean(str(column), names)
        if len(names) == 1 and any(mark in names[0] for mark in ",;\t|"):
            hint = " Only one column: is the delimiter right? (delimiter, --delimiter)"
        raise DataError(
            f"{self.name}: no column {column!r} ({option}); there are {list_names(names)}.{hint}"
            f"{self.warning}"
        )

    def take(self, rows: NDArray[np.int64]) -> "Source":
        """Some of the rows, each still known by the place it came from."""
        place, written = self.place, self.written
        return replace(
            self,
            table=self.table.take(rows),
            place=lambda row: place(int(rows[row])),
            written=written
            and (lambda names: {k: c.take(rows) for k, c in written(names).items()}),
        )

    def column(self, name: str) -> Any:
        """One column, its pieces joined."""
        column = self.table.column(name)
        return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def joined(tables: Iterable[Any], rows: int) -> Iterator[Any]:
    """The tables put together until they have about so many rows."""
    waiting: list[Any] = []
    for table in tables:
        if waiting and sum(one.num_rows for one in waiting) + table.num_rows > rows:
            yield pa.concat_tables(waiting).combine_chunks()
            waiting = []
        waiting.append(table)
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks()


def as_numpy(array: Any) -> NDArray[Any]:
    """An Arrow array as NumPy's: the same memory, where nothing is missing.

    `to_numpy` would do, but it imports pandas wherever that is installed, which takes longer than
    the work.
    """
    plain = pa.types.is_integer(array.type) or pa.types.is_floating(array.type)
    if plain and array.null_count == 0 and len(array):
        return np.from_dlpack(array)
    values: NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return values


def as_arrow(values: NDArray[Any]) -> pa.Array:
    """A NumPy array as Arrow's: `pa.array` would do, but it imports pandas too."""
    if values.dtype.kind in "iuf":
        kind = pa.from_numpy_dtype(values.dtype)
        return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(values)])
    return pa.array(values.tolist())


def did_you_mean(asked: str, names: list[str]) -> str:
    """` Did you mean 'HG'?`, where one name is close to what was asked for, capitals aside."""
    by_lower = {name.lower().strip(): name for name in reversed(names)}
    close = get_close_matches(asked.lower().strip(), by_lower, n=1)
    return f" Did you mean {by_lower[close[0]]!r}?" if close else ""


def _line(names: list[str]) -> str:
    return ",".join(names[:4]) + (",…" if len(names) > 4 else "")
