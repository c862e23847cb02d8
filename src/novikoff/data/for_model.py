"""Another file, read the way a model's data was read: its points, row by row, and its columns."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from novikoff.data.choose import rows_without_missing
from novikoff.data.datasets import dataset_source
from novikoff.data.features import refuse_text
from novikoff.data.raw import open_raw
from novikoff.data.reading import BUILT_IN, Layout, format_of, load_source
from novikoff.data.recipe import Recipe
from novikoff.data.source import Source
from novikoff.data.svmlight import read_sparse
from novikoff.errors import ShapeError

__all__ = ["DataForModel", "read_for_model"]


@dataclass(frozen=True)
class DataForModel:
    """The points of the rows that have all their values (`rows`), and the columns of all rows."""

    X: Any
    rows: NDArray[np.int64]
    columns: Any
    source: str


def read_for_model(
    file: str, recipe: Recipe, layout: Layout | None = None, *, drop_missing: bool = False
) -> DataForModel:
    """Read a file for a model; with `drop_missing`, rows that lack a value have no point."""
    layout = layout or Layout()
    layout = replace(layout, missing=(*layout.missing, *recipe.missing))
    if file.startswith(BUILT_IN):
        return _of(dataset_source(file.removeprefix(BUILT_IN)), recipe, drop_missing)
    raw = open_raw(file)
    if format_of(raw, layout.format) != "svmlight":
        return _of(load_source(raw, layout), recipe, drop_missing)
    X, y, _ = read_sparse(raw, float64=True)
    wanted = [int(name.removeprefix("x")) for name in recipe.features if name[1:].isdigit()]
    if len(wanted) < len(recipe.features):
        raise ShapeError(f"{raw.name}: the model was not made from a sparse file.")
    X.resize((X.shape[0], max(X.shape[1], max(wanted) + 1)))
    X, _ = recipe.transform(X[:, wanted], recipe.features)
    return DataForModel(X, np.arange(len(y)), pa.table({"label": y}), raw.name)


def _of(source: Source, recipe: Recipe, drop_missing: bool) -> DataForModel:
    for name in recipe.features:
        source.resolve(name, "the model's column")
    if recipe.formula is None:
        refuse_text(source, [name for name in recipe.features if name not in recipe.levels])
    every = np.ones(source.table.num_rows, dtype=np.bool_)
    keep, _ = rows_without_missing(source, recipe.features, every, drop_missing)
    rows = np.flatnonzero(keep)
    kept = source if keep.all() else source.take(rows)
    return DataForModel(recipe.apply(kept), rows, source.table, source.name)
