"""`KernelPerceptron`: the perceptron in the space of a kernel, on a budget if need be."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.metaestimators import available_if

from novikoff.core.blas import one_thread
from novikoff.core.options import Order, Tie, check_count, check_positive, choice
from novikoff.estimators.base import Learn, ThresholdClassifier
from novikoff.estimators.capabilities import Capabilities, check_options
from novikoff.estimators.kernels import (
    Kernel,
    KernelPool,
    as_float64,
    check_kernel_options,
    gamma_of,
    pool_of,
    pool_of_given,
    reads_gamma,
    stack,
)
from novikoff.estimators.training_data import InMemory, n_planes
from novikoff.learners.budget import BudgetEpochs, Memory, Removal
from novikoff.learners.kernel import Gram, KernelEpochs, errors, state_of
from novikoff.learners.run import Run, RunPlan, run
from novikoff.learners.unit import scores
from novikoff.matrix.batches import Batches, refuse_batches
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats, rows_of

MEGABYTE = 2**20


def _has_rows(estimator: "KernelPerceptron") -> bool:
    """Whether it can learn from batches: a precomputed matrix is of one set of rows."""
    return bool(estimator.kernel != "precomputed")


def _refuse_sparse(batches: Batches) -> None:
    if batches.is_sparse:
        why = "products with a sparse matrix copy all of it, for every few rows of the kernel's"
        refuse_batches(batches, "A KernelPerceptron on svmlight", why)


class KernelPerceptron(ThresholdClassifier):
    """The kernel perceptron: linear in the features that a kernel stands for.

    It keeps the rows on which it made mistakes, and no others.

    Parameters
    ----------
    kernel : {"linear", "poly", "rbf", "sigmoid", "precomputed"} or callable, default="rbf"
        Values are those of scikit-learn's `pairwise_kernels`; a callable takes two rows and returns
        a number. With "precomputed", `X` is the Gram matrix.
    degree, gamma, coef0 : default=3, "scale", 0.0
        The parameters of those kernels, as in scikit-learn's `SVC`. With `partial_fit`, "scale" is
        that of the first batch.
    kernel_params : dict, default=None
        Further arguments for a callable.
    budget : int, default=None
        How many rows may be remembered at most, for each run. None: all.
    removal : {"forgetron", "random"}, default="forgetron"
        Which row is forgotten when the budget is spent: see `novikoff.learners.budget`.
    cache_size : float, default=200
        Megabytes for rows of the Gram matrix; more rows than fit are computed again.
    fit_intercept : bool, default=True
        Whether there is a bias: 1 is added to the kernel.
    order : {"cyclic", "shuffled", "random"}, default="cyclic"
        Which example comes next.
    class_weight : dict or "balanced", default=None
        Factors for the steps of each class, in every run, as in `SVC` (with the linear kernel and
        no budget: as in `Perceptron`).
    eta0, max_iter, tie, warm_start, n_jobs, random_state, verbose
        As in `Perceptron`.

    Attributes
    ----------
    support_vectors_ : ndarray or CSR matrix
        The rows that are remembered (none with "precomputed").
    support_ : ndarray
        Their indices in the `X` of the last call (−1 for rows that came before it).
    dual_coef_ : ndarray
        Their coefficients, a row for each run.
    intercept_ : ndarray
        The bias of each run.
    coef_ : ndarray
        With the linear kernel and no budget: the weights, those of `Perceptron` to the bit.
    gamma_ : float
        γ as a number (1/d for a kernel that has none).
    classes_, n_iter_, n_mistakes_, mistakes_per_epoch_, status_
        As in `Perceptron`.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> novikoff.KernelPerceptron(kernel="rbf").fit(X, y).predict(X).tolist()
    [0, 1, 1, 0]
    """

    def __init__(
        self,
        *,
        kernel: str | Callable[..., float] = "rbf",
        degree: int = 3,
        gamma: float | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        kernel_params: dict[str, Any] | None = None,
        budget: int | None = None,
        removal: Removal = "forgetron",
        cache_size: float = 200,
        eta0: float = 1.0,
        max_iter: int = 1000,
        order: Order = "cyclic",
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        class_weight: Any = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.budget = budget
        self.removal = removal
        self.cache_size = cache_size
        self.eta0 = eta0
        self.max_iter = max_iter
        self.order = order
        self.tie = tie
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    partial_fit = available_if(_has_rows)(ThresholdClassifier.partial_fit)

    def _check_options(self) -> Capabilities:
        check_options(self, orders=("cyclic", "shuffled", "random"))
        check_kernel_options(self)
        if self.budget is not None:
            check_count("budget", self.budget)
        choice("removal", self.removal, ("forgetron", "random"))
        check_positive("cache_size", self.cache_size)
        advice = "choose a kernel with more features (a larger gamma or degree)"
        return Capabilities(
            type(self).__name__,
            self.order,
            advice=advice if self.budget is None else None,  # what forgets goes on making mistakes
            refuse_scan=_refuse_sparse,
        )

    @property
    def _is_linear(self) -> bool:
        """Whether ŵ can be written down, and decides where rounding could matter."""
        return bool(self.kernel == "linear" and self.budget is None)

    def _forget(self) -> None:
        runs = n_planes(self.classes_)
        self._memories = [Memory() for _ in range(runs)]
        self._scores_of_support = [np.empty(0) for _ in range(runs)]
        self._w = [np.zeros(self.n_features_in_ + 1) for _ in range(runs)]
        self._store: Matrix | None = None
        self.gamma_ = float("nan")

    def _learner(self, data: InMemory) -> Learn:
        return partial(self._learn_in_memory, data, self._pool(data))

    def _pool(self, data: InMemory) -> KernelPool:
        """The rows that are remembered and, behind them, those to learn from; caches for them."""
        new = as_float64(data.matrix)
        if np.isnan(self.gamma_):
            self.gamma_ = gamma_of(self.gamma if reads_gamma(self.kernel) else "auto", new)
        threads = min(effective_n_jobs(self.n_jobs), data.steps.n_runs)
        if self.kernel == "precomputed":
            return pool_of_given(new, threads, fit_intercept=self.fit_intercept)
        kernel, room = Kernel.of(self, self.gamma_), self.cache_size * MEGABYTE
        return pool_of(
            new, self._store, kernel, room, threads=threads, fit_intercept=self.fit_intercept
        )

    def _learn_in_memory(
        self, data: InMemory, pool: KernelPool, k: int, plan: RunPlan
    ) -> "KernelOutcome":
        with pool.cache() as gram, one_thread():
            return self._learn_on(gram, k, pool, self._push(k, data), plan)

    def _learn_on(
        self, gram: Gram, k: int, pool: KernelPool, push_of_new: Floats, plan: RunPlan
    ) -> "KernelOutcome":
        memory = self._memories[k].copy()
        push = np.concatenate([np.zeros(pool.known), push_of_new])
        examples = pool.examples._replace(push=push)
        w = self._w[k].copy() if self._is_linear else np.empty(0)
        state = state_of(np.zeros(len(push)), self._first_scores(k, pool), w)
        if self.budget is None:
            report = run(KernelEpochs(gram), examples, state, plan, errors=errors)
            mistaken = np.flatnonzero(state.coef)
            memory.rows += mistaken.tolist()
            memory.coefs += state.coef[mistaken].tolist()
            memory.mistakes += report.n_mistakes
        else:
            bounded = BudgetEpochs(
                gram, memory, self.budget, self.removal, float(self.eta0), plan.random_state
            )
            report = run(bounded, examples, state, plan, errors=errors)
        return KernelOutcome(report, memory, state.scores, w)

    def _push(self, k: int, data: InMemory) -> Floats:
        """yᵢ·ηᵢ for run k; an example has the factor of its own class in every run, as in `SVC`.

        Not so with the linear kernel, whose every mistake is one of `Perceptron`.
        """
        if data.steps.n_runs == 1 or self._is_linear:
            return data.push(k)
        lengths = data.steps.lengths(data.index, data.weights)
        return np.where(data.is_positive(k), lengths, -lengths)

    def _first_scores(self, k: int, pool: KernelPool) -> Floats:
        """The scores of all rows by what run k remembers."""
        if self.kernel == "precomputed":
            return pool.scores_by_rows(self._memories[k])
        kernel, room = Kernel.of(self, self.gamma_), self.cache_size * MEGABYTE
        return pool.scores_by_kernel(self._memories[k], self._scores_of_support[k], kernel, room)

    def _keep(self, outcomes: list["KernelOutcome"], data: InMemory) -> None:
        """Store the rows that any run remembers, each once, and point the memories to them."""
        known = 0 if self._store is None or self.kernel == "precomputed" else self._store.shape[0]
        used = np.unique(np.concatenate([np.array(o.memory.rows, np.int64) for o in outcomes]))
        if self.kernel == "precomputed":
            self._memories = [outcome.memory for outcome in outcomes]
            self.support_ = used
        else:
            self._memories = [outcome.memory_among(used) for outcome in outcomes]
            new = as_float64(data.matrix)[used[used >= known] - known]
            old = None if self._store is None else self._store[used[used < known]]
            self._store = new if old is None else stack(old, new)
            self.support_ = np.where(used >= known, used - known, -1)
            self._scores_of_support = [outcome.scores[used] for outcome in outcomes]
        self.dual_coef_ = np.zeros((len(outcomes), len(used)))
        for row, memory in zip(self.dual_coef_, self._memories, strict=True):
            places = np.array(memory.rows, np.int64)
            if self.kernel == "precomputed":
                places = np.searchsorted(used, places)
            np.add.at(row, places, memory.coefs)
        self._w = [outcome.w for outcome in outcomes]
        self.intercept_ = self.dual_coef_.sum(axis=1) * (1.0 if self.fit_intercept else 0.0)
        if self._is_linear:
            w_hats = np.array(self._w)
            self.coef_, self.intercept_ = w_hats[:, :-1], w_hats[:, -1]

    @property
    def support_vectors_(self) -> Matrix:
        """The rows that are remembered."""
        return self._store if self._store is not None else np.zeros((0, self.n_features_in_))

    def _scores(self, matrix: Matrix) -> list[Floats]:
        if self._is_linear:
            rows = rows_of(matrix)
            return [scores(rows, matrix.shape[0], w) for w in self._w]
        with one_thread():
            return self._kernel_scores(matrix)

    def _kernel_scores(self, matrix: Matrix) -> list[Floats]:
        result = np.empty((len(self.dual_coef_), matrix.shape[0]))
        points, kernel = as_float64(matrix), Kernel.of(self, self.gamma_)
        width = max(1, self.dual_coef_.shape[1])
        block = max(1, int(self.cache_size * MEGABYTE / 4 // (8 * width)))
        for first in range(0, matrix.shape[0], block):
            chosen = points[first : first + block]
            if self.kernel == "precomputed":
                values = chosen[:, self.support_]
            elif self.dual_coef_.shape[1] == 0:
                values = np.zeros((chosen.shape[0], 0))
            else:
                values = kernel(chosen, self.support_vectors_)
            result[:, first : first + block] = (values @ self.dual_coef_.T + self.intercept_).T
        return list(result)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


@dataclass(frozen=True)
class KernelOutcome:
    """A run's report, what it remembers, the scores of all rows, and ŵ if it is written down."""

    run: Run
    memory: Memory
    scores: Floats
    w: Floats

    def memory_among(self, used: NDArray[np.int64]) -> Memory:
        """The memory, its rows numbered by their places in `used`."""
        return replace(self.memory, rows=np.searchsorted(used, self.memory.rows).tolist())
