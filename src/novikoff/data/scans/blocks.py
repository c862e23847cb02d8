"""The rows of a file as Arrow tables of a few rows each, in the file's order, in little memory.

Nothing is buffered ahead by Arrow: how much is in memory is decided here. A row group of Parquet is
read page by page, and a record batch of Arrow is mapped, for either may be all of the file.

The next batch is read while the last one is worked on. A scan of Parquet files can be cut into row
groups that other processes read.
"""

import os
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from copy import copy
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pyarrow as pa

from novikoff.data.scans.cache import FileStamps
from novikoff.data.source import as_file_error, in_row
from novikoff.errors import DataError, FileError
from novikoff.matrix.batches import Batch, Piece, joined_batches

if TYPE_CHECKING:
    from novikoff.data.scans.columns import Scan

T = TypeVar("T")


def read_ahead(items: Iterator[T]) -> Iterator[T]:
    """Yield the items, each read ahead by a thread.

    What the thread raises is raised here. Leaving early ends the thread.
    """
    ready: queue.Queue[tuple[str, Any]] = queue.Queue(maxsize=1)
    left = threading.Event()

    def put(item: tuple[str, Any]) -> bool:
        while not left.is_set():
            try:
                ready.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def read() -> None:
        try:
            for item in items:
                if not put(("item", item)):
                    return
            put(("end", None))
        except BaseException as error:
            put(("error", error))

    thread = threading.Thread(target=read, name="novikoff-read-ahead", daemon=True)
    thread.start()
    try:
        while True:
            kind, value = ready.get()
            if kind == "end":
                return
            if kind == "error":
                raise value
            yield value
    finally:
        left.set()
        thread.join()


PIECE_ROWS = 1 << 20  # rows that one process reads together
# What a scan has found out about all its rows, and keeps.
KNOWN = ("_survey", "_typed", "_stayed", "_levels", "_fixed_levels", "_labels", "_first", "recipe",
         "names", "is_integral", "decimals")  # fmt: skip


class ScanPiece(Piece):
    """Some row groups of one file of a scan."""

    def __init__(self, scan: "Scan", blocks: "ParquetBlocks") -> None:
        self.scan = copy(scan)
        self.scan.blocks, self.scan.batch_rows = blocks, PIECE_ROWS
        self.scan.files = FileStamps([])  # a copy on another machine may be of another time
        for name in KNOWN:
            self.scan.__dict__.pop(name, None)

    def labels(self) -> Any:
        """How many rows it has, and its labels."""
        return self.scan.survey()

    def levels(self, agreed: Any) -> Any:
        """Its rows that take part, and the values of its columns that are coded."""
        self.scan.take_over(agreed)
        return self.scan.look_at_stayed()

    def whole(self, agreed: Any) -> Batch:
        """All its rows as one batch."""
        self.scan.take_over(agreed)
        batches = list(self.scan.batches())
        if not batches:
            return Batch(np.empty((0, 0)), self.scan.labels[:0], None)
        return batches[0] if len(batches) == 1 else joined_batches(batches)


PAGES = 1 << 16  # bytes of a column that are read together
HEAD = 1000  # rows that are looked at before all are read


class Blocks(ABC):
    """A file (or several, one after the other) as tables; `is_text` if reading it is slow."""

    is_text = False
    numbered = False
    decimals = False
    paths: Sequence[str]
    texts: tuple[str, ...] = ()  # columns that are not numbers: the label, categories
    float64 = False
    prints = False  # whether a number so far is written as only programs write float64 numbers

    @abstractmethod
    def head(self) -> Any:
        """The first rows, with all columns, as a table."""

    @abstractmethod
    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns of all rows, about so many rows at a time."""

    def schema(self) -> Any:
        """All columns, in types that suit all rows, as `read` finds them."""
        return self.head().schema

    def typed(self, schema: Any, rows: int) -> Iterator[Any]:
        """All rows in these types, about so many at a time."""
        for table in self.tables(schema.names, rows):
            yield table.cast(schema)

    def place(self, row: int) -> str:
        """Where a row is, for an error."""
        return in_row(row)


def schema_of_parts(schemas: Sequence[Any], folder: str) -> Any:
    """The columns of the first of some files, in types that suit all of them."""
    try:
        together = pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise DataError(f"{folder}: a column is not the same in all files: {reason}.") from error
    return pa.schema([together.field(name) for name in schemas[0].names])


class FolderBlocks(Blocks):
    """The files of a folder, one after the other."""

    def __init__(self, parts: Sequence[Blocks]) -> None:
        self.parts, first = parts, parts[0]
        self.is_text, self.numbered, self.decimals = first.is_text, first.numbered, first.decimals
        self.paths = [path for part in parts for path in part.paths]

    def head(self) -> Any:
        """The first rows of the first file."""
        return self.parts[0].head()

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns of all files."""
        for part in self.parts:
            part.texts, part.float64 = self.texts, self.float64
            yield from part.tables(columns, rows)
            self.prints = self.prints or part.prints

    def schema(self) -> Any:
        """The columns of the first file."""
        folder = os.path.dirname(self.paths[0])
        return schema_of_parts([part.schema() for part in self.parts], folder)

    def typed(self, schema: Any, rows: int) -> Iterator[Any]:
        """All rows of all files."""
        for part in self.parts:
            yield from part.typed(schema, rows)

    def place(self, row: int) -> str:
        """The file, too: found by reading it again, for errors only."""
        left = row
        for part in self.parts:
            first = part.head().column_names[:1]
            rows = sum(table.num_rows for table in part.tables(first, HEAD))
            if left < rows:
                return f"{part.place(left)} of {part.paths[0]}"
            left -= rows
        return in_row(row)


class ParquetBlocks(Blocks):
    """One Parquet file, or those of a folder in the order of their names.

    `row_groups` are those to read of one file; None for all.
    """

    def __init__(self, paths: Sequence[str], row_groups: Sequence[int] | None = None) -> None:
        self.paths, self.row_groups = list(paths), row_groups

    def head(self) -> Any:
        """The first rows, with the columns of the first file."""
        import pyarrow.parquet as pq

        with as_file_error(self.paths[0]):
            schema = pq.read_schema(self.paths[0])
        return _first_rows(schema, self.tables(schema.names, HEAD))

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns of all files."""
        for path in self.paths:
            yield from self._of(path, list(columns), rows)

    def schema(self) -> Any:
        """The columns of the first file."""
        import pyarrow.parquet as pq

        folder = os.path.dirname(self.paths[0])
        return schema_of_parts([pq.read_schema(path) for path in self.paths], folder)

    def place(self, row: int) -> str:
        """The file of a folder, too."""
        if len(self.paths) == 1:
            return in_row(row)
        import pyarrow.parquet as pq

        left = row
        for path in self.paths:
            rows = pq.read_metadata(path).num_rows
            if left < rows:
                return f"row {row} (row {left} of {path})"
            left -= rows
        return in_row(row)

    def _of(self, path: str, columns: list[str] | None, rows: int) -> Iterator[Any]:
        import pyarrow.parquet as pq

        with as_file_error(path), pa.OSFile(path) as source:
            file = pq.ParquetFile(source, pre_buffer=False, buffer_size=PAGES)
            for name in columns or ():
                if name not in file.schema_arrow.names:
                    raise FileError(f"{path}: no column {name!r}, which the first file has.")
            groups = self.row_groups
            for batch in file.iter_batches(rows, groups, columns=columns, use_threads=False):
                yield pa.Table.from_batches([batch])

    def pieces(self, rows: int) -> "list[ParquetBlocks]":
        """Blocks of about so many rows each, none of which spans two files."""
        import pyarrow.parquet as pq

        found = []
        for path in map(os.path.abspath, self.paths):  # other processes are in other folders
            with as_file_error(path):
                about = pq.read_metadata(path)
            groups: list[int] = []
            together = 0
            for k in range(about.num_row_groups):
                here = about.row_group(k).num_rows
                if groups and together + here > rows:
                    found.append(ParquetBlocks([path], groups))
                    groups, together = [], 0
                groups.append(k)
                together += here
            if groups:
                found.append(ParquetBlocks([path], groups))
        return found


class ArrowBlocks(Blocks):
    """An Arrow IPC file (Feather version 2 is the same) or stream."""

    def __init__(self, path: str) -> None:
        self.path, self.paths = path, [path]

    def head(self) -> Any:
        """The first rows."""
        with as_file_error(self.path), _mapped(self.path) as source:
            schema = _open_ipc(source).schema
        return _first_rows(schema, self._batches())

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns."""
        for table in self._batches():
            for start in range(0, table.num_rows, rows):
                yield table.select(list(columns)).slice(start, rows)

    def _batches(self) -> Iterator[Any]:
        with as_file_error(self.path), _mapped(self.path) as source:
            file = _open_ipc(source)
            if isinstance(file, pa.ipc.RecordBatchStreamReader):
                for batch in file:
                    yield pa.Table.from_batches([batch])
                return
            for i in range(file.num_record_batches):
                yield pa.Table.from_batches([file.get_batch(i)])


class FrameBlocks(Blocks):
    """The partitions of a Dask dataframe, one after the other."""

    paths = ()

    def __init__(self, frame: Any) -> None:
        self.frame = frame

    def head(self) -> Any:
        """The first rows."""
        return self._table(self.frame.head(HEAD, npartitions=-1))

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:
        """These columns, computed a partition at a time."""
        for part in self.frame[list(dict.fromkeys(columns))].partitions:
            table = self._table(part.compute())
            for start in range(0, table.num_rows, rows):
                yield table.slice(start, rows)

    def _table(self, frame: Any) -> Any:
        return pa.Table.from_pandas(frame, preserve_index=False)


def _mapped(path: str) -> Any:
    """A file to read from, mapped, unless the address space is limited: it may be larger."""
    try:
        import resource
    except ImportError:  # not on Windows
        return pa.memory_map(path)
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return pa.memory_map(path) if limit == resource.RLIM_INFINITY else pa.OSFile(path)


def _open_ipc(source: Any) -> Any:
    """An Arrow file or stream, by its first bytes."""
    is_file = source.read(6) == b"ARROW1"
    source.seek(0)
    return (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source)


def _first_rows(schema: Any, tables: Iterator[Any]) -> Any:
    """Some rows from the beginning: several tables may be needed for them, and some are empty."""
    found, rows = [schema.empty_table()], 0
    for table in tables:
        found.append(table)
        rows += table.num_rows
        if rows >= HEAD:
            break
    return pa.concat_tables(found, promote_options="permissive").slice(0, HEAD)


class NpyBlocks(Blocks):
    """A two-dimensional .npy file: columns x0, x1, …"""

    numbered = True

    def __init__(self, path: str) -> None:
        self.path, self.paths = path, [path]
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
                f"{path}: stored column by column, but a scan reads rows: rewrite it with "
                "numpy.save(path, numpy.ascontiguousarray(X))."
            )

    def head(self) -> Any:
        """The first rows."""
        return next(self.tables([f"x{j}" for j in range(self.shape[1])], HEAD))

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
                    raise FileError(f"{self.path}: cut short: its header says {n} rows.")
                block = flat.reshape(count, d).astype(self.dtype.newbyteorder("="), copy=False)
                arrays = [np.ascontiguousarray(block[:, j]) for j in wanted]
                yield pa.table(dict(zip(columns, arrays, strict=True)))
