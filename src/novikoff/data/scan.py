"""`novikoff.data.scan`: labelled points read in batches, for data that does not fit in memory."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as arrow_csv
from numpy.typing import NDArray

from novikoff.batches import Batch, Batches
from novikoff.conventions import check_count
from novikoff.data.blocks import Blocks, CsvBlocks, blocks_of
from novikoff.data.cache import Cache, default_folder
from novikoff.data.choose import (
    Choice,
    Column,
    categorical_columns,
    numbers_or_none,
    plan_columns,
    rows_without_missing,
)
from novikoff.data.features import levels_of
from novikoff.data.labels import Labels, choose_classes
from novikoff.data.raw import open_raw
from novikoff.data.read_ahead import read_ahead
from novikoff.data.reading import Layout, format_of
from novikoff.data.recipe import Recipe
from novikoff.data.source import Source, as_numpy
from novikoff.data.sparse_scan import SparseScan
from novikoff.errors import DataError, FileError, LabelError, OptionError
from novikoff.exact.scaling import is_integral

__all__ = ["Scan", "scan"]

BATCH_ROWS = 1 << 16


class Scan(Batches):
    """Rows of a file, a batch at a time; `scan` makes one.

    `n`, `d`, `names`, `classes` and `labels` are what they are of a `Table`; `recipe` says how
    columns became X; `clear_cache()` removes what was kept of a text file.

    Examples
    --------
    >>> import numpy as np
    >>> from novikoff.data import scan
    >>> np.save("points.npy", np.array([[1.0, 2.0, 0], [3.0, 4.0, 1], [5.0, 6.0, 1]]))
    >>> batches = scan("points.npy", label=2, batch_rows=2)
    >>> [batch.X.tolist() for batch in batches]
    [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0]]]
    >>> batches.n, batches.names, batches.classes
    (3, ('x0', 'x1'), (0.0, 1.0))
    """

    def __init__(self, blocks: Blocks, name: str, choice: Choice, rows: int, cache: Cache | None):
        self.blocks, self.name, self.choice, self.batch_rows = blocks, name, choice, rows
        self.cache = cache
        named_by_line = blocks.is_text and not blocks.numbered
        head = Source(
            blocks.head(), name, blocks.decimals, blocks.numbered, named_by_line=named_by_line
        )
        self.notes = head.notes
        self.label, recipe = plan_columns(head, choice)
        self._weights = None
        if choice.weights is not None:
            self._weights = head.resolve(choice.weights, "weights, --weights")
        self._categorical = categorical_columns(head, choice, recipe.features)
        columns = [self.label, *recipe.features, *([self._weights] if self._weights else [])]
        self._columns = list(dict.fromkeys(columns))
        if isinstance(blocks, CsvBlocks):
            blocks.texts = (self.label, *self._categorical)
        self._recipe = replace(recipe, degree=choice.degree)
        self._text_labels = blocks.is_text

    @cached_property
    def _survey(self) -> "tuple[int, NDArray[Any], dict[str, tuple[Any, ...]]]":
        """Rows, labels and levels: one pass over the columns that tell them."""
        needed = list(dict.fromkeys([self.label, *self._categorical]))
        if self._drops_rows or self.cache is not None:
            needed = self._columns
        values: set[Any] = set()
        levels: dict[str, set[Any]] = {name: set() for name in self._categorical}
        n = 0
        for table in self._tables(needed):
            n += table.num_rows
            values |= set(pc.unique(_plain(table.column(self.label))).to_pylist())
            source = Source(table, self.name)
            for name in self._categorical:
                levels[name] |= set(levels_of(source, name))
        values.discard(None)
        found = self._sorted_labels(values)
        if not len(found):
            raise LabelError(f"{self.name}: column {self.label!r} has no labels at all.")
        return n, found, {name: tuple(sorted(each)) for name, each in levels.items()}

    def _sorted_labels(self, values: set[Any]) -> NDArray[Any]:
        """The labels that occur, sorted; those of a text file as `read` would type the column."""
        if not self._text_labels or not values:
            return np.unique(np.array([v for v in values if v == v]))
        sink = pa.BufferOutputStream()
        arrow_csv.write_csv(pa.table({"y": pa.array(sorted(values), pa.string())}), sink)
        typed = arrow_csv.read_csv(pa.BufferReader(sink.getvalue())).column("y").to_pylist()
        self._written = dict(zip(sorted(values), typed, strict=True))
        return np.unique(np.array(typed))

    @cached_property
    def _chosen(self) -> Labels:
        found = self._survey[1]
        where = f"{self.name}: column {self.label!r}"
        every = np.ones(len(found), dtype=np.bool_)
        options = {"positive": self.choice.positive, "classes": self.choice.classes}
        return choose_classes(found, every, found, where=where, **options)  # type: ignore[arg-type]

    @property
    def _drops_rows(self) -> bool:
        return self.choice.drop_missing or self._weights is not None

    @property
    def classes(self) -> tuple[Any, ...]:
        """The labels, of two the positive one last."""
        return self._chosen.classes

    @cached_property
    def n(self) -> int:
        """How many rows take part."""
        if self._drops_rows or self.choice.classes is not None:
            return sum(len(batch.y) for batch in self)
        return self._survey[0]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the columns of X."""
        return next(self._batches())[1]

    @property
    def labels(self) -> NDArray[Any]:
        """The labels that occur, sorted."""
        return np.unique(self._chosen.y[self._chosen.keep])

    @property
    def has_weights(self) -> bool:
        """Whether the rows have weights."""
        return self._weights is not None

    @cached_property
    def is_integral(self) -> bool:
        """Whether all numbers are integers."""
        return all(is_integral(batch.X) for batch in self)

    @property
    def recipe(self) -> Recipe:
        """How columns become X, for another file."""
        return replace(self._recipe, levels=self._survey[2])

    def __iter__(self) -> Iterator[Batch]:
        """All rows in the order of the file, one batch read ahead."""
        return read_ahead(batch for batch, _ in self._batches())

    def clear_cache(self) -> None:
        """Remove what was kept of a text file."""
        if self.cache is not None:
            self.cache.remove()

    def _batches(self) -> Iterator[tuple[Batch, tuple[str, ...]]]:
        recipe, first = self.recipe, 0
        for table in self._tables(self._columns):
            for start in range(0, table.num_rows, self.batch_rows):
                part = table.slice(start, self.batch_rows).combine_chunks()
                batch, names = self._batch(part, recipe, first + start)
                if len(batch.y):
                    yield batch, names
            first += table.num_rows

    def _batch(self, table: Any, recipe: Recipe, first: int) -> tuple[Batch, tuple[str, ...]]:
        source = Source(
            table, self.name, self.blocks.decimals, self.blocks.numbered,
            place=lambda row: f"row {first + row}",
        )  # fmt: skip
        y, keep = self._labels_of(source)
        weights = None
        if self._weights is not None:
            weights = numbers_or_none(source, self._weights)
            if (weights < 0).any():
                row = int(np.argmax(weights < 0))
                raise DataError(f"{self.name}: the weight at {source.place(row)} is negative.")
            keep = keep & (weights > 0)
        if keep.any():
            needed = recipe.features
            keep = self._without_missing(source, needed, keep)
        if not keep.all():
            rows = np.flatnonzero(keep)
            source, y = take_rows(source, rows), y[rows]
            weights = None if weights is None else weights[rows]
        if not len(y):
            return Batch(np.empty((0, 0)), y, weights), ()
        X, names, _ = recipe.columns(source)
        X, names = recipe.transform(X, names)
        return Batch(X, y, weights), names

    def _without_missing(
        self, source: Source, needed: Sequence[str], keep: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        from novikoff.data.features import missing_mask

        if not self.choice.drop_missing:
            return rows_without_missing(source, needed, keep, False)[0]
        for mask in missing_mask(source, needed).values():
            keep = keep & ~mask
        return keep

    def _labels_of(self, source: Source) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        found, picked = self._survey[1], self._chosen
        column = _plain(source.column(self.label))
        encoded = pc.dictionary_encode(column)
        written = encoded.dictionary.to_pylist()
        if self._text_labels:
            written = [self._written.get(value) for value in written]
        places = {value: k for k, value in enumerate(found.tolist())}
        places_of = np.array([places.get(value, -1) for value in written] or [-1])
        codes = as_numpy(encoded.indices.fill_null(-1)).astype(np.int64)
        index = np.where(codes < 0, -1, places_of[np.maximum(codes, 0)])
        if (index < 0).any() and not self.choice.drop_missing:
            row = int(np.argmin(index >= 0))
            raise LabelError(
                f"{self.name}: column {self.label!r} has no label at {source.place(row)}: mend it, "
                "or leave such rows out (drop_missing, --drop-missing)."
            )
        keep = (index >= 0) & picked.keep[np.maximum(index, 0)]
        return picked.y[np.maximum(index, 0)], keep

    def _tables(self, columns: Sequence[str]) -> Iterator[Any]:
        if self.cache is None:
            return self.blocks.tables(columns, self.batch_rows)
        if self.cache.is_fresh():
            return (table.select(list(columns)) for table in self.cache.tables())
        kept = self.cache.keep(self.blocks.tables(self._columns, self.batch_rows))
        return (table.select(list(columns)) for table in kept)


def take_rows(source: Source, rows: NDArray[np.int64]) -> Source:
    """Some rows of a block; none is as good as any."""
    place = source.place
    if len(rows) == 0:
        return source
    return replace(source, table=source.table.take(rows), place=lambda r: place(int(rows[r])))


def _plain(column: Any) -> Any:
    column = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def scan(
    source: str | os.PathLike[str],
    *,
    label: Column | None = None,
    features: Sequence[Column] | None = None,
    drop: Sequence[Column] = (),
    positive: object = None,
    classes: Sequence[object] | None = None,
    categorical: Sequence[Column] | Literal["auto"] = (),
    drop_missing: bool = False,
    weights: Column | None = None,
    degree: int = 1,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    header: bool = True,
    encoding: str | None = None,
    missing: Sequence[str] = (),
    batch_rows: int = BATCH_ROWS,
    cache: str | os.PathLike[str] | bool = True,
) -> Scan | SparseScan:
    r"""Labelled points from a file that need not fit in memory, read in batches.

    Parameters
    ----------
    source
        A Parquet file, or a folder of them (read in the order of their names); CSV or TSV (also
        .gz and .zst); Arrow or Feather; svmlight; .npy.
    label, features, drop, positive, classes, categorical, drop_missing, weights, degree
        As in `read`. A formula and `standardise` need the whole of the data, and `read`.
    format, delimiter, header, encoding, missing
        As in `read`.
    batch_rows
        How many rows are in memory together; one more batch is read ahead.
    cache
        Where text is kept once it is parsed: a folder, True for the usual place
        (~/.cache/novikoff), False for nowhere. `clear_cache()` removes it.

    Returns
    -------
    Scan
        `for batch in scan` gives `batch.X`, `batch.y`, `batch.weights`; every learner that can
        learn so takes it in place of X and y.

    Examples
    --------
    >>> from pathlib import Path
    >>> from novikoff import Perceptron
    >>> from novikoff.data import scan
    >>> _ = Path("towns.csv").write_text("size,kind\n1.5,small\n2.1,small\n7,large\n")
    >>> batches = scan("towns.csv", label="kind", cache="kept")
    >>> Perceptron().fit(batches).predict([[8.0], [1.0]])
    array(['large', 'small'], dtype='<U5')
    >>> batches.clear_cache()
    """
    check_count("batch_rows", batch_rows)
    choice = Choice(
        label=label, features=features, drop=drop, positive=positive, classes=classes,
        categorical=categorical, drop_missing=drop_missing, weights=weights, degree=degree,
    )  # fmt: skip
    layout = Layout(format, delimiter, header, encoding, tuple(missing))
    path = Path(source)
    if path.is_dir():
        paths = sorted(str(file) for file in path.rglob("*.parquet"))
        if not paths:
            raise FileError(f"{path}: no .parquet files in this folder.")
        return Scan(blocks_of(None, paths, "parquet", layout), str(path), choice, batch_rows, None)
    raw = open_raw(source)
    if raw.path is None:
        raise OptionError(f"{raw.name}: it can be read only once: save it to a file, or use read.")
    kind = format_of(raw, format)
    folder = default_folder() if cache is True else Path(cache or ".")
    if kind == "svmlight":
        kept = Cache(folder, raw.path, [kind]) if cache is not False else None
        return SparseScan(raw, choice, batch_rows, kept)
    blocks = blocks_of(raw, [raw.path], kind, layout)
    made = Scan(blocks, raw.name, choice, batch_rows, None)
    if blocks.is_text and cache is not False:
        how = [kind, delimiter, header, encoding, list(missing), made._columns, made._categorical]
        made.cache = Cache(folder, raw.path, how)
    return made
