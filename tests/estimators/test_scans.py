"""Every learner on a scan: the bits it has in memory, or a refusal by name."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from sklearn.base import clone
from sklearn.datasets import dump_svmlight_file
from sklearn.exceptions import ConvergenceWarning

import novikoff
from novikoff import (
    AveragedPerceptron,
    FewestErrorsClassifier,
    KernelPerceptron,
    Perceptron,
    PocketPerceptron,
    ReluNetwork,
    VotedPerceptron,
    fewest_errors,
    read,
    trace,
    verify,
)
from novikoff.data import scan
from novikoff.errors import FileError, LabelError, LimitError, OptionError

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


def points(n=300, d=3, seed=0, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)).round(4)
    score = X @ rng.standard_normal(d) + 0.2 * rng.standard_normal(n)
    return X, np.digitize(score, np.quantile(score, np.linspace(0, 1, classes + 1)[1:-1]))


def parquet(folder, X, y, **more):
    path = folder / "a.parquet"
    columns = {f"c{j}": X[:, j] for j in range(X.shape[1])}
    pq.write_table(pa.table({**columns, **more, "y": y}), path, row_group_size=50)
    return path


def svmlight(folder, X, y):
    path = folder / "a.svm"
    dump_svmlight_file(np.where(np.abs(X) < 0.5, 0.0, X), y, str(path))
    return path


ANY_ORDER = [
    Perceptron(max_iter=5, order="shuffled", random_state=0),
    Perceptron(max_iter=5, order="random", random_state=1),
    Perceptron(max_iter=2, order="worst"),
    AveragedPerceptron(max_iter=5, order="shuffled", random_state=0),
    PocketPerceptron(max_iter=5, random_state=0),
    VotedPerceptron(max_iter=4),
    KernelPerceptron(max_iter=3, cache_size=0.01),
    KernelPerceptron(max_iter=3, budget=20),
    ReluNetwork(hidden=2, restarts=2, max_iter=20, random_state=0),
]


def name_of(learner):
    return f"{type(learner).__name__}-{getattr(learner, 'order', '')}"


def state_of(learner):
    """All that a fitted learner has, as bytes and text."""
    fitted = {name: value for name, value in vars(learner).items() if name.endswith("_")}
    if isinstance(learner, VotedPerceptron):
        rows = learner.mistaken_rows_
        fitted["rows"] = rows.toarray() if hasattr(rows, "toarray") else rows
        fitted |= {"when": learner.mistakes_, "survived": learner.survived_}
    if isinstance(learner, KernelPerceptron):
        fitted["support"] = learner.support_vectors_
    return {
        name: value.tobytes() if isinstance(value, np.ndarray) else str(value)
        for name, value in fitted.items()
    }


@pytest.mark.parametrize("learner", ANY_ORDER, ids=name_of)
@pytest.mark.parametrize("written", [parquet, svmlight])
def test_rows_in_any_order_have_the_bits_of_memory(learner, written, tmp_path):
    path = written(tmp_path, *points())
    options = {"label": "y"} if written is parquet else {}
    made = scan(path, **options, batch_rows=40, cache=tmp_path / "cache")
    kind, params = type(learner), learner.get_params()
    if kind is KernelPerceptron and written is svmlight:
        with pytest.raises(OptionError, match="KernelPerceptron on svmlight cannot"):
            kind(**params).fit(made)
        return
    whole = read(path, **options)
    scanned, in_memory = kind(**params).fit(made), kind(**params).fit(whole.X, whole.y)
    assert state_of(scanned) == state_of(in_memory)
    assert scanned.predict(whole.X).tolist() == in_memory.predict(whole.X).tolist()


@pytest.mark.parametrize(
    "learner",
    [
        AveragedPerceptron(max_iter=4, multi_class="joint"),
        AveragedPerceptron(max_iter=4, class_weight="balanced"),
        Perceptron(max_iter=4, class_weight="balanced", order="shuffled", random_state=3),
    ],
    ids=["joint", "balanced", "balanced-shuffled"],
)
def test_three_classes_and_weights(learner, tmp_path):
    X, y = points(classes=3)
    y = np.where(np.arange(len(y)) % 3 == 0, 0, y)
    path = parquet(tmp_path, X, y, count=np.arange(len(y)) % 4 / 2)
    options = {"label": "y", "weights": "count"}
    whole = read(path, **options)
    made = scan(path, **options, batch_rows=31, cache=tmp_path / "cache")
    kind, params = type(learner), learner.get_params()
    in_memory = kind(**params).fit(whole.X, whole.y, sample_weight=whole.weights)
    assert state_of(kind(**params).fit(made)) == state_of(in_memory)


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_names_of_columns_that_were_seen_before_are_forgotten(order, tmp_path):
    X, y = points()
    unit = Perceptron(max_iter=2, order=order).fit(pd.DataFrame(X, columns=list("pqr")), y)
    assert list(unit.feature_names_in_) == list("pqr")
    unit.fit(scan(parquet(tmp_path, X[:, :2], y), label="y", cache=tmp_path / "cache"))
    assert unit.n_features_in_ == 2
    assert not hasattr(unit, "feature_names_in_")
    assert len(unit.predict(X[:, :2])) == len(y)


@pytest.mark.parametrize("order", ["cyclic", "shuffled"])
def test_who_called_is_told_that_max_iter_was_reached(order, tmp_path):
    made = scan(parquet(tmp_path, *points()), label="y", cache=tmp_path / "cache")
    with pytest.warns(ConvergenceWarning, match="Raise max_iter") as told:
        Perceptron(max_iter=1, order=order).fit(made)
    assert [warning.filename for warning in told] == [__file__]


def test_a_run_goes_on_from_its_checkpoint(tmp_path):
    path, kept = parquet(tmp_path, *points()), tmp_path / "kept"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    made = scan(path, label="y", batch_rows=64, cache=tmp_path / "cache")
    for learner in (
        Perceptron(),
        AveragedPerceptron(),
        PocketPerceptron(order="cyclic"),
        Perceptron(order="shuffled", random_state=0),
    ):
        kind, params = type(learner), learner.get_params()
        whole = kind(**params | {"max_iter": 9}).fit(made)
        kind(**params | {"max_iter": 4}).fit(made, checkpoint=kept)
        resumed = kind(**params | {"max_iter": 9}).fit(made, checkpoint=kept)
        assert state_of(resumed) == state_of(whole)
        other = scan(parquet(elsewhere, *points(seed=1)), label="y", cache=tmp_path / "cache")
        with pytest.raises(OptionError, match="a run with other data"):
            kind(**params | {"max_iter": 9}).fit(other, checkpoint=kept)
        kept.unlink()


def test_a_cycle_is_proven_as_in_memory(tmp_path):
    rng = np.random.default_rng(3)
    X, y = rng.integers(-2, 3, (40, 2)).astype(float), rng.integers(0, 2, 40)
    path = parquet(tmp_path, X, y)
    in_memory = Perceptron(max_iter=100_000).fit(X, y)
    made = scan(path, label="y", batch_rows=7, cache=tmp_path / "cache")
    scanned = Perceptron(max_iter=100_000).fit(made)
    assert scanned.status_.name == "CYCLED"
    assert scanned.certificate_ == in_memory.certificate_
    assert verify(scanned.certificate_, X, y).valid
    no_file = Perceptron(max_iter=100_000).fit(scan(path, label="y", cache=False))
    assert no_file.status_ is in_memory.status_
    assert not hasattr(no_file, "certificate_")


@pytest.mark.parametrize("order", ["cyclic", "shuffled", "worst"])
@pytest.mark.parametrize("written", [parquet, svmlight])
def test_a_trace_is_that_of_memory(order, written, tmp_path):
    path = written(tmp_path, *points(n=120))
    options = {"label": "y"} if written is parquet else {}
    made = scan(path, **options, batch_rows=25, cache=tmp_path / "cache")
    whole = read(path, **options)
    shared = {"max_iter": 4, "order": order, "random_state": 0}
    scanned = trace(made, **shared)
    assert scanned.table.equals(trace(whole.X, whole.y, **shared).table)
    assert scanned.problem.names == made.names
    assert scanned.first_that_is_no_mistake() is None


def test_fewest_errors_of_a_small_scan(tmp_path, monkeypatch):
    X, y = points(n=24)
    path = parquet(tmp_path, X, y, count=np.arange(24) % 3 + 1.0)
    made = scan(path, label="y", drop=["count"], batch_rows=10)
    found = fewest_errors(made)
    assert found.errors == fewest_errors(X, y).errors
    assert found.problem.names == ("c0", "c1", "c2")
    weighted = fewest_errors(scan(path, label="y", weights="count", batch_rows=10))
    assert weighted.errors == fewest_errors(X, y, weights=np.arange(24) % 3 + 1.0).errors
    model = FewestErrorsClassifier().fit(made)
    assert model.coef_.tobytes() == FewestErrorsClassifier().fit(X, y).coef_.tobytes()
    pocket = PocketPerceptron(order="cyclic", bound=True, max_iter=20)
    assert pocket.fit(made).bound_ == pocket.fit(X, y).bound_
    monkeypatch.setattr("novikoff.matrix.batches.MOST_NUMBERS", 70)
    for who in (fewest_errors, FewestErrorsClassifier().fit, pocket.fit):
        with pytest.raises(LimitError, match="24 × 3 is refused"):
            who(made)


def test_what_a_scan_cannot_be_used_for_is_said(tmp_path):
    X, y = points()
    path = parquet(tmp_path, X, y, count=np.ones(len(y)))
    no_files = scan(path, label="y", cache=False)
    with pytest.raises(OptionError, match=r"VotedPerceptron .* name a folder \(cache=…\)"):
        VotedPerceptron().fit(no_files)
    with pytest.raises(OptionError, match=r"order='random' .* name a folder"):
        PocketPerceptron().fit(no_files)
    weighted = scan(path, label="y", weights="count", cache=tmp_path / "cache")
    for ask, who in ((trace, "trace"), (ReluNetwork().fit, "ReluNetwork")):
        with pytest.raises(OptionError, match=f"{who} does not know weights"):
            ask(weighted)
        with pytest.raises(OptionError, match="a scan has its labels"):
            ask(scan(path, label="y", cache=tmp_path / "cache"), y)
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        trace(scan(path, label="y", cache=tmp_path / "file"))


LITTLE_MEMORY = """
import resource, sys
from novikoff import Perceptron, VotedPerceptron, trace
from novikoff.data import scan
def asked(path, rows):
    made = scan(path, batch_rows=rows, cache=sys.argv[3], **{options})
    shuffled = Perceptron(order="shuffled", random_state=0, max_iter=2).fit(made)
    run = trace(made, max_iter=2)
    return shuffled.n_mistakes_, run.n_mistakes, VotedPerceptron(max_iter=1).fit(made).n_mistakes_
asked(sys.argv[2], 100)  # compile, import, and start all threads
with open("/proc/self/status") as file:
    [now] = [int(line.split()[1]) * 1024 for line in file if line.startswith("VmData")]
limit = now + {megabytes} * 2**20
resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
print(*asked(sys.argv[1], 1024))
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="Linux limits data so")
@pytest.mark.parametrize("written", ["npy", "svm"])
def test_rows_in_any_order_are_not_in_memory(written, tmp_path):
    """A hard limit on all memory but mapped files; the numbers take three times as much."""
    n, d = 100_000, 160
    rng = np.random.default_rng(0)
    X = rng.integers(-9, 10, (n, d)).astype(np.float64)
    y = np.where(X[:, 1] + X[:, 2] > 0.5, 1, -1)
    arguments = []
    for name, rows in (("large", n), ("small", 300)):
        arguments.append(tmp_path / f"{name}.{written}")
        if written == "npy":
            np.save(arguments[-1], np.column_stack([X, y])[:rows])
        else:
            values = [" ".join(f"{j + 1}:{int(v)}" for j, v in enumerate(row)) for row in X[:97]]
            lines = [f"{y[i % 97]} {values[i % 97]}\n" for i in range(rows)]
            arguments[-1].write_text("".join(lines))
    code = LITTLE_MEMORY.replace("{options}", "{'label': 160}" if written == "npy" else "{}")
    code = code.replace("{megabytes}", "40" if written == "npy" else "60")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, [*arguments, tmp_path / "cache"])],
        capture_output=True, text=True, timeout=120,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    if written == "svm":
        X, y = X[np.arange(n) % 97], y[np.arange(n) % 97]
    shuffled = Perceptron(order="shuffled", random_state=0, max_iter=2).fit(X, y).n_mistakes_
    in_order = Perceptron(max_iter=2).fit(X, y).mistakes_per_epoch_
    assert done.stdout.split() == [str(shuffled), str(in_order.sum()), str(in_order[0])]


LEARNERS = [
    Perceptron(max_iter=3),
    AveragedPerceptron(max_iter=3),
    PocketPerceptron(max_iter=3, random_state=0),
    VotedPerceptron(max_iter=2),
    ReluNetwork(random_state=0, restarts=1, max_iter=50),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: type(learner).__name__)
def test_the_score_of_a_scan_is_that_in_memory(learner, tmp_path):
    X, y = points(classes=3)
    w = np.random.default_rng(1).random(len(y))
    learner.fit(X, y)
    for weights, options in ((None, {}), (w, {"weights": "w"})):
        path = parquet(tmp_path, X, y, **({} if weights is None else {"w": w}))
        rows = scan(path, label="y", batch_rows=70, **options)
        assert learner.score(rows) == learner.score(X, y, weights)
        with pytest.raises(OptionError, match="a scan has its labels"):
            learner.score(rows, y)
    with pytest.raises(LabelError, match="score needs the labels"):
        learner.score(X)


@pytest.mark.parametrize(
    "learner", [*LEARNERS[:2], LEARNERS[3]], ids=lambda learner: type(learner).__name__
)
def test_partial_fit_of_a_scan_is_that_of_its_rows(learner, tmp_path):
    X, y = points(classes=3)
    w = np.random.default_rng(1).random(len(y))
    rows = scan(parquet(tmp_path, X, y, w=w), label="y", weights="w", batch_rows=70)
    whole = clone(learner).partial_fit(X, y, classes=[0, 1, 2], sample_weight=w)
    for options in ({}, {"classes": [0, 1, 2]}):
        part = clone(learner).partial_fit(rows, **options)
        assert np.array_equal(part.decision_function(X), whole.decision_function(X))
        assert np.array_equal(part.n_mistakes_, whole.n_mistakes_)
    assert np.array_equal(
        part.partial_fit(rows).decision_function(X),
        whole.partial_fit(X, y, sample_weight=w).decision_function(X),
    )
    with pytest.raises(OptionError, match="a scan has its labels"):
        part.partial_fit(rows, y)
    with pytest.raises(LabelError, match="requires y"):
        part.partial_fit(X)


def test_functions_take_a_scan_or_refuse_it_by_name(tmp_path):
    X, y = points()
    y = (X[:, 0] > 0).astype(int)
    rows = scan(parquet(tmp_path, X, y), label="y", batch_rows=70)
    assert novikoff.mistake_bound(rows) == novikoff.mistake_bound(X, y)
    for name in ("why_not", "lift_until_separable", "probe"):
        with pytest.raises(OptionError, match=f"{name} cannot work on data that is read in batch"):
            getattr(novikoff, name)(rows)
