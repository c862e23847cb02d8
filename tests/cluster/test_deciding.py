"""Verdicts on two processes: the verdict, the margin and the certificate of one machine."""

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
from tests.cluster.cases import points, two_workers

import novikoff
from novikoff.data import scan
from novikoff.errors import LabelError, NotFiniteError, OptionError
from novikoff.matrix.dask.executor import DaskExecutor
from novikoff.matrix.digest import Sha256

# Sockets of processes that were killed are left to the collector, by Dask.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore:Sending large graph"
    ),  # the rows are in it, to be read again
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def many(kind, seed=3):
    """Enough rows to be decided by passes, of which every partition sees its own."""
    rng = np.random.default_rng(seed)
    n, d = 60_000, 30
    if kind in ("separable", "overlapping"):
        X, y = points(n, d, seed, margin=0.2)
        y[[5, 700]] ^= kind == "overlapping"
        return X, y
    cells = rng.integers(0, d - 5, n), rng.integers(d - 5, d, n)
    X = np.zeros((n, d))
    for column in cells:
        X[np.arange(n), column] = 1.0
    y = rng.integers(0, 2, n)
    y[cells[0] == 3] = 1
    return X, y


def told(verdict):
    """All that a certificate says but names."""
    written = verdict.certificate().to_dict()
    return {k: v for k, v in written.items() if k not in ("columns", "label", "classes", "digest")}


@pytest.mark.parametrize(
    ("kind", "rows"), [("separable", 7_001), ("overlapping", 31_000), ("touching", 31_000)]
)
def test_the_verdict_and_the_certificate_of_one_machine(client, kind, rows):
    X, y = many(kind)
    parts, labels = da.from_array(X, chunks=(rows, 30)), da.from_array(y, chunks=50_000)
    here, there = novikoff.separate(X, y), novikoff.separate(parts, labels)
    assert here.word == there.word == kind
    assert told(here) == told(there)
    if kind == "separable":
        assert (here.margin, here.mistake_bound) == (there.margin, there.mistake_bound)
    certificate = there.certificate()
    assert novikoff.verify(certificate, parts, labels)
    assert novikoff.verify(certificate, X, y)
    if rows == 7_001:
        X[17, 3] += 1e-9
        answer = novikoff.verify(certificate, da.from_array(X, chunks=(rows, 30)), labels)
        assert not answer
        assert "SHA-256" in answer.reason


def test_csr_chunks(client):
    X, y = many("touching")
    chunks = da.from_array(X, chunks=(20_000, 30)).map_blocks(sp.csr_matrix)
    here, there = novikoff.separate(sp.csr_matrix(X), y), novikoff.separate(chunks, y)
    assert told(here) == told(there)
    assert novikoff.verify(there.certificate(), chunks, y)


def test_few_rows_dataframes_and_parquet(client, folder):
    X, y = points(n=80, flips=3)
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(kind=np.where(y, "yes", "no"))
    here = novikoff.separate(frame[list("pqrs")], frame["kind"])
    parts = dd.from_pandas(frame, npartitions=3)
    there = novikoff.separate(parts[list("pqrs")], parts["kind"])
    assert here.certificate() == there.certificate()
    assert novikoff.verify(there.certificate(), parts[list("pqrs")], parts["kind"])
    for k in range(4):
        table = pa.Table.from_pandas(frame.iloc[20 * k : 20 * k + 20], preserve_index=False)
        pq.write_table(table, folder / f"part-{k}.parquet")
    files = novikoff.separate(scan(folder, label="kind"))
    assert files.certificate() == here.certificate()
    assert novikoff.verify(files.certificate(), scan(folder, label="kind"))


def test_a_worker_killed_in_a_pass(client, monkeypatch):
    two_workers(client)
    X, y = many("separable")
    wait, killed = DaskExecutor._wait, []

    def wait_and_kill(self, futures, what):
        if what not in ("describe", "bring-labels") and not killed:
            killed.append(what)
            pids = client.run(os.getpid)
            os.kill(pids[min(pids)], signal.SIGKILL)
        wait(self, futures, what)

    monkeypatch.setattr(DaskExecutor, "_wait", wait_and_kill)
    there = novikoff.separate(da.from_array(X, chunks=(20_000, 30)), y)
    assert killed
    assert told(there) == told(novikoff.separate(X, y))


def test_what_cannot_be_decided_says_so(client):
    X, y = points(n=60)
    parts = da.from_array(X, chunks=(20, 4))
    with pytest.raises(LabelError, match="3 classes"):
        novikoff.separate(parts, da.from_array(np.arange(60) % 3, chunks=20))
    with pytest.raises(LabelError, match="y is None"):
        novikoff.separate(parts)
    with pytest.raises(OptionError, match=r"multinomial.*Dask"):
        novikoff.detect_separation(parts, y, model="multinomial")
    X[33, 1] = np.inf
    with pytest.raises(NotFiniteError, match=r"partition 1 of X: .*\(row 13, column 1\)"):
        novikoff.separate(da.from_array(X, chunks=(20, 4)), y)


@pytest.mark.parametrize("n", [0, 1, 55, 56, 63, 64, 65, 1000])
def test_a_hash_that_travels_is_sha256(n):
    import hashlib
    import pickle

    data = np.random.default_rng(n).integers(0, 256, n, dtype=np.uint8).tobytes()
    sha = Sha256()
    for start in range(0, n, 37):
        sha.update(data[start : start + 37])
        sha = pickle.loads(pickle.dumps(sha))
    assert sha.hexdigest() == hashlib.sha256(data).hexdigest()
