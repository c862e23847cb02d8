"""The labels of a scan of columns: all that occur, found in one pass, and the class of each row.

The type of a column of text comes from all texts that occur in it, as in `read`.
"""

import math
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from novikoff.data.labels import Labels, choose_classes
from novikoff.data.number_text import COMMAS, HEXADECIMAL
from novikoff.data.options import ReadOptions
from novikoff.data.rounding import rounded_number, stands_for
from novikoff.data.source import Source, as_numpy, plain_column
from novikoff.errors import DataError, LabelError


def typed_texts(texts: list[str], decimal: str = ".") -> Any:
    """The values that Arrow reads in these texts, if they are a column: all of one type."""
    sink = pa.BufferOutputStream()
    arrow_csv.write_csv(pa.table({"x": pa.array(texts, pa.string())}), sink)  # in quotes, so none
    lines = arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
    none_missing = arrow_csv.ConvertOptions(  # is a missing value
        quoted_strings_can_be_null=False, decimal_point=decimal
    )
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

    def __init__(self, occurring: Mapping[str, Iterable[str]], decimal: str) -> None:
        self._columns: dict[str, tuple[Any, Any]] = {}
        for name, found in occurring.items():
            texts = sorted(found)
            values = typed_texts(texts, decimal) if texts else pa.nulls(0)
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


class ScanLabels:
    """The labels that occur in `column`, given as they are stored; `written`: they are texts.

    A text file is typed by its labels together, as `read` would type the whole column.
    """

    def __init__(
        self, name: str, column: str, choice: ReadOptions, values: set[Any], *, written: bool
    ) -> None:
        self.name, self.column, self.choice = name, column, choice
        self.prints = False  # whether some are numbers as only programs write them
        stored = sorted(values) if written else list(values)
        typed = self._typed_texts(stored) if written and stored else stored
        labels = np.asarray(typed)
        if labels.dtype == object:  # dates, times, decimals
            labels = np.asarray([str(value) for value in typed])
        if labels.dtype.kind == "f":
            stored = [value for value, x in zip(stored, labels, strict=True) if np.isfinite(x)]
            labels = labels[np.isfinite(labels)]
        if not len(labels):
            raise LabelError(f"{name}: column {column!r} has no labels at all.")
        self.found, places = np.unique(labels, return_inverse=True)
        self._place_of = dict(zip(stored, places.tolist(), strict=True))

    def _typed_texts(self, texts: list[str]) -> list[Any]:
        values = typed_texts(texts, self.choice.decimal)
        if pa.types.is_temporal(values.type):
            return texts  # a label is what stands there, not its date
        typed: list[Any] = values.to_pylist()
        if not self.choice.float64:
            for text, value in zip(texts, typed, strict=True):
                if isinstance(value, float) and math.isfinite(value):
                    text = text.translate(COMMAS) if self.choice.decimal == "," else text
                    held = stands_for(value, text)
                    if held is None:
                        what = rounded_number(self.name, repr(self.column), text, "some row")
                        raise DataError(what)
                    self.prints = self.prints or not held
        return typed

    @cached_property
    def chosen(self) -> Labels:
        """The class of each label that occurs, and whether its rows stay."""
        where = f"{self.name}: column {self.column!r}"
        every = np.ones(len(self.found), dtype=np.bool_)
        return choose_classes(self.found, every, self.found, self.choice, where)

    def of(self, source: Source) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The class of each row, and whether the row stays."""
        encoded = pc.dictionary_encode(plain_column(source.column(self.column)))
        values = encoded.dictionary.to_pylist()
        places_of = np.array([self._place_of.get(value, -1) for value in values] or [-1])
        codes = as_numpy(encoded.indices.fill_null(-1)).astype(np.int64)
        index = np.where(codes < 0, -1, places_of[np.maximum(codes, 0)])
        if (index < 0).any() and not self.choice.drop_missing:
            row = int(np.argmin(index >= 0))
            raise LabelError(
                f"{self.name}: column {self.column!r} has no label at {source.place(row)}: correct "
                "it, or leave such rows out (drop_missing, --drop-missing)."
            )
        keep = (index >= 0) & self.chosen.keep[np.maximum(index, 0)]
        return self.chosen.y[np.maximum(index, 0)], keep
