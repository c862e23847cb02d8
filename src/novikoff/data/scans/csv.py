"""Delimited text as Arrow tables of a few rows each, with every number what float64 holds."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from novikoff._core import has_long_number
from novikoff.data.delimited import (
    Text,
    has_integers,
    hexadecimal_as_text,
)
from novikoff.data.features import is_date
from novikoff.data.jsonlines import (
    blocks_of_lines,
    place_of_line,
    refuse_rounded_lines,
    table_of_lines,
)
from novikoff.data.number_text import (
    HEXADECIMAL,
    NUMBER,
    has_hexadecimal,
    number_of,
    numbers_of_texts,
)
from novikoff.data.options import FileLayout
from novikoff.data.rounding import rounded_number, stands_for
from novikoff.data.scans.blocks import Blocks, read_ahead
from novikoff.data.source import InputFile, quote
from novikoff.errors import DataError, FileError

TEXT_BLOCK = 1 << 20  # bytes of text parsed together
NARROW = re.compile(r"In CSV column #(\d+): .*CSV conversion error to ")
UNLIKE = re.compile(r"In CSV column #(\d+): Row #(\d+): .* invalid value '(.*)'")
# What Arrow tries next for a column with a text that a type does not suit.
KINDS = (pa.null(), pa.int64(), pa.bool_(), pa.date32(), pa.time32("s"), pa.timestamp("s"),
         pa.timestamp("ns"), pa.timestamp("s", "UTC"), pa.timestamp("ns", "UTC"), pa.float64(),
         pa.string())  # fmt: skip
WIDER = dict(pairwise(KINDS))


class CsvBlocks(Blocks):
    """A delimited text file; types are those of its first rows, numbers being float64."""

    is_text = True
    decimals = True

    def __init__(self, raw: InputFile, layout: FileLayout) -> None:
        assert raw.path is not None
        self.raw, self.paths = raw, [raw.path]
        self._text = Text(raw, layout, TEXT_BLOCK)
        self.numbered = not layout.header
        self.quoted = raw.has(b'"')

    def head(self) -> Any:
        """The first rows, with the types that Arrow finds in them."""
        table = self._first_rows({})
        head = np.frombuffer(self.raw.head(TEXT_BLOCK), np.uint8)
        if has_integers(table) and self._text.may_hold(has_hexadecimal, [head]):

            def texts_of(names: list[str]) -> dict[str, Any]:
                texts = self._first_rows(dict.fromkeys(names, pa.string()))
                return {name: texts.column(name) for name in names}

            table = hexadecimal_as_text(table, texts_of)
        return table

    def _first_rows(self, kinds: dict[str, Any]) -> Any:
        with self._open(kinds) as reader:
            batch = next(iter(reader), None)
        if batch is None or not batch.num_rows:
            raise FileError(f"{self.raw.name}: no rows, only a line of names.")
        return self._with_our_names(pa.Table.from_batches([batch]))

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:  # noqa: ARG002
        """These columns; `texts` are read as text, and all others as numbers.

        Numbers of so many digits that float64 may change one are read as text first, and compared.
        """
        head, first = self.head(), 0
        kinds = {name: self._kind(name, head) for name in columns}
        floats = [name for name, kind in kinds.items() if kind == pa.float64()]
        odd = self._text.decimal != "."
        long = bool(floats) and (odd or (not self.float64 and self._has_long_numbers))
        read_as = kinds | dict.fromkeys(floats, pa.string()) if long else kinds
        try:
            # Texts are compared while the next are parsed.
            read = read_ahead(self._read(read_as)) if long else self._read(read_as)
            for table in read:
                if table.num_rows:
                    made = table.select(list(columns))
                    yield self._compared(made, floats, first) if long else made
                first += table.num_rows
        except FileError as error:
            self._refuse_text(floats)
            found = UNLIKE.match(str(error.__cause__))
            if found is None:
                raise
            name, row = head.column_names[int(found[1])], int(found[2]) - 1 - (not self.numbered)
            raise DataError(
                f"{self.raw.name}: column {name!r} holds {kinds[name]} in the rows before, but "
                f"{quote(found[3])} at {self.place(row)}. Correct it, say that it means a missing "
                f"value (missing, --missing), drop the column (drop, --drop {name}), or read the "
                "file whole (novikoff.read, --no-scan)."
            ) from error

    def schema(self) -> Any:
        """The types of the first rows, wider where others ask for it: found by reading them all."""
        kinds = {field.name: field.type for field in self.head().schema}
        whole = [name for name, kind in kinds.items() if pa.types.is_integer(kind)]
        if whole and self._text.may_hold(has_hexadecimal, self.raw.blocks(TEXT_BLOCK)):
            for table in self._read(dict.fromkeys(whole, pa.string())):
                for name in whole:
                    if pc.any(pc.match_substring_regex(table[name], HEXADECIMAL)).as_py():
                        kinds[name] = pa.string()
        while True:
            try:
                for _ in self._read(kinds):
                    pass
                return pa.schema(kinds)
            except FileError as error:
                found = NARROW.match(str(error.__cause__))
                if found is None or kinds[name := list(kinds)[int(found[1])]] not in WIDER:
                    raise
                kinds[name] = WIDER[kinds[name]]

    def typed(self, schema: Any, rows: int) -> Iterator[Any]:  # noqa: ARG002
        """All rows in these types."""
        for table in self._read(dict(zip(schema.names, schema.types, strict=True))):
            if table.num_rows:
                yield table.select(schema.names)

    def _read(self, kinds: dict[str, Any]) -> Iterator[Any]:
        with self._open(kinds) as reader:
            for batch in reader:
                yield self._with_our_names(pa.Table.from_batches([batch]))

    def _refuse_text(self, names: Sequence[str]) -> None:
        """Raise `DataError` for a text in these columns of numbers: Arrow does not name its row."""
        first = 0
        with suppress(FileError):
            for table in self._read(dict.fromkeys(names, pa.string())) if names else ():
                for name in names:
                    texts = self._text.texts(table.column(name).combine_chunks())
                    strange = pc.invert(pc.match_substring_regex(texts, NUMBER)).fill_null(False)
                    for row in pc.indices_nonzero(strange).to_pylist():
                        self._number(name, texts[row].as_py(), first + row)
                first += table.num_rows

    @cached_property
    def _has_long_numbers(self) -> bool:
        return self._text.may_hold(has_long_number, self.raw.blocks(TEXT_BLOCK))

    def _compared(self, table: Any, floats: Sequence[str], first: int) -> Any:
        """The texts as numbers, each of which float64 must hold."""
        for name in floats:
            texts = self._text.texts(table.column(name).combine_chunks())
            values, doubtful, prints = numbers_of_texts(texts)
            for row in doubtful:
                prints = not self._is_held(name, texts[row].as_py(), first + row) or prints
            self.prints = self.prints or prints
            numbers = pa.array(values, mask=np.asarray(texts.is_null()))
            table = table.set_column(table.schema.get_field_index(name), name, numbers)
        return table

    def _is_held(self, name: str, text: str, row: int) -> bool:
        """Whether float64 holds a number; if it only prints so, no; otherwise an error."""
        value = self._number(name, text, row)
        held = self.float64 or not np.isfinite(value) or stands_for(value, text)
        if held is None:
            raise DataError(rounded_number(self.raw.name, repr(name), text, self.place(row)))
        return held

    def _number(self, name: str, text: str, row: int) -> float:
        try:
            return number_of(text)
        except ValueError:
            raise DataError(
                f"{self.raw.name}: column {name!r} holds numbers, but "
                f"{quote(self._text.as_written(text))} at "
                f"{self.place(row)}. Correct it, say that it means a missing value (missing, "
                f"--missing), or drop the column (drop, --drop {name})."
            ) from None

    def place(self, row: int) -> str:
        """The row and its line."""
        return self._text.place(row)

    def _kind(self, name: str, head: Any) -> Any:
        if name in self.texts:
            return pa.string()
        kind = head.schema.field(name).type
        return kind if pa.types.is_boolean(kind) or is_date(kind) else pa.float64()

    def _open(self, kinds: dict[str, Any]) -> Any:
        # Arrow calls nameless columns f0, f1, …; ours are x0, x1, …
        own = {f"f{name[1:]}" if self.numbered else name: kind for name, kind in kinds.items()}
        read, parse, convert = self._text.how_to_read(TEXT_BLOCK, own, quoted=self.quoted)
        read.use_threads, convert.include_columns = False, list(own)
        return _reader(self.raw, read, parse, convert)

    def _with_our_names(self, table: Any) -> Any:
        if not self.numbered:
            return table
        return table.rename_columns([f"x{name[1:]}" for name in table.column_names])


@contextmanager
def _reader(raw: InputFile, *options: Any) -> Iterator[Any]:
    """Arrow's reader of delimited text, batch by batch, with errors that name the file."""
    with raw.stream() as stream:
        yield arrow_csv.open_csv(stream, *options)


class JsonBlocks(Blocks):
    """A file of JSON lines; types are those of its first lines, numbers being float64."""

    decimals = True

    def __init__(self, raw: InputFile) -> None:
        assert raw.path is not None
        self.raw, self.paths = raw, [raw.path]

    def head(self) -> Any:
        """The first rows, with the types that Arrow finds in them."""
        lines = next(blocks_of_lines(self.raw, TEXT_BLOCK), None)
        if lines is None:
            raise FileError(f"{self.raw.name}: empty, there is nothing in the file.")
        return table_of_lines(self.raw, lines, None)

    def tables(self, columns: Sequence[str], rows: int) -> Iterator[Any]:  # noqa: ARG002
        """These columns."""
        first, schema = 0, self.head().schema
        fields = [schema.field(name) for name in columns]
        kinds = [(f.name, f.type if self._keeps(f) else pa.float64()) for f in fields]
        # A label is what stands there, not its date.
        kinds = [
            (name, pa.string() if name in self.texts[:1] and pa.types.is_temporal(kind) else kind)
            for name, kind in kinds
        ]
        numbers = [name for name, kind in kinds if kind == pa.float64()]
        for lines in blocks_of_lines(self.raw, TEXT_BLOCK):
            table = table_of_lines(self.raw, lines, pa.schema(kinds))
            if not self.float64 and has_long_number(np.frombuffer(lines, np.uint8)):
                refuse_rounded_lines(self.raw.name, lines, numbers, first)
            if table.num_rows:
                yield table.select(list(columns))
            first += table.num_rows

    def schema(self) -> Any:
        """The names that occur, in types that suit all rows."""
        blocks = blocks_of_lines(self.raw, TEXT_BLOCK)
        schemas = [table_of_lines(self.raw, lines, None).schema for lines in blocks]
        try:
            return pa.unify_schemas(schemas, promote_options="permissive")
        except pa.ArrowException as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise FileError(
                f"{self.raw.name}: a name has values of two kinds: {reason}."
            ) from error

    def typed(self, schema: Any, rows: int) -> Iterator[Any]:  # noqa: ARG002
        """All rows in these types."""
        for lines in blocks_of_lines(self.raw, TEXT_BLOCK):
            table = table_of_lines(self.raw, lines, schema)
            if table.num_rows:
                yield table.select(schema.names)

    def _keeps(self, field: Any) -> bool:
        """Whether a column has the type of its first rows: not a count, that later has decimals."""
        may_grow = pa.types.is_integer(field.type) or pa.types.is_null(field.type)
        return field.name in self.texts or not may_grow

    def place(self, row: int) -> str:
        """The row and its line."""
        return place_of_line(row)
