"""`AveragedPerceptron`: the perceptron whose weights are the mean over all rounds."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Literal

import numpy as np

from novikoff.core.options import STRATEGIES, Arithmetic, Order, Strategy, Tie, choice
from novikoff.errors import OptionError
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
from novikoff.learners import averaged, joint
from novikoff.learners.batched import BatchedAverage, whole_examples
from novikoff.learners.distributed.mixing import MixingAverage
from novikoff.learners.distributed.sequential import WalkingAverage
from novikoff.learners.exact_run import (
    ExactAverage,
    IntegerExamples,
    integer_rows,
    run_exact_average,
)
from novikoff.learners.run import Epochs, Run, RunPlan, run
from novikoff.learners.unit import (
    Examples,
    check_weights,
    examples_of,
    round_weights,
    rows_are_integral,
    weights_at,
    with_push,
)
from novikoff.matrix.rows import Floats, rows_of


class AveragedPerceptron(LinearThresholdClassifier):
    """The averaged perceptron: its scores are those of the mean of the weights over all rounds.

    Parameters
    ----------
    multi_class : {"ovr", "joint"}, default="ovr"
        For more than two classes: one run a class against the rest, or one run that learns them
        together (Kessler's construction; Crammer and Singer 2003): on a mistake the true class is
        pushed towards x and the best of the others away from it.
    arithmetic : {"float64", "exact"}, default="float64"
        With "exact" the average is a rational number (`exact_coef_`, `exact_intercept_`).
    order : {"cyclic", "shuffled", "random"}, default="cyclic"
        Which example comes next.
    eta0, max_iter, tie, fit_intercept, class_weight, warm_start, n_jobs, random_state, \
verbose, strategy
        As in `Perceptron` (threads share the one run unless `multi_class="joint"`).

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The average: each round counts with the weights it ended with.
    last_coef_, last_intercept_ : ndarray
        The weights of the perceptron itself, at the end.
    classes_, n_iter_, n_mistakes_, mistakes_per_epoch_, status_
        As in `Perceptron`.
    n_errors_ : int or ndarray
        After learning on a cluster: how many rows the average gets wrong (one number a run).

    Notes
    -----
    On a Dask cluster, ``strategy="exact"`` gives the very bits of one machine's run, and
    ``strategy="mixing"`` keeps the bounds of `Perceptron` on its mistakes and averages over all
    rounds of all partitions. Both end with a pass of all workers that counts `n_errors_`, every
    sign decided exactly: 0 certifies that the average separates the data, and `certify(X, y)` makes
    the certificate of that.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1]
    >>> novikoff.AveragedPerceptron().fit(X, y).predict([[2, 2]]).tolist()
    [1]
    """

    def __init__(
        self,
        *,
        eta0: float = 1.0,
        max_iter: int = 1000,
        order: Order = "cyclic",
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        multi_class: Literal["ovr", "joint"] = "ovr",
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
        self.multi_class = multi_class
        self.arithmetic = arithmetic
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose
        self.strategy = strategy

    def _check_options(self) -> Capabilities:
        check_options(self, orders=("cyclic", "shuffled", "random"))
        choice("arithmetic", self.arithmetic, ("float64", "exact"))
        choice("multi_class", self.multi_class, ("ovr", "joint"))
        choice("strategy", self.strategy, STRATEGIES)
        if self.multi_class == "joint" and self.arithmetic == "exact":
            raise OptionError(
                'arithmetic="exact" learns each class against the rest: use multi_class="ovr".'
            )
        if self.multi_class == "joint" and self.tie == "+1":
            raise OptionError(
                'multi_class="joint" starts with all scores equal, and tie="+1" forgives that: '
                'it would never learn. Use tie="mistake".'
            )
        return Capabilities(
            type(self).__name__,
            self.order,
            exact=self.arithmetic == "exact",
            together=self.multi_class == "joint",
            batches=self.order == "cyclic",
            cluster=True,
            strategy=self.strategy,
            resumes=True,
        )

    def _forget(self) -> None:
        self._set_zero_weights()
        runs = len(self.coef_)
        self._last = [self._w_hat(k) for k in range(runs)]
        self._delayed = [self._w_hat(k) for k in range(runs)]
        self._rounds = [0] * runs
        self._rational: list[ExactAverage | None] = [None] * runs

    def _learner(self, data: TrainingData) -> Learn:
        match data:
            case OnCluster():
                return partial(self._learn_on_cluster, data)
            case InBatches():
                return partial(self._learn_in_batches, data)
            case InMemory() if self.arithmetic == "exact":
                rows = integer_rows(data.matrix, fit_intercept=self.fit_intercept)
                return partial(self._learn_exactly, data, rows)
            case InMemory() if self.multi_class == "joint" and len(self.classes_) > 2:
                return partial(self._learn_jointly, data)
            case InMemory():
                return partial(self._learn_in_memory, data.examples())

    def _learn_in_memory(
        self, examples_of_run: ExamplesOfRun, k: int, plan: RunPlan
    ) -> "AveragedOutcome":
        examples = examples_of_run(k, weights_at(self._last[k]))
        loop = partial(averaged.epochs, threads=plan.threads_for(examples))
        return self._average(k, loop, examples, plan)

    def _learn_in_batches(self, data: InBatches, k: int, plan: RunPlan) -> "AveragedOutcome":
        parts = data.parts(k)
        examples = whole_examples(parts, self.n_features_in_)
        return self._average(k, BatchedAverage(parts), examples, plan)

    def _learn_on_cluster(self, data: OnCluster, k: int, plan: RunPlan) -> "AveragedOutcome":
        parts = data.parts(k)
        loop = (WalkingAverage if self.strategy == "exact" else MixingAverage)(parts)
        outcome = self._average(k, loop, parts.whole(self.n_features_in_), plan)
        return replace(outcome, n_errors=parts.errors(plan.tie, outcome.average[0]))

    def _average(
        self, k: int, loop: Epochs, examples: Examples, plan: RunPlan
    ) -> "AveragedOutcome":
        """Go on with run k; `loop` runs its epochs."""
        w, delayed = self._last[k].copy(), self._delayed[k].copy()
        state = averaged.state_of(w, delayed, self._rounds[k])
        report = run(loop, examples, state, plan)
        check_weights(w)
        check_weights(delayed)
        average = averaged.average_of(state)
        return AveragedOutcome(report, [average], [w], [delayed], int(state.rounds[0]))

    def _learn_jointly(self, data: InMemory, k: int, plan: RunPlan) -> "AveragedOutcome":
        """The one run (k is 0) of all classes together: a row's push is the length of its step."""
        W, delayed = np.array(self._last), np.array(self._delayed)
        rows, index = rows_of(data.matrix), data.index.astype(np.int64)
        examples = with_push(
            examples_of(rows, fit_intercept=self.fit_intercept),
            data.steps.lengths(index, data.weights),
            weights_at(W.ravel()),
            on_grid=data.whole and rows_are_integral(rows),
        )
        state = joint.state_of(index, W, delayed, self._rounds[k])
        report = run(joint.epochs, examples, state, plan, errors=joint.errors)
        check_weights(W)
        check_weights(delayed)
        average = joint.average_of(state)
        return AveragedOutcome(report, list(average), list(W), list(delayed), int(state.rounds[0]))

    def _learn_exactly(
        self, data: InMemory, rows: IntegerExamples, k: int, plan: RunPlan
    ) -> "AveragedOutcome":
        start = self._rational[k] or ExactAverage.start(rows.X.shape[1])
        exact = run_exact_average(rows, data.exact_push(k), start, plan)
        assert exact.run is not None
        average, w = self._round(exact.average), self._round(exact.weights)
        return AveragedOutcome(exact.run, [average], [w], [w], exact.rounds, exact)

    def _round(self, rational: list[Fraction]) -> Floats:
        return round_weights(self._with_intercept(rational))

    def _with_intercept(self, rational: list[Fraction]) -> list[Fraction]:
        return rational if self.fit_intercept else [*rational, Fraction(0)]

    def _keep(self, outcomes: list["AveragedOutcome"], data: TrainingData) -> None:  # noqa: ARG002
        self._set_weights([w for outcome in outcomes for w in outcome.average])
        self._set_errors([outcome.n_errors for outcome in outcomes])
        self._last = [w for outcome in outcomes for w in outcome.last]
        self._delayed = [w for outcome in outcomes for w in outcome.delayed]
        self._rounds = [outcome.rounds for outcome in outcomes for _ in outcome.last]
        stacked = np.array(self._last)
        self.last_coef_, self.last_intercept_ = stacked[:, :-1], stacked[:, -1]
        if self.arithmetic == "exact":
            self._rational = [outcome.exact for outcome in outcomes]
            exact = [state.average for state in self._rational if state is not None]
            table = np.array([self._with_intercept(average) for average in exact], dtype=object)
            self.exact_coef_, self.exact_intercept_ = table[:, :-1], table[:, -1]


@dataclass(frozen=True)
class AveragedOutcome:
    """A run's report; for each ŵ it learned the average, the last one, and what was delayed."""

    run: Run
    average: list[Floats]
    last: list[Floats]
    delayed: list[Floats]
    rounds: int
    exact: ExactAverage | None = None
    n_errors: int | None = None
