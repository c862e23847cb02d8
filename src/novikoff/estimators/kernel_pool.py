"""The rows of one call to a kernel learner, with the caches in which their Gram rows are kept."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from novikoff import sparse as sp
from novikoff.errors import ShapeError
from novikoff.estimators.kernels import Kernel
from novikoff.learners.budget import Memory
from novikoff.learners.gram import Gram
from novikoff.learners.kernel import add_row
from novikoff.learners.unit import Examples, examples_of
from novikoff.problem import Matrix
from novikoff.rows import Floats, rows_of

__all__ = ["Pool", "as_float64", "pool_of", "pool_of_given", "stack"]


@dataclass(frozen=True)
class Pool:
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
        """The same by values of the kernel; those of the rows remembered are known."""
        result = np.zeros(self.matrix.shape[0])
        if not memory.rows:
            return result
        result[: self.known] = known_scores
        fresh, rows = result[self.known :], self.matrix[self.known :]
        block = max(1, int(max_bytes / 4 // (8 * len(fresh))))
        for first in range(0, len(memory.rows), block):
            values = kernel(self.matrix[memory.rows[first : first + block]], rows)
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
) -> Pool:
    """Rows to learn from behind those remembered; all caches together take `max_bytes`."""
    matrix = new if store is None or store.shape[0] == 0 else stack(store, new)
    caches: SimpleQueue[Gram] = SimpleQueue()
    for _ in range(threads):
        caches.put(Gram(kernel.rows_of(matrix), matrix.shape[0], max_bytes / threads))
    examples = examples_of(rows_of(matrix), fit_intercept=fit_intercept)
    return Pool(matrix, matrix.shape[0] - new.shape[0], examples, caches)


def pool_of_given(matrix: Matrix, threads: int, *, fit_intercept: bool) -> Pool:
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
    return Pool(dense, 0, examples_of(rows_of(dense), fit_intercept=fit_intercept), caches)


def as_float64(matrix: Matrix) -> Matrix:
    """Kernels multiply float64 numbers; what is of that type already is not copied."""
    return matrix.astype(np.float64, copy=False)


def stack(above: Matrix, below: Matrix) -> Matrix:
    """The rows of both."""
    if sp.issparse(above) or sp.issparse(below):
        return sp.vstack([sp.csr_array(above), sp.csr_array(below)], format="csr")
    return np.vstack([above, below])
