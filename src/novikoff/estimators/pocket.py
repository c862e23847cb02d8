"""`PocketPerceptron`: the perceptron that keeps the best weights it has seen."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from novikoff.core.options import Order, Tie, check_flag
from novikoff.estimators.base import Learn, ThresholdClassifier
from novikoff.estimators.capabilities import Capabilities, check_options
from novikoff.estimators.linear import LinearThresholdClassifier
from novikoff.estimators.training_data import ExamplesOfRun, InBatches, InMemory
from novikoff.learners.batched import BatchedPocket, count_errors, loss_over, whole_examples
from novikoff.learners.pocket import Past, PocketState, epochs, loss_of, state_after
from novikoff.learners.run import Epochs, Run, RunPlan, run
from novikoff.learners.unit import Examples, check_weights, count_mistakes, weights_at
from novikoff.matrix.batches import refuse_many
from novikoff.separability.fewest.api import fewest_errors
from novikoff.separability.fewest.result import ErrorBounds

SECONDS_FOR_A_BOUND = 60.0


def _sees_no_whole(pocket: "PocketPerceptron") -> bool:
    """Whether it can learn from batches: the ratchet counts errors on all the data."""
    return not pocket.ratchet


class PocketPerceptron(LinearThresholdClassifier):
    """The pocket algorithm of Gallant (1990), for data that no hyperplane separates.

    Parameters
    ----------
    ratchet : bool, default=True
        Whether weights enter the pocket only if they make fewer errors on all the data (if the
        examples have weights: errors that weigh less). Without it
        the longest run of correct answers decides, and `partial_fit` can learn from a stream.
    bound : bool, default=False
        Whether to prove after the run how few errors any hyperplane makes (`bound_`), which takes
        up to a minute for each class: the pocket only hopes for the best one.
    order : {"random", "shuffled", "cyclic"}, default="random"
        Which example comes next. The theorem that the pocket finds the optimum is about "random".
    eta0, max_iter, tie, fit_intercept, class_weight, warm_start, n_jobs, random_state, verbose
        As in `Perceptron`.

    Attributes
    ----------
    coef_, intercept_ : ndarray
        The weights in the pocket, one row for two classes, otherwise one a class.
    n_errors_ : int or ndarray
        How many of the examples they misclassify, by the tie rule (an array for several runs).
    training_error_ : float or ndarray
        E_n: the same as a share of the examples presented, each with its weight if it has one.
    bound_ : ErrorBounds or list of ErrorBounds
        With `bound`: the fewest errors of any hyperplane, between two proven numbers; if rows have
        weights, in those. A row with a score of 0 is an error here, whatever the tie rule.
    run_lengths_ : ndarray or list of ndarray
        Correct answers in a row of each of the weights that entered the pocket, in their order.
    classes_, n_iter_, n_mistakes_, mistakes_per_epoch_, status_
        As in `Perceptron`; it converged when the pocket makes no error at all.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    >>> pocket = novikoff.PocketPerceptron(random_state=0).fit(X, y)
    >>> pocket.score(X, y)
    0.75
    """

    def __init__(
        self,
        *,
        ratchet: bool = True,
        bound: bool = False,
        eta0: float = 1.0,
        max_iter: int = 1000,
        order: Order = "random",
        tie: Tie = "mistake",
        fit_intercept: bool = True,
        class_weight: Any = None,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
        verbose: int = 0,
    ) -> None:
        self.ratchet = ratchet
        self.bound = bound
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

    partial_fit = available_if(_sees_no_whole)(ThresholdClassifier.partial_fit)

    def _check_options(self) -> Capabilities:
        check_options(self, orders=("cyclic", "shuffled", "random"))
        check_flag("ratchet", self.ratchet)
        check_flag("bound", self.bound)
        return Capabilities(
            type(self).__name__,
            self.order,
            batches=self.order == "cyclic" and not self.bound,
            resumes=True,
            refuse_scan=partial(refuse_many, who="bound=True") if self.bound else None,
        )

    def _forget(self) -> None:
        self._set_zero_weights()
        self._pasts = [Past.empty(self.n_features_in_) for _ in self.coef_]

    def _learner(self, data: InMemory | InBatches) -> Learn:
        if isinstance(data, InBatches):
            return partial(self._learn_in_batches, data)
        return partial(self._learn_in_memory, data, data.examples())

    def _learn_in_memory(
        self, data: InMemory, examples_of_run: ExamplesOfRun, k: int, plan: RunPlan
    ) -> "PocketOutcome":
        past = self._pasts[k]
        examples = examples_of_run(k, weights_at(past.working))
        loss = loss_of(examples, plan.tie, weights_at(past.kept)) if data.whole else -1.0
        report, state = self._go_on(past, epochs, examples, loss, plan)
        errors = count_mistakes(examples, plan.tie, state.weights)
        presented = float(np.abs(examples.push).sum())  # 0: nobody was, in a batch of weight 0
        wrong = loss_of(examples, plan.tie, state.weights)
        share = wrong / presented if presented else 0.0
        return PocketOutcome(report, Past.of(state), errors, share)

    def _learn_in_batches(self, data: InBatches, k: int, plan: RunPlan) -> "PocketOutcome":
        past, parts = self._pasts[k], data.parts(k)
        loss = loss_over(parts, plan.tie, weights_at(past.kept))
        examples = whole_examples(parts, self.n_features_in_)
        report, state = self._go_on(past, BatchedPocket(parts), examples, loss, plan)
        wrong, errors = count_errors(parts, plan.tie, state.weights)
        share = wrong / float(np.abs(parts.push).sum())
        return PocketOutcome(report, Past.of(state), errors, share)

    def _go_on(
        self, past: Past, loop: Epochs, examples: Examples, loss: float, plan: RunPlan
    ) -> tuple[Run, PocketState]:
        """Go on from `past`, whose pocket has this `loss`; `loop` runs the epochs."""
        rounds = plan.max_iter * len(examples.push)
        state = state_after(past, loss=loss, rounds=rounds, ratchet=self.ratchet)
        report = run(loop, examples, state, plan)
        check_weights(state.working.w)
        check_weights(state.weights.w)
        return report, state

    def _keep(self, outcomes: list["PocketOutcome"], data: InMemory | InBatches) -> None:
        self._pasts = [outcome.past for outcome in outcomes]
        self._set_weights([past.kept for past in self._pasts])
        lengths = [past.run_lengths for past in self._pasts]
        one = len(outcomes) == 1
        self.run_lengths_ = lengths[0] if one else lengths
        if data.whole:  # a batch says nothing about all the data
            errors = np.array([outcome.errors for outcome in outcomes])
            shares = np.array([outcome.share for outcome in outcomes])
            self.n_errors_ = int(errors[0]) if one else errors
            self.training_error_ = float(shares[0]) if one else shares
        self.__dict__.pop("bound_", None)
        if self.bound and data.whole and isinstance(data, InMemory):
            bounds = [self._bound(k, data) for k in range(len(outcomes))]
            self.bound_ = bounds[0] if one else bounds

    def _bound(self, k: int, data: InMemory) -> ErrorBounds:
        """The fewest errors of any hyperplane on the rows of run k, each with its weight."""
        of_one = replace(data, steps=replace(data.steps, eta0=1.0))
        weights = np.abs(of_one.push(k))
        return fewest_errors(
            data.matrix,
            np.where(data.is_positive(k), 1.0, -1.0),
            fit_intercept=self.fit_intercept,
            weights=None if (weights == 1.0).all() else weights,
            time_limit=SECONDS_FOR_A_BOUND,
        ).errors


@dataclass(frozen=True)
class PocketOutcome:
    """A run's report, what is left of it, how many errors that makes, and which share that is."""

    run: Run
    past: Past
    errors: int
    share: float
