"""A scan is the file, batch by batch: the same rows, labels and weights, and the same learning."""

import os
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron, read
from novikoff.data import scan
from novikoff.errors import DataError, FileError, LabelError, NovikoffError, OptionError

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]
FORMATS = ["parquet", "folder", "arrow", "arrows", "csv", "csv.gz", "npy"]


def table(n=997, seed=0, *, integers=False, classes=("no", "yes")):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 4))
    X = X.round() + 0.0 if integers else X.round(6)
    score = X @ rng.standard_normal(4) + 0.4 * rng.standard_normal(n)
    edges = np.quantile(score, np.linspace(0, 1, len(classes) + 1)[1:-1])
    y = np.array(classes)[np.digitize(score, edges)]
    columns = {f"c{j}": X[:, j] for j in range(4)}
    weights = rng.integers(0, 3, n).astype(float)
    return pa.table({**columns, "town": np.array(["Rome", "Oslo"])[(X[:, 0] > 0).astype(int)],
                     "count": weights, "y": y})  # fmt: skip


def written(folder, kind, data):
    """The table as a file of this kind; a .npy has numbers only."""
    path = folder / f"a.{kind}"
    if kind == "parquet":
        pq.write_table(data, path, row_group_size=100)
    elif kind == "folder":
        path.mkdir()
        for k in range(3):
            pq.write_table(data.slice(k * 400, 400), path / f"part-{k}.parquet")
    elif kind == "arrow":
        feather.write_feather(data, path, chunksize=150, compression="uncompressed")
    elif kind == "arrows":
        with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, data.schema) as writer:
            writer.write_table(data, max_chunksize=90)
    elif kind.startswith("csv"):
        with pa.output_stream(str(path), compression="gzip" if "gz" in kind else None) as sink:
            arrow_csv.write_csv(data, sink)
    elif kind == "npy":
        y = (np.array(data["y"].to_pylist()) == "yes").astype(float)
        np.save(path, np.column_stack([*(data[f"c{j}"].to_numpy() for j in range(4)), y]))
    return path


def options_of(kind):
    if kind == "npy":
        return {"label": 4}
    return {"label": "y", "drop": ["count"], "categorical": ["town"]}


def gathered(batches):
    parts = list(batches)
    return np.concatenate([part.X for part in parts]), np.concatenate([part.y for part in parts])


@pytest.mark.parametrize("kind", FORMATS)
def test_the_rows_are_those_of_read(kind, tmp_path):
    data = table()
    path = written(tmp_path, kind, data)
    whole = read(path if kind != "folder" else data, **options_of(kind))
    made = scan(path, **options_of(kind), batch_rows=64, cache=tmp_path / "cache")
    for _ in range(2):
        X, y = gathered(made)
        assert X.tobytes() == whole.X.tobytes()
        assert y.tolist() == whole.y.tolist()
    assert (made.n, made.names, made.classes) == (whole.n, whole.names, whole.classes)
    assert max(len(batch.y) for batch in made) <= 64


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_choices_are_those_of_read(kind, tmp_path):
    data = table(classes=(1, 2, 3))
    c0 = data["c0"].to_pylist()
    data = data.set_column(0, "c0", pa.array([None if i % 7 == 0 else v for i, v in enumerate(c0)]))
    path = written(tmp_path, kind, data)
    shared = {"label": "y", "categorical": ["town"], "weights": "count", "drop_missing": True}
    for more in ({}, {"classes": [1, 3]}, {"positive": 2}, {"degree": 2, "features": ["c0", "c1"]}):
        options = {**shared, **more}
        options |= {"categorical": []} if "features" in more else {}
        whole = read(path, **options)
        made = scan(path, **options, batch_rows=50, cache=tmp_path / "cache")
        X, y = gathered(made)
        assert X.tobytes() == whole.X.tobytes()
        assert y.tolist() == whole.y.tolist()
        weights = np.concatenate([batch.weights for batch in made])
        assert weights.tolist() == whole.weights.tolist()
        assert (made.n, made.names, made.classes) == (whole.n, whole.names, whole.classes)


LEARNERS = [
    Perceptron(max_iter=7),
    Perceptron(max_iter=40, tie="+1", eta0=0.5, fit_intercept=False),
    AveragedPerceptron(max_iter=5, class_weight={"no": 2.0, "yes": 1.0}),
    PocketPerceptron(max_iter=6, order="cyclic"),
    PocketPerceptron(max_iter=6, order="cyclic", ratchet=False, eta0=0.1),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda unit: type(unit).__name__)
@pytest.mark.parametrize("integers", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_learning_has_the_bits_of_memory(learner, integers, weighted, tmp_path):
    data = table(integers=integers)
    path = written(tmp_path, "parquet", data)
    options = {"label": "y", "drop": ["town"] + ["count"] * (not weighted)}
    options |= {"weights": "count"} if weighted else {}
    whole = read(path, **options)
    kind, params = type(learner), learner.get_params()
    in_memory = kind(**params).fit(whole.X, whole.y, sample_weight=whole.weights)
    scanned = kind(**params).fit(scan(path, **options, batch_rows=100))
    for name in ("coef_", "intercept_", "mistakes_per_epoch_", "classes_"):
        assert getattr(scanned, name).tobytes() == getattr(in_memory, name).tobytes(), name
    assert scanned.status_ is in_memory.status_
    assert scanned.predict(whole.X).tolist() == in_memory.predict(whole.X).tolist()
    for name in ("n_errors_", "training_error_"):
        assert getattr(scanned, name, None) == getattr(in_memory, name, None)


def test_three_classes(tmp_path):
    path = written(tmp_path, "parquet", table(classes=("a", "b", "c")))
    options = {"label": "y", "drop": ["town", "count"]}
    whole = read(path, **options)
    in_memory = AveragedPerceptron(max_iter=4).fit(whole.X, whole.y)
    scanned = AveragedPerceptron(max_iter=4).fit(scan(path, **options, batch_rows=90))
    assert scanned.coef_.tobytes() == in_memory.coef_.tobytes()


def test_a_cycle_is_found_and_a_separator_is_an_end(tmp_path):
    for X, y in (([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]), ([[0, 1], [3, 1]], [0, 1])):
        np.save(tmp_path / "a.npy", np.column_stack([X, y]))
        whole = Perceptron().fit(X, y)
        made = Perceptron().fit(scan(tmp_path / "a.npy", label=2, batch_rows=1))
        assert made.status_ is whole.status_
        assert made.mistakes_per_epoch_.tolist() == whole.mistakes_per_epoch_.tolist()


def test_the_cache_is_used_while_the_source_is_the_same(tmp_path, monkeypatch):
    path, cache = written(tmp_path, "csv", table()), tmp_path / "cache"
    options = {"label": "y", "drop": ["town", "count"], "cache": cache}
    first = gathered(scan(path, **options))[0]
    [kept] = cache.iterdir()
    with monkeypatch.context() as patch:
        patch.setattr("novikoff.data.scans.csv.CsvBlocks.tables", lambda *_: pytest.fail("parsed"))
        assert gathered(scan(path, **options))[0].tobytes() == first.tobytes()
    text = path.read_text()
    changed = text.replace("0.", "1.", 1)
    stat = path.stat()
    path.write_text(changed)  # the same size; then also the same time: the sample tells
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert gathered(scan(path, **options))[0].tobytes() != first.tobytes()
    kept.write_bytes(kept.read_bytes()[:100])  # cut short: made anew
    made = scan(path, **options)
    assert gathered(made)[0].shape == first.shape
    made.clear_cache()
    assert not list(cache.iterdir())
    gathered(scan(path, **{**options, "cache": False}))
    assert not list(cache.iterdir())


def test_what_cannot_be_scanned_says_why(tmp_path):
    path = written(tmp_path, "parquet", table())
    with pytest.raises(OptionError, match="labels and weights with it"):
        Perceptron().fit(scan(path, label="y", drop=["town"]), [1, 2])
    with pytest.raises(OptionError, match="in memory already"):
        scan(table(), label="y")
    with pytest.raises(OptionError, match=r"use novikoff\.read"):
        scan("dataset:xor")
    with pytest.raises(NovikoffError, match="which column holds the labels"):
        scan(path)
    with pytest.raises(NovikoffError, match="'town' holds text"):
        scan(path, label="y")
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileError, match=r"no files in this folder"):
        scan(tmp_path / "empty", label="y")
    with pytest.raises(FileError, match="the name of the file is empty"):
        scan("", label="y")
    one = pa.table({"a": [1.0, 2.0], "y": [1, 1]})
    pq.write_table(one, tmp_path / "one.parquet")
    with pytest.raises(LabelError, match="one class only"):
        Perceptron().fit(scan(tmp_path / "one.parquet", label="y"))
    bad = pa.table({"a": [1.0] * 70 + [None], "y": [0, 1] * 35 + [1]})
    pq.write_table(bad, tmp_path / "bad.parquet")
    with pytest.raises(NovikoffError, match="row 70"):
        Perceptron().fit(scan(tmp_path / "bad.parquet", label="y", batch_rows=50))


def test_who_needs_all_the_data_says_so_by_name(tmp_path):
    path = written(tmp_path, "parquet", table())
    made = scan(path, label="y", drop=["town"])
    refusal = r".* cannot work on data that is read in batches"
    with pytest.raises(OptionError, match=f"this method of Perceptron{refusal}"):
        Perceptron().fit(made).predict(made)
    with pytest.raises(OptionError, match=f'arithmetic="exact"{refusal}'):
        AveragedPerceptron(arithmetic="exact").fit(made)


def test_standardise_is_the_same_to_the_bit(tmp_path):
    data = table()
    path = written(tmp_path, "csv", data)
    for more in (
        {},
        {"degree": 2},
        {"formula": "y ~ c0 + log(count) + town", "drop_missing": True},
    ):
        options = {"standardise": True, "cache": tmp_path / "cache", **more}
        if "formula" not in more:
            options |= {"label": "y", "drop": ["town", "count"]}
        else:
            options |= {"weights": "count"}
        made = scan(path, **options, batch_rows=64)
        options.pop("cache")
        whole = read(path, **options)
        assert gathered(made)[0].tobytes() == whole.X.tobytes()
        assert made.recipe == whole.recipe
        assert (made.names, made.fit_intercept) == (whole.names, whole.fit_intercept)
        assert made.decimals == whole.decimals
    x = whole.X[:, 0]
    assert abs(x.mean()) < 1e-14
    assert abs(x.std() - 1) < 1e-14


@pytest.mark.parametrize("kind", ["csv", "parquet"])
@pytest.mark.parametrize(
    "formula",
    ["y ~ c0 + town", "y ~ C(count) + c1:c2 - 1", "y ~ c0*town + count + C(count)", "~ exp(c1)"],
)
def test_formulas_are_those_of_read(kind, formula, tmp_path):
    """In the first batches one value of `count` does not occur; it has its column there too."""
    data = table()
    rare = np.where(np.arange(len(data)) < 600, 1.0, data["count"].to_numpy())
    data = data.set_column(data.schema.get_field_index("count"), "count", pa.array(rare))
    path = written(tmp_path, kind, data)
    options = {"formula": formula} | ({} if formula.startswith("y") else {"label": "y"})
    whole = read(path, **options)
    made = scan(path, **options, batch_rows=50, cache=tmp_path / "cache")
    assert gathered(made)[0].tobytes() == whole.X.tobytes()
    assert (made.names, made.fit_intercept) == (whole.names, whole.fit_intercept)
    assert made.recipe == whole.recipe


def test_a_formula_that_needs_all_rows_is_refused(tmp_path):
    path = written(tmp_path, "csv", table())
    with pytest.raises(OptionError, match=r"center\(c0\) may need all rows at once"):
        scan(path, formula="y ~ center(c0)")


def test_levels_are_those_of_the_rows_that_stay(tmp_path):
    data = pa.table({"a": list("uvwuvw"), "y": [0, 1, 2, 0, 1, 2]})
    path = written(tmp_path, "parquet", data)
    options = {"label": "y", "categorical": ["a"], "classes": [0, 1]}
    assert scan(path, **options).names == read(path, **options).names == ("a[v]",)


LOST = "0.12345678901234567890"


def test_numbers_that_float64_would_round_are_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,y\n" + "0.5,0\n0.30000000000000004,1\n" * 50 + f"{LOST},1\n")
    with pytest.raises(DataError, match=r"'a' holds 0.1234.* row 100 \(line 102\)"):
        scan(path, label="y", cache=tmp_path / "cache").n  # noqa: B018
    made = scan(path, label="y", float64=True, cache=tmp_path / "cache")
    assert gathered(made)[0][-1, 0] == float(LOST)
    assert made.decimals is False
    path.write_text("a,y\n" + "0.5,0\n0.30000000000000004,1\n , 0.25,1\n" * 5)
    for number, decimals in (("0.25", True), ("0.10000000000000001", False)):
        path.write_text("a,y\n" + f"0.5,0\n0.30000000000000004,1\n {number},1\n" * 5)
        for _ in range(2):  # parsed, and then from the cache
            made = scan(path, label="y", cache=tmp_path / "cache")
            assert gathered(made)[0].tobytes() == read(path, label="y").X.tobytes()
            assert made.decimals == decimals == read(path, label="y").decimals
            assert scan(path, label="y", cache=False).decimals == decimals
    path.write_text("a,y\n0.30000000000000004,1\n" + "0.25,1\n" * 300_000 + "no number,0\n")
    with pytest.raises(DataError, match=r"'a' holds numbers, but 'no number' at row 300001"):
        list(scan(path, label="y", cache=False))
    path.write_text(f"a,y\n1,{LOST}\n2,{LOST}1\n")
    with pytest.raises(DataError, match="column 'y' holds"):
        scan(path, label="y", cache=False).classes  # noqa: B018
    pq.write_table(pa.table({"a": [1, 2**53 + 1], "y": [0, 1]}), tmp_path / "a.parquet")
    with pytest.raises(DataError, match="column 'a' holds 9007199254740993 at row 1"):
        list(scan(tmp_path / "a.parquet", label="y"))
    (tmp_path / "a.svm").write_text(f"1 1:0.5\n-1 3:{LOST}\n")
    with pytest.raises(DataError, match=r"column 3 holds .* at row 1"):
        list(scan(tmp_path / "a.svm", cache=False))
    assert len(list(scan(tmp_path / "a.svm", cache=False, float64=True))) == 1


LITTLE_MEMORY = """
import resource, sys
from novikoff import AveragedPerceptron, Perceptron, PocketPerceptron
from novikoff.data import scan
path, cache, megabytes = sys.argv[1], sys.argv[2], int(sys.argv[3])
small = sys.argv[4]
learners = [kind(max_iter=2, order="cyclic")
            for kind in (Perceptron, AveragedPerceptron, PocketPerceptron)]
for learner in learners:  # compile, import, and start all threads
    learner.fit(scan(small, label=0, batch_rows=100, cache=cache, header=False))
with open("/proc/self/statm") as file:
    now = int(file.read().split()[0]) * resource.getpagesize()
limit = now + megabytes * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
made = scan(path, label=0, batch_rows=4096, cache=cache, header=False)
print(*[learner.fit(made).n_mistakes_ for learner in learners])
"""


@pytest.mark.parametrize("kind", ["npy", "csv", "parquet", "svm"])
def test_a_file_several_times_the_memory(kind, tmp_path):
    """A hard limit on the address space; in memory the numbers alone would take three times it."""
    n, d, megabytes = 600_000, 24, 34
    rng = np.random.default_rng(0)
    X = rng.integers(-100, 100, (n, d)).astype(np.float64) / 8
    X[:, 0] = np.where(X[:, 1] + X[:, 2] > 0, 1, -1)
    assert X.nbytes > 3 * megabytes * 2**20
    for name, rows in (("small", 300), ("large", n)):
        path = tmp_path / f"{name}.{kind}"
        if kind == "npy":
            np.save(path, X[:rows])
        elif kind == "svm":
            distinct = X[: min(rows, 1000)].tolist()
            lines = [" ".join(f"{j}:{x:g}" if j else f"{x:g}" for j, x in enumerate(row)) + "\n"
                     for row in distinct]  # fmt: skip
            path.write_text("".join(lines) * (rows // len(lines)))
        else:
            data = pa.table({f"x{j}": X[:rows, j] for j in range(d)})
            if kind == "csv":
                options = arrow_csv.WriteOptions(include_header=False)
                arrow_csv.write_csv(data, path, options)
            else:
                pq.write_table(data, path, row_group_size=10_000)
    arguments = [
        tmp_path / f"large.{kind}",
        tmp_path / "cache",
        megabytes,
        tmp_path / f"small.{kind}",
    ]
    code = LITTLE_MEMORY.replace("label=0", 'label="x0"') if kind == "parquet" else LITTLE_MEMORY
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code, *map(str, arguments)],
        capture_output=True, text=True, timeout=120,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    X = X[np.arange(n) % 1000] if kind == "svm" else X
    for made, kind_of in zip(
        done.stdout.split(), (Perceptron, AveragedPerceptron, PocketPerceptron), strict=True
    ):
        whole = kind_of(max_iter=2, order="cyclic").fit(X[:, 1:], X[:, 0])
        assert int(made) == whole.n_mistakes_
