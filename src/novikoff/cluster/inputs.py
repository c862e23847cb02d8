"""Dask arrays, dataframes and series, and scans of many files, as partitions of labelled rows."""

import itertools
import math
from typing import Any

import numpy as np

from novikoff.arrays import column_names, numpy_of
from novikoff.batches import Batch, Batches
from novikoff.cluster.crew import Crew
from novikoff.cluster.dask_client import client_at_hand, is_dask, needed_client
from novikoff.cluster.partitions import Block, Partitions
from novikoff.errors import FileError, LabelError, NovikoffError, OptionError, ShapeError
from novikoff.problem import check_lengths, held_floats, matrix_of

__all__ = ["partitions_of", "partitions_of_pieces"]


def partitions_of(X: Any, y: Any, weights: Any = None, *, exact: bool = False) -> Partitions:
    """The rows of a Dask array or dataframe with their labels, validated on the workers.

    With `exact`, numbers stay as they are, even those that float64 cannot hold.
    """
    if y is None:
        raise LabelError("y is None: the labels of a Dask array are a Dask array or series too.")
    crew = Crew(needed_client())
    columns = [_delayed_rows(X)]
    for name, values in (("y", y), ("sample_weight", weights)):
        if values is not None:
            columns.append(_delayed_values(name, values, X))
    parts = list(zip(*columns, strict=True))
    blocks = crew.planned("read", _read, [(k, (k, *part)) for k, part in enumerate(parts)], exact)
    return Partitions(crew, blocks, _nbytes(X), "X")


def partitions_of_pieces(batches: Batches) -> Partitions | None:
    """The rows of a scan as partitions on the cluster at hand; None if there is no cluster.

    Also None if the scan is of one stream that only one process can read.
    """
    client = client_at_hand()
    pieces = batches.pieces() if client is not None else None
    if pieces is None:
        return None
    crew = Crew(client)
    parts = [(piece,) for piece in pieces]
    labels = crew.each("find-labels", _labels_of, parts)
    levels = crew.each("find-levels", _levels_of, parts, batches.agree(labels))
    agreed = batches.agree(labels, levels)
    blocks = crew.planned("read", _read_piece, list(enumerate(parts)), agreed)
    rows = sum(piece[0] for piece in labels)
    return Partitions(crew, blocks, 8.0 * rows * (batches.d + 1), "the scan")


def _delayed_rows(X: Any) -> list[Any]:
    """One `Delayed` for each partition of X."""
    if X.ndim != 2:
        raise ShapeError(f"X must have two dimensions, rows and columns; got {X.ndim}.")
    if hasattr(X, "numblocks"):
        whole = X.rechunk({1: -1}) if X.numblocks[1] > 1 else X
        return list(whole.to_delayed(optimize_graph=False)[:, 0])
    return list(X.to_delayed(optimize_graph=False))


def _delayed_values(name: str, values: Any, X: Any) -> list[Any]:
    """One `Delayed` for each partition of X, of labels or weights that go with its rows."""
    sizes = _known_sizes(X)
    if not is_dask(values):
        values = np.asarray(numpy_of(values))
        if sizes is None:
            raise OptionError(
                f"{name} is in memory, and how many rows each partition of X has is not known: "
                f"give {name} as a Dask array or series, or call X.compute_chunk_sizes() first."
            )
        if values.ndim != 1 or len(values) != sum(sizes):
            raise ShapeError(f"X has {sum(sizes)} rows, but {name} has the shape {values.shape}.")
        edges = np.cumsum([0, *sizes])
        return [values[i:j] for i, j in itertools.pairwise(edges)]
    if values.ndim != 1:
        raise ShapeError(f"{name} must be flat, one a row; it has {values.ndim} dimensions.")
    own = _known_sizes(values)
    if sizes is not None and own is not None and sizes != own:
        if sum(sizes) != sum(own):
            raise ShapeError(f"X has {sum(sizes)} rows, but {name} has {sum(own)}.")
        values = values.rechunk((tuple(sizes),))
    parts = list(values.to_delayed(optimize_graph=False))
    count = X.numblocks[0] if hasattr(X, "numblocks") else X.npartitions
    if len(parts) != count:
        raise ShapeError(
            f"X has {count} partitions, but {name} has {len(parts)}: make them of the same rows."
        )
    return parts


def _known_sizes(values: Any) -> list[int] | None:
    """How many rows each chunk of an array has, if that is known."""
    chunks = getattr(values, "chunks", None)
    if chunks is None or any(math.isnan(size) for size in chunks[0]):
        return None
    return [int(size) for size in chunks[0]]


def _nbytes(X: Any) -> float:
    """How much memory X will take, as far as that is known; 0 if it is not."""
    if _known_sizes(X) is None:
        return 0.0
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
    return Batch(matrix, labels, _checked_weights(weights, len(labels)))


def _checked_weights(weights: Any, n: int) -> Any:
    if weights is None:
        return None
    values = np.asarray(numpy_of(weights), dtype=np.float64)
    if values.shape != (n,):
        raise ShapeError(f"{n} rows, but sample_weight has the shape {values.shape}.")
    if not (np.isfinite(values) & (values >= 0)).all():
        row = int(np.argmin(np.isfinite(values) & (values >= 0)))
        raise OptionError(f"sample_weight of row {row} is {values[row]}: a step has a length.")
    return values


def _labels_of(piece: Any) -> Any:
    """What one piece of a scan tells of its labels, on a worker."""
    try:
        return piece.labels()
    except FileError as error:
        raise FileError(
            f"{error} Every worker must be able to read the files under their names here."
        ) from error


def _levels_of(piece: Any, agreed: Any) -> Any:
    """And of its columns that are coded."""
    return piece.levels(agreed)


def _read_piece(piece: Any, agreed: Any) -> Block:
    """The rows of one piece of a scan, on a worker; the scan knows the names of its columns."""
    return Block(piece.whole(agreed), None)
