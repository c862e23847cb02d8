"""From a file to a model beside Vowpal Wabbit, scikit-learn and river."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.parquet as pq
from sklearn.datasets import dump_svmlight_file, load_svmlight_file
from sklearn.linear_model import Perceptron as SklearnPerceptron

from benchmarks.perceptron import noisy, sparse
from benchmarks.table import Results
from novikoff import Perceptron, read
from novikoff.data import scan
from novikoff.data.source import open_raw
from novikoff.data.svmlight import parse_chunks

T = TypeVar("T")

ROWS = int(os.environ.get("NOVIKOFF_BENCH_ROWS", "10000000"))
MESSY_ROWS = int(os.environ.get("NOVIKOFF_BENCH_MESSY_ROWS", "2000000"))
RIVER_ROWS = 300_000  # it would take as long for each of them


def timed(repeats: int, once: Callable[[], T]) -> tuple[float, T, str]:
    """The best of some wall-clock times, the answer, and the least of the processors' times.

    A machine that others work on, too, lengthens the former and hardly the latter.
    """
    wall, processors, answer = [], [], None
    for _ in range(repeats):
        before, start = os.times(), time.perf_counter()
        answer = once()
        wall.append(time.perf_counter() - start)
        processors.append(sum(os.times()[:4]) - sum(before[:4]))
    return min(wall), cast("T", answer), f"{min(processors):.2f} s of processor time"


def svmlight(results: Results, folder: Path) -> None:
    """200,000 lines of 72 values: one pass and ten, from the file to the weights."""
    path = folder / "a.svm"
    dump_svmlight_file(*sparse(200_000, 50_000, 72), str(path), zero_based=False)
    size = f"svmlight, {path.stat().st_size / 1e6:.0f} MB"
    small = folder / "small.svm"
    small.write_text("1 1:0.5\n-1 2:0.25\n")
    Perceptron(max_iter=1).fit(*_xy(read(small)))
    parsing(results, f"{size}, parsing alone", path)
    for passes in (1, 10):
        workload = f"{size}, {passes} pass{'es' * (passes > 1)}, file to model"

        def ours(passes: int = passes) -> Perceptron:
            return Perceptron(max_iter=passes).fit(*_xy(read(path)))

        seconds, model, note = timed(3, ours)
        mistakes = f"{model.n_mistakes_} mistakes"
        results.add(workload, "novikoff, read and fit", seconds, mistakes, note)
        scanned = scan(path, cache=folder / "cache")

        def batches(passes: int = passes, scanned: object = scanned) -> Perceptron:
            return Perceptron(max_iter=passes).fit(scanned)

        scanned.clear_cache()
        seconds, same, note = timed(1, batches)
        bits = "same bits" if same.coef_.tobytes() == model.coef_.tobytes() else "OTHER WEIGHTS"
        results.add(workload, "novikoff, scan (first time)", seconds, bits, note)
        seconds, note = vowpal_wabbit(path, passes, folder)
        results.add(workload, "Vowpal Wabbit", seconds, "its own format", note)
    before, start = os.times(), time.perf_counter()
    X, y = load_svmlight_file(str(path), zero_based=True)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # it wants them so
    loaded = time.perf_counter() - start
    start = time.perf_counter()
    SklearnPerceptron(shuffle=False, tol=None, max_iter=10).fit(X, y)
    learned = time.perf_counter() - start
    note = f"{sum(os.times()[:4]) - sum(before[:4]):.2f} s of processor time"
    results.add(workload, "scikit-learn", loaded + learned, f"{loaded:.2f} s of it to load", note)


def parsing(results: Results, workload: str, path: Path) -> None:
    """What the second core adds."""
    for workers in (2, 1):

        def parse(workers: int = workers) -> int:
            chunks = parse_chunks(open_raw(path), workers=workers)
            return sum(len(chunk.values) for chunk in chunks)

        seconds, pairs, note = timed(3, parse)
        who = f"novikoff, {workers} thread{'s' * (workers > 1)}"
        results.add(workload, who, seconds, f"{pairs:,} values", note)


def _xy(table) -> tuple:
    return table.X, table.y


def vowpal_wabbit(path: Path, passes: int, folder: Path) -> tuple[float, str]:
    """The same numbers in its own format, learned by its own command."""
    text = folder / "a.vw"
    if not text.exists():
        with path.open() as source, text.open("w") as sink:
            for line in source:
                label, _, rest = line.partition(" ")
                sink.write(f"{label} | {rest}")
    command = [sys.executable, "-m", "vowpalwabbit", "--loss_function", "hinge", "--quiet"]
    nothing = [*command, "--data", os.devnull]
    options = ["--data", str(text), "--holdout_off"]
    if passes > 1:
        options += ["--passes", str(passes), "-k", "--cache_file", str(folder / "vw.cache")]
    started, _, _ = timed(3, lambda: subprocess.run(nothing, check=True))
    seconds, _, note = timed(3, lambda: subprocess.run([*command, *options], check=True))
    return seconds - started, note


def columns(results: Results, folder: Path) -> None:
    """CSV and Parquet beside scikit-learn's partial_fit on batches, and river on rows."""
    X, y = noisy(ROWS, 20)
    data = pa.table({f"c{j}": X[:, j] for j in range(20)} | {"y": y})
    pq.write_table(data, folder / "a.parquet")
    arrow_csv.write_csv(data, folder / "a.csv")
    for name in ("small.parquet", "small.csv"):  # compile what there is to compile
        write = pq.write_table if name.endswith("parquet") else arrow_csv.write_csv
        write(data.slice(0, 2000), folder / name)
        Perceptron(max_iter=3).fit(scan(folder / name, label="y", cache=folder / "cache"))
    per_row = river_seconds(X[:RIVER_ROWS], y[:RIVER_ROWS])
    del data, X, y
    for name in ("a.parquet", "a.csv"):
        path = folder / name
        size = f"{name[2:]} {ROWS:,} × 20, {path.stat().st_size / 1e9:.1f} GB"
        for passes in (1, 3):
            workload = f"{size}, {passes} pass{'es' * (passes > 1)}"
            made = scan(path, label="y", cache=folder / "cache")
            made.clear_cache()
            learner = Perceptron(max_iter=passes)
            seconds, model, note = timed(1, lambda made=made, unit=learner: unit.fit(made))
            results.add(workload, "novikoff, scan", seconds, f"{model.n_mistakes_} mistakes", note)
            seconds, peer, note = timed(1, lambda path=path, k=passes: partial_fits(path, k))
            same = "same bits" if peer.coef_.tobytes() == model.coef_.tobytes() else "other weights"
            results.add(workload, "scikit-learn partial_fit", seconds, same, note)
            if passes == 1:
                note = f"learning alone, from {RIVER_ROWS:,} rows"
                results.add(workload, "river learn_one", per_row * ROWS, "", note)
        made.clear_cache()


def river_seconds(X: np.ndarray, y: np.ndarray) -> float:
    """Seconds a row, the dicts made before."""
    from river import linear_model

    names = [f"c{j}" for j in range(X.shape[1])]
    dicts = [dict(zip(names, row, strict=True)) for row in X.tolist()]
    model, labels = linear_model.Perceptron(), (y > 0).tolist()
    start = time.perf_counter()
    for x, label in zip(dicts, labels, strict=True):
        model.learn_one(x, label)
    return (time.perf_counter() - start) / len(X)


def partial_fits(path: Path, passes: int) -> SklearnPerceptron:
    model = SklearnPerceptron(shuffle=False)
    for _ in range(passes):
        if path.suffix == ".csv":
            reader = arrow_csv.open_csv(path)
        else:
            reader = pq.ParquetFile(path).iter_batches(1 << 16)
        for batch in reader:
            table = np.column_stack([column.to_numpy() for column in batch.columns])
            model.partial_fit(table[:, :-1], table[:, -1], classes=[-1, 1])
    return model


TOWNS = ("Rome", "Oslo", "Lima", "São Paulo", "New York, NY", "Ulm")
# What one would write with pandas and scikit-learn, in a process of its own.
PEER = """
import sys
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

def read(path):
    frame = pd.read_csv(path, parse_dates=["joined"]).drop(columns="note")
    frame["joined"] = (frame["joined"] - pd.Timestamp("1970-01-01")).dt.days
    return frame, frame.pop("churn")

X, y = read(sys.argv[1])
numbers = [name for name in X.columns if name != "town"]
steps = make_column_transformer(
    (make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
    (OneHotEncoder(drop="first", sparse_output=False), ["town"]),
)
learner = SGDClassifier(loss="perceptron", average=True, max_iter=5, tol=None, shuffle=False,
                        learning_rate="constant", eta0=1.0, alpha=0.0)
print(make_pipeline(steps, learner).fit(X, y).score(*read(sys.argv[2])))
"""


def messy_csv(path: Path, rows: int, seed: int) -> None:
    """Missing cells, texts, dates, quotes, a byte order mark and CRLF."""
    rng = np.random.default_rng(seed)
    names = [f"x{j}" for j in range(12)]
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*names, "town", "joined", "note", "churn"])
        for start in range(0, rows, 50_000):
            n = min(50_000, rows - start)
            X, town = rng.standard_normal((n, 12)).round(6), rng.integers(0, 6, n)
            score = X[:, 0] - X[:, 1] + 0.5 * (town == 2) + 0.3 * rng.standard_normal(n)
            missing = rng.random((n, 12)) < 0.01
            dates = (np.datetime64("2015-01-01") + rng.integers(0, 3000, n)).astype(str)
            for i in range(n):
                cells = ["" if gone else x for x, gone in zip(X[i], missing[i], strict=True)]
                note, kind = f'said "{i % 97}" things', "yes" if score[i] > 0 else "no"
                writer.writerow([*cells, TOWNS[town[i]], dates[i], note, kind])


def vowpal_lines(source: Path, sink: Path) -> None:
    """The rows in Vowpal Wabbit's format, a missing cell left out."""
    with source.open(encoding="utf-8-sig", newline="") as file, sink.open("w") as lines:
        for row in csv.DictReader(file):
            day = np.datetime64(row["joined"]).astype(int) / 1e4
            cells = [f"{k}:{v}" for k, v in row.items() if k[0] == "x" and v]
            town = row["town"].replace(" ", "_")
            lines.write(
                f"{1 if row['churn'] == 'yes' else -1} | {' '.join(cells)} d:{day} {town}\n"
            )


def measured(*command: object, output: Path) -> tuple[float, float]:
    """Processor time and peak memory (MB) of a process, whose output goes to a file."""
    with output.open("w") as file:
        process = subprocess.Popen([str(part) for part in command], stdout=file)
        _, status, used = os.wait4(process.pid, 0)
    assert status == 0, command
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def messy(results: Results, folder: Path) -> None:
    """A messy file, from the command line: processor time, peak memory, accuracy on other rows."""
    train, test, out = folder / "train.csv", folder / "test.csv", folder / "out"
    messy_csv(train, MESSY_ROWS, 0)
    messy_csv(test, MESSY_ROWS // 10, 1)
    workload = f"messy CSV, {train.stat().st_size / 1e6:.0f} MB, to a model (processor time)"
    ours, model = [sys.executable, "-m", "novikoff.cli"], folder / "model"
    reading = ["--label", "churn", "--drop", "note", "--categorical", "town", "--dates", "ordinal",
               "--impute", "median", "--standardise", "--scan"]  # fmt: skip
    fit = ["fit", train, "--learner", "averaged", "--max-iter", "5", *reading, "--model", model]
    seconds, peak = measured(*ours, *fit, "--json", output=out)
    measured(*ours, "predict", model, test, "--out", folder / "p.csv", "--json", output=out)
    accuracy = 1 - json.loads(out.read_text())["errors"] / (MESSY_ROWS // 10)
    results.add(workload, "novikoff fit --scan", seconds, f"{accuracy:.4f}", f"{peak:.0f} MB")
    peer = folder / "peer.py"
    peer.write_text(PEER)
    seconds, peak = measured(sys.executable, peer, train, test, output=out)
    accuracy = float(out.read_text())
    note = f"{peak:.0f} MB; with the prediction"
    results.add(workload, "pandas, scikit-learn", seconds, f"{accuracy:.4f}", note)
    if find_spec("vowpalwabbit") is None:
        return
    for path in (train, test):
        vowpal_lines(path, path.with_suffix(".vw"))
    command = [sys.executable, "-m", "vowpalwabbit", "--loss_function", "hinge", "--quiet"]
    passes = ["--passes", "5", "-k", "--cache_file", folder / "messy.cache", "--holdout_off"]
    made = folder / "messy.vw-model"
    learn = ["--data", train.with_suffix(".vw"), *passes, "-f", made]
    seconds, peak = measured(*command, *learn, output=out)
    told = folder / "vw.predictions"
    measured(*command, "-t", "-i", made, "--data", test.with_suffix(".vw"), "-p", told, output=out)
    signs = np.sign(np.loadtxt(told))
    truth = [int(line.split()[0]) for line in test.with_suffix(".vw").open()]
    note = f"{peak:.0f} MB; its own format, which others wrote for it"
    results.add(workload, "Vowpal Wabbit", seconds, f"{np.mean(signs == truth):.4f}", note)


def run() -> None:
    """Print the table."""
    results = Results("Files")
    with warnings.catch_warnings(), tempfile.TemporaryDirectory() as folder:
        warnings.simplefilter("ignore")
        messy(results, Path(folder))
        svmlight(results, Path(folder))
        columns(results, Path(folder))
    results.show()


if __name__ == "__main__":
    run()
