"""The same work on a Dask cluster: its overhead, its traffic, its growth, and its peers.

`python -m benchmarks cluster` goes up to 10⁸ rows, which the workers make themselves: no process
ever holds all of them. NOVIKOFF_ROWS says up to how many, NOVIKOFF_MINUTES (12) after how long
nothing new is begun. Overhead is measured on float64 numbers, growth on float32 ones: 10⁸ × 20 of
them are 8 GB, which two workers hold. dask-ml and Spark are compared where they are installed, with
the same rows, and what everybody answers is told beside the time.
"""

import contextlib
import gc
import logging
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask import delayed
from distributed import Client, LocalCluster

from benchmarks.table import Results
from novikoff import AveragedPerceptron, Perceptron, detect_separation, separate, verify
from novikoff.matrix.dask.executor import DaskExecutor

D, MARGIN = 20, 1e-2
PARTITION = 250_000  # rows
ROWS = int(float(os.environ.get("NOVIKOFF_ROWS", "1e8")))
MINUTES = float(os.environ.get("NOVIKOFF_MINUTES", "12"))
STARTED = time.monotonic()


def plane() -> np.ndarray:
    w = np.random.default_rng(7).standard_normal(D)
    return w / np.linalg.norm(w)


def made(rows: int, seed: int, dtype: Any = np.float64) -> tuple[np.ndarray, np.ndarray]:
    """One partition, as any process would make it: points pushed apart by a margin."""
    w = plane()
    X = np.random.default_rng(seed).standard_normal((rows, D), dtype=dtype)
    y = np.where(X @ w + 0.3 > 0, 1, -1)
    X += np.outer(y * MARGIN, w).astype(dtype)
    return X, y.astype(np.int8)


def with_an_empty_cell(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers, noise in the labels, and a dummy that is 1 for one class only."""
    X, y = made(rows, seed)
    X = np.rint(10 * X)
    rng = np.random.default_rng([seed, 1])
    y = np.where(rng.random(rows) < 0.2, -y, y).astype(np.int8)
    X[:, -1] = (y > 0) & (rng.random(rows) < 0.1)
    return X, y


def on_workers(
    n: int, rows: int = PARTITION, dtype: Any = np.float64, make: Any = made
) -> tuple[da.Array, da.Array]:
    """n rows in partitions, none of which is made before it is needed."""
    Xs, ys = [], []
    for seed, start in enumerate(range(0, n, rows)):
        count = min(rows, n - start)
        args = (count, seed, dtype) if make is made else (count, seed)
        pair = delayed(make, nout=2)(*args)
        Xs.append(da.from_delayed(pair[0], (count, D), dtype))
        ys.append(da.from_delayed(pair[1], (count,), np.int8))
    return da.concatenate(Xs), da.concatenate(ys)


def at_hand(n: int, make: Any = made) -> tuple[np.ndarray, np.ndarray]:
    """The same rows in this process, in one piece; they are never there twice."""
    X, y = np.empty((n, D)), np.empty(n, np.int8)
    for seed, start in enumerate(range(0, n, PARTITION)):
        count = min(PARTITION, n - start)
        X[start : start + count], y[start : start + count] = make(count, seed)
    return X, y


@contextlib.contextmanager
def cluster(workers: int = 2) -> Iterator[Client]:
    with (
        LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            dashboard_address=":0",
            silence_logs=logging.ERROR,
        ) as local,
        Client(local) as client,
    ):
        yield client


def warm(client: Client) -> None:
    """Compile everything once, on every worker too."""
    for dtype in (np.float64, np.float32):
        X, y = on_workers(2000, 500, dtype)
        verdict = separate(X, y)
        verify(verdict.certificate(), X, y)
        for strategy in ("exact", "mixing"):
            Perceptron(strategy=strategy, max_iter=3).fit(X, y)
        # Passes over many rows have loops of their own.
        separate(*on_workers(150_000, 40_000, dtype))
    AveragedPerceptron(max_iter=2).fit(X, y)
    detect_separation(*on_workers(150_000, 40_000, make=with_an_empty_cell))
    small = at_hand(2000)
    separate(*small)
    Perceptron(max_iter=3).fit(*small)
    AveragedPerceptron(max_iter=2).fit(*small)
    client.run(gc.collect)


def sent(client: Client) -> int:
    """Bytes that the workers have sent to each other and to the client so far."""

    def of_worker(dask_worker: Any) -> int:
        return int(dask_worker.transfer_outgoing_bytes_total)

    return sum(client.run(of_worker).values())


@contextlib.contextmanager
def counted() -> Iterator[Counter[str]]:
    """How often each kind of work was given to all partitions."""
    calls: Counter[str] = Counter()
    each = DaskExecutor.each

    def counting(self: DaskExecutor, what: str, *args: Any) -> Any:
        calls[what] += 1
        return each(self, what, *args)

    DaskExecutor.each = counting  # type: ignore[method-assign]
    try:
        yield calls
    finally:
        DaskExecutor.each = each  # type: ignore[method-assign]


def out_of_time(what: str) -> bool:
    over = time.monotonic() - STARTED > 60 * MINUTES
    if over:
        print(f"left out after {MINUTES:g} minutes: {what}", file=sys.stderr, flush=True)
    return over


def note_of(text: str) -> None:
    print(f"{time.monotonic() - STARTED:6.0f} s  {text}", file=sys.stderr, flush=True)


def timed(work: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = work()
    return time.perf_counter() - started, answer


def told(answer: Any) -> str:
    if hasattr(answer, "coefficients"):
        infinite = [name for name, value in answer.coefficients.items() if "∞" in value]
        return f"{answer.kind}, infinite: {', '.join(infinite)}"
    if hasattr(answer, "word"):
        return f"{answer.word}, γ ≥ {answer.margin.lower:.6g}"
    return f"{answer.n_mistakes_} mistakes, w₀ = {answer.coef_[0, 0]:.9g}"


def measured(client: Client, ask: Any, nbytes: float) -> tuple[float, Any, str]:
    """The time, the answer, and what was sent for it, in all and in a pass over the partitions."""
    before = sent(client)
    with counted() as calls:
        seconds, answer = timed(ask)
    traffic, passes = sent(client) - before, sum(calls.values())
    client.run(gc.collect)
    return (
        seconds,
        answer,
        f"{traffic / 1e6:.2f} MB sent of {nbytes / 1e6:.0f} MB; {passes} passes, "
        f"{traffic / 1e6 / max(passes, 1):.2f} MB each",
    )


def overhead(client: Client, results: Results, n: int) -> None:
    """One process with all rows in memory, and two that have half of them each."""
    asked: list[tuple[str, Any, Any, int]] = [
        ("separate", separate, made, n),
        ("Perceptron, exact, 20 epochs", Perceptron(max_iter=20).fit, made, n),
        ("AveragedPerceptron, 3 epochs", AveragedPerceptron(max_iter=3).fit, made, n),
        ("detect_separation, quasi-complete", detect_separation, with_an_empty_cell, n // 10),
    ]
    for name, ask, make, count in asked:
        workload = f"{name}, {count:.0e} × {D}"
        if out_of_time(workload):
            return
        seconds, answer = timed(partial(ask, *at_hand(count, make)))
        expected = told(answer)
        results.add(workload, "one process", seconds, expected, "reading not included")
        del answer
        gc.collect()
        there = on_workers(count, make=make)
        seconds, answer, note = measured(client, partial(ask, *there), 8 * count * D)
        assert told(answer) == expected, f"{workload}: {told(answer)} is not {expected}"
        results.add(workload, "2 workers", seconds, told(answer), f"{note}; rows made included")
        note_of(f"{workload}: {seconds:.1f} s")
        del answer


def growth(client: Client, results: Results) -> None:
    n = max(ROWS // 100, 10**4)
    while n <= ROWS:
        rows = max(PARTITION, n // 100)
        X, y = on_workers(n, rows, np.float32)
        nbytes = 4 * n * D
        if out_of_time(f"{n:.0e} rows"):
            return
        seconds, verdict, note = measured(client, partial(separate, X, y), nbytes)
        results.add("separate", f"{n:.0e} rows", seconds, told(verdict), note)
        note_of(f"separate, {n:.0e} rows: {seconds:.1f} s")
        del verdict
        if out_of_time(f"mixing, {n:.0e} rows"):
            return
        learner = Perceptron(strategy="mixing", max_iter=10)
        seconds, unit, note = measured(client, partial(learner.fit, X, y), nbytes)
        answer = f"{told(unit)}, {unit.n_errors_} errors"
        results.add("mixing, 10 epochs", f"{n:.0e} rows", seconds, answer, note)
        note_of(f"mixing, {n:.0e} rows: {seconds:.1f} s")
        del unit
        n *= 10


def peers(client: Client, results: Results, n: int) -> None:
    """Linear learners on the same partitions: how many rows does each get wrong?"""
    X, y = (array.persist() for array in on_workers(n))
    workload = f"errors on {n:.0e} × {D}, separable"
    for strategy in ("exact", "mixing"):
        learner = Perceptron(strategy=strategy, max_iter=50)
        seconds, unit = timed(partial(learner.fit, X, y))
        results.add(workload, f"Perceptron, {strategy}", seconds, f"{unit.n_errors_} errors")
    for name, peer in (("dask-ml", dask_ml), ("pyspark", spark)):
        if out_of_time(name):
            continue
        try:
            peer(results, workload, X, y, n)
        except ImportError as error:
            print(f"{name} is not compared: {error}", file=sys.stderr, flush=True)
        note_of(name)
    del client


def dask_ml(results: Results, workload: str, X: Any, y: Any, n: int) -> None:  # noqa: ARG001
    from dask_ml.linear_model import LogisticRegression
    from dask_ml.wrappers import Incremental
    from sklearn.linear_model import SGDClassifier

    labels = (y > 0).astype(np.int64).persist()
    one_pass = SGDClassifier(loss="perceptron", penalty=None, learning_rate="constant", eta0=1.0)
    for who, model, options in (
        ("dask-ml LogisticRegression, L-BFGS",
         LogisticRegression(solver="lbfgs", C=1e6, max_iter=100), {}),
        ("dask-ml Incremental, one pass",
         Incremental(one_pass, shuffle_blocks=False), {"classes": [0, 1]}),
    ):  # fmt: skip
        seconds, _ = timed(partial(model.fit, X, labels, **options))
        wrong = int((model.predict(X) != labels).sum().compute())
        results.add(workload, who, seconds, f"{wrong} errors")


def spark(results: Results, workload: str, X: Any, y: Any, n: int) -> None:  # noqa: ARG001
    from pyspark.ml.classification import LinearSVC, LogisticRegression
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "4g")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    names = [f"x{j}" for j in range(D)]
    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        for k, start in enumerate(range(0, n, PARTITION)):
            part, signs = made(min(PARTITION, n - start), k)
            columns = {name: part[:, j] for j, name in enumerate(names)}
            table = pa.table({**columns, "label": (signs > 0).astype(float)})
            pq.write_table(table, f"{folder}/{k}.parquet")
        rows = session.read.parquet(folder)
        rows = VectorAssembler(inputCols=names, outputCol="features").transform(rows)
        rows = rows.select("features", "label").cache()
        rows.count()
        for model in (LogisticRegression(maxIter=100, tol=0.0), LinearSVC(maxIter=100, tol=0.0)):
            seconds, fitted = timed(partial(model.fit, rows))
            wrong = fitted.transform(rows).where("prediction != label").count()
            who = f"Spark {type(model).__name__}"
            results.add(workload, who, seconds, f"{wrong} errors", "after reading")
    session.stop()


def run() -> None:
    tables = [
        Results(f"Two local workers against one process, {D} columns of float64"),
        Results(f"Growth on two local workers, {D} columns of float32"),
        Results("Beside other linear learners, on two local workers"),
    ]
    with cluster() as client:
        warm(client)
        note_of("compiled")
        overhead(client, tables[0], min(ROWS, 10**7))
        growth(client, tables[1])
        peers(client, tables[2], min(ROWS, 10**6))
    for table in tables:
        table.show()


if __name__ == "__main__":
    run()
