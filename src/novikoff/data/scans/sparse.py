"""A scan of an svmlight file: CSR matrices, a batch at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.data.features import FeatureRecipe
from novikoff.data.labels import Labels, choose_classes
from novikoff.data.options import ScanOptions
from novikoff.data.scans.blocks import read_ahead
from novikoff.data.scans.cache import FileStamps, ScanCache
from novikoff.data.source import InputFile
from novikoff.data.svmlight import (
    SparseChunk,
    check_numbers,
    csr_of_rows,
    parse_chunks,
    refuse_names,
    select_columns,
)
from novikoff.errors import OptionError, ShapeError
from novikoff.exact.integers import is_integral
from novikoff.matrix.arrays import refuse_too_wide
from novikoff.matrix.batches import Batch, Batches


@dataclass(frozen=True)
class _Survey:
    """What one pass over all the text tells."""

    n: int
    labels: NDArray[Any]
    width: int
    first: int
    is_integral: bool
    prints: bool


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

    def __init__(self, raw: InputFile, choice: ScanOptions) -> None:
        refuse_names(raw.name, choice)
        if choice.standardise:
            raise OptionError(f"{raw.name}: standardise would fill in the zeros of a sparse file.")
        assert raw.path is not None
        self.raw, self.name, self.choice = raw, raw.name, choice
        self.batch_rows, self.folder = choice.batch_rows, choice.folder
        self.is_sparse, self.has_weights = True, False
        self.fit_intercept = True  # only a formula can say that there is none
        self.files = FileStamps([raw.path])
        how = ["svmlight", choice.float64]
        self.cache = None
        if choice.folder is not None:
            self.cache = ScanCache(choice.folder, raw.path, how, asked=choice.cache is not True)
        self.label = "label"

    @cached_property
    def _survey(self) -> _Survey:
        n, width, lowest, whole, prints = 0, 0, 1, True, False
        labels: set[float] = set()
        for chunk in self._chunks():
            n += len(chunk.labels)
            labels |= set(np.unique(chunk.labels).tolist())
            width = max(width, int(chunk.indices.max(initial=-1)) + 1)
            lowest = min(lowest, int(chunk.indices.min(initial=1)))
            whole = whole and is_integral(chunk.values)
            prints = prints or chunk.prints
        if n == 0 or width == 0:
            raise ShapeError(f"{self.name}: {n} rows and {width} columns: nothing to learn.")
        refuse_too_wide(width, 200, self.name, "read it whole (novikoff.read), not as a scan")
        found = np.array(sorted(labels))
        if np.all(found == np.trunc(found)):
            found = found.astype(np.int64)
        return _Survey(n, found, width, 1 if width > 1 and lowest > 0 else 0, whole, prints)

    @cached_property
    def _chosen(self) -> Labels:
        found = self._survey.labels
        every = np.ones(len(found), dtype=np.bool_)
        return choose_classes(found, every, found, self.choice, f"{self.name}: column 'label'")

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
    def _columns(self) -> tuple[str, ...]:
        """The columns of the file that are used: x7 is what the file calls 7."""
        names = [f"x{j}" for j in range(self._survey.first, self._survey.width)]
        return tuple(select_columns(names, self.choice, self.name))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of X."""
        if self.choice.degree == 1:
            return self._columns
        return self.recipe.transform(sp.csr_array((1, len(self._columns))), self._columns)[1]

    @property
    def decimals(self) -> bool:
        """Whether the numbers stand for the decimals that were written."""
        return not (self.choice.float64 or self._survey.prints or self.recipe.changes_numbers)

    @property
    def labels(self) -> NDArray[Any]:
        """The labels that occur, sorted."""
        return np.unique(self._chosen.y[self._chosen.keep])

    @property
    def is_integral(self) -> bool:
        """Whether all numbers are integers."""
        return self._survey.is_integral

    @property
    def recipe(self) -> FeatureRecipe:
        """Which columns make X, for another file."""
        return FeatureRecipe(self._columns, degree=self.choice.degree)

    def clear_cache(self) -> None:
        """Remove what was kept of the text."""
        if self.cache is not None:
            self.cache.remove()

    def __iter__(self) -> Iterator[Batch]:
        """All rows in the order of the file, one batch read ahead."""
        return read_ahead(self._batches())

    def _batches(self) -> Iterator[Batch]:
        survey, picked, recipe = self._survey, self._chosen, self.recipe
        wanted = [int(name[1:]) - survey.first for name in self._columns]
        every = wanted == list(range(survey.width - survey.first))
        passed = 0
        for chunk in self._chunks():
            index = np.searchsorted(survey.labels, chunk.labels)
            for start in range(0, len(index), self.batch_rows):
                here = slice(start, start + self.batch_rows)
                X = _rows_of(chunk, here, survey)
                check_numbers(X, self.name, passed + start)
                X = X if every else X[:, wanted]
                kept = np.flatnonzero(picked.keep[index[here]])
                if len(kept):
                    X = X if len(kept) == X.shape[0] else X[kept]
                    if self.choice.degree > 1:
                        X, _ = recipe.transform(X, self._columns)
                    yield Batch(X, picked.y[index[here][kept]], None)
            passed += len(index)

    def _chunks(self) -> Iterator[SparseChunk]:
        return self.files.over(self._read())

    def _read(self) -> Iterator[SparseChunk]:
        if self.cache is not None and self.cache.is_fresh():
            yield from map(_chunk_of, self.cache.tables())
            return
        if self.cache is None:
            yield from self._parsed()
            return
        yield from map(_chunk_of, self.cache.keep(lambda: map(_table_of, self._parsed())))

    def _parsed(self) -> Iterator[SparseChunk]:
        return parse_chunks(self.raw, float64=self.choice.float64)


def _rows_of(chunk: SparseChunk, here: slice, survey: _Survey) -> Any:
    """Some rows of a chunk as CSR: views of its arrays, but for indices that have to be moved."""
    bounds = chunk.indptr[here.start : here.stop + 1]
    entries = slice(bounds[0], bounds[-1])
    indices = chunk.indices[entries]
    indices = indices - np.int32(1) if survey.first else indices
    width = survey.width - survey.first
    return csr_of_rows(chunk.values[entries], indices, bounds - bounds[0], width)


def _table_of(chunk: SparseChunk) -> Any:
    """A chunk as an Arrow table of lists."""
    offsets = pa.array(chunk.indptr, pa.int64())
    indices = pa.LargeListArray.from_arrays(offsets, pa.array(chunk.indices, pa.int32()))
    values = pa.LargeListArray.from_arrays(offsets, pa.array(chunk.values, pa.float64()))
    prints = pa.array(np.full(len(chunk.labels), chunk.prints))
    return pa.table({"label": chunk.labels, "indices": indices, "values": values, "prints": prints})


def _chunk_of(table: Any) -> SparseChunk:
    """The chunk that `_table_of` wrote."""
    indices, values = (table.column(name).combine_chunks() for name in ("indices", "values"))
    return SparseChunk(
        table.column("label").to_numpy(),
        indices.offsets.to_numpy() - indices.offsets[0].as_py(),
        indices.flatten().to_numpy(),
        values.flatten().to_numpy(),
        any(table.column("prints").to_pylist()[:1]),
    )
