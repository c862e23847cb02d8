"""Files of svmlight and libsvm: sparse, `label index:value …` a line.

A column is called by its index in the file: x7 is what the file calls 7, wherever it counts from.
"""

from typing import Any

import numpy as np

from novikoff import sparse as sp
from novikoff.data.choose import Choice, standardise_and_lift
from novikoff.data.labels import choose_classes
from novikoff.data.raw import Raw
from novikoff.data.recipe import Recipe
from novikoff.data.rounding import BINARY
from novikoff.data.source import list_names
from novikoff.data.svmlight_text import parse_chunks
from novikoff.data.table import Table
from novikoff.errors import DataError, NotFiniteError, OptionError, ShapeError

__all__ = [
    "check_numbers",
    "csr_of_rows",
    "read_sparse",
    "read_svmlight",
    "refuse_names",
    "select_columns",
]


MANY_COLUMNS = 1 << 24


def read_sparse(raw: Raw, *, float64: bool) -> tuple[Any, Any, bool]:
    """The CSR matrix and the labels of a file; whether its numbers are binary ones.

    Of numbers that float64 would change the nearest float64 ones are meant (`float64`), or they are
    an error.
    """
    chunks = list(parse_chunks(raw, float64=float64))
    labels = np.concatenate([chunk.labels for chunk in chunks] or [np.empty(0)])
    width = max((int(chunk.indices.max(initial=-1)) + 1 for chunk in chunks), default=0)
    values = np.concatenate([chunk.values for chunk in chunks] or [np.empty(0)])
    indices = np.concatenate([chunk.indices for chunk in chunks] or [np.empty(0, np.int32)])
    counts = [np.diff(chunk.indptr) for chunk in chunks] or [np.empty(0, np.int64)]
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    X = csr_of_rows(values, indices, indptr, width)
    check_numbers(X, raw.name)
    return X, labels, float64 or any(chunk.prints for chunk in chunks)


def csr_of_rows(values: Any, indices: Any, indptr: Any, width: int) -> Any:
    """A CSR matrix of these arrays, none of them copied; 64 bits an index only where needed."""
    kind = np.int32 if len(values) < 2**31 else np.int64
    parts = (values, indices.astype(kind, copy=False), indptr.astype(kind, copy=False))
    X = sp.csr_array(parts, shape=(len(indptr) - 1, width))
    X.has_canonical_format = True  # the parser has seen to it
    return X


def check_numbers(X: Any, name: str, first: int = 0) -> None:
    """Raise `NotFiniteError` at the first number that is none; rows count from `first` on."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.data.sum()) or np.isfinite(X.data).all():
            return
    at = int(np.argmin(np.isfinite(X.data)))
    row = int(np.searchsorted(X.indptr, at, side="right")) - 1
    raise NotFiniteError(f"{name}: row {first + row}, column {X.indices[at]}: not a finite number.")


def counts_from_1(X: Any, *, width: int) -> bool:
    """Whether the file has no column 0, so that x1 is the first."""
    return width > 1 and int(X.indices.min(initial=1)) > 0


def without_column_0(X: Any) -> Any:
    """The same matrix without its first column, which is empty; its indices are moved in place."""
    X.indices -= 1
    return csr_of_rows(X.data, X.indices, X.indptr, X.shape[1] - 1)


def is_mostly_empty(X: Any) -> bool:
    """Whether there are so many columns beside few numbers that only those with any are kept."""
    return bool(X.shape[1] > MANY_COLUMNS > 64 * X.nnz)


def with_stored_columns(X: Any) -> Any:
    """The same rows in the columns that have an entry."""
    stored, places = np.unique(X.indices, return_inverse=True)
    return csr_of_rows(X.data, places.ravel(), X.indptr, len(stored))


def _names(X: Any, first: int) -> list[str]:
    """The columns by their indices in the file: all, or those with an entry."""
    kept = np.unique(X.indices).tolist() if is_mostly_empty(X) else range(X.shape[1])
    return [f"x{j + first}" for j in kept]


def read_svmlight(raw: Raw, choice: Choice) -> Table:
    """Labelled points from a sparse file; there is an x0 only if the file counts from 0."""
    refuse_names(raw.name, choice)
    X, y, binary = read_sparse(raw, float64=choice.float64)
    if X.shape[0] == 0 or X.shape[1] == 0:
        raise ShapeError(
            f"{raw.name}: {X.shape[0]} rows and {X.shape[1]} columns: nothing to learn."
        )
    if np.all(y == np.trunc(y)):
        y = y.astype(np.int64)
    every = np.ones(len(y), dtype=np.bool_)
    where = f"{raw.name}: column 'label'"
    labels = choose_classes(
        y, every, y, where=where, positive=choice.positive, classes=choice.classes
    )
    first = int(counts_from_1(X, width=X.shape[1]))
    X = without_column_0(X) if first else X
    width = X.shape[1]
    notes: tuple[str, ...] = (BINARY,) if binary and not choice.float64 else ()
    names = _names(X, first)
    if len(names) < width:
        X = with_stored_columns(X)
        notes += (f"the other {width - len(names):,} columns are empty, and left out",)
    features = select_columns(names, choice, raw.name)
    used = set(features)
    if features != names:
        place = {name: j for j, name in enumerate(names)}
        X = X[:, [place[name] for name in features]]
    rows = None if labels.keep.all() else np.flatnonzero(labels.keep)
    y = labels.y
    if rows is not None:
        X, y = X[rows], y[rows]
    table = Table(
        X, y, tuple(features), "label", labels.classes, raw.name, Recipe(tuple(features)),
        decimals=not binary, rows=rows, file_rows=len(labels.y),
        left_out=tuple(name for name in names if name not in used),
        notes=notes,
    )  # fmt: skip
    return standardise_and_lift(table, choice)


def refuse_names(file: str, choice: Choice) -> None:
    """Raise `OptionError` for options that speak of columns by their names."""
    if choice.formula or choice.categorical or choice.weights is not None:
        raise OptionError(
            f"{file}: a sparse file has no names: no formula, categorical or weights."
        )


def select_columns(names: list[str], choice: Choice, name: str) -> list[str]:
    """The columns that are chosen, by the names they have in the file."""
    wanted = names if choice.features is None else [str(column) for column in choice.features]
    dropped = {str(column) for column in choice.drop}
    known = set(names)
    for column in [*wanted, *sorted(dropped)]:
        if column not in known:
            raise DataError(f"{name}: no column {column!r}; there are {list_names(names)}.")
    return [column for column in wanted if column not in dropped]
