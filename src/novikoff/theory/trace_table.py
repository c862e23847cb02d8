"""A trace as an Arrow table and as a Parquet file."""

import json
from os import PathLike
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from novikoff.errors import FileError
from novikoff.files import replacing
from novikoff.learners.status import Status
from novikoff.problem import Problem
from novikoff.theory.trace import Trace

__all__ = ["read_trace", "table_of", "write_parquet"]

KEY = b"novikoff-trace"
VERSION = 1


def table_of(trace: Trace) -> pa.Table:
    """One row a mistake; ŵ·ŵ* and the cosine only if the trace has a reference."""
    columns = {
        "round": trace.rounds,
        "epoch": trace.epochs,
        "row": trace.rows,
        "label": trace.labels,
        "score_before": trace.scores,
        "squared_norm_after": trace.squared_norms,
    }
    if trace.separator is not None:
        columns |= {"alignment_after": trace.alignments, "cosine_after": trace.cosines}
    return pa.table(columns).replace_schema_metadata({KEY: json.dumps(_about(trace)).encode()})


def _about(trace: Trace) -> dict[str, Any]:
    return {
        "version": VERSION,
        "eta0": trace.eta0,
        "order": trace.order,
        "tie": trace.tie,
        "fit_intercept": trace.problem.fit_intercept,
        "status": trace.status.name,
        "n": trace.problem.n,
        "d": trace.problem.d,
        "mistakes_per_epoch": trace.mistakes_per_epoch.tolist(),
        "separator": None if trace.separator is None else trace.separator.tolist(),
    }


def write_parquet(trace: Trace, path: str | PathLike[str]) -> None:
    """Write the table; a file of that name is replaced only once the new one is whole."""
    with replacing(path) as partial:
        pq.write_table(trace.table, partial)


def read_trace(path: str | PathLike[str], X: object, y: object) -> Trace:
    """A trace back from its file, with the data it was made of: it can be replayed again.

    Parameters
    ----------
    path : str or path
        The file.
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.

    Returns
    -------
    Trace
        The run, as it was.

    Examples
    --------
    >>> import novikoff
    >>> toy = novikoff.load_dataset("toy")
    >>> novikoff.trace(toy.X, toy.y).to_parquet("run.parquet")
    >>> novikoff.read_trace("run.parquet", toy.X, toy.y).n_mistakes
    2
    """
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise FileError(f"{path} cannot be read as Parquet: {error}") from error
    metadata = table.schema.metadata or {}
    if KEY not in metadata:
        raise FileError(f"{path} is Parquet, but no trace: it does not say how the run was made.")
    about = json.loads(metadata[KEY])
    problem = Problem.of(X, y, fit_intercept=about["fit_intercept"])
    if (problem.n, problem.d) != (about["n"], about["d"]):
        raise FileError(
            f"{path} is of {about['n']} × {about['d']} data, and X is {problem.n} × {problem.d}."
        )
    separator = about["separator"]
    return Trace(
        problem=problem,
        eta0=about["eta0"],
        order=about["order"],
        tie=about["tie"],
        status=Status[about["status"]],
        mistakes_per_epoch=np.array(about["mistakes_per_epoch"], dtype=np.int64),
        rounds=table["round"].to_numpy(),
        rows=table["row"].to_numpy(),
        scores=table["score_before"].to_numpy(),
        separator=None if separator is None else np.array(separator),
    )
