"""What all threshold classifiers share: classes, one against the rest, status, scores, votes."""

import warnings
from abc import ABCMeta, abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from os import PathLike
from typing import Any, Protocol, Self, cast

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from novikoff.batches import Batch, Batches, refuse_batches
from novikoff.cluster.dask_client import is_dask
from novikoff.cluster.inputs import partitions_of, partitions_of_pieces
from novikoff.cluster.partitions import Partitions
from novikoff.cluster_learners.presented import PresentedPartitions
from novikoff.conventions import ORDERS, choice, tie_sign
from novikoff.errors import NotFiniteError, OptionError
from novikoff.estimators.checkpoint import CheckpointFile, digest_of, digest_of_batches
from novikoff.estimators.epoch_news import news_of
from novikoff.estimators.validation import (
    check_classes,
    check_count,
    check_flag,
    check_jobs,
    check_labels,
    check_matrix,
    check_positive,
    check_random,
    check_verbose,
    check_weights,
    class_factors,
    in_library_of,
    index_known_labels,
)
from novikoff.learners.batched import Parts
from novikoff.learners.run import Plan, Run
from novikoff.learners.scores import scores
from novikoff.learners.status import Status
from novikoff.mapped import map_rows
from novikoff.problem import Matrix, as_fraction
from novikoff.rows import Floats, n_rows, rows_of

__all__ = ["LinearThresholdClassifier", "Outcome", "Task", "ThresholdClassifier", "steps_of"]


@dataclass(frozen=True)
class Task:
    """What is to be learned: the points, and for each run the signs and the factors of the steps.

    `factors` holds for each run those of −1 and of +1; `weights` those of the examples, or None.
    `whole`: epochs until it stops (`fit`), rather than one pass over a batch (`partial_fit`).
    """

    matrix: Matrix
    signs: list[Floats]
    factors: list[tuple[float, float]]
    weights: Floats | None
    whole: bool

    def push(self, k: int, eta0: float) -> Floats:
        """yᵢ·ηᵢ for run k."""
        negative, positive = self.factors[k]
        factors = np.where(self.signs[k] > 0, positive, -negative)
        return steps_of(float(eta0), factors, self.weights)

    def exact_push(self, k: int, eta0: Any) -> list[Fraction]:
        """The same without rounding: a factor given as a float is the rational that it is."""
        self.push(k, eta0)  # what float64 refuses is refused here too
        negative, positive = (as_fraction(eta0) * as_fraction(factor) for factor in self.factors[k])
        weights = [1] * len(self.signs[k]) if self.weights is None else self.weights.tolist()
        return [
            (positive if sign > 0 else -negative) * as_fraction(weight)
            for sign, weight in zip(self.signs[k], weights, strict=True)
        ]


def steps_of(eta0: float, factors: Floats, weights: Floats | None) -> Floats:
    """η · factor · weight of each example; an error where float64 has no such step."""
    with np.errstate(over="ignore", under="ignore"):
        steps: Floats = eta0 * factors if weights is None else eta0 * factors * weights
    wanted = factors != 0 if weights is None else (factors != 0) & (weights != 0)
    if not np.isfinite(steps).all() or (wanted & (steps == 0)).any():
        raise NotFiniteError(
            "eta0, class_weight and sample_weight multiply to a step that float64 cannot hold: "
            "divide or multiply one of them by a power of ten."
        )
    return steps


class Outcome(Protocol):
    """What one run ends with: a report, and whatever its learner learned."""

    @property
    def run(self) -> Run:
        """How it went."""


class ThresholdClassifier(ClassifierMixin, BaseEstimator, metaclass=ABCMeta):
    """Binary, or one against the rest: each class has its own run, and the greatest score wins.

    A subclass says what the runs share (`_prepare`), what one run is (`_learn`), what is kept of it
    (`_keep`) and how it scores (`_scores`). Labels, weights, orders and reports are seen to here.
    """

    n_mistakes_: int
    mistakes_per_epoch_: NDArray[np.int64]
    status_: Status
    statuses_: list[Status]
    classes_: NDArray[Any]

    @property
    def _advice(self) -> str | None:
        """What to do when max_iter is reached; None where that is a fine way to end."""
        return "ask novikoff.separate(X, y) whether a separator exists at all"

    @property
    def _exact(self) -> bool:
        """Whether numbers stay as they are, even those that float64 cannot hold."""
        return False

    def fit(
        self,
        X: object,
        y: object = None,
        sample_weight: object = None,
        *,
        checkpoint: str | PathLike[str] | None = None,
    ) -> Self:
        """Learn in whole epochs over `X`, until one has no mistake or `max_iter` is reached.

        `sample_weight` scales the step of each example; an example of weight 0 is not presented.
        `fit(scan(…))` learns from a file that need not fit in memory, which has the labels too: in
        its order batch by batch, and otherwise from a copy of its numbers that is mapped. With
        `checkpoint=path` a long run is written down there every few seconds (between two epochs),
        and goes on from there, to the same bits, if the file exists. `Perceptron` and
        `AveragedPerceptron` also learn on a Dask cluster, from Dask arrays and dataframes or a scan
        of Parquet files, while a `dask.distributed.Client` is at hand.
        """
        self._check_options()
        if is_dask(X):
            self._check_cluster(checkpoint)
            return self._fit_partitions(partitions_of(X, y, sample_weight))
        if isinstance(X, Batches):
            if y is not None or sample_weight is not None:
                raise OptionError("a scan has its labels and weights with it: give no others.")
            partitions = partitions_of_pieces(X) if self._may_use_cluster(checkpoint) else None
            if partitions is not None:
                return self._fit_partitions(partitions)
            self._check_one_machine()
            if self._reads_in_order(len(X.labels)):
                return self._fit_batches(X, checkpoint)
            self._refuse(X)
            X, y, sample_weight = map_rows(X, self._why_any_row)
        self._check_one_machine()
        self._checkpoint: CheckpointFile | None = None
        matrix = check_matrix(self, X, reset=True, exact=self._exact)
        classes, index = check_labels(matrix, y)
        goes_on = self.warm_start and self._knows(classes)
        self.classes_ = classes
        if not goes_on:
            self._forget()
        self._random_states = self._spawn_random_states()
        self._class_factors = class_factors(self.class_weight, classes, classes[index])
        task = self._task(matrix, index, sample_weight, whole=True)
        if checkpoint is not None:
            data = digest_of(task.matrix, index, task.weights)
            self._checkpoint = self._checkpoint_file(checkpoint, data)
        try:
            outcomes = self._learn_all(task)
        finally:
            del self._checkpoint
        self._keep(outcomes, task)
        self._report([outcome.run for outcome in outcomes])
        return self

    def _checkpoint_file(self, checkpoint: str | PathLike[str], data: str) -> CheckpointFile:
        if not self._can_be_kept or self._exact:
            raise OptionError(
                f"checkpoint: a {type(self).__name__}"
                f"{' in exact arithmetic' if self._exact else ''} cannot be kept half way."
            )
        return CheckpointFile(checkpoint, type(self).__name__, self.get_params(), data)

    @property
    def _can_be_kept(self) -> bool:
        """Whether a run of this learner can be written down between two epochs."""
        return False

    def _reads_in_order(self, classes: int) -> bool:  # noqa: ARG002
        """Whether a run over so many classes presents rows in their order, again and again.

        Then a scan is learned from batch by batch. Otherwise its numbers are put into a file that
        is mapped, so that any row is at hand.
        """
        return False

    @property
    def _why_any_row(self) -> str:
        """What of this learner needs any row at any time, for an error."""
        order = "" if self.order == "cyclic" else f" with order={self.order!r}"
        return f"a {type(self).__name__}{order} goes back to rows in any order"

    def _refuse(self, batches: Batches) -> None:
        """Raise `OptionError` if this learner needs more memory than a scan promises."""
        if self._exact:
            refuse_batches(batches, 'arithmetic="exact"', "it keeps all rows as Python integers")

    def _fit_batches(self, batches: Batches, checkpoint: str | PathLike[str] | None) -> Self:
        """`fit` on data that is read again and again, to the same bits."""
        self._refuse(batches)
        classes = batches.labels
        goes_on = self.warm_start and self._knows(classes)
        self.classes_, self.n_features_in_ = classes, batches.d
        if not goes_on:
            self._forget()
        self._random_states = self._spawn_random_states()
        labels = classes
        if self.class_weight == "balanced":
            labels = np.repeat(classes, batches.label_counts())
        self._class_factors = class_factors(self.class_weight, classes, labels)
        self._checkpoint = None
        if checkpoint is not None:
            self._checkpoint = self._checkpoint_file(checkpoint, digest_of_batches(batches))
        outcomes = []
        try:
            for k in range(1 if len(classes) == 2 else len(classes)):
                push_of = partial(self._push_of, k)
                parts = Parts.of(batches, push_of, fit_intercept=self.fit_intercept)
                outcomes.append(self._learn_batches(k, parts, self._plan(k, whole=True)))
        finally:
            del self._checkpoint
        self._keep(outcomes, self._task_after(batches, outcomes))
        self._report([outcome.run for outcome in outcomes])
        return self

    @property
    def _can_use_cluster(self) -> bool:
        """Whether this learner runs on partitions (`_learn_partitions`)."""
        return False

    def _may_use_cluster(self, checkpoint: object) -> bool:
        """Whether a cluster can do this run: otherwise a scan is learned from on this machine."""
        return (
            self._can_use_cluster
            and self.order == "cyclic"
            and not self._exact
            and getattr(self, "multi_class", "ovr") == "ovr"
            and checkpoint is None
        )

    def _check_cluster(self, checkpoint: object) -> None:
        """Raise `OptionError`, with the reason, if a cluster cannot do this run."""
        if self._may_use_cluster(checkpoint):
            return
        why = {
            f"a {type(self).__name__}": not self._can_use_cluster,
            f"order={self.order!r}": self.order != "cyclic",
            'arithmetic="exact"': self._exact,
            'multi_class="joint"': getattr(self, "multi_class", "ovr") != "ovr",
            "checkpoint": checkpoint is not None,
        }
        first = next(name for name, holds in why.items() if holds)
        raise OptionError(
            f"{first} needs all rows in one memory, and Dask's are on its workers: Perceptron and "
            'AveragedPerceptron learn there with order="cyclic" and arithmetic="float64", each '
            "class against the rest, without checkpoints."
        )

    def _check_one_machine(self) -> None:
        """Raise `OptionError` if an option asks for a cluster."""
        if getattr(self, "strategy", "exact") != "exact":
            raise OptionError(
                f"strategy={self.strategy!r} learns on the partitions of a Dask cluster, and this "
                'data is not on one: give Dask data, or use strategy="exact".'
            )

    def _fit_partitions(self, partitions: Partitions) -> Self:
        """`fit` on the partitions of a cluster."""
        classes = partitions.labels
        goes_on = self.warm_start and self._knows(classes)
        self.classes_, self.n_features_in_ = classes, partitions.d
        self.__dict__.pop("feature_names_in_", None)
        if partitions.has_names:
            self.feature_names_in_ = np.array(partitions.names, dtype=object)
        if not goes_on:
            self._forget()
        self._random_states = self._spawn_random_states()
        if self.class_weight == "balanced":
            factors = partitions.n / (len(classes) * partitions.label_counts)
            self._class_factors = np.asarray(factors, dtype=np.float64)
        else:
            self._class_factors = class_factors(self.class_weight, classes, classes)
        outcomes = []
        for k in range(1 if len(classes) == 2 else len(classes)):
            push_of, intercept = partial(self._push_of, k), self.fit_intercept
            parts = PresentedPartitions(partitions, push_of, fit_intercept=intercept)
            plan = self._plan(k, whole=True)
            name, rows = type(self).__name__, partitions.n
            plan = replace(plan, watch=news_of(name, self.max_iter, self.verbose, rows))
            outcomes.append(self._learn_partitions(k, parts, plan))
        self._keep(outcomes, Task(None, [], [], None, whole=True))
        self._report([outcome.run for outcome in outcomes])
        return self

    def _learn_partitions(self, k: int, parts: PresentedPartitions, plan: Plan) -> Outcome:
        """Run k on a cluster, for a learner that `_can_use_cluster`."""
        raise NotImplementedError

    def _task_after(self, batches: Batches, outcomes: list[Any]) -> Task:
        """What was learned from batches: all rows, if a cycle has to be proven by them."""
        cycled = any(outcome.run.status is Status.CYCLED for outcome in outcomes)
        if not cycled or batches.folder is None:
            return Task(None, [], [], None, whole=True)
        X, y, weights = map_rows(batches, "the proof of a cycle is about all rows")
        return self._task(X, np.searchsorted(self.classes_, y), weights, whole=True)

    def _push_of(self, k: int, batch: Batch) -> Floats:
        """yᵢ·ηᵢ of a batch for run k."""
        index = np.searchsorted(self.classes_, batch.y)
        factors = self._class_factors
        if len(self.classes_) == 2:
            pair = (float(factors[0]), float(factors[1]))
            signs = self._signs(index)[0]
        else:
            pair = (1.0, float(factors[k]))
            signs = self._signs(index)[k]
        return Task(batch.X, [signs], [pair], batch.weights, whole=True).push(0, self.eta0)

    def _learn_batches(self, k: int, parts: Parts, plan: Plan) -> Outcome:
        """Run k on batches, for a learner that reads rows in their order."""
        raise NotImplementedError

    def partial_fit(
        self, X: object, y: object, classes: object = None, sample_weight: object = None
    ) -> Self:
        """Go on with the same run: present each example of this batch once.

        However the data is cut into batches, the weights are those of one pass of `fit`. The first
        call needs `classes`, all the labels that will ever come. An example of weight 0 is not
        presented; a batch of nothing else teaches nothing.
        """
        first = not hasattr(self, "classes_")
        if first:
            self._check_options()
        matrix = check_matrix(self, X, reset=first, exact=self._exact)
        if first:
            self.classes_ = check_classes(classes, self.class_weight)
            self._forget()
            self._random_states = self._spawn_random_states()
            self._class_factors = class_factors(self.class_weight, self.classes_, self.classes_)
        index = index_known_labels(matrix, y, self.classes_)
        task = self._task(matrix, index, sample_weight, whole=False)
        outcomes = self._learn_all(task)
        self._keep(outcomes, task)
        self._report_batch([outcome.run for outcome in outcomes])
        return self

    def _task(
        self, matrix: Matrix, index: NDArray[np.intp], sample_weight: object, *, whole: bool
    ) -> Task:
        """One run for two classes, else one a class, where only its own class has a factor.

        (scikit-learn's one-against-the-rest classifiers do the same.)
        """
        weights = check_weights(sample_weight, matrix, some=whole)
        factors = self._class_factors
        if len(self.classes_) == 2:
            pairs = [(float(factors[0]), float(factors[1]))]
        else:
            pairs = [(1.0, float(factor)) for factor in factors]
        return Task(matrix, self._signs(index), pairs, weights, whole)

    def _knows(self, classes: NDArray[Any]) -> bool:
        return hasattr(self, "classes_") and np.array_equal(self.classes_, classes)

    def _learn_all(self, task: Task) -> list[Any]:
        """One run a class, on as many threads as `n_jobs` allows: compiled loops hold no lock."""
        prepared = self._prepare(task)
        if len(task.signs) == 1:
            return [self._learn(0, prepared, task, self._plan(0, whole=task.whole))]
        outcomes: list[Any] = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(self._learn)(k, prepared, task, self._plan(k, whole=task.whole))
            for k in range(len(task.signs))
        )
        return outcomes

    @abstractmethod
    def _forget(self) -> None:
        """Start from nothing: zero weights."""

    @abstractmethod
    def _prepare(self, task: Task) -> Any:
        """What all runs share: done once, before the first."""

    @abstractmethod
    def _learn(self, k: int, prepared: Any, task: Task, plan: Plan) -> Outcome:
        """Run k, from where it was left: learn to tell signs +1 from −1."""

    @abstractmethod
    def _keep(self, outcomes: list[Any], task: Task) -> None:
        """Set the fitted attributes that hold what was learned."""

    def _check_options(self) -> None:
        check_positive("eta0", self.eta0)
        check_count("max_iter", self.max_iter)
        choice("order", self.order, ORDERS)
        tie_sign(self.tie)
        check_flag("fit_intercept", self.fit_intercept)
        check_flag("warm_start", self.warm_start)
        check_jobs(self.n_jobs)
        check_random(self.random_state)
        check_verbose(self.verbose)

    def _signs(self, index: NDArray[np.intp]) -> list[Floats]:
        """The labels ±1 of each run: one for two classes, otherwise one a class."""
        which = range(1, 2) if len(self.classes_) == 2 else range(len(self.classes_))
        return [np.where(index == k, 1.0, -1.0) for k in which]

    def _spawn_random_states(self) -> list[np.random.RandomState]:
        """Random numbers for each run, so that threads do not share them."""
        parent = check_random(self.random_state)
        runs = 1 if len(self.classes_) == 2 else len(self.classes_)
        return [np.random.RandomState(seed) for seed in parent.randint(2**31 - 1, size=runs)]

    def _plan(self, k: int, *, whole: bool) -> Plan:
        watch = news_of(type(self).__name__, self.max_iter, self.verbose)
        max_iter = self.max_iter if whole else 1
        checkpoint = getattr(self, "_checkpoint", None)
        random_state = self._random_states[k]
        return Plan(
            tie_sign(self.tie), self.order, max_iter, random_state, watch, checkpoint, f"run {k}"
        )

    def _report_batch(self, reports: list[Run]) -> None:
        """Add a batch's mistakes to the epoch in progress: all batches together are one pass."""
        mistakes = [report.n_mistakes for report in reports]
        if getattr(self, "status_", None) is Status.LEARNING:
            self.mistakes_per_epoch_[..., -1] += mistakes if len(mistakes) > 1 else mistakes[0]
            self.n_mistakes_ += sum(mistakes)
            return
        column = np.array(mistakes)
        column = column[:, np.newaxis] if len(mistakes) > 1 else column
        before = getattr(self, "mistakes_per_epoch_", np.zeros((*column.shape[:-1], 0), int))
        self.mistakes_per_epoch_ = np.concatenate([before, column], axis=-1)
        self.status_ = Status.LEARNING
        self.statuses_ = [Status.LEARNING] * len(reports)
        self.n_iter_ = self.mistakes_per_epoch_.shape[-1]
        self.n_mistakes_ = int(self.mistakes_per_epoch_.sum())

    def _report(self, reports: list[Run]) -> None:
        """Set `n_iter_`, `n_mistakes_`, `mistakes_per_epoch_` and `status_` from the runs."""
        self.n_iter_ = max(report.n_epochs for report in reports)
        self.n_mistakes_ = sum(report.n_mistakes for report in reports)
        mistakes = np.zeros((len(reports), self.n_iter_), np.int64)
        for row, report in zip(mistakes, reports, strict=True):
            row[: report.n_epochs] = report.mistakes_per_epoch
        self.mistakes_per_epoch_ = mistakes[0] if len(reports) == 1 else mistakes
        self.statuses_ = [report.status for report in reports]
        self.status_ = next(s for s in WORST_FIRST if s in self.statuses_)
        if self.status_ is Status.REACHED_MAX_ITER and self._advice is not None:
            warnings.warn(
                f"{self.status_} Raise max_iter (now {self.max_iter}), or {self._advice}.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def decision_function(self, X: object) -> Floats:
        """Scores: one a row for two classes (positive: the second), else one a row and class."""
        return cast("Floats", in_library_of(X, self._decision(X)))

    def _decision(self, X: object) -> Floats:
        check_is_fitted(self)
        columns = self._scores(check_matrix(self, X, reset=False))
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    @abstractmethod
    def _scores(self, matrix: Matrix) -> list[Floats]:
        """One array of scores for each run."""

    def predict(self, X: object) -> NDArray[Any]:
        """The class of each row; a score of exactly 0 falls where the tie rule says."""
        decision = self._decision(X)
        if decision.ndim == 2:
            index = decision.argmax(axis=1)
        else:
            index = (decision > 0 if tie_sign(self.tie) < 0 else decision >= 0).astype(np.intp)
        return cast("NDArray[Any]", in_library_of(X, self.classes_[index]))

    def __getstate__(self) -> dict[str, Any]:
        """What is kept in a file, by pickle and by skops: a status by its name, as text."""
        state = dict(super().__getstate__())
        if "status_" in state:
            state["status_"] = self.status_.name
            state["statuses_"] = [status.name for status in self.statuses_]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take up what `__getstate__` gave."""
        if "status_" in state:
            statuses = [Status[name] for name in state["statuses_"]]
            state = state | {"status_": Status[state["status_"]], "statuses_": statuses}
        super().__setstate__(state)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags


class LinearThresholdClassifier(ThresholdClassifier):
    """A threshold classifier whose every run ends with one ŵ."""

    coef_: Floats
    intercept_: Floats

    @property
    def _can_be_kept(self) -> bool:
        return True

    def _forget(self) -> None:
        runs = 1 if len(self.classes_) == 2 else len(self.classes_)
        self.coef_ = np.zeros((runs, self.n_features_in_))
        self.intercept_ = np.zeros(runs)

    def _w_hat(self, k: int) -> Floats:
        """A copy of ŵ of run k."""
        w_hat = np.empty(self.coef_.shape[1] + 1)
        w_hat[:-1], w_hat[-1] = self.coef_[k], self.intercept_[k]
        return w_hat

    def _set_weights(self, w_hats: list[Floats]) -> None:
        stacked = np.array(w_hats)
        self.coef_ = stacked[:, :-1]
        self.intercept_ = stacked[:, -1]

    def _set_errors(self, errors: list[int | None]) -> None:
        """`n_errors_`, where a last pass over all rows has counted them."""
        self.__dict__.pop("n_errors_", None)
        counted = [count for count in errors if count is not None]
        if counted:
            self.n_errors_ = counted[0] if len(counted) == 1 else np.array(counted)

    def _scores(self, matrix: Matrix) -> list[Floats]:
        rows = rows_of(matrix)
        return [scores(rows, n_rows(rows), self._w_hat(k)) for k in range(len(self.coef_))]


# Of several runs the report is that of the one that came off worst.
WORST_FIRST = (
    Status.REACHED_MAX_ITER,
    Status.FULL,
    Status.CYCLED,
    Status.LEARNING,
    Status.CONVERGED,
)
