"""What users bring in partitions: cut elsewhere, of other types, wrong; as one machine takes it."""

import asyncio
import time

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client
from tests.cluster.cases import points

import novikoff
from novikoff import Perceptron
from novikoff.errors import ClusterError, DataError, NotFiniteError, NotNumericError, ShapeError
from novikoff.matrix.dask.executor import DaskExecutor
from novikoff.matrix.dask.inputs import partitions_of

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

X, Y = points(n=60)
LABELS = np.where(Y, "yes", "no")
PARTS = da.from_array(X, chunks=(7, 4))
FRAME = pd.DataFrame(X, columns=list("pqrs"))


@pytest.mark.parametrize(
    "labels",
    [
        LABELS.tolist(),
        pd.Series(LABELS),
        da.from_array(LABELS, chunks=20),
        da.from_array(LABELS, chunks=13),
        dd.from_pandas(pd.Series(LABELS), npartitions=5),
    ],
    ids=["list", "series", "as many chunks", "more chunks", "more partitions"],
)
def test_labels_are_cut_where_the_rows_of_a_dataframe_are(client, labels):
    parts = dd.from_pandas(FRAME, npartitions=3)
    expected = novikoff.separate(FRAME, LABELS).certificate()
    assert novikoff.separate(parts, labels).certificate() == expected
    with pytest.raises(ShapeError, match=f"{(FRAME.p > -1).sum()} rows, but y has"):
        novikoff.separate(parts[parts.p > -1], LABELS)


def test_weights_as_one_machine_takes_them(client):
    machine = Perceptron(max_iter=5).fit(X, Y, sample_weight=0.5)
    cluster = Perceptron(max_iter=5).fit(PARTS, Y, sample_weight=0.5)
    np.testing.assert_array_equal(cluster.coef_, machine.coef_)
    weights = np.ones(60)
    with pytest.raises(DataError, match="at least one non-zero"):
        Perceptron().fit(PARTS, Y, sample_weight=0 * weights)
    with pytest.raises(NotNumericError, match="sample_weight must hold numbers"):
        Perceptron().fit(PARTS, Y, sample_weight=LABELS)
    weights[30] = -1
    with pytest.raises(DataError, match=r"partition 4 of X: sample_weight\[2\] is negative"):
        Perceptron().fit(PARTS, Y, sample_weight=weights)
    with pytest.raises(NotFiniteError, match=r"partition 4 of X: sample_weight of row 2 is NaN"):
        novikoff.detect_separation(PARTS, Y, weights=np.where(weights < 0, np.nan, 1))


def test_measurements_are_no_classes(client):
    with pytest.raises(DataError, match="Unknown label type: continuous"):
        Perceptron().fit(PARTS, X[:, 0])


def integers_in_odd_chunks(block, block_info=None):
    k = block_info[0]["chunk-location"][0]
    return np.rint(block).astype(np.int64) + 2**53 + 1 if k % 2 else block


def test_integers_beside_floats_are_not_rounded(client):
    mixed = PARTS.map_blocks(integers_in_odd_chunks, meta=np.empty((0, 0)))
    with pytest.raises(DataError, match=r"X holds the integer .*: float64 would round it"):
        novikoff.separate(mixed, Y)


def test_partitions_of_unknown_size_are_held_if_they_fit(client, monkeypatch):
    frame = dd.from_pandas(FRAME, npartitions=9)
    labels = dd.from_pandas(pd.Series(Y), npartitions=9)
    wide = PARTS.map_blocks(
        lambda block: sp.csr_array((len(block), 10**6)),
        chunks=(PARTS.chunks[0], (10**6,)), meta=sp.csr_array((0, 0)),
    )  # fmt: skip
    monkeypatch.setattr(DaskExecutor, "memory", lambda self: 1e5)
    assert partitions_of(frame, labels).held
    assert partitions_of(wide, Y).held  # nothing is stored of 60 × 10⁶ zeros
    monkeypatch.setattr(DaskExecutor, "memory", lambda self: 3000.0)
    assert not partitions_of(frame, labels).held  # 60 × 5 numbers of 8 bytes


def slow_at_first(block, block_info=None):
    time.sleep(0.5 if block_info[0]["chunk-location"][0] == 0 else 0.0)
    return block


def test_of_several_errors_the_first_is_told(client):
    bad = X.copy()
    bad[5:, 2] = np.nan
    parts = da.from_array(bad, chunks=(7, 4)).map_blocks(slow_at_first, meta=np.empty((0, 0)))
    with pytest.raises(NotFiniteError, match=r"partition 0 of X: .*\(row 5, column 2\)"):
        novikoff.separate(parts, Y)


def test_columns_that_are_not_there_are_named(client):
    frame = dd.from_pandas(FRAME.assign(kind=LABELS), npartitions=3)
    with pytest.raises(DataError, match=r"no column 'z' \(features\); there are 'p', 'q'"):
        novikoff.detect_separation(["p", "z"], "kind", data=frame)
    with pytest.raises(DataError, match=r"no column 'w' \(weights\)"):
        novikoff.detect_separation(["p"], "kind", weights="w", data=frame)


def test_a_client_that_nobody_can_wait_for_is_refused(client):
    async def asked():
        async with Client(client.scheduler.address, asynchronous=True, timeout=30):
            novikoff.separate(PARTS, Y)

    with pytest.raises(ClusterError, match="is asynchronous"):
        asyncio.run(asyncio.wait_for(asked(), 60))


def test_labels_of_other_data_are_not_valid(client):
    certificate = novikoff.separate(X, LABELS).certificate()
    for labels, reason in (
        (np.full(60, "yes"), "one class only"),
        (np.array(["yes", "no", "?"])[np.arange(60) % 3], "3 classes"),
        (np.where(np.arange(60) < 2, "no", "?"), "row 2 has the label ?;"),
    ):
        answer = novikoff.verify(certificate, PARTS, labels)
        assert not answer
        assert reason in answer.reason
