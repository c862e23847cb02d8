"""Dask arrays, dataframes and series, and scans of many files, as partitions of labelled rows.

Dask is loaded only if the data is Dask's.
"""

import itertools
import math
import sys
from typing import Any

import numpy as np

from novikoff.errors import (
    ClusterError,
    FileError,
    LabelError,
    MissingDependencyError,
    NovikoffError,
    ShapeError,
)
from novikoff.matrix.arrays import column_names, numpy_of
from novikoff.matrix.batches import Batch, Batches
from novikoff.matrix.dask.executor import DaskExecutor
from novikoff.matrix.dask.partitions import Block, Partitions
from novikoff.matrix.problem import check_lengths, held_floats, matrix_of, row_weights


def is_dask(X: object) -> bool:
    """Whether `X` is a Dask array, dataframe or series."""
    if "dask" not in sys.modules:  # then nobody can have made one
        return False
    from dask import is_dask_collection

    return bool(is_dask_collection(X))


def client_at_hand() -> Any | None:
    """The `Client` that the user has made last and not closed, or None."""
    if "distributed" not in sys.modules:
        return None
    from distributed import default_client

    try:
        return default_client()
    except ValueError:
        return None


def needed_client() -> Any:
    """The user's `Client`; an error that says how to make one."""
    try:
        import distributed  # noqa: F401
    except ImportError as error:
        raise MissingDependencyError(
            "Dask's scheduler is needed for Dask data: pip install 'novikoff[dask]'."
        ) from error
    client = client_at_hand()
    if client is None:
        raise ClusterError(
            "Dask data is worked on by a cluster, and there is no Client: make one first, with "
            "dask.distributed.Client() for this machine or Client('tcp://…') for a cluster."
        )
    return client


def partitions_of(X: Any, y: Any, weights: Any = None, *, exact: bool = False) -> Partitions:
    """The rows of a Dask array or dataframe with their labels, validated on the workers.

    With `exact`, numbers stay as they are, even those that float64 cannot hold.
    """
    if y is None:
        raise LabelError("y is None: the labels of a Dask array are a Dask array or series too.")
    executor = DaskExecutor(needed_client())
    rows = _delayed_rows(X)
    sizes = _Sizes(executor, X, rows)
    columns = [rows]
    for name, values in (("y", y), ("sample_weight", weights)):
        if values is not None:
            columns.append(_delayed_values(name, values, sizes))
    parts = list(zip(*columns, strict=True))
    blocks = executor.planned(
        "read", _read, [(k, (k, *part)) for k, part in enumerate(parts)], exact
    )
    return Partitions(executor, blocks, _nbytes(X), "X")


def partitions_of_pieces(batches: Batches) -> Partitions | None:
    """The rows of a scan as partitions on the current cluster; None if there is no cluster.

    Also None if the scan is of one stream that only one process can read.
    """
    client = client_at_hand()
    pieces = batches.pieces() if client is not None else None
    if pieces is None:
        return None
    executor = DaskExecutor(client)
    parts = [(piece,) for piece in pieces]
    labels = executor.each("find-labels", _labels_of, parts)
    levels = executor.each("find-levels", _levels_of, parts, batches.agree(labels))
    agreed = batches.agree(labels, levels)
    blocks = executor.planned("read", _read_piece, list(enumerate(parts)), agreed)
    rows = sum(piece.n for piece in labels)
    return Partitions(executor, blocks, 8.0 * rows * (batches.d + 1), "the scan")


def _delayed_rows(X: Any) -> list[Any]:
    """One `Delayed` for each partition of X."""
    if X.ndim != 2:
        raise ShapeError(f"X must have two dimensions, rows and columns; got {X.ndim}.")
    if hasattr(X, "numblocks"):
        whole = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
        return list(whole.to_delayed(optimize_graph=False)[:, 0])
    return list(X.to_delayed(optimize_graph=False))


class _Sizes:
    """How many rows each partition of X has; counted by the workers if it must be, once."""

    def __init__(self, executor: DaskExecutor, values: Any, parts: list[Any]) -> None:
        self.executor, self.parts, self.known = executor, parts, _known_sizes(values)

    def count(self) -> list[int]:
        """The sizes, known from now on."""
        if self.known is None:
            each = self.executor.each("count-rows", _length_of, [(part,) for part in self.parts])
            self.known = list(each)
        return self.known


def _length_of(rows: Any) -> int:
    return int(rows.shape[0])


def _delayed_values(name: str, values: Any, X: _Sizes) -> list[Any]:
    """One `Delayed` for each partition of X, of labels or weights that go with its rows.

    They are cut where X is. Of values whose partitions are as many as X's, and whose sizes nobody
    knows, that is so by itself: dataframes. A worker that finds it otherwise says so.
    """
    if not is_dask(values):
        values = np.asarray(numpy_of(values))
        if values.ndim == 0 and name != "y":
            return [values] * len(X.parts)
        if values.ndim != 1 or len(values) != sum(X.count()):
            raise ShapeError(f"X has {sum(X.count())} rows, but {name} has shape {values.shape}.")
        edges = np.cumsum([0, *X.count()])
        return [values[i:j] for i, j in itertools.pairwise(edges)]
    if values.ndim != 1:
        raise ShapeError(f"{name} must be flat, one a row; it has {values.ndim} dimensions.")
    parts = list(values.to_delayed(optimize_graph=False))
    own = _Sizes(X.executor, values, parts)
    if own.known is None and len(parts) == len(X.parts):
        return parts
    if sum(X.count()) != sum(own.count()):
        raise ShapeError(f"X has {sum(X.count())} rows, but {name} has {sum(own.count())}.")
    if X.count() == own.count():
        return parts
    return _cut_again(own, X.count())


def _cut_again(values: _Sizes, sizes: list[int]) -> list[Any]:
    """The values cut anew into partitions of these sizes."""
    firsts = np.cumsum([0, *values.count()])
    numbered = []
    for k, (start, end) in enumerate(itertools.pairwise(np.cumsum([0, *sizes]).tolist())):
        pieces: list[Any] = [] if end > start else [values.parts[0], 0, 0]
        for part, (i, j) in zip(values.parts, itertools.pairwise(firsts.tolist()), strict=True):
            if max(i, start) < min(j, end):
                pieces += [part, max(i, start) - i, min(j, end) - i]
        numbered.append((k, tuple(pieces)))
    return values.executor.planned("cut", _joined, numbered)


def _joined(*pieces: Any) -> Any:
    """Some values of each of several partitions: (values, first, end), one after the other."""
    cut = zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
    return np.concatenate([np.asarray(numpy_of(values))[i:j] for values, i, j in cut])


def _known_sizes(values: Any) -> list[int] | None:
    """How many rows each chunk of an array has, if that is known."""
    chunks = getattr(values, "chunks", None)
    if chunks is None or any(math.isnan(size) for size in chunks[0]):
        return None
    return [int(size) for size in chunks[0]]


def _nbytes(X: Any) -> float | None:
    """How much memory X will take; None if that is not known before it is read."""
    if _known_sizes(X) is None or not isinstance(X._meta, np.ndarray):  # CSR chunks take less
        return None
    return float(X.nbytes)


def _read(k: int, X: Any, y: Any, *rest: Any) -> Block:
    """One partition, checked as `fit` and `separate` check their input; run on a worker."""
    weights, exact = (rest[0] if len(rest) > 1 else None), rest[-1]
    try:
        return Block(_checked(X, y, weights, exact), column_names(X))
    except NovikoffError as error:
        raise type(error)(f"partition {k} of X: {error}") from error


def _checked(X: Any, y: Any, weights: Any, exact: bool) -> Batch:
    labels = np.asarray(numpy_of(y))
    if len(X.shape) == 2 and X.shape[0] == 0 and len(labels) == 0:
        return Batch(np.empty(X.shape), labels, None if weights is None else np.empty(0))
    matrix = matrix_of(X)
    check_lengths(matrix, labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise LabelError("y contains NaN or infinity: every row needs a label.")
    if not exact:
        matrix = held_floats(matrix)
    return Batch(matrix, labels, row_weights(weights, len(labels)))


def _labels_of(piece: Any) -> Any:
    """The labels of one piece of a scan, found on a worker."""
    try:
        return piece.labels()
    except FileError as error:
        raise FileError(
            f"{error} Every worker must be able to read the files under their names here."
        ) from error


def _levels_of(piece: Any, agreed: Any) -> Any:
    """The levels in the coded columns of one piece, found on a worker."""
    return piece.levels(agreed)


def _read_piece(piece: Any, agreed: Any) -> Block:
    """The rows of one piece of a scan, on a worker; the scan knows the names of its columns."""
    return Block(piece.whole(agreed), None)
