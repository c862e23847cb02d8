"""What a pass over CSR can cost at least on this machine, what ours costs, and what was tried."""

import time
import warnings
from collections.abc import Callable

import numba
import numpy as np
import scipy.sparse as sp
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from sklearn.linear_model import Perceptron as SklearnPerceptron

from benchmarks.perceptron import sparse
from benchmarks.table import Results
from novikoff import Perceptron
from novikoff.core.compiled import summation
from novikoff.matrix.rows import rows_of

ROWS, EPOCHS = 50_000, 5


@intrinsic
def _prefetch(typing_context, array, at):  # noqa: ARG001
    def code(context, builder, signature, arguments):
        numbers = context.make_array(signature.args[0])(context, builder, arguments[0])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        place = builder.bitcast(builder.gep(numbers.data, [arguments[1]]), byte)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [place, *(ir.Constant(word, k) for k in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(array, at), code


@summation
def _read(data, indices):
    """Only read what a pass must read."""
    total, sum_of_indices = 0.0, np.uint64(0)
    for value in data:
        total += value
    for index in indices:
        sum_of_indices += index
    return total + sum_of_indices


@summation
def _dot(data, indices, start, end, w):
    total = 0.0
    for k in range(start, end):
        total += data[k] * w[indices[k]]
    return total


@numba.njit
def _scores(rows, w):
    """The least that a learner does: the score of each row."""
    data, indices, indptr = rows.data, rows.indices, rows.indptr
    right = 0
    for i in range(len(indptr) - 1):
        right += _dot(data, indices, indptr[i], indptr[i + 1], w) > 0.0
    return right


@numba.njit
def _scores_prefetched(rows, w):
    """The same, the weights of a row asked for while the row two before it is worked on."""
    data, indices, indptr = rows.data, rows.indices, rows.indptr
    n, right = len(indptr) - 1, 0
    for i in range(n):
        later = min(i + 2, n - 1)
        for k in range(indptr[later], indptr[later + 1]):
            _prefetch(w, np.int64(indices[k]))
        right += _dot(data, indices, indptr[i], indptr[i + 1], w) > 0.0
    return right


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
    narrow, wide = rows._replace(data=rows.data.astype(np.float32)), rows.indices.astype(np.uint64)

    def add(who: str, seconds: float, note: str = "") -> None:
        each, size = seconds / len(rows.data), len(rows.data) * 12
        answer = f"{each * 1e9:.2f} ns a non-zero, {size / seconds / 1e9:.1f} GB/s"
        results.add(name, who, seconds, answer, note)

    ordered = rows_of(by_frequency(X))
    variants = {
        "only reading": lambda: _read(rows.data, rows.indices),
        "only scores": lambda: _scores(rows, w),
        "… float32 values": lambda: _scores(narrow, w),
        "… 64-bit indices": lambda: _scores(rows._replace(indices=wide), w),
        "… prefetched": lambda: _scores_prefetched(rows, w),
        "… commonest columns first": lambda: _scores(ordered, w),
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
