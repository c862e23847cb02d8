"""Kernels by name: options checked, gamma worked out, values as scikit-learn computes them.

`KernelPool` has the rows of one call to a kernel learner, and the cache of their Gram rows.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from queue import SimpleQueue
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn import config_context
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.utils.extmath import row_norms, safe_sparse_dot

from novikoff.core import sparse as sp
from novikoff.core.options import check_count, check_positive, choice
from novikoff.errors import OptionError, ShapeError
from novikoff.exact.rational import nearest_float
from novikoff.learners.budget import Memory
from novikoff.learners.kernel import Gram, add_row
from novikoff.learners.unit import Examples, examples_of
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats, rows_of

BLOCK = 1 << 16  # numbers that are copied together

KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")
# Which of the options each kernel reads.
READS = {"poly": ("gamma", "degree", "coef0"), "rbf": ("gamma",), "sigmoid": ("gamma", "coef0")}


@dataclass(frozen=True)
class Kernel:
    """k(x, z) with all its parameters known."""

    metric: str | Callable[..., float]
    params: dict[str, Any]

    @classmethod
    def of(cls, estimator: Any, gamma: float) -> "Kernel":
        """The kernel that an estimator's options describe."""
        if callable(estimator.kernel):
            return cls(estimator.kernel, dict(estimator.kernel_params or {}))
        known = {"gamma": gamma, "degree": estimator.degree, "coef0": estimator.coef0}
        names = READS.get(estimator.kernel, ())
        return cls(estimator.kernel, {name: known[name] for name in names})

    def __call__(self, A: Matrix, B: Matrix) -> Floats:
        """k of each row of `A` with each of `B`, which were checked when they came in."""
        with config_context(assume_finite=True, skip_parameter_validation=True):
            values = pairwise_kernels(A, B, metric=self.metric, **self.params)
        return np.ascontiguousarray(values, dtype=np.float64)

    def rows_of(self, matrix: Matrix) -> Callable[[NDArray[np.int64]], Floats]:
        """How to compute chosen rows of the Gram matrix of `matrix`.

        By scikit-learn's formulas, but without its check of all of `matrix` at every call, which
        takes longer than the arithmetic of the few rows that are wanted at a time.
        """
        if callable(self.metric):
            return lambda wanted: self(matrix[wanted], matrix)
        squares = np.empty(0)
        if self.metric == "rbf":
            squares = self.params["gamma"] * row_norms(matrix, squared=True)

        def chosen_rows(wanted: NDArray[np.int64]) -> Floats:
            values = safe_sparse_dot(matrix[wanted], matrix.T, dense_output=True)
            if self.metric == "rbf":
                return self._rbf(values, squares[wanted, np.newaxis], squares)
            return self._of_products(values)

        return chosen_rows

    def _rbf(self, values: Floats, left: Floats, right: Floats) -> Floats:
        """exp(−γ‖x − z‖²), in place, from x·z, γ‖x‖² and γ‖z‖²."""
        values *= 2.0 * self.params["gamma"]
        values -= left
        values -= right
        np.minimum(values, 0.0, out=values)
        return np.exp(values, out=values)

    def _of_products(self, values: Floats) -> Floats:
        """The linear, polynomial or sigmoid kernel, in place, from x·z."""
        if self.metric == "linear":
            return values
        values *= self.params["gamma"]
        values += self.params["coef0"]
        if self.metric == "sigmoid":
            return np.tanh(values, out=values)
        values **= self.params["degree"]
        return values


def check_kernel_options(estimator: Any) -> None:
    """One clear error for each option that will not do."""
    if not callable(estimator.kernel):
        choice("kernel", estimator.kernel, KERNELS)
        if estimator.kernel_params is not None:
            raise OptionError("kernel_params are for a kernel that is a function of your own.")
    check_count("degree", estimator.degree)
    if estimator.gamma not in ("scale", "auto"):
        if isinstance(estimator.gamma, str):
            choice("gamma", estimator.gamma, ("scale", "auto"))
        check_positive("gamma", estimator.gamma)
    coef0 = estimator.coef0
    if isinstance(coef0, bool) or not isinstance(coef0, Real) or not np.isfinite(float(coef0)):
        raise OptionError(f"coef0 must be a finite number; got {coef0!r}.")


def reads_gamma(kernel: str | Callable[..., float]) -> bool:
    """Whether γ is one of this kernel's parameters."""
    return not callable(kernel) and "gamma" in READS.get(kernel, ())


def gamma_of(gamma: Any, matrix: Matrix) -> float:
    """γ as a number: "scale" is 1/(d·variance), "auto" is 1/d, as in scikit-learn's `SVC`."""
    d = int(matrix.shape[1])
    if gamma == "auto":
        return 1.0 / d
    if gamma != "scale":
        return float(gamma)
    # Divided by a power of two first: squares of very large or small numbers are no float64.
    values = np.asarray(matrix.data if sp.issparse(matrix) else matrix, dtype=np.float64).reshape(
        -1
    )
    blocks = [values[start : start + BLOCK] for start in range(0, len(values), BLOCK)]
    largest = max((float(np.abs(block).max()) for block in blocks), default=0.0)
    power, count = int(np.frexp(largest)[1]), int(np.prod(matrix.shape))
    mean = math.fsum(float(np.ldexp(block, -power).sum()) for block in blocks) / count
    # Zeros that are not stored are as far from the mean as it is from 0.
    variance = (
        math.fsum(float(np.square(np.ldexp(block, -power) - mean).sum()) for block in blocks)
        + (count - len(values)) * mean * mean
    )
    if variance == 0:
        return 1.0
    scale = nearest_float(Fraction(count, d) / Fraction(variance) / Fraction(4) ** power)
    if not 1e-300 < scale < 1e300:
        raise OptionError(
            'gamma="scale" is beyond what float64 can hold for data of this size: give a number, '
            "or scale the data."
        )
    return scale


@dataclass(frozen=True)
class KernelPool:
    """`known` rows that are remembered from before, then those to learn from; a cache a thread."""

    matrix: Matrix
    known: int
    examples: Examples
    caches: "SimpleQueue[Gram]"

    @contextmanager
    def cache(self) -> Iterator[Gram]:
        """One of the caches, for one run: the next run finds the rows that it left there."""
        gram = self.caches.get()
        try:
            yield gram
        finally:
            self.caches.put(gram)

    def scores_by_rows(self, memory: Memory) -> Floats:
        """The scores of all rows by what is remembered, where the matrix is that of the kernel.

        They are added up in the order in which it was learned.
        """
        result = np.zeros(self.matrix.shape[0])
        for row, coef in zip(memory.rows, memory.coefs, strict=True):
            add_row(result, coef, self.matrix[row], self.examples.bias)
        return result

    def scores_by_kernel(
        self, memory: Memory, known_scores: Floats, kernel: Kernel, max_bytes: float
    ) -> Floats:
        """Scores from values of the kernel; `known_scores` are those of the rows remembered."""
        result = np.zeros(self.matrix.shape[0])
        if not memory.rows:
            return result
        result[: self.known] = known_scores
        fresh, rows = result[self.known :], self.matrix[self.known :]
        block = max(1, int(max_bytes / 4 // (8 * len(fresh))))
        for first in range(0, len(memory.rows), block):
            values = kernel(self.matrix[memory.rows[first : first + block]], rows)
            values = np.ascontiguousarray(values, np.float64)  # a product can be in Fortran's order
            for row, coef in zip(values, memory.coefs[first : first + block], strict=True):
                add_row(fresh, coef, row, self.examples.bias)
        return result


def pool_of(
    new: Matrix,
    store: Matrix | None,
    kernel: Kernel,
    max_bytes: float,
    *,
    threads: int,
    fit_intercept: bool,
) -> KernelPool:
    """Rows to learn from behind those remembered; all caches together take `max_bytes`."""
    matrix = new if store is None or store.shape[0] == 0 else stack(store, new)
    caches: SimpleQueue[Gram] = SimpleQueue()
    for _ in range(threads):
        caches.put(Gram(kernel.rows_of(matrix), matrix.shape[0], max_bytes / threads))
    examples = examples_of(rows_of(matrix), fit_intercept=fit_intercept)
    return KernelPool(matrix, matrix.shape[0] - new.shape[0], examples, caches)


def pool_of_given(matrix: Matrix, threads: int, *, fit_intercept: bool) -> KernelPool:
    """A Gram matrix that the user computed."""
    n, columns = matrix.shape
    if n != columns:
        raise ShapeError(
            f'kernel="precomputed" needs the square matrix of all kernel values; X is {n}×'
            f"{columns}. Give pairwise_kernels(X, X), or name a kernel."
        )
    dense = np.ascontiguousarray(matrix.toarray() if sp.issparse(matrix) else matrix)
    caches: SimpleQueue[Gram] = SimpleQueue()
    for _ in range(threads):
        caches.put(Gram.of_matrix(dense))
    return KernelPool(dense, 0, examples_of(rows_of(dense), fit_intercept=fit_intercept), caches)


def as_float64(matrix: Matrix) -> Matrix:
    """Kernels multiply float64 numbers; what is of that type already is not copied."""
    return matrix.astype(np.float64, copy=False)


def stack(above: Matrix, below: Matrix) -> Matrix:
    """The rows of both."""
    if sp.issparse(above) or sp.issparse(below):
        return sp.vstack([sp.csr_array(above), sp.csr_array(below)], format="csr")
    return np.vstack([above, below])
