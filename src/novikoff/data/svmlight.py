"""Files of svmlight and libsvm: sparse, `label index:value …` a line.

A column is called by its index in the file: x7 is what the file calls 7, wherever it counts from.
"""

import io
from typing import Any

import numpy as np

from novikoff import sparse as sp
from novikoff.data.choose import Choice, finished
from novikoff.data.labels import chosen
from novikoff.data.raw import Raw
from novikoff.data.recipe import Recipe
from novikoff.data.source import listed
from novikoff.data.table import Table
from novikoff.errors import DataError, FileError, NotFiniteError, OptionError, ShapeError

__all__ = ["read_sparse", "read_svmlight"]


def read_sparse(raw: Raw) -> tuple[Any, Any]:
    """The CSR matrix and the labels of a file."""
    from sklearn.datasets import load_svmlight_file

    with raw.stream() as stream:
        content = io.BytesIO(stream.read())
    try:
        X, y = load_svmlight_file(content, zero_based=True)
    except (ValueError, OverflowError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise FileError(
            f"{raw.name}: not svmlight ('label index:value …' a line): {reason}."
        ) from error
    if not np.isfinite(X.data).all():
        at = int(np.argmin(np.isfinite(X.data)))
        row = int(np.searchsorted(X.indptr, at, side="right")) - 1
        raise NotFiniteError(f"{raw.name}: row {row}, column {X.indices[at]}: not a finite number.")
    X = sp.csr_array(X)
    X.eliminate_zeros()
    return X, y


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
    if np.all(y == np.trunc(y)):
        y = y.astype(np.int64)
    every = np.ones(len(y), dtype=np.bool_)
    where = f"{raw.name}: column 'label'"
    labels = chosen(y, every, y, where=where, positive=choice.positive, classes=choice.classes)
    first = 0 if X.shape[1] == 1 or X[:, [0]].nnz else 1
    X = X[:, first:]
    names = [f"x{j + first}" for j in range(X.shape[1])]
    features = _selected(names, choice, raw.name)
    if len(features) < len(names):
        X = X[:, [names.index(name) for name in features]]
    rows = None if labels.keep.all() else np.flatnonzero(labels.keep)
    y = labels.y
    if rows is not None:
        X, y = X[rows], y[rows]
    table = Table(
        X, y, tuple(features), "label", labels.classes, raw.name, Recipe(tuple(features)),
        decimals=True, rows=rows, file_rows=len(labels.y),
        left_out=tuple(name for name in names if name not in features),
    )  # fmt: skip
    return finished(table, choice)


def _selected(names: list[str], choice: Choice, name: str) -> list[str]:
    wanted = names if choice.features is None else [str(column) for column in choice.features]
    dropped = {str(column) for column in choice.drop}
    for column in [*wanted, *sorted(dropped)]:
        if column not in names:
            raise DataError(f"{name}: no column {column!r}; there are {listed(names)}.")
    return [column for column in wanted if column not in dropped]
