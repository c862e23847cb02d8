"""JSON lines: an object a line, whose names are the columns, read by Arrow.

Arrow takes the float64 number nearest to what is written, as for other text; where a number has so
many digits that float64 may change it, Python reads the lines once more to see what is written.
"""

import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.json as arrow_json

from novikoff._core import has_long_number
from novikoff.data.rounding import is_held, rounded_number
from novikoff.data.source import InputFile, Source, read_as_numbers
from novikoff.errors import DataError, FileError

BLOCK = 1 << 24
LONGEST = 1 << 24  # bytes of a line


def read_json_lines(raw: InputFile, _: object = None) -> Source:
    """A file of JSON lines as columns; a name that an object lacks is a missing value."""
    content = io.BytesIO()
    with raw.stream() as stream:
        while block := stream.read(BLOCK):
            content.write(block)
    table = table_of_lines(raw, content.getbuffer(), None)

    def written(names: Sequence[str]) -> dict[str, Any]:
        differ = read_as_numbers(table, names)
        rows = [_texts(line, differ) for line in content.getvalue().splitlines() if line.strip()]
        return {name: pa.array([row[name] for row in rows], pa.string()) for name in differ}

    long = any(map(has_long_number, raw.blocks()))
    return Source(
        table, raw.name, True, place=place_of_line, written=written, has_long_numbers=long
    )


def table_of_lines(raw: InputFile, lines: Any, schema: Any) -> Any:
    """Some lines as a table; columns that `schema` names are of its types."""
    options = arrow_json.ParseOptions(explicit_schema=schema)
    block = arrow_json.ReadOptions(block_size=max(1 << 20, min(len(lines), LONGEST)))
    try:
        table = arrow_json.read_json(pa.BufferReader(lines), block, options)
    except pa.ArrowException as error:
        reason = str(error).splitlines()[0].removeprefix("JSON parse error: ").rstrip(".")[:200]
        raise FileError(
            f"{raw.name}: not JSON lines, an object of numbers and texts a line: {reason}."
        ) from error
    for field in table.schema:
        if pa.types.is_nested(field.type):
            raise DataError(
                f"{raw.name}: {field.name!r} holds lists or objects: numbers and texts only; leave "
                "those names out of the lines."
            )
    return table


def place_of_line(row: int) -> str:
    """Where a row is: blank lines are not expected."""
    return f"row {row} (line {row + 1})"


def refuse_rounded_lines(name: str, lines: bytes, columns: Sequence[str], first: int) -> None:
    """Raise `DataError` at a number of these columns that float64 would change."""
    for row, line in enumerate(filter(bytes.strip, lines.splitlines())):
        for column, text in _texts(line, columns).items():
            if text is not None and not is_held(text, float(text), printed=True, stored=True):
                place = place_of_line(first + row)
                raise DataError(rounded_number(name, repr(column), text, place))


def _texts(line: bytes, names: Sequence[str]) -> dict[str, Any]:
    """What is written for these names in a line; None for null and what is not there."""
    record = json.loads(line, parse_float=str, parse_int=str)
    texts = {name: record.get(name) for name in names}
    return {name: text if isinstance(text, str) else None for name, text in texts.items()}


def blocks_of_lines(raw: InputFile, size: int) -> Iterator[bytes]:
    """The bytes of a file, cut at ends of lines."""
    left = b""
    with raw.stream() as stream:
        while block := stream.read(size):
            whole, end, rest = (left + block).rpartition(b"\n")
            if end:
                yield whole + end
            left = rest
            if len(left) > LONGEST:
                raise FileError(f"{raw.name}: a line of over {LONGEST:,} bytes: not JSON lines.")
    if left.strip():
        yield left
