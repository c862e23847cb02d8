"""A scan of an svmlight file: CSR matrices, a batch at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.batches import Batch, Batches
from novikoff.data.cache import Cache
from novikoff.data.choose import Choice
from novikoff.data.labels import Labels, choose_classes
from novikoff.data.raw import Raw
from novikoff.data.read_ahead import read_ahead
from novikoff.data.recipe import Recipe
from novikoff.data.svmlight import join_chunks, select_columns
from novikoff.data.svmlight_text import SparseChunk, parse_chunks
from novikoff.errors import OptionError, ShapeError
from novikoff.exact.scaling import is_integral

__all__ = ["SparseScan"]


@dataclass(frozen=True)
class _Survey:
    """What one pass over all the text tells."""

    n: int
    labels: NDArray[Any]
    width: int
    counts_from_0: bool
    is_integral: bool


class SparseScan(Batches):
    r"""Rows of a sparse file, a batch at a time; `scan` makes one.

    Examples
    --------
    >>> from pathlib import Path
    >>> from novikoff.data import scan
    >>> _ = Path("rows.svm").write_text("1 1:0.5 7:2\n-1 2:1\n")
    >>> batches = scan("rows.svm", cache=False)
    >>> [batch.X.shape for batch in batches], batches.classes
    ([(2, 7)], (-1, 1))
    """

    def __init__(self, raw: Raw, choice: Choice, rows: int, cache: Cache | None) -> None:
        if choice.categorical or choice.weights is not None or choice.label is not None:
            raise OptionError(f"{raw.name}: a sparse file has no names: no label, no weights.")
        if choice.degree != 1:
            raise OptionError(f"{raw.name}: a lift would fill in the zeros of a sparse file.")
        self.raw, self.name, self.choice, self.batch_rows = raw, raw.name, choice, rows
        self.cache = cache
        self.label = "label"

    @cached_property
    def _survey(self) -> _Survey:
        n, width, whole, from_0 = 0, 0, True, False
        labels: set[float] = set()
        for chunk in self._chunks():
            n += len(chunk.labels)
            labels |= set(np.unique(chunk.labels).tolist())
            width = max(width, int(chunk.indices.max(initial=-1)) + 1)
            whole = whole and is_integral(chunk.values)
            from_0 = from_0 or bool((chunk.indices == 0).any())
        if n == 0 or width == 0:
            raise ShapeError(f"{self.name}: {n} rows and {width} columns: nothing to learn.")
        found = np.array(sorted(labels))
        if np.all(found == np.trunc(found)):
            found = found.astype(np.int64)
        return _Survey(n, found, width, from_0 or width == 1, whole)

    @cached_property
    def _chosen(self) -> Labels:
        found = self._survey.labels
        every = np.ones(len(found), dtype=np.bool_)
        options: dict[str, Any] = {"positive": self.choice.positive, "classes": self.choice.classes}
        return choose_classes(found, every, found, where=f"{self.name}: column 'label'", **options)

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, of two the positive one last."""
        return self._chosen.classes

    @cached_property
    def n(self) -> int:
        """How many rows take part."""
        if self._chosen.keep.all():
            return self._survey.n
        return sum(len(batch.y) for batch in self)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns: x7 is what the file calls 7."""
        first = 0 if self._survey.counts_from_0 else 1
        names = [f"x{j}" for j in range(first, self._survey.width)]
        return tuple(select_columns(names, self.choice, self.name))

    @property
    def labels(self) -> NDArray[Any]:
        """The labels that occur, sorted."""
        return np.unique(self._chosen.y[self._chosen.keep])

    @property
    def has_weights(self) -> bool:
        """Rows of a sparse file have none."""
        return False

    @property
    def is_integral(self) -> bool:
        """Whether all numbers are integers."""
        return self._survey.is_integral

    @property
    def recipe(self) -> Recipe:
        """Which columns make X, for another file."""
        return Recipe(self.names)

    def clear_cache(self) -> None:
        """Remove what was kept of the text."""
        if self.cache is not None:
            self.cache.remove()

    def __iter__(self) -> Iterator[Batch]:
        """All rows in the order of the file, one batch read ahead."""
        return read_ahead(self._batches())

    def _batches(self) -> Iterator[Batch]:
        survey, picked = self._survey, self._chosen
        first = 0 if survey.counts_from_0 else 1
        columns = np.array([int(name[1:]) for name in self.names])
        all_columns = len(columns) == survey.width - first
        for chunk in self._chunks():
            X = join_chunks([chunk], survey.width, self.name)
            X = X[:, first:] if all_columns else X[:, columns]
            index = np.searchsorted(survey.labels, chunk.labels)
            for start in range(0, len(index), self.batch_rows):
                here = slice(start, start + self.batch_rows)
                kept = np.flatnonzero(picked.keep[index[here]])
                if len(kept):
                    part = X[here]
                    part = part if len(kept) == part.shape[0] else part[kept]
                    yield Batch(part, picked.y[index[here][kept]], None)

    def _chunks(self) -> Iterator[SparseChunk]:
        if self.cache is None:
            return parse_chunks(self.raw)
        if self.cache.is_fresh():
            return map(_chunk_of, self.cache.tables())
        return map(_chunk_of, self.cache.keep(map(_table_of, parse_chunks(self.raw))))


def _table_of(chunk: SparseChunk) -> Any:
    """A chunk as an Arrow table of lists."""
    offsets = pa.array(chunk.indptr, pa.int64())
    indices = pa.LargeListArray.from_arrays(offsets, pa.array(chunk.indices, pa.int32()))
    values = pa.LargeListArray.from_arrays(offsets, pa.array(chunk.values, pa.float64()))
    return pa.table({"label": chunk.labels, "indices": indices, "values": values})


def _chunk_of(table: Any) -> SparseChunk:
    """The chunk that `_table_of` wrote."""
    indices, values = (table.column(name).combine_chunks() for name in ("indices", "values"))
    return SparseChunk(
        table.column("label").to_numpy(),
        indices.offsets.to_numpy() - indices.offsets[0].as_py(),
        indices.flatten().to_numpy(),
        values.flatten().to_numpy(),
    )
