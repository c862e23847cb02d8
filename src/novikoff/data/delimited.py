"""CSV and TSV through Arrow's reader: columnar, at its speed, with errors that say the line."""

import codecs
import csv
import io
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from novikoff._core import has_long_number
from novikoff.data.number_text import COMMAS, HEXADECIMAL, has_hexadecimal
from novikoff.data.options import AS_USUAL, FileLayout
from novikoff.data.source import InputFile, Source, in_row, read_as_numbers
from novikoff.errors import FileError, OptionError

# What stands for a missing value, besides what the user adds.
MISSING = ("", "NA", "N/A", "#N/A", "NaN", "nan", "-NaN", "-nan", "null", "NULL", "None", "<NA>")

MOST_COLUMNS = 500_000
DELIMITERS = (",", "\t", ";", "|")
UTF16 = (b"\xff\xfe", b"\xfe\xff")


def read_delimited(raw: InputFile, layout: FileLayout = AS_USUAL) -> Source:
    """A delimited text file as columns; types are inferred over the whole of each column."""
    text = Text(raw, layout)
    _refuse_too_many_columns(raw, text.delimiter)
    table = _read(text)
    if not layout.header:
        table = table.rename_columns([f"x{j}" for j in range(table.num_columns)])
    _check_decoded(table, text)
    if has_integers(table) and text.may_hold(has_hexadecimal, raw.blocks()):
        table = hexadecimal_as_text(table, lambda names: _texts(text, table, names))

    def texts_of(names: Sequence[str]) -> dict[str, Any]:
        return _texts(text, table, read_as_numbers(table, names))

    return Source(
        table,
        raw.name,
        True,
        not layout.header,
        text.place,
        texts_of,
        named_by_line=layout.header,
        has_long_numbers=layout.decimal != "." or text.may_hold(has_long_number, raw.blocks()),
    )


def _refuse_too_many_columns(raw: InputFile, delimiter: str) -> None:
    """Raise `FileError` for more columns than Arrow reads: it takes some 10 kB for each."""
    count = 1
    mark = delimiter.encode()
    for block in raw.blocks(overlap=0):
        line, end, _ = block.tobytes().partition(b"\n")
        count += line.count(mark)
        if end:
            break
    if count > MOST_COLUMNS:
        raise FileError(
            f"{raw.name}: {count:,} columns; of delimited text at most {MOST_COLUMNS:,} are read, "
            "because each takes some 10 kB of memory. Write the numbers as svmlight, or as .npz."
        )


class Text:
    """One delimited file, and how to find a row of it again by its line."""

    def __init__(self, raw: InputFile, layout: FileLayout, head_size: int = 1 << 20) -> None:
        self.raw, self.header, self.decimal = raw, layout.header, layout.decimal
        head = raw.head(head_size)
        given = layout.encoding or ("utf-16" if head[:2] in UTF16 else "utf-8")
        self.encoding = check_encoding(given)
        first = first_line(head, self.encoding, raw.name)
        self.delimiter = check_delimiter(layout.delimiter) or sniff_delimiter(
            raw.suffix, first, layout.decimal
        )
        if self.delimiter == self.decimal:
            raise OptionError(
                f"{self.delimiter!r} cannot be both the delimiter and the decimal mark."
            )
        self.block = max(1 << 22, 16 * len(first))
        self.null_values = [*MISSING, *layout.missing]

    def how_to_read(
        self, block: int, kinds: dict[str, Any], *, quoted: bool
    ) -> tuple[Any, Any, Any]:
        """Arrow's options: how to read the file, cut it into fields, and convert these."""
        read = arrow_csv.ReadOptions(
            encoding=self.encoding, autogenerate_column_names=not self.header, block_size=block
        )
        # Arrow cuts the file at line ends before it looks at quotes, unless it is told to look.
        parse = arrow_csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=quoted)
        convert = arrow_csv.ConvertOptions(
            null_values=self.null_values,
            decimal_point=self.decimal,
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
            column_types=kinds,
        )
        return read, parse, convert

    def texts(self, column: Any) -> Any:
        """A column of text with numbers as they are usually written; points become commas."""
        if self.decimal == ".":
            return column
        marked = pc.replace_substring(column, ",", "\0")
        return pc.replace_substring(pc.replace_substring(marked, ".", ","), "\0", ".")

    def as_written(self, number: str) -> str:
        """One of these texts as it stands in the file."""
        return number if self.decimal == "." else number.translate(COMMAS)

    def names(self, table: Any) -> list[str]:
        """What Arrow calls the columns while it reads them."""
        numbered = [f"f{j}" for j in range(table.num_columns)]
        return list(table.column_names) if self.header else numbered

    def place(self, row: int) -> str:
        """`row 5 (line 7)`: found by reading the file again, for errors only."""
        with self.raw.stream() as stream:
            lines = io.TextIOWrapper(stream, encoding=self.encoding, errors="replace", newline="")
            reader = csv.reader(lines, delimiter=self.delimiter)
            left = row + self.header
            with suppress(csv.Error):  # a field of over 131072 characters: no line, then
                for record in reader:
                    if not record:
                        continue
                    if left == 0:
                        return f"row {row} (line {reader.line_num})"
                    left -= 1
        return in_row(row)

    def may_hold(
        self, test: Callable[[NDArray[np.uint8]], bool], blocks: Iterable[NDArray[np.uint8]]
    ) -> bool:
        """Whether blocks of the file's bytes pass a test.

        Also where such a test would fail: in UTF-16 two digits do not stand side by side.
        """
        return "0x.".encode(self.encoding) != b"0x." or any(map(test, blocks))

    def can_be_decoded(self) -> bool:
        """Whether all of the file is text in its encoding."""
        decoder = codecs.getincrementaldecoder(self.encoding)()
        try:
            for block in self.raw.blocks(overlap=0):
                decoder.decode(block.tobytes())
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
        return True


def has_integers(table: Any) -> bool:
    """Whether some column holds whole numbers, as Arrow sees them."""
    return any(pa.types.is_integer(field.type) for field in table.schema)


def hexadecimal_as_text(table: Any, texts_of: Callable[[list[str]], dict[str, Any]]) -> Any:
    """The table with those columns as text in which Arrow took 0x10 for 16."""
    whole = [field.name for field in table.schema if pa.types.is_integer(field.type)]
    if len(set(table.column_names)) < table.num_columns:
        return table  # which is refused, with the names of the twins
    for name, column in texts_of(whole).items():
        if pc.any(pc.match_substring_regex(column, HEXADECIMAL)).as_py():
            table = table.set_column(table.schema.get_field_index(name), name, column)
    return table


def _texts(text: Text, table: Any, names: Sequence[str]) -> dict[str, Any]:
    """Columns as they are written, by reading the file once more."""
    wanted = [j for j, name in enumerate(table.column_names) if name in names]
    read = _read(text, as_text=[text.names(table)[j] for j in wanted])
    return {table.column_names[j]: text.texts(read.column(j).combine_chunks()) for j in wanted}


def _read(text: Text, as_text: Sequence[str] = ()) -> Any:
    kinds = {name: pa.string() for name in as_text}
    read, parse, convert = text.how_to_read(text.block, kinds, quoted=text.raw.has(b'"'))
    try:
        with text.raw.stream() as stream:
            return arrow_csv.read_csv(stream, read, parse, convert)
    except FileError as error:
        raise _explain_error(text, read, parse, error) from error


def _explain_error(text: Text, read: Any, parse: Any, error: FileError) -> FileError:
    """The error with the line that caused it: Arrow counts lines only in one thread."""
    if not text.can_be_decoded():
        return _encoding_error(text, "the file")
    ragged: list[Any] = []

    def remember(row: Any) -> str:
        ragged.append(row)
        return "error"

    read.use_threads = False
    parse.invalid_row_handler = remember
    try:
        with text.raw.stream() as stream:
            arrow_csv.read_csv(stream, read, parse)
    except FileError:
        pass
    if ragged:
        row = ragged[0]
        return FileError(
            f"{text.raw.name}: record {row.number} has {row.actual_columns} fields where "
            f"{row.expected_columns} are expected: {row.text[:60]!r}. "
            "Correct that line, or say what divides fields (delimiter, --delimiter)."
        )
    if text.header and text.raw.head().count(b"\n") == 0:
        return FileError(f"{text.raw.name}: no rows, only a line of names.")
    return error


def _check_decoded(table: Any, text: Text) -> None:
    try:
        fields = [(name, table.schema.field(j)) for j, name in enumerate(table.column_names)]
    except UnicodeDecodeError as error:
        raise _encoding_error(text, "the header") from error
    for name, field in fields:
        if pa.types.is_binary(field.type) or pa.types.is_large_binary(field.type):
            raise _encoding_error(text, f"column {name!r}")


def _encoding_error(text: Text, where: str) -> FileError:
    return FileError(
        f"{text.raw.name}: {where} is not {text.encoding} text: "
        "say how it was written (encoding, --encoding), for instance latin-1."
    )


def check_encoding(encoding: str) -> str:
    """An encoding Python knows, or an `OptionError`."""
    try:
        "".encode(encoding)
    except LookupError:
        raise OptionError(f"encoding: {encoding!r} is not known; try utf-8 or latin-1.") from None
    return encoding


def check_delimiter(delimiter: str | None) -> str | None:
    """One character; a tab may be written as an escape or as `tab`."""
    if delimiter in ("\\t", "tab"):
        return "\t"
    if delimiter is not None and len(delimiter) != 1:
        raise OptionError(f"delimiter must be one character (or tab); got {delimiter!r}.")
    return delimiter


def first_line(head: bytes, encoding: str, name: str) -> str:
    """The first line that is not blank, or an error for a file with none."""
    text = head.decode(encoding, errors="replace").removeprefix("\ufeff")
    for line in text.splitlines():
        if line.strip():
            return line
    raise FileError(f"{name}: empty, there is nothing in the file.")


def sniff_delimiter(suffix: str, line: str, decimal: str = ".") -> str:
    """The delimiter of a file that does not say: a tab for .tsv, else its header's commonest."""
    if suffix in (".tsv", ".tab"):
        return "\t"
    marks = [mark for mark in DELIMITERS if mark != decimal]
    return max(marks, key=lambda mark: (line.count(mark), -marks.index(mark)))
