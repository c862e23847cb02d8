"""A trace as an Arrow table and as a Parquet file."""

import json
from dataclasses import replace
from os import PathLike
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from novikoff.core.files import replace_whole
from novikoff.core.options import ORDERS, TIES, check_flag, check_positive, choice
from novikoff.errors import FileError
from novikoff.learners.status import Status
from novikoff.learners.theory.bounds import w_hat_of
from novikoff.learners.theory.trace import Trace
from novikoff.matrix.digest import ENCODINGS, data_sha256, encoding_of
from novikoff.matrix.problem import Problem

KEY = b"novikoff-trace"
VERSION = 2
# What a run is made of; the other columns follow from it.
COLUMNS = {"round": "int64", "row": "int64", "score_before": "double"}


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
        "encoding": encoding_of(trace.problem.X),
        "sha256": data_sha256(trace.problem.X, trace.problem.y, encoding_of(trace.problem.X)),
        "mistakes_per_epoch": trace.mistakes_per_epoch.tolist(),
        "separator": None if trace.separator is None else trace.separator.tolist(),
    }


def write_parquet(trace: Trace, path: str | PathLike[str]) -> None:
    """Write the table; a file of that name is replaced only once the new one is whole."""
    with replace_whole(path) as partial:
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
    problem = Problem.of(X, y)
    try:
        return _trace_of(*_read(path), problem)
    except FileError as error:
        raise FileError(f"{path}: {error}") from error
    except MALFORMED as error:
        raise FileError(f"{path}: not a trace: its description is damaged ({error!r}).") from error


# What reading damaged JSON and using its fields can raise.
MALFORMED = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)


def _read(path: str | PathLike[str]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The description of the run in a file, and the columns that hold the run."""
    try:
        file = pq.ParquetFile(path)
        metadata = file.schema_arrow.metadata or {}
        if KEY not in metadata:
            raise FileError("Parquet, but not a trace: it does not say how the run was made.")
        schema = {name: str(file.schema_arrow.field(name).type) for name in file.schema_arrow.names}
        for name, kind in COLUMNS.items():
            if schema.get(name) != kind:
                raise FileError(f"not a trace: its column {name!r} must be {kind}.")
        table = file.read(columns=list(COLUMNS))
    except (OSError, pa.ArrowException) as error:
        raise FileError(f"cannot be read as Parquet: {error}") from error
    if any(column.null_count for column in table.columns):
        raise FileError("not a trace: some of its numbers are missing.")
    return json.loads(metadata[KEY]), {name: table[name].to_numpy() for name in COLUMNS}


def _trace_of(about: dict[str, Any], columns: dict[str, NDArray[Any]], problem: Problem) -> Trace:
    if about["version"] != VERSION:
        raise FileError(
            f"a trace of version {about['version']!r}, and this program knows {VERSION}: "
            "make it again with novikoff.trace."
        )
    check_flag("fit_intercept", about["fit_intercept"])
    problem = replace(problem, fit_intercept=about["fit_intercept"])
    if (problem.n, problem.d) != (about["n"], about["d"]):
        raise FileError(f"of {about['n']} × {about['d']} data, and X is {problem.n} × {problem.d}.")
    encoding = choice("encoding", about["encoding"], ENCODINGS)
    if data_sha256(problem.X, problem.y, encoding) != about["sha256"]:
        raise FileError("of other data: the numbers or the labels are not those of the run.")
    check_positive("eta0", about["eta0"])
    separator = about["separator"]
    if separator is not None:
        pair = separator[:-1], separator[-1]
        separator = w_hat_of(pair, problem.d, fit_intercept=problem.fit_intercept)
    mistakes = np.array(about["mistakes_per_epoch"], dtype=np.int64)
    rounds, rows = columns["round"], columns["row"]
    in_order = (np.diff(rounds) > 0).all() and (rounds >= 0).all()
    if not in_order or not np.array_equal(_per_epoch(rounds, problem.n, len(mistakes)), mistakes):
        raise FileError("not a run: its rounds do not fit its epochs.")
    trace = Trace(
        problem=problem,
        eta0=float(about["eta0"]),
        order=choice("order", about["order"], ORDERS),
        tie=choice("tie", about["tie"], TIES),
        status=Status[about["status"]],
        mistakes_per_epoch=mistakes,
        rounds=rounds,
        rows=rows,
        scores=columns["score_before"],
        separator=separator,
    )
    bad = trace.first_that_is_no_mistake()
    if bad is not None:
        raise FileError(f"not a run: its mistake {bad + 1} is not a mistake on these data.")
    return trace


def _per_epoch(rounds: NDArray[np.int64], n: int, epochs: int) -> NDArray[np.int64]:
    """How many of the rounds fall into each epoch; empty if some are behind the last."""
    if len(rounds) and rounds[-1] // n >= epochs:
        return np.empty(0, np.int64)
    return np.bincount(rounds // n, minlength=epochs)
