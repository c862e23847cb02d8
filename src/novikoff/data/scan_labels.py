"""The labels of a scan of columns: all that occur, found in one pass, and the class of each row."""

import math
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from novikoff.data.choose import Choice
from novikoff.data.labels import Labels, choose_classes
from novikoff.data.rounding import is_held, is_print, rounded_number
from novikoff.data.source import Source, as_numpy
from novikoff.data.typed_texts import typed_texts
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
        values = typed_texts(texts)
        if pa.types.is_temporal(values.type):
            return texts  # a label is what stands there, not its date
        typed: list[Any] = values.to_pylist()
        if not self.choice.float64:
            for text, value in zip(texts, typed, strict=True):
                if isinstance(value, float) and math.isfinite(value):
                    self._refuse_rounded(text, value)
        return typed

    def _refuse_rounded(self, text: str, value: float) -> None:
        if is_held(text, value, printed=True, stored=True):
            return
        if not is_print(text, value):
            raise DataError(rounded_number(self.name, repr(self.column), text, "some row"))
        self.prints = True

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
        places_of = np.array([self._place_of.get(value, -1) for value in values] or [-1])
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
