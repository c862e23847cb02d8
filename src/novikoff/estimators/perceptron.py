"""`Perceptron`: the learning rule of the texts as a scikit-learn classifier."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.cluster_learners.mixing import MixingPerceptron
from novikoff.cluster_learners.presented import PresentedPartitions
from novikoff.cluster_learners.walking import WalkingPerceptron
from novikoff.conventions import STRATEGIES, Arithmetic, Order, Strategy, Tie, choice
from novikoff.estimators.base import LinearThresholdClassifier, Task
from novikoff.estimators.proof import proof_of_cycle
from novikoff.learners.batched import BatchedPerceptron, Parts, whole_examples
from novikoff.learners.integers import IntegerRows, integer_rows, run_exact
from novikoff.learners.perceptron_run import run_perceptron
from novikoff.learners.run import Plan, Run
from novikoff.learners.unit import Examples, examples_of, rows_are_integral, weights_at, with_push
from novikoff.learners.weight_range import round_weights
from novikoff.problem import Problem, check_names, two_classes
from novikoff.rows import Floats, rows_of

__all__ = ["Perceptron"]


class Perceptron(LinearThresholdClassifier):
    """The perceptron, exactly as the textbooks define it.

    Parameters
    ----------
    eta0 : float, default=1.0
        η, the length of a step. From zero weights it scales the result and changes no mistake.
    max_iter : int, default=1000
        How many epochs at most.
    order : {"cyclic", "shuffled", "random", "worst"}, default="cyclic"
        Which example comes next; see `novikoff.conventions`.
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
        How many threads learn classes against the rest.
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
    weights separate the data.

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

    def _check_options(self) -> None:
        super()._check_options()
        choice("arithmetic", self.arithmetic, ("float64", "exact"))
        choice("strategy", self.strategy, STRATEGIES)

    @property
    def _exact(self) -> bool:
        return bool(self.arithmetic == "exact")

    def _forget(self) -> None:
        super()._forget()
        self._rational: list[list[Fraction] | None] = [None] * len(self.coef_)

    def _prepare(self, task: Task) -> IntegerRows | tuple[Examples, bool]:
        if self._exact:
            return integer_rows(task.matrix, fit_intercept=self.fit_intercept)
        rows = rows_of(task.matrix)
        # A batch proves nothing about cycles, so only `fit` asks for the grid.
        on_grid = task.whole and rows_are_integral(rows)
        return examples_of(rows, fit_intercept=self.fit_intercept), on_grid

    def _learn(self, k: int, prepared: Any, task: Task, plan: Plan) -> "PerceptronOutcome":
        if self._exact:
            exact = run_exact(prepared, task.exact_push(k, self.eta0), self._rational[k], plan)
            rational = exact.weights if self.fit_intercept else [*exact.weights, Fraction(0)]
            return PerceptronOutcome(exact.run, round_weights(rational), exact.cycle, exact.weights)
        weights = weights_at(self._w_hat(k))
        rows, on_grid = prepared
        examples = with_push(rows, task.push(k, self.eta0), weights, on_grid=on_grid)
        report, cycle = run_perceptron(examples, weights, plan)
        return PerceptronOutcome(report, weights.w, cycle)

    def _reads_in_order(self, classes: int) -> bool:  # noqa: ARG002
        return bool(self.order == "cyclic")

    def _learn_batches(self, k: int, parts: Parts, plan: Plan) -> "PerceptronOutcome":
        weights = weights_at(self._w_hat(k))
        if parts.batches.is_integral:
            parts = parts.surveyed(weights)
        examples = whole_examples(parts, self.n_features_in_)
        report, cycle = run_perceptron(examples, weights, plan, loop=BatchedPerceptron(parts))
        return PerceptronOutcome(report, weights.w, cycle)

    @property
    def _can_use_cluster(self) -> bool:
        return True

    def _learn_partitions(
        self, k: int, parts: PresentedPartitions, plan: Plan
    ) -> "PerceptronOutcome":
        weights = weights_at(self._w_hat(k))
        if self.strategy == "exact":
            parts = parts.on_grid(weights.w)
        loop = (WalkingPerceptron if self.strategy == "exact" else MixingPerceptron)(parts)
        examples = parts.whole(self.n_features_in_)
        report, _ = run_perceptron(examples, weights, plan, loop=loop)
        errors = parts.errors(plan.tie, weights.w)
        return PerceptronOutcome(report, weights.w, None, n_errors=errors)

    def _keep(self, outcomes: list["PerceptronOutcome"], task: Task) -> None:
        self._set_weights([outcome.w for outcome in outcomes])
        self._set_errors([outcome.n_errors for outcome in outcomes])
        if self._exact:
            self._rational = [outcome.rational for outcome in outcomes]
            rationals = [[*(outcome.rational or []), Fraction(0)] for outcome in outcomes]
            table = np.array(rationals, dtype=object)[:, : self.n_features_in_ + 1]
            self.exact_coef_, self.exact_intercept_ = table[:, :-1], table[:, -1]
        # There is a certificate only where a run over all the data cycled: weights that come back
        # after one batch have made no cycle, for the next batch is another.
        self.__dict__.pop("certificate_", None)
        if not task.whole:
            return
        proofs = [self._proof(k, outcome, task) for k, outcome in enumerate(outcomes)]
        if any(proofs):
            self.certificate_ = proofs[0] if len(proofs) == 1 else proofs

    def _proof(self, k: int, outcome: "PerceptronOutcome", task: Task) -> Certificate | None:
        if outcome.cycle is None or task.matrix is None:  # a scan that may keep no file
            return None
        steps = task.exact_push(k, self.eta0)
        alpha = [int(c) * abs(step) for c, step in zip(outcome.cycle, steps, strict=True)]
        # What the certificate speaks of: the user's own labels, or `y == classes_[k]`.
        labels = self.classes_ if len(self.classes_) == 2 else np.array([False, True])
        problem = Problem(
            X=task.matrix,
            y=np.where(task.signs[k] > 0, 1, -1).astype(np.int8),
            fit_intercept=bool(self.fit_intercept),
            names=check_names(getattr(self, "feature_names_in_", None), self.n_features_in_),
            classes=two_classes(labels),
        )
        return proof_of_cycle(problem, alpha)


@dataclass(frozen=True)
class PerceptronOutcome:
    """A run's report, its ŵ, the mistakes of its cycle if it cycled, and ŵ as rational numbers."""

    run: Run
    w: Floats
    cycle: NDArray[np.int64] | None
    rational: list[Fraction] | None = None
    n_errors: int | None = None
