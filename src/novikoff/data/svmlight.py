"""Files of svmlight and libsvm: sparse, `label index:value …` a line.

A column is called by its index in the file: x7 is what the file calls 7, wherever it counts from.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff import sparse as sp
from novikoff.data.choose import Choice, standardise_and_lift
from novikoff.data.labels import choose_classes
from novikoff.data.raw import Raw
from novikoff.data.recipe import Recipe
from novikoff.data.rounding import BINARY, refuse_rounded_sparse
from novikoff.data.source import list_names
from novikoff.data.svmlight_text import SparseChunk, parse_chunks
from novikoff.data.table import Table
from novikoff.errors import DataError, NotFiniteError, OptionError, ShapeError

__all__ = ["join_chunks", "read_sparse", "read_svmlight", "select_columns"]


def read_sparse(raw: Raw) -> tuple[Any, Any]:
    """The CSR matrix and the labels of a file."""
    chunks = list(parse_chunks(raw))
    labels = np.concatenate([chunk.labels for chunk in chunks] or [np.empty(0)])
    return join_chunks(chunks, None, raw.name), labels


def join_chunks(chunks: Sequence[SparseChunk], width: int | None, name: str) -> Any:
    """Chunks as one CSR matrix, with indices of 32 bits where they will do; finite."""
    values = np.concatenate([chunk.values for chunk in chunks] or [np.empty(0)])
    indices = np.concatenate([chunk.indices for chunk in chunks] or [np.empty(0, np.int32)])
    counts = [np.diff(chunk.indptr) for chunk in chunks] or [np.empty(0, np.int64)]
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    indptr = indptr.astype(np.int32 if len(values) < 2**31 else np.int64)
    if not np.isfinite(values).all():
        at = int(np.argmin(np.isfinite(values)))
        row = int(np.searchsorted(indptr, at, side="right")) - 1
        raise NotFiniteError(f"{name}: row {row}, column {indices[at]}: not a finite number.")
    d = int(indices.max(initial=-1)) + 1 if width is None else width
    return sp.csr_array((values, indices, indptr), shape=(len(indptr) - 1, d))


def read_svmlight(raw: Raw, choice: Choice) -> Table:
    """Labelled points from a sparse file; there is an x0 only if the file counts from 0."""
    if choice.formula or choice.categorical or choice.weights is not None:
        raise OptionError(
            f"{raw.name}: a sparse file has no names: no formula, categorical or weights."
        )
    X, y = read_sparse(raw)
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ShapeError(
            f"{raw.name}: {X.shape[0]} rows and {X.shape[1]} columns: nothing to learn."
        )
    binary = choice.float64 or refuse_rounded_sparse(raw, X)
    if np.all(y == np.trunc(y)):
        y = y.astype(np.int64)
    every = np.ones(len(y), dtype=np.bool_)
    where = f"{raw.name}: column 'label'"
    labels = choose_classes(
        y, every, y, where=where, positive=choice.positive, classes=choice.classes
    )
    first = 0 if X.shape[1] == 1 or X[:, [0]].nnz else 1
    X = X[:, first:]
    names = [f"x{j + first}" for j in range(X.shape[1])]
    features = select_columns(names, choice, raw.name)
    if len(features) < len(names):
        X = X[:, [names.index(name) for name in features]]
    rows = None if labels.keep.all() else np.flatnonzero(labels.keep)
    y = labels.y
    if rows is not None:
        X, y = X[rows], y[rows]
    table = Table(
        X, y, tuple(features), "label", labels.classes, raw.name, Recipe(tuple(features)),
        decimals=not binary, rows=rows, file_rows=len(labels.y),
        left_out=tuple(name for name in names if name not in features),
        notes=(BINARY,) if binary and not choice.float64 else (),
    )  # fmt: skip
    return standardise_and_lift(table, choice)


def select_columns(names: list[str], choice: Choice, name: str) -> list[str]:
    """The columns that are chosen, by the names they have in the file."""
    wanted = names if choice.features is None else [str(column) for column in choice.features]
    dropped = {str(column) for column in choice.drop}
    for column in [*wanted, *sorted(dropped)]:
        if column not in names:
            raise DataError(f"{name}: no column {column!r}; there are {list_names(names)}.")
    return [column for column in wanted if column not in dropped]
