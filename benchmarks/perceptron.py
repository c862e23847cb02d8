"""The perceptron beside scikit-learn, Vowpal Wabbit, LIBLINEAR and river."""

import contextlib
import importlib
import os
import subprocess
import sys
import time
import tracemalloc
import warnings

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import Perceptron as SklearnPerceptron

from benchmarks.table import Results, best_of
from novikoff import Perceptron


def noisy(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian points whose labels a plane explains but for some noise: mistakes in every epoch."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    noise = 0.3 * rng.standard_normal(n)
    return X, np.where(X @ rng.standard_normal(d) + noise > 0, 1, -1)


def sparse(n: int, d: int, per_row: int, seed: int = 0) -> tuple[sp.csr_array, np.ndarray]:
    """Rows with `per_row` non-zeros among `d` columns, labelled by a plane but for some noise."""
    rng = np.random.default_rng(seed)
    indices = rng.integers(0, d, (n, per_row)).astype(np.int32)
    values = rng.standard_normal((n, per_row))
    w = rng.standard_normal(d)
    noise = 2.0 * rng.standard_normal(n)
    y = np.where((values * w[indices]).sum(axis=1) + noise > 0, 1, -1)
    indptr = np.arange(0, n * per_row + 1, per_row, dtype=np.int32)
    X = sp.csr_array((values.ravel(), indices.ravel(), indptr), shape=(n, d))
    X.sum_duplicates()
    return X, y


def on_all_cores(epochs: int) -> Perceptron:
    return Perceptron(max_iter=epochs, n_jobs=-1)


def sklearn_peer(epochs: int) -> SklearnPerceptron:
    return SklearnPerceptron(shuffle=False, tol=None, max_iter=epochs)


def whole_fits(results: Results) -> None:
    """The same epochs, the same mistakes, the same weights; then the times."""
    workloads = [
        ("dense 100,000 × 50, 300 epochs", noisy(100_000, 50), 300),
        ("dense 1,000,000 × 20, 50 epochs", noisy(1_000_000, 20), 50),
        ("dense 20,000 × 1000, 100 epochs", noisy(20_000, 1000), 100),
    ]
    for name, (X, y), epochs in workloads:
        seconds, ours = best_of(3, lambda X=X, y=y, k=epochs: Perceptron(max_iter=k).fit(X, y))
        peer_seconds, peer = best_of(3, lambda X=X, y=y, k=epochs: sklearn_peer(k).fit(X, y))
        same = np.array_equal(ours.coef_, peer.coef_)
        results.add(name, "novikoff", seconds, f"{ours.n_mistakes_} mistakes")
        results.add(name, "scikit-learn", peer_seconds, "same bits" if same else "OTHER WEIGHTS")
        read, _ = best_of(5, lambda X=X: float(X.sum()))
        note = f"an epoch of ours takes {seconds / epochs / read:.2f} times that"
        results.add(name, "one read of X", read, "X.sum()", note)
        shared, threaded = best_of(3, lambda X=X, y=y, k=epochs: on_all_cores(k).fit(X, y))
        same = threaded.coef_.tobytes() == ours.coef_.tobytes()
        note = "same bits" if same else "OTHER WEIGHTS"
        results.add(name, "novikoff, n_jobs=-1", shared, note, f"{seconds / shared:.2f} times")


def long_run(results: Results) -> None:
    """A small margin, to convergence: most rows are far from the plane most of the time."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100_000, 10))
    w = rng.standard_normal(10)
    w /= np.linalg.norm(w)
    y = np.where(X @ w > 0, 1, -1)
    X += 1e-3 * np.outer(y, w)
    seconds, ours = best_of(2, lambda: Perceptron(max_iter=10_000).fit(X, y))
    peer_seconds, peer = best_of(1, lambda: sklearn_peer(ours.n_iter_).fit(X, y))
    name = f"dense 100,000 × 10, pushed apart by 0.001, {ours.n_iter_} epochs"
    same = np.array_equal(ours.coef_, peer.coef_)
    results.add(name, "novikoff", seconds, f"converged, {ours.n_mistakes_} mistakes")
    results.add(name, "scikit-learn", peer_seconds, "same bits" if same else "OTHER WEIGHTS")


def sparse_fit(results: Results) -> None:
    X, y = sparse(200_000, 50_000, 72)
    name = "CSR 200,000 × 50,000, 72 a row, 10 epochs"
    seconds, ours = best_of(3, lambda: Perceptron(max_iter=10).fit(X, y))
    peer_seconds, peer = best_of(3, lambda: sklearn_peer(10).fit(X, y))
    results.add(name, "novikoff", seconds, f"{ours.n_mistakes_} mistakes")
    agree = float((ours.predict(X) == peer.predict(X)).mean())
    note = "its bias steps are 0.01 on sparse data"
    results.add(name, "scikit-learn", peer_seconds, f"{agree:.1%} same labels", note)
    # Without a bias the two learn the same thing.
    seconds, ours = best_of(3, lambda: Perceptron(max_iter=10, fit_intercept=False).fit(X, y))
    options = {"shuffle": False, "tol": None, "max_iter": 10, "fit_intercept": False}
    peer_seconds, peer = best_of(3, lambda: SklearnPerceptron(**options).fit(X, y))
    same = np.array_equal(ours.coef_, peer.coef_)
    results.add(name + ", no bias", "novikoff", seconds, f"{ours.n_mistakes_} mistakes")
    results.add(
        name + ", no bias", "scikit-learn", peer_seconds, "same bits" if same else "OTHER WEIGHTS"
    )


def streams(results: Results) -> None:
    """One row a call, as a stream brings them."""
    X, y = noisy(3000, 20)
    name = "partial_fit, one row a call, 3000 rows"

    def ours() -> Perceptron:
        unit = Perceptron()
        for i in range(len(X)):
            unit.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
        return unit

    def sklearn() -> SklearnPerceptron:
        unit = SklearnPerceptron(shuffle=False)
        for i in range(len(X)):
            unit.partial_fit(X[i : i + 1], y[i : i + 1], classes=[-1, 1])
        return unit

    seconds, unit = best_of(3, ours)
    peer_seconds, peer = best_of(1, sklearn)
    results.add(name, "novikoff", seconds, f"{len(X) / seconds:,.0f} rows a second")
    same = "same bits" if np.array_equal(unit.coef_, peer.coef_) else "OTHER WEIGHTS"
    results.add(name, "scikit-learn", peer_seconds, f"{len(X) / peer_seconds:,.0f}, {same}")
    with contextlib.suppress(ImportError):
        river = importlib.import_module("river.linear_model")
        rows = [dict(enumerate(map(float, x))) for x in X]
        start = time.perf_counter()
        model = river.Perceptron()
        for x, label in zip(rows, y, strict=True):
            model.learn_one(x, bool(label > 0))
        taken = time.perf_counter() - start
        agree = np.mean(
            [model.predict_one(x) == (label > 0) for x, label in zip(rows, y, strict=True)]
        )
        results.add(name, "river", taken, f"{len(X) / taken:,.0f}, accuracy {agree:.3f}")


def one_pass_peers(results: Results) -> None:
    """Other learners of linear classifiers, as fast as they go, and how often they are right."""
    X, y = noisy(100_000, 50)
    name = "100,000 × 50, each as it likes"
    seconds, unit = best_of(3, lambda: Perceptron(max_iter=10).fit(X, y))
    results.add(name, "novikoff, 10 epochs", seconds, f"accuracy {unit.score(X, y):.4f}")
    with contextlib.suppress(ImportError):
        liblinear = importlib.import_module("liblinear.liblinearutil")
        options = "-s 2 -B 1 -q"
        taken, model = best_of(1, lambda: liblinear.train(y.astype(float), X, options))
        _, accuracy, _ = liblinear.predict(y.astype(float), X, model, "-q")
        results.add(name, "LIBLINEAR -s 2", taken, f"accuracy {accuracy[0] / 100:.4f}")
    with contextlib.suppress(ImportError):
        vw = importlib.import_module("vowpalwabbit.sklearn_vw")
        taken, model = best_of(1, lambda: vw.VWClassifier(loss_function="hinge").fit(X, y))
        accuracy = float((np.sign(model.decision_function(X)) == y).mean())
        results.add(name, "Vowpal Wabbit, 1 pass", taken, f"accuracy {accuracy:.4f}", "parses text")


def memory(results: Results) -> None:
    """What `fit` allocates beyond X, beside n + d numbers."""
    X, y = noisy(200_000, 100)
    tracemalloc.start()
    start = time.perf_counter()
    Perceptron(max_iter=3).fit(X, y)
    taken = time.perf_counter() - start
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    words = peak / 8 / (X.shape[0] + X.shape[1])
    share = peak / X.nbytes
    results.add("memory beyond X, 200,000 × 100", "novikoff", taken, f"{peak / 1e6:.1f} MB",
                f"{words:.1f} words for each of n + d; {share:.1%} of X")  # fmt: skip


def starting(results: Results) -> None:
    """A new process: the import, and the first fit."""
    code = (
        "import time; t = time.perf_counter(); import novikoff; a = time.perf_counter() - t;"
        "import numpy as np; P = novikoff.Perceptron;"
        "X = np.array([[0.0, 0.0], [1.0, 1.0]]); t = time.perf_counter();"
        "P().fit(X, [0, 1]); print(a, time.perf_counter() - t)"
    )
    runs = []
    for _ in range(3):
        out = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        runs.append([float(value) for value in out.stdout.split()])
    imported, fitted = (min(column) for column in zip(*runs, strict=True))
    results.add("import novikoff", "novikoff", imported, "")
    code = "import time; t = time.perf_counter(); import sklearn.linear_model;"
    code += "print(time.perf_counter() - t)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    results.add("import novikoff", "import sklearn.linear_model", float(out.stdout), "")
    results.add("first fit of a process", "novikoff", imported + fitted, "import and fit")
    code = "import time; t = time.perf_counter();"
    code += "from sklearn.linear_model import Perceptron;"
    code += "Perceptron().fit([[0.0, 0.0], [1.0, 1.0]], [0, 1]); print(time.perf_counter() - t)"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    results.add("first fit of a process", "scikit-learn", float(out.stdout), "import and fit")


def run() -> None:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    warnings.simplefilter("ignore")
    results = Results("The perceptron")
    for part in (whole_fits, long_run, sparse_fit, streams, one_pass_peers, memory, starting):
        part(results)
    results.show()


if __name__ == "__main__":
    run()
