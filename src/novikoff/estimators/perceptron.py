"""`Perceptron`: the learning rule of the texts as a scikit-learn classifier.

Cycles of the perceptron as certificates, checked before anybody sees them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.verify import verify_problem
from novikoff.core.options import ORDERS, STRATEGIES, Arithmetic, Order, Strategy, Tie, choice
from novikoff.estimators.base import Learn
from novikoff.estimators.capabilities import Capabilities, check_options
from novikoff.estimators.linear import LinearThresholdClassifier
from novikoff.estimators.training_data import (
    ExamplesOfRun,
    InBatches,
    InMemory,
    OnCluster,
    TrainingData,
)
from novikoff.learners.batched import BatchedPerceptron, whole_examples
from novikoff.learners.distributed.mixing import MixingPerceptron
from novikoff.learners.distributed.sequential import WalkingPerceptron
from novikoff.learners.exact_run import IntegerExamples, integer_rows, run_exact
from novikoff.learners.run import Run, RunPlan, run_perceptron
from novikoff.learners.unit import round_weights, weights_at
from novikoff.matrix.problem import Problem, check_names, two_classes
from novikoff.matrix.rows import Floats

# How often each row was mistaken in one turn of the cycle; None for a run that made none.
Cycle = NDArray[np.int64] | None


def proofs_of_cycles(
    cycles: Sequence[Cycle], data: TrainingData, names: Sequence[str] | None
) -> list[Certificate | None]:
    """The certificates of the runs that cycled; none at all where not all rows are in memory.

    Weights that come back after one batch have made no cycle, for the next batch is another.
    """
    if not data.whole or all(cycle is None for cycle in cycles):
        return []
    if isinstance(data, InBatches) and data.batches.folder is not None:
        data = data.in_memory("the proof of a cycle is about all rows")
    if not isinstance(data, InMemory):  # a scan that may keep no file
        return []
    return [
        None if cycle is None else _proof(k, cycle, data, names) for k, cycle in enumerate(cycles)
    ]


def _proof(
    k: int, cycle: NDArray[np.int64], data: InMemory, names: Sequence[str] | None
) -> Certificate:
    """Gordan's certificate of run k, whose cycle pushed αᵢ on each row: Σ αᵢ yᵢ x̂ᵢ = 0."""
    steps, classes = data.exact_push(k), data.steps.classes
    alpha = [int(count) * abs(step) for count, step in zip(cycle, steps, strict=True)]
    # What the certificate speaks of: the user's own labels, or `y == classes[k]`.
    labels = classes if len(classes) == 2 else np.array([False, True])
    problem = Problem(
        X=data.matrix,
        y=np.where(data.is_positive(k), 1, -1).astype(np.int8),
        fit_intercept=bool(data.fit_intercept),
        names=check_names(names, data.matrix.shape[1]),
        classes=two_classes(labels),
    )
    return _verified(problem, alpha)


def _verified(problem: Problem, alpha: Sequence[Fraction]) -> Certificate:
    rows = [i for i, value in enumerate(alpha) if value > 0]
    certificate = Certificate.not_separable(problem, rows, [alpha[i] for i in rows])
    verification = verify_problem(certificate, problem)
    if not verification.valid:
        raise AssertionError(f"a cycle that proves nothing: {verification.reason}")
    return certificate


class Perceptron(LinearThresholdClassifier):
    """The perceptron, exactly as the textbooks define it.

    Parameters
    ----------
    eta0 : float, default=1.0
        η, the length of a step. From zero weights it scales the result and changes no mistake.
    max_iter : int, default=1000
        How many epochs at most.
    order : {"cyclic", "shuffled", "random", "worst"}, default="cyclic"
        Which example comes next; see `novikoff.core.options`.
    tie : {"mistake", "+1", "-1"}, default="mistake"
        Which side a score of exactly 0 falls on.
    fit_intercept : bool, default=True
        Whether there is a bias b, a weight whose input is always 1.
    arithmetic : {"float64", "exact"}, default="float64"
        With "exact" the weights are rational numbers (`exact_coef_`, `exact_intercept_`).
    class_weight : dict or "balanced", default=None
        Factors for the steps of each class.
    warm_start : bool, default=False
        Whether `fit` goes on from the weights it finds.
    n_jobs : int, default=None
        How many threads (−1: one a core). They share one run, or learn several classes against the
        rest. No bit depends on it.
    random_state : int or RandomState, default=None
        Random numbers for the orders "shuffled" and "random".
    verbose : int, default=0
        Whether to say now and then how a long run goes.
    strategy : {"exact", "mixing"}, default="exact"
        How to learn on a Dask cluster; see below.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights, one row for two classes, otherwise one a class.
    classes_ : ndarray
        The labels; of two, the second is +1.
    n_iter_ : int
        Epochs, the last and faultless one included.
    n_mistakes_ : int
        Mistakes in all.
    mistakes_per_epoch_ : ndarray
        Mistakes in each epoch (a row a class where there are several runs).
    status_ : Status
        Why it stopped, as a sentence; `statuses_` has one for each run.
    certificate_ : Certificate
        When it cycled: the proof that no separator exists (a list where there are several runs).
    n_errors_ : int or ndarray
        After learning on a cluster: how many rows the weights get wrong (one number a run).

    Notes
    -----
    On a Dask cluster there are two strategies. Both end with a pass of all workers over all rows
    in which every sign is decided exactly: `n_errors_` is what it counted, and 0 certifies that the
    weights separate the data; `certify(X, y)` makes the certificate of that.

    ``strategy="exact"`` presents the rows in their order, partition after partition, and ships the
    weights: the mistakes, the epochs and every bit of the weights are those of one machine, for any
    partitions and any number of workers. R²/γ² bounds the mistakes.

    ``strategy="mixing"`` lets all partitions learn at the same time from the same weights, and
    mixes what they learned in proportion to their mistakes (McDonald, Hall and Mann 2010). The
    result depends on where the partitions end, not on the workers. On separable data, with steps of
    one length and from zero weights, at most R²/γ² epochs have a mistake, and P partitions make at
    most P·R²/γ² mistakes in all.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> unit = novikoff.Perceptron().fit(X, y)
    >>> print(unit.status_)
    It converged: a whole epoch without a mistake.
    >>> unit.predict(X).tolist()
    [0, 0, 0, 1]
    """

    def __init__(
        self,
        *,
        eta0: float = 1.0,
        max_iter: int = 1000,
        order: Order = "cyclic",
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        arithmetic: Arithmetic = "float64",
        class_weight: Any = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
        strategy: Strategy = "exact",
    ) -> None:
        self.eta0 = eta0
        self.max_iter = max_iter
        self.order = order
        self.tie = tie
        self.fit_intercept = fit_intercept
        self.arithmetic = arithmetic
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.strategy = strategy

    def _check_options(self) -> Capabilities:
        check_options(self, orders=ORDERS)
        choice("arithmetic", self.arithmetic, ("float64", "exact"))
        choice("strategy", self.strategy, STRATEGIES)
        return Capabilities(
            type(self).__name__,
            self.order,
            exact=self.arithmetic == "exact",
            batches=self.order == "cyclic",
            cluster=True,
            strategy=self.strategy,
            resumes=True,
            advice="ask novikoff.separate(X, y) whether a separator exists at all",
        )

    def _forget(self) -> None:
        self._set_zero_weights()
        self._rational: list[list[Fraction] | None] = [None] * len(self.coef_)

    def _learner(self, data: TrainingData) -> Learn:
        match data:
            case OnCluster():
                return partial(self._learn_on_cluster, data)
            case InBatches():
                return partial(self._learn_in_batches, data)
            case InMemory() if self.arithmetic == "exact":
                rows = integer_rows(data.matrix, fit_intercept=self.fit_intercept)
                return partial(self._learn_exactly, data, rows)
            case InMemory():
                return partial(self._learn_in_memory, data.examples())

    def _learn_in_memory(
        self, examples_of_run: ExamplesOfRun, k: int, plan: RunPlan
    ) -> "PerceptronOutcome":
        weights = weights_at(self._w_hat(k))
        report, cycle = run_perceptron(examples_of_run(k, weights), weights, plan)
        return PerceptronOutcome(report, weights.w, cycle)

    def _learn_exactly(
        self, data: InMemory, rows: IntegerExamples, k: int, plan: RunPlan
    ) -> "PerceptronOutcome":
        exact = run_exact(rows, data.exact_push(k), self._rational[k], plan)
        rational = exact.weights if self.fit_intercept else [*exact.weights, Fraction(0)]
        return PerceptronOutcome(exact.run, round_weights(rational), exact.cycle, exact.weights)

    def _learn_in_batches(self, data: InBatches, k: int, plan: RunPlan) -> "PerceptronOutcome":
        weights, parts = weights_at(self._w_hat(k)), data.parts(k)
        if data.batches.is_integral:
            parts = parts.surveyed(weights)
        examples = whole_examples(parts, self.n_features_in_)
        report, cycle = run_perceptron(examples, weights, plan, loop=BatchedPerceptron(parts))
        return PerceptronOutcome(report, weights.w, cycle)

    def _learn_on_cluster(self, data: OnCluster, k: int, plan: RunPlan) -> "PerceptronOutcome":
        weights, parts = weights_at(self._w_hat(k)), data.parts(k)
        if self.strategy == "exact":
            parts = parts.on_grid(weights.w)
        loop = (WalkingPerceptron if self.strategy == "exact" else MixingPerceptron)(parts)
        examples = parts.whole(self.n_features_in_)
        report, _ = run_perceptron(examples, weights, plan, loop=loop)
        errors = parts.errors(plan.tie, weights.w)
        return PerceptronOutcome(report, weights.w, None, n_errors=errors)

    def _keep(self, outcomes: list["PerceptronOutcome"], data: TrainingData) -> None:
        self._set_weights([outcome.w for outcome in outcomes])
        self._set_errors([outcome.n_errors for outcome in outcomes])
        if self.arithmetic == "exact":
            self._rational = [outcome.rational for outcome in outcomes]
            rationals = [[*(outcome.rational or []), Fraction(0)] for outcome in outcomes]
            table = np.array(rationals, dtype=object)[:, : self.n_features_in_ + 1]
            self.exact_coef_, self.exact_intercept_ = table[:, :-1], table[:, -1]
        self.__dict__.pop("certificate_", None)
        cycles, names = [each.cycle for each in outcomes], getattr(self, "feature_names_in_", None)
        proofs = proofs_of_cycles(cycles, data, names)
        if any(proofs):
            self.certificate_ = proofs[0] if len(proofs) == 1 else proofs


@dataclass(frozen=True)
class PerceptronOutcome:
    """A run's report, its ŵ, the mistakes of its cycle if it cycled, and ŵ as rational numbers."""

    run: Run
    w: Floats
    cycle: NDArray[np.int64] | None
    rational: list[Fraction] | None = None
    n_errors: int | None = None
