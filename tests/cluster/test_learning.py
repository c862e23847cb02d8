"""Learning on two processes: the very bits of one machine, or a mixture with a bound that holds."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from tests.cluster.cases import points

from novikoff import (
    AveragedPerceptron,
    Perceptron,
    PocketPerceptron,
    load,
    mistake_bound,
    save,
    verify,
)
from novikoff.data import scan
from novikoff.errors import (
    ClusterError,
    DataError,
    LabelError,
    NotFiniteError,
    OptionError,
    ShapeError,
)
from novikoff.learners.distributed import sequential as walking
from novikoff.matrix.dask.executor import DaskExecutor

# Sockets of processes that were killed are left to the collector, by Dask.
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def same(cluster, machine):
    """Every bit that a run reports."""
    np.testing.assert_array_equal(cluster.coef_, machine.coef_)
    np.testing.assert_array_equal(cluster.intercept_, machine.intercept_)
    np.testing.assert_array_equal(cluster.mistakes_per_epoch_, machine.mistakes_per_epoch_)
    assert cluster.status_ is machine.status_
    assert cluster.n_iter_ == machine.n_iter_
    np.testing.assert_array_equal(cluster.classes_, machine.classes_)


LEARNERS = [
    Perceptron(max_iter=25),
    Perceptron(max_iter=25, tie="+1", fit_intercept=False, eta0=0.1),
    Perceptron(max_iter=25, class_weight="balanced"),
    AveragedPerceptron(max_iter=6),
]


@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("learner", LEARNERS, ids=str)
def test_exact_is_one_machine_bit_for_bit(client, learner, integers):
    X, y = points(integers=integers, flips=2)
    cluster = learner.__class__(**learner.get_params())
    cluster.fit(da.from_array(X, chunks=(170, 3)), da.from_array(y, chunks=250))
    machine = learner.fit(X, y)
    same(cluster, machine)
    assert cluster.n_errors_ == np.count_nonzero(machine.predict(X) != y)
    if isinstance(learner, AveragedPerceptron):
        np.testing.assert_array_equal(cluster.last_coef_, machine.last_coef_)


def test_near_rows_on_the_client_change_nothing(client, monkeypatch):
    """Taken whether they pay or not, so that their reach is exhausted in the middle of epochs."""
    X, y = points(n=400, margin=0.01, seed=3)
    brought = []
    monkeypatch.setattr(walking, "best_reach", lambda spread, pace, row_bytes: 2 * pace)
    monkeypatch.setattr(DaskExecutor, "each", counting(brought, DaskExecutor.each))
    cluster = Perceptron().fit(da.from_array(X, chunks=(150, 4)), y)
    machine = Perceptron().fit(X, y)
    same(cluster, machine)
    assert brought.count("bring-near-rows") >= 3
    assert cluster.n_errors_ == 0


def counting(calls, function):
    def counted(self, what, *args):
        calls.append(what)
        return function(self, what, *args)

    return counted


def test_csr_chunks_weights_and_three_classes(client):
    X, y = points(flips=5)
    X[np.abs(X) < 0.5] = 0
    y = np.array(["a", "b", "c"])[y + (X[:, 0] > 1)]
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(float)
    chunks = da.from_array(X, chunks=(170, 4)).map_blocks(sp.csr_matrix)
    for learner in (Perceptron(max_iter=3), AveragedPerceptron(max_iter=2)):
        machine = learner.__class__(**learner.get_params())
        machine.fit(sp.csr_matrix(X), y, sample_weight=weights)
        same(learner.fit(chunks, y, sample_weight=da.from_array(weights, chunks=170)), machine)
        assert learner.n_errors_.shape == (3,)


def test_weights_that_are_long_travel_once(client):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((60, 3000)), rng.integers(0, 2, 60)
    for strategy in ("exact", "mixing"):
        unit = Perceptron(strategy=strategy).fit(da.from_array(X, chunks=(20, 3000)), y)
        assert unit.n_errors_ == 0
        if strategy == "exact":
            same(unit, Perceptron().fit(X, y))


def test_dataframes_and_models_with_their_names(client, folder):
    X, y = points()
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(label=np.where(y, "yes", "no"))
    parts = dd.from_pandas(frame, npartitions=3)
    cluster = Perceptron().fit(parts[list("pqrs")], parts["label"])
    machine = Perceptron().fit(frame[list("pqrs")], frame["label"])
    same(cluster, machine)
    assert list(cluster.feature_names_in_) == list("pqrs")
    save(cluster, folder / "model")
    assert load(folder / "model").n_errors_ == 0
    mixed = Perceptron(strategy="mixing").fit(parts[list("pqrs")].values, parts["label"])
    assert mixed.n_errors_ == 0


def test_a_folder_of_parquet(client, folder):
    X, y = points()
    town = np.where(X[:, 0] > 0, "Rome", "Oslo")
    columns = {f"c{j}": X[:, j] for j in range(4)}
    table = pa.table({**columns, "town": town, "y": np.where(y, "yes", "no")})
    for k in range(3):
        part = table.slice(200 * k, 200)
        pq.write_table(part, folder / f"part-{k}.parquet", row_group_size=70)
    options = {"label": "y", "categorical": ["town"], "positive": "no"}
    cluster = Perceptron(max_iter=30).fit(scan(folder, **options))
    assert cluster.n_errors_ == 0
    local = scan(folder, **options)
    X2 = np.concatenate([batch.X for batch in local])
    y2 = np.concatenate([batch.y for batch in local])
    same(cluster, Perceptron(max_iter=30).fit(X2, y2))
    # A learner that goes back to rows reads the folder on the client, as it always has.
    assert PocketPerceptron(max_iter=2).fit(scan(folder, **options)).n_iter_ == 2


def test_partitions_that_do_not_fit_are_read_again(client, monkeypatch):
    X, y = points()
    held = Perceptron(max_iter=12).fit(da.from_array(X, chunks=(170, 4)), y)
    monkeypatch.setattr(DaskExecutor, "memory", lambda self: 1000.0)
    read = Perceptron(max_iter=12).fit(da.from_array(X, chunks=(170, 4)), y)
    same(read, held)


@pytest.mark.parametrize("integers", [False, True])
def test_mixing_keeps_its_bound(client, integers):
    X, y = points(n=500, margin=0.15, integers=integers, seed=1)
    X /= np.abs(X).max()
    bound = mistake_bound(X, y).upper
    for rows in (60, 200, 500):
        parts = da.from_array(X, chunks=(rows, 4))
        unit = Perceptron(strategy="mixing").fit(parts, y)
        count = len(parts.chunks[0])
        assert unit.n_errors_ == 0
        assert unit.n_iter_ - 1 <= bound
        assert unit.n_mistakes_ <= count * bound
    same(unit, Perceptron().fit(X, y))  # one partition: nothing to mix


def test_mixing_averages_over_all_rounds(client):
    X, y = points(n=90, margin=0.3)
    parts = da.from_array(X, chunks=(30, 4))
    unit = AveragedPerceptron(strategy="mixing", max_iter=2).fit(parts, y)
    w, total, rounds = np.zeros(5), np.zeros(5), 0
    augmented = np.column_stack([X, np.ones(90)]) * np.where(y, 1, -1)[:, np.newaxis]
    for _ in range(2):
        ends, mistakes = [], []
        for part in np.split(augmented, 3):
            own, count = w.copy(), 0
            for row in part:
                if row @ own <= 0:
                    own, count = own + row, count + 1
                total, rounds = total + own, rounds + 1
            ends.append(own)
            mistakes.append(count)
        if sum(mistakes):
            w = sum(k * end for k, end in zip(mistakes, ends, strict=True)) / sum(mistakes)
    found = np.append(unit.coef_[0], unit.intercept_)
    np.testing.assert_allclose(found, total / rounds, rtol=1e-12)


@pytest.mark.parametrize("learner", [Perceptron(), Perceptron(strategy="mixing")], ids=str)
def test_what_was_learned_is_certified_where_the_rows_are(client, learner):
    X, y = points(n=300, margin=0.1)
    parts = da.from_array(X, chunks=(70, 4))
    assert learner.fit(parts, y).n_errors_ == 0
    proof = learner.certify(parts, y)
    assert proof == learner.certify(X, y)
    assert verify(proof, parts, y)
    assert [float(w) for w in proof.weights] == learner.coef_[0].tolist()
    y[123] ^= 1
    with pytest.raises(DataError, match=r"1 of 300 are not strictly on their side.*row 123"):
        learner.certify(parts, y)
    y = y + (X[:, 0] > 0)
    with pytest.raises(OptionError, match="certify is about two classes, and there are 3"):
        Perceptron(max_iter=1).fit(X, y).certify(X, y)


def test_what_cannot_be_done_says_so(client):
    X, y = points(n=60)
    parts, labels = da.from_array(X, chunks=(20, 4)), da.from_array(y, chunks=20)
    with pytest.raises(OptionError, match="order='shuffled'"):
        Perceptron(order="shuffled").fit(parts, labels)
    with pytest.raises(OptionError, match="arithmetic"):
        Perceptron(arithmetic="exact").fit(parts, labels)
    with pytest.raises(OptionError, match="a PocketPerceptron needs all rows in one memory"):
        PocketPerceptron().fit(parts, labels)
    with pytest.raises(OptionError, match="strategy='mixing'"):
        Perceptron(strategy="mixing").fit(X, y)
    with pytest.raises(OptionError, match="strategy must be one of"):
        Perceptron(strategy="magic").fit(X, y)
    with pytest.raises(LabelError, match="y is None"):
        Perceptron().fit(parts)
    with pytest.raises(ShapeError, match="60 rows, but y has"):
        Perceptron().fit(parts, y[:-1])
    with pytest.raises(LabelError, match="one class only"):
        Perceptron().fit(parts, da.zeros(60, chunks=20))
    X[45, 2] = np.nan
    with pytest.raises(NotFiniteError, match=r"partition 2 of X: .*NaN \(row 5, column 2\)"):
        Perceptron().fit(da.from_array(X, chunks=(20, 4)), labels)


def test_without_a_client(monkeypatch):
    monkeypatch.setattr("novikoff.matrix.dask.inputs.client_at_hand", lambda: None)
    X, y = points(n=60)
    with pytest.raises(ClusterError, match="there is no Client"):
        Perceptron().fit(da.from_array(X, chunks=(20, 4)), y)
