"""The rows of a file as Arrow tables of a few rows each, in the file's order, in little memory.

Nothing is mapped as a whole, and nothing is buffered ahead by Arrow: how much is in memory is
decided here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv

from novikoff.data.delimited import (
    MISSING,
    UTF16,
    check_delimiter,
    check_encoding,
    first_line,
    sniff_delimiter,
)
from novikoff.data.raw import Raw, as_file_error
from novikoff.errors import FileError, OptionError

__all__ = ["ArrowBlocks", "Blocks", "CsvBlocks", "NpyBlocks", "ParquetBlocks"]

TEXT_BLOCK = 1 << 20  # bytes of text parsed together


class Blocks(ABC):
    """A file (or several, one after the other) as tables; `is_text` if reading it is slow."""

    is_text = False
    numbered = False
    decimals = False

    @abstractmethod
    def head(self) -> Any:
        """The first rows, with all columns, as a table."""

    @abstractmethod
    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns of all rows, about so many rows at a time."""


class ParquetBlocks(Blocks):
    """One Parquet file, or those of a folder in the order of their names."""

    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = list(paths)

    def head(self) -> Any:
        """The first rows of the first file."""
        return next(self._of(self.paths[0], None, 1000))

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns of all files."""
        for path in self.paths:
            yield from self._of(path, list(columns), rows)

    def _of(self, path: str, columns: list[str] | None, rows: int) -> Iterator[Any]:
        import pyarrow.parquet as pq

        with as_file_error(path), pa.OSFile(path) as source:
            file = pq.ParquetFile(source, pre_buffer=False)
            for name in columns or ():
                if name not in file.schema_arrow.names:
                    raise FileError(f"{path}: no column {name!r}, which the first file has.")
            for batch in file.iter_batches(rows, columns=columns, use_threads=False):
                yield pa.Table.from_batches([batch])


class ArrowBlocks(Blocks):
    """An Arrow IPC file (Feather version 2 is the same) or stream."""

    def __init__(self, path: str) -> None:
        self.path = path

    def head(self) -> Any:
        """The first rows."""
        return next(self._batches()).slice(0, 1000)

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns."""
        for table in self._batches():
            for start in range(0, table.num_rows, rows):
                yield table.select(list(columns)).slice(start, rows)

    def _batches(self) -> Iterator[Any]:
        with as_file_error(self.path), pa.OSFile(self.path) as source:
            if source.read(6) == b"ARROW1":
                file = pa.ipc.open_file(source)
                for i in range(file.num_record_batches):
                    yield pa.Table.from_batches([file.get_batch(i)])
                return
            source.seek(0)
            for batch in pa.ipc.open_stream(source):
                yield pa.Table.from_batches([batch])


class NpyBlocks(Blocks):
    """A two-dimensional .npy file: columns x0, x1, …"""

    numbered = True

    def __init__(self, path: str) -> None:
        self.path = path
        with Path(path).open("rb") as file:
            try:
                version = np.lib.format.read_magic(file)
                read = {
                    (1, 0): np.lib.format.read_array_header_1_0,
                    (2, 0): np.lib.format.read_array_header_2_0,
                }[version]
                self.shape, by_columns, self.dtype = read(file)
            except (ValueError, KeyError) as error:
                raise FileError(f"{path}: not a NumPy file of numbers: {error}.") from error
            self.start = file.tell()
        if len(self.shape) != 2 or self.dtype.kind not in "biuf":
            raise FileError(f"{path}: a matrix of numbers is needed to scan.")
        if by_columns:
            raise FileError(
                f"{path}: stored column by column, and rows are scanned: rewrite it with "
                "numpy.save(path, numpy.ascontiguousarray(X))."
            )

    def head(self) -> Any:
        """The first rows."""
        return next(self.tables([f"x{j}" for j in range(self.shape[1])], 1000))

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns."""
        wanted = [int(name[1:]) for name in columns]
        n, d = self.shape
        with as_file_error(self.path), Path(self.path).open("rb") as file:
            file.seek(self.start)
            for start in range(0, n, rows):
                count = min(rows, n - start)
                flat = np.fromfile(file, self.dtype, count * d)
                if len(flat) < count * d:
                    raise FileError(f"{self.path}: cut short: {n} rows are promised.")
                block = flat.reshape(count, d).astype(self.dtype.newbyteorder("="), copy=False)
                arrays = [np.ascontiguousarray(block[:, j]) for j in wanted]
                yield pa.table(dict(zip(columns, arrays, strict=True)))


class CsvBlocks(Blocks):
    """A delimited text file; types are those of its first rows, numbers being float64."""

    is_text = True
    decimals = True

    def __init__(self, raw: Raw, layout: Any) -> None:
        self.raw, self.layout = raw, layout
        head = raw.head(TEXT_BLOCK)
        given = layout.encoding or ("utf-16" if head[:2] in UTF16 else "utf-8")
        self.encoding = check_encoding(given)
        first = first_line(head, self.encoding, raw.name)
        self.delimiter = check_delimiter(layout.delimiter) or sniff_delimiter(raw.suffix, first)
        self.numbered = not layout.header
        self.quoted = raw.has(b'"')
        self.texts: tuple[str, ...] = ()

    def head(self) -> Any:
        """The first rows, with the types that Arrow finds in them."""
        with self._open({}) as reader:
            return self._with_our_names(pa.Table.from_batches([reader.read_next_batch()]))

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:  # noqa: ARG002
        """These columns; `texts` are read as text, and all others as numbers."""
        head = self.head()
        kinds = {name: self._kind(name, head) for name in columns}
        with self._open(kinds) as reader:
            for batch in reader:
                table = self._with_our_names(pa.Table.from_batches([batch]))
                if table.num_rows:
                    yield table.select(list(columns))

    def _kind(self, name: str, head: Any) -> Any:
        if name in self.texts:
            return pa.string()
        return pa.bool_() if pa.types.is_boolean(head.schema.field(name).type) else pa.float64()

    def _open(self, kinds: dict[str, Any]) -> Any:
        read = arrow_csv.ReadOptions(
            encoding=self.encoding,
            autogenerate_column_names=self.numbered,
            block_size=TEXT_BLOCK,
            use_threads=False,
        )
        parse = arrow_csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=self.quoted)
        # Arrow calls nameless columns f0, f1, …; ours are x0, x1, …
        own = {f"f{name[1:]}" if self.numbered else name: kind for name, kind in kinds.items()}
        convert = arrow_csv.ConvertOptions(
            null_values=[*MISSING, *self.layout.missing],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            column_types=own,
            include_columns=list(own),
        )
        return _Reader(self.raw, read, parse, convert)

    def _with_our_names(self, table: Any) -> Any:
        if not self.numbered:
            return table
        return table.rename_columns([f"x{name[1:]}" for name in table.column_names])


class _Reader:
    """Arrow's reader of delimited text, batch by batch, with errors that name the file."""

    def __init__(self, raw: Raw, *options: Any) -> None:
        self.raw, self.options = raw, options

    def __enter__(self) -> Any:
        self._stream = self.raw.stream()
        stream = self._stream.__enter__()
        self._errors = as_file_error(self.raw.name)
        self._errors.__enter__()
        return arrow_csv.open_csv(stream, *self.options)

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self._errors.__exit__(kind, error, trace)
        finally:
            self._stream.__exit__(None, None, None)


def blocks_of(raw: Raw | None, paths: Sequence[str], kind: str, layout: Any) -> Blocks:
    """The blocks of a file of this kind."""
    if kind == "parquet":
        return ParquetBlocks(paths)
    if raw is not None and raw.compression is not None and kind != "csv":
        raise OptionError(f"{raw.name}: compressed, and only text can be scanned so.")
    if kind == "arrow":
        return ArrowBlocks(paths[0])
    if kind == "npy":
        return NpyBlocks(paths[0])
    if kind == "csv" and raw is not None:
        return CsvBlocks(raw, layout)
    raise OptionError(f"{paths[0]}: a {kind} file cannot be scanned; read it whole.")
