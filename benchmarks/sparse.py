"""What a pass over CSR costs at least on this machine, and what an epoch of ours costs."""

import time
import warnings
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp
from sklearn.linear_model import Perceptron as SklearnPerceptron

from benchmarks.perceptron import sparse
from benchmarks.table import Results
from novikoff import Perceptron, _core
from novikoff.matrix.rows import rows_of

ROWS, EPOCHS = 50_000, 5


def skewed(n: int, d: int, per_row: int) -> tuple[sp.csr_array, np.ndarray]:
    """Columns as words are: the k-th commonest in proportion to 1/k, numbered at random."""
    rng = np.random.default_rng(0)
    ranks = np.exp(rng.random((n, per_row)) * np.log(d)).astype(np.int64) - 1
    indices = rng.permutation(d)[ranks].astype(np.int32)
    values = rng.standard_normal((n, per_row))
    y = np.where((values * rng.standard_normal(d)[indices]).sum(axis=1) > 0, 1, -1)
    indptr = np.arange(0, n * per_row + 1, per_row, dtype=np.int32)
    X = sp.csr_array((values.ravel(), indices.ravel(), indptr), shape=(n, d))
    X.sum_duplicates()
    return X, y


def by_frequency(X: sp.csr_array) -> sp.csr_array:
    """The same columns, the commonest first: no bit of a weight changes, only its place."""
    counts = np.bincount(X.indices, minlength=X.shape[1])
    place = np.empty(X.shape[1], np.int32)
    place[np.argsort(-counts, kind="stable")] = np.arange(X.shape[1], dtype=np.int32)
    renumbered = sp.csr_array((X.data, place[X.indices], X.indptr), shape=X.shape)
    renumbered.sort_indices()
    return renumbered


def least(repeats: int, once: Callable[[], object]) -> float:
    """The least processor time of some repeats, which others on the machine hardly lengthen."""
    times = []
    for _ in range(repeats):
        start = time.process_time()
        once()
        times.append(time.process_time() - start)
    return min(times)


def measure(results: Results, name: str, X: sp.csr_array, y: np.ndarray) -> None:
    """One workload: only reading, only scores in several ways, learning, and scikit-learn."""
    rows, w = rows_of(X), np.random.default_rng(1).standard_normal(X.shape[1] + 1)
    scores = np.empty(X.shape[0])

    def add(who: str, seconds: float, note: str = "") -> None:
        each, size = seconds / len(rows.data), len(rows.data) * 12
        answer = f"{each * 1e9:.2f} ns a non-zero, {size / seconds / 1e9:.1f} GB/s"
        results.add(name, who, seconds, answer, note)

    ordered = rows_of(by_frequency(X))
    variants = {
        "only reading": lambda: (rows.data.sum(), rows.indices.sum()),
        "only scores": lambda: _core.row_scores(rows, w, scores),
        "… commonest columns first": lambda: _core.row_scores(ordered, w, scores),
    }
    for who, once in variants.items():
        once()
        add(who, least(10, once))
    Perceptron(max_iter=2).fit(X[:2000], y[:2000])
    for who, peer in (
        ("novikoff, an epoch", lambda: Perceptron(max_iter=EPOCHS)),
        (
            "scikit-learn, an epoch",
            lambda: SklearnPerceptron(shuffle=False, tol=None, max_iter=EPOCHS),
        ),
    ):
        one = least(3, lambda peer=peer: peer().set_params(max_iter=1).fit(X, y))
        all_of_them = least(3, lambda peer=peer: peer().fit(X, y))
        add(who, (all_of_them - one) / (EPOCHS - 1))


def run() -> None:
    """Print the table."""
    results = Results("Sparse passes")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for d in (5_000, 50_000, 1_000_000):
            measure(results, f"CSR {ROWS:,} × {d:,}, 72 a row", *sparse(ROWS, d, 72))
        name = f"CSR {ROWS:,} × 1,000,000, 72 a row, columns as words"
        measure(results, name, *skewed(ROWS, 1_000_000, 72))
    results.show()


if __name__ == "__main__":
    run()
