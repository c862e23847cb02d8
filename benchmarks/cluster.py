"""The same work on a Dask cluster: its overhead, its traffic, its growth, and its peers.

`python -m benchmarks cluster` runs what fits a small machine; NOVIKOFF_ROWS says up to how many
rows (1e6 unless given), which the workers make themselves: no process ever holds all of them.
"""

import contextlib
import logging
import os
import time
from collections.abc import Iterator
from typing import Any

import dask.array as da
import numpy as np
from dask import delayed
from distributed import Client, LocalCluster

from benchmarks.table import Results
from novikoff import AveragedPerceptron, Perceptron, separate, verify

D, MARGIN = 20, 1e-2
ROWS = int(float(os.environ.get("NOVIKOFF_ROWS", "1e6")))


def plane() -> np.ndarray:
    w = np.random.default_rng(7).standard_normal(D)
    return w / np.linalg.norm(w)


def made(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """One partition, as any process would make it: points pushed apart by a margin."""
    w = plane()
    X = np.random.default_rng(seed).standard_normal((rows, D))
    y = np.where(X @ w + 0.3 > 0, 1, -1)
    X += np.outer(y * MARGIN, w)
    return X, y.astype(np.int8)


def on_workers(n: int, rows: int = 250_000) -> tuple[da.Array, da.Array]:
    """n rows in partitions, none of which is made before it is needed."""
    Xs, ys = [], []
    for seed, start in enumerate(range(0, n, rows)):
        count = min(rows, n - start)
        pair = delayed(made, nout=2)(count, seed)
        Xs.append(da.from_delayed(pair[0], (count, D), np.float64))
        ys.append(da.from_delayed(pair[1], (count,), np.int8))
    return da.concatenate(Xs), da.concatenate(ys)


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


def warm() -> None:
    """Compile everything once, on the workers too."""
    X, y = on_workers(2000, 500)
    verdict = separate(X, y)
    verify(verdict.certificate(), X, y)
    for strategy in ("exact", "mixing"):
        Perceptron(strategy=strategy).fit(X, y)
        AveragedPerceptron(strategy=strategy, max_iter=2).fit(X, y)


def sent(client: Client) -> int:
    """Bytes that the workers have sent to each other and to the client so far."""

    def of_worker(dask_worker: Any) -> int:
        return int(dask_worker.transfer_outgoing_bytes_total)

    return sum(client.run(of_worker).values())


def overhead(client: Client, results: Results, n: int) -> None:
    """One process with all rows in memory, and two that have half of them each."""
    X, y = on_workers(n)
    here = [np.concatenate(parts) for parts in zip(*_all(n), strict=True)]
    for name, ask in (
        ("separate", lambda A, b: separate(A, b)),
        ("Perceptron, exact", lambda A, b: Perceptron(max_iter=20).fit(A, b)),
        ("AveragedPerceptron", lambda A, b: AveragedPerceptron(max_iter=3).fit(A, b)),
    ):
        workload = f"{name}, {n:.0e} × {D}"
        seconds, answer = timed(lambda: ask(*here))  # noqa: B023
        results.add(workload, "one process", seconds, told(answer))
        before = sent(client)
        seconds, answer = timed(lambda: ask(X, y))  # noqa: B023
        traffic = sent(client) - before
        note = f"{traffic / 1e6:.1f} MB sent, data {n * D * 8 / 1e6:.0f} MB, reading included"
        results.add(workload, "2 workers", seconds, told(answer), note)


def _all(n: int, rows: int = 250_000) -> list[tuple[np.ndarray, np.ndarray]]:
    starts = range(0, n, rows)
    return [made(min(rows, n - start), seed) for seed, start in enumerate(starts)]


def timed(work: Any) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = work()
    return time.perf_counter() - started, answer


def told(answer: Any) -> str:
    if hasattr(answer, "word"):
        return f"{answer.word}, γ ≥ {answer.margin.lower:.6g}"
    errors = getattr(answer, "n_errors_", "")
    return f"{answer.n_mistakes_} mistakes, w₀ = {answer.coef_[0, 0]:.9g} {errors}"


def growth(client: Client, results: Results) -> None:
    n = 10**5
    while n <= ROWS:
        X, y = on_workers(n)
        before = sent(client)
        seconds, verdict = timed(lambda: separate(X, y))  # noqa: B023
        note = f"{(sent(client) - before) / 1e6:.2f} MB sent of {n * D * 8 / 1e6:.0f} MB"
        results.add("growth of separate", f"{n:.0e} rows", seconds, told(verdict), note)
        seconds, unit = timed(lambda: Perceptron(strategy="mixing", max_iter=20).fit(X, y))  # noqa: B023
        results.add("growth of mixing, 20 epochs", f"{n:.0e} rows", seconds, told(unit))
        n *= 10


def peers(results: Results, n: int) -> None:
    """Linear learners on the same partitions: how many rows does each get wrong?"""
    X, y = (array.persist() for array in on_workers(n))
    workload = f"errors on {n:.0e} × {D}, separable"
    for strategy in ("exact", "mixing"):
        learner = Perceptron(strategy=strategy, max_iter=100)
        seconds, unit = timed(lambda: learner.fit(X, y))  # noqa: B023
        results.add(workload, f"Perceptron, {strategy}", seconds, f"{unit.n_errors_} errors")
    with contextlib.suppress(ImportError):
        dask_ml(results, workload, X, y)
    with contextlib.suppress(ImportError):
        spark(results, workload, n)


def dask_ml(results: Results, workload: str, X: Any, y: Any) -> None:
    from dask_ml.linear_model import LogisticRegression

    labels = (y > 0).astype(np.int64)
    model = LogisticRegression(C=1e6, max_iter=100)
    seconds, _ = timed(lambda: model.fit(X, labels))
    wrong = int((model.predict(X) != labels).sum().compute())
    results.add(workload, "dask-ml LogisticRegression", seconds, f"{wrong} errors")


def spark(results: Results, workload: str, n: int) -> None:
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
    import tempfile

    import pyarrow as pa
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory() as folder:
        for k, (X, y) in enumerate(_all(n)):
            columns = {name: X[:, j] for j, name in enumerate(names)}
            table = pa.table({**columns, "label": (y > 0).astype(float)})
            pq.write_table(table, f"{folder}/{k}.parquet")
        rows = session.read.parquet(folder)
        rows = VectorAssembler(inputCols=names, outputCol="features").transform(rows)
        rows = rows.select("features", "label").cache()
        rows.count()
        for model in (LogisticRegression(maxIter=100, tol=0.0), LinearSVC(maxIter=100, tol=0.0)):
            seconds, fitted = timed(lambda: model.fit(rows))  # noqa: B023
            wrong = fitted.transform(rows).where("prediction != label").count()
            who = f"Spark {type(model).__name__}"
            results.add(workload, who, seconds, f"{wrong} errors", "after reading")
    session.stop()


def run() -> None:
    results = Results("On a Dask cluster of two local workers")
    with cluster() as client:
        warm()
        overhead(client, results, ROWS)
        growth(client, results)
        peers(results, min(ROWS, 10**6))
    results.show()


if __name__ == "__main__":
    run()
