"""The labels of a scan of columns: all that occur, found in one pass, and the class of each row."""

import math
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from novikoff.data.choose import Choice
from novikoff.data.decimal_text import HEXADECIMAL
from novikoff.data.labels import Labels, choose_classes
from novikoff.data.rounding import is_held, is_print, rounded_number
from novikoff.data.source import Source, as_numpy
from novikoff.errors import DataError, LabelError

__all__ = ["ScanLabels", "plain_column"]


class ScanLabels:
    """The labels that occur in `column`, given as they are stored; `written`: they are texts.

    A text file is typed by its labels together, as `read` would type the whole column.
    """

    def __init__(
        self, name: str, column: str, choice: Choice, values: set[Any], *, written: bool
    ) -> None:
        self.name, self.column, self.choice = name, column, choice
        self._typed: dict[str, Any] | None = None
        if written and values:
            self._typed = self._typed_texts(sorted(values))
            self.found: NDArray[Any] = np.unique(np.array(list(self._typed.values())))
        else:
            self.found = np.unique(np.array([value for value in values if value == value]))
        if not len(self.found):
            raise LabelError(f"{name}: column {column!r} has no labels at all.")

    def _typed_texts(self, texts: list[str]) -> dict[str, Any]:
        sink = pa.BufferOutputStream()
        arrow_csv.write_csv(pa.table({"y": pa.array(texts, pa.string())}), sink)
        lines = arrow_csv.ParseOptions(newlines_in_values=True, ignore_empty_lines=False)
        read = arrow_csv.read_csv(pa.BufferReader(sink.getvalue()), parse_options=lines)
        typed = read.column("y").to_pylist()
        hexadecimal = pc.any(pc.match_substring_regex(pa.array(texts), HEXADECIMAL))
        if pa.types.is_temporal(read.column("y").type) or hexadecimal.as_py():
            typed = texts  # a label is what stands there: no date, and 0x10 is not 16
        if not self.choice.float64:
            for text, value in zip(texts, typed, strict=True):
                if isinstance(value, float) and math.isfinite(value):
                    self._refuse_rounded(text, value)
        return dict(zip(texts, typed, strict=True))

    def _refuse_rounded(self, text: str, value: float) -> None:
        held = is_held(text, value, printed=True, stored=True)
        if not held and not is_print(text, value):
            raise DataError(rounded_number(self.name, repr(self.column), text, "some row"))

    @cached_property
    def chosen(self) -> Labels:
        """The class of each label that occurs, and whether its rows stay."""
        where = f"{self.name}: column {self.column!r}"
        every = np.ones(len(self.found), dtype=np.bool_)
        options: dict[str, Any] = {"positive": self.choice.positive, "classes": self.choice.classes}
        return choose_classes(self.found, every, self.found, where=where, **options)

    def of(self, source: Source) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """The class of each row, and whether the row stays."""
        encoded = pc.dictionary_encode(plain_column(source.column(self.column)))
        values = encoded.dictionary.to_pylist()
        if self._typed is not None:
            values = [self._typed.get(value) for value in values]
        places = {value: k for k, value in enumerate(self.found.tolist())}
        places_of = np.array([places.get(value, -1) for value in values] or [-1])
        codes = as_numpy(encoded.indices.fill_null(-1)).astype(np.int64)
        index = np.where(codes < 0, -1, places_of[np.maximum(codes, 0)])
        if (index < 0).any() and not self.choice.drop_missing:
            row = int(np.argmin(index >= 0))
            raise LabelError(
                f"{self.name}: column {self.column!r} has no label at {source.place(row)}: mend "
                "it, or leave such rows out (drop_missing, --drop-missing)."
            )
        keep = (index >= 0) & self.chosen.keep[np.maximum(index, 0)]
        return self.chosen.y[np.maximum(index, 0)], keep


def plain_column(column: Any) -> Any:
    """A column as one array of values, without a dictionary."""
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column
