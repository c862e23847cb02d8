"""Regressions on two processes: the answer and the proof of one machine, however rows are cut."""

import os
import signal

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from tests.cluster.cases import two_workers
from tests.regression.test_elsewhere import same

import novikoff
from novikoff.data import scan
from novikoff.errors import LabelError
from novikoff.matrix.dask.executor import DaskExecutor

# Sockets of processes that were killed are left to the collector, by Dask.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Sending large graph"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def design(kind, n=70, seed=0):
    """Dummies of a factor with levels of one outcome, one of them aliased; two measurements."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 4, n)
    X = np.column_stack([level == k for k in range(4)]).astype(float)
    X = np.column_stack([X, rng.integers(-3, 4, n), rng.standard_normal(n).round(2)])
    if kind == "complete":
        score = X[:, 4] + X[:, 5] - 0.25 + 1e-3
        keep = np.abs(score) > 0.5
        return X[keep], (score[keep] > 0).astype(np.int64)
    y = (rng.random(n) < 0.5).astype(np.int64)
    if kind == "quasi-complete":
        y[level == 1], y[level == 3] = 1, 0
    return X, y


@pytest.mark.parametrize("kind", ["complete", "quasi-complete", "none"])
@pytest.mark.parametrize("rows", [70, 23, 1])
def test_the_answer_of_one_machine_however_rows_are_cut(client, kind, rows):
    X, y = design(kind)
    if rows == 1:
        X, y = X[:12], y[:12]
    parts = da.from_array(X, chunks=(rows, 6))
    here, there = novikoff.detect_separation(X, y), novikoff.detect_separation(parts, y)
    assert rows == 1 or here.kind == kind
    same(here, there)
    assert novikoff.verify(there.certificate(), parts, y)


def test_csr_chunks_counts_and_weights(client):
    X, y = design("quasi-complete", seed=4)
    y = y * 3
    weights = np.arange(len(y)) % 5
    chunks = da.from_array(X, chunks=(20, 6)).map_blocks(sp.csr_matrix)
    options = {"model": "poisson", "weights": weights}
    here = novikoff.detect_separation(sp.csr_array(X), y, **options)
    there = novikoff.detect_separation(chunks, da.from_array(y, chunks=30), **options)
    same(here, there)
    assert novikoff.verify(there.certificate(), chunks, y, weights=weights)
    assert not novikoff.verify(there.certificate(), chunks, y, weights=weights + 1)


def test_a_partition_without_weight_has_no_rows(client):
    X, y = design("quasi-complete", seed=5)
    weights = np.ones(len(y))
    weights[20:40] = 0
    y = np.where(y == 1, "yes", "no")
    y[25] = "perhaps"  # which is absent
    parts = da.from_array(X, chunks=(20, 6))
    here = novikoff.detect_separation(X, y, weights=weights)
    same(here, novikoff.detect_separation(parts, y, weights=weights))
    with pytest.raises(LabelError, match="3 classes"):
        novikoff.detect_separation(parts, y)


def test_one_outcome_only(client):
    X = np.arange(12.0).reshape(6, 2)
    parts = da.from_array(X, chunks=(2, 2))
    y = np.ones(6, dtype=int)
    same(novikoff.detect_separation(X, y), novikoff.detect_separation(parts, y))


def test_dataframes_and_parquet(client, folder):
    X, y = design("quasi-complete")
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(kind=np.where(y, "yes", "no"))
    here = novikoff.detect_separation(frame[list("abcdef")], frame["kind"], model="cloglog")
    parts = dd.from_pandas(frame, npartitions=3)
    there = novikoff.detect_separation(parts[list("abcdef")], parts["kind"], model="cloglog")
    same(here, there)
    named = novikoff.detect_separation(list("abcdef"), "kind", data=parts, model="cloglog")
    assert named.model.columns == {"y": "kind"}
    assert named.coefficients == here.coefficients
    plain = novikoff.detect_separation("kind ~ a + b", frame)
    for given in ({"data": parts}, {"y": parts}):
        there = novikoff.detect_separation("kind ~ a + b", **given)
        assert there.coefficients == plain.coefficients
    for k in range(4):
        table = pa.Table.from_pandas(frame.iloc[18 * k : 18 * k + 18], preserve_index=False)
        pq.write_table(table, folder / f"part-{k}.parquet")
    files = scan(folder, label="kind")
    there = novikoff.detect_separation(files, model="cloglog")
    same(here, there)
    assert novikoff.verify(there.certificate(), files)
    assert novikoff.diagnose(parts[list("abcdef")], parts["kind"]).kind == here.kind


def many(kind, seed=1, n=180_000):
    """Enough rows to be decided by passes: levels with one outcome, or a threshold on a sum."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 7, n)
    X = np.zeros((n, 13))
    X[np.arange(n), level] = 1.0
    X[:, 7:] = rng.standard_normal((n, 6)).round(3)
    score = X[:, 7] - X[:, 8]
    if kind == "complete":
        keep = np.abs(score) > 0.2
        return X[keep], (score[keep] > 0).astype(np.int64)
    y = (rng.logistic(size=n) + score > 0).astype(np.int64)
    y[level == 3], y[level == 5] = 1, 0
    return X, y


@pytest.mark.parametrize(
    ("kind", "when"),
    [("quasi-complete", "is-zero-where"),
     pytest.param("quasi-complete", "first-outside", marks=pytest.mark.soak),
     pytest.param("complete", "failed-in-part", marks=pytest.mark.soak)],
)  # fmt: skip
def test_a_worker_killed_in_a_pass_over_many_rows(client, monkeypatch, kind, when):
    two_workers(client)
    X, y = many(kind)
    here = novikoff.detect_separation(X, y)
    assert here.kind == kind
    wait, killed = DaskExecutor._wait, []

    def wait_and_kill(self, futures, what):
        if what == when and not killed:
            killed.append(what)
            pids = client.run(os.getpid)
            os.kill(pids[min(pids)], signal.SIGKILL)
        wait(self, futures, what)

    monkeypatch.setattr(DaskExecutor, "_wait", wait_and_kill)
    parts = da.from_array(X, chunks=(50_000, 13))
    there = novikoff.detect_separation(parts, y)
    assert killed == [when]
    same(here, there)
    assert novikoff.verify(there.certificate(), parts, y)
