"""The type of a column of text, from the texts that occur in it: what `read` finds in all rows."""

from collections.abc import Iterable, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv

from novikoff.data.decimal_text import HEXADECIMAL

__all__ = ["TypedTexts", "typed_texts"]


def typed_texts(texts: list[str]) -> Any:
    """The values that Arrow reads in these texts, if they are a column: all of one type."""
    sink = pa.BufferOutputStream()
    arrow_csv.write_csv(pa.table({"x": pa.array(texts, pa.string())}), sink)  # in quotes, so none
    lines = arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
    none_missing = arrow_csv.ConvertOptions(quoted_strings_can_be_null=False)  # is a missing value
    read = arrow_csv.read_csv(
        pa.BufferReader(sink.getvalue()), parse_options=lines, convert_options=none_missing
    )
    values = read.column("x").combine_chunks()
    hexadecimal = pc.any(pc.match_substring_regex(pa.array(texts, pa.string()), HEXADECIMAL))
    if pa.types.is_integer(values.type) and hexadecimal.as_py():
        return pa.array(texts, pa.string())  # 0x10 is not 16
    return values


class TypedTexts:
    """Columns that are read as text, batch by batch, and become what they are as a whole.

    `occurring` are the texts of each column in all rows.
    """

    def __init__(self, occurring: Mapping[str, Iterable[str]]) -> None:
        self._columns: dict[str, tuple[Any, Any]] = {}
        for name, found in occurring.items():
            texts = sorted(found)
            values = typed_texts(texts) if texts else pa.nulls(0)
            if not pa.types.is_string(values.type):
                self._columns[name] = (pa.array(texts, pa.string()), values)

    def of(self, table: Any) -> Any:
        """The table with these columns typed."""
        for name, (texts, values) in self._columns.items():
            at = table.schema.get_field_index(name)
            if at >= 0:
                places = pc.index_in(table.column(name), value_set=texts)
                table = table.set_column(at, name, pc.take(values, places))
        return table
