"""`ThresholdClassifier`, the base of all classifiers: `fit`, `partial_fit`, scores, predictions.

Also here: progress of a run (`verbose`, `on_epoch`), accuracy on arrays and scans, and the
report of a finished run.
"""

import time
import warnings
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import PathLike
from typing import Any, Protocol, Self, cast

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_is_fitted

from novikoff.core.options import tie_sign
from novikoff.errors import LabelError
from novikoff.estimators.capabilities import Capabilities
from novikoff.estimators.checkpoint import CheckpointFile
from novikoff.estimators.training_data import (
    InMemory,
    OnCluster,
    StepSizes,
    TrainingData,
    find_rows,
    n_planes,
)
from novikoff.estimators.validation import (
    check_classes,
    check_matrix,
    check_random,
    check_weights,
    class_factors,
    in_library_of,
    index_known_labels,
)
from novikoff.learners.run import Run, RunPlan
from novikoff.learners.status import Status
from novikoff.matrix.batches import Batches, refuse_labels
from novikoff.matrix.problem import Matrix
from novikoff.matrix.rows import Floats

SECONDS_BETWEEN_MESSAGES = 1.0

EpochCallback = Callable[[int, int], None]
_listener: ContextVar[EpochCallback | None] = ContextVar("listener", default=None)


@contextmanager
def on_epoch(listener: EpochCallback) -> Iterator[None]:
    """Runs that begin in here tell `listener(epochs so far, mistakes in the last one)`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def progress_callback(
    name: str, max_iter: int, verbose: bool, rows: int = 0
) -> EpochCallback | None:
    """The progress callback of a run: the listener, a printer if `verbose`, or None."""
    return _listener.get() or (_printer(name, max_iter, rows) if verbose else None)


def _printer(name: str, max_iter: int, rows: int) -> EpochCallback:
    """Say where a long run is, at most once a second; with `rows`, how many a second it sees."""
    last, before = time.monotonic(), 0

    def say(epochs: int, mistakes: int) -> None:
        nonlocal last, before
        passed = time.monotonic() - last
        if passed >= SECONDS_BETWEEN_MESSAGES:
            pace = f", {rows * (epochs - before) / passed:,.0f} rows a second" if rows else ""
            last, before = time.monotonic(), epochs
            print(f"[{name}] epoch {epochs} of {max_iter}: {mistakes} mistakes{pace}", flush=True)

    return say


class ScoresScans(ClassifierMixin):
    """scikit-learn's mixin, whose `score` takes a scan as well."""

    def score(self, X: object, y: object = None, sample_weight: object = None) -> float:
        """The share of rows whose class is predicted, each counted with its weight if given.

        `score(scan(…))` reads a file batch by batch, with its labels and weights; in memory are a
        batch, and a byte a row (nine with weights).
        """
        if not isinstance(X, Batches):
            if y is None:
                raise LabelError("score needs the labels y, unless X is a scan.")
            return float(super().score(X, y, sample_weight))
        refuse_labels(y, sample_weight)
        right: list[Any] = []
        weights: list[Any] = []
        for batch in X:
            right.append(self.predict(batch.X) == batch.y)
            weights += [] if batch.weights is None else [batch.weights]
        found = np.concatenate(right)
        counted = np.concatenate(weights) if weights else None
        return float(accuracy_score(np.ones_like(found), found, sample_weight=counted))


# Of several runs the report is that of the one that came off worst.
WORST_FIRST = (
    Status.REACHED_MAX_ITER,
    Status.FULL,
    Status.CYCLED,
    Status.LEARNING,
    Status.CONVERGED,
)


class StatusInFiles(BaseEstimator):
    """An estimator whose status is kept in files, by pickle and by skops, as text: by its name."""

    status_: Status
    statuses_: list[Status]

    def __getstate__(self) -> dict[str, Any]:
        """What is kept in a file."""
        state = dict(super().__getstate__())
        if "status_" in state:
            state["status_"] = self.status_.name
        if "statuses_" in state:
            state["statuses_"] = [status.name for status in self.statuses_]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take up what `__getstate__` gave."""
        state = dict(state)
        if "status_" in state:
            state["status_"] = Status[state["status_"]]
        if "statuses_" in state:
            state["statuses_"] = [Status[name] for name in state["statuses_"]]
        super().__setstate__(state)


class ReportsRuns(StatusInFiles):
    """An estimator with one run or several, of each of which it says how it went."""

    n_iter_: int
    n_mistakes_: int
    mistakes_per_epoch_: NDArray[np.int64]

    def _report(self, runs: list[Run], advice: str | None) -> None:
        """Set `n_iter_`, `n_mistakes_`, `mistakes_per_epoch_` and `status_` from the runs.

        `advice` is what to do when max_iter is reached; None where that is a fine way to end.
        """
        self.n_iter_ = max(run.n_epochs for run in runs)
        self.n_mistakes_ = sum(run.n_mistakes for run in runs)
        mistakes = np.zeros((len(runs), self.n_iter_), np.int64)
        for row, run in zip(mistakes, runs, strict=True):
            row[: run.n_epochs] = run.mistakes_per_epoch
        self.mistakes_per_epoch_ = mistakes[0] if len(runs) == 1 else mistakes
        self.statuses_ = [run.status for run in runs]
        self.status_ = next(status for status in WORST_FIRST if status in self.statuses_)
        if self.status_ is Status.REACHED_MAX_ITER and advice is not None:
            warnings.warn(
                f"{self.status_} Raise max_iter (now {self.max_iter}), or {advice}.",
                ConvergenceWarning,
                stacklevel=3,
            )

    def _report_batch(self, runs: list[Run]) -> None:
        """Add a batch's mistakes to the epoch in progress: all batches together are one pass."""
        mistakes = [run.n_mistakes for run in runs]
        if getattr(self, "status_", None) is Status.LEARNING:
            self.mistakes_per_epoch_[..., -1] += mistakes if len(mistakes) > 1 else mistakes[0]
            self.n_mistakes_ += sum(mistakes)
            return
        column = np.array(mistakes)
        column = column[:, np.newaxis] if len(mistakes) > 1 else column
        before = getattr(self, "mistakes_per_epoch_", np.zeros((*column.shape[:-1], 0), int))
        self.mistakes_per_epoch_ = np.concatenate([before, column], axis=-1)
        self.status_ = Status.LEARNING
        self.statuses_ = [Status.LEARNING] * len(runs)
        self.n_iter_ = self.mistakes_per_epoch_.shape[-1]
        self.n_mistakes_ = int(self.mistakes_per_epoch_.sum())


class RunOutcome(Protocol):
    """What one run ends with: a report, and whatever its learner learned."""

    @property
    def run(self) -> Run:
        """How it went."""


Learn = Callable[[int, RunPlan], RunOutcome]


class ThresholdClassifier(ScoresScans, ReportsRuns, metaclass=ABCMeta):
    """Binary, or one against the rest: each class has its own run, and the greatest score wins.

    `fit` asks a subclass four things: what it can do with its options (`_check_options`), to start
    from nothing (`_forget`), how one run learns from this data (`_learner`), and to keep what was
    learned (`_keep`). Predictions ask how it scores (`_scores`).
    """

    classes_: NDArray[Any]

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
        of Parquet files, while there is a `dask.distributed.Client`.
        """
        abilities = self._check_options()
        width = getattr(self, "n_features_in_", None)
        data = find_rows(self, abilities, X, y, sample_weight, checkpoint=checkpoint)
        self._begin(data.steps.classes, data.steps.factors, width)
        outcomes = self._learn(data, self._open(checkpoint, abilities, data))
        self._keep(outcomes, data)
        self._report([outcome.run for outcome in outcomes], abilities.advice)
        return self

    def partial_fit(
        self, X: object, y: object = None, classes: object = None, sample_weight: object = None
    ) -> Self:
        """Go on with the same run: present each example of this batch once.

        However the data is cut into batches, the weights are those of one pass of `fit`. The first
        call needs `classes`, all the labels that will ever come. An example of weight 0 is not
        presented; a batch of nothing else teaches nothing. `partial_fit(scan(…))` presents the rows
        of a file, batch by batch; where no classes are given, they are those of the file.
        """
        if isinstance(X, Batches):
            return self._present_scan(X, y, classes, sample_weight)
        abilities = self._check_options()
        first = not hasattr(self, "classes_")
        matrix = check_matrix(self, X, reset=first, exact=abilities.exact)
        if first:
            known = check_classes(classes)
            self._begin(known, class_factors(self.class_weight, known, None))
        index = index_known_labels(matrix, y, self.classes_)
        weights = check_weights(sample_weight, matrix, some=False)
        steps = StepSizes(self.eta0, self.classes_, self._class_factors, abilities.together)
        data = InMemory(
            matrix, index, weights, steps=steps, fit_intercept=self.fit_intercept, whole=False
        )
        outcomes = self._learn(data, None)
        self._keep(outcomes, data)
        self._report_batch([outcome.run for outcome in outcomes])
        return self

    def _present_scan(
        self, scan: Batches, y: object, classes: object, sample_weight: object
    ) -> Self:
        refuse_labels(y, sample_weight)
        for batch in scan:
            known = scan.labels if classes is None else classes
            self.partial_fit(batch.X, batch.y, known, batch.weights)
        return self

    def _begin(self, classes: NDArray[Any], factors: Floats, width: int | None = None) -> None:
        """Take up the classes and the factors of their steps, and start from nothing.

        A warm start goes on, if it knows these classes and as many columns (`width` before). Each
        run has random numbers of its own, so that threads do not share them.
        """
        goes_on = (
            self.warm_start
            and width == self.n_features_in_
            and np.array_equal(getattr(self, "classes_", []), classes)
        )
        self.classes_ = classes
        if not goes_on:
            self._forget()
        seeds = check_random(self.random_state).randint(2**31 - 1, size=n_planes(classes))
        self._random_states = [np.random.RandomState(seed) for seed in seeds]
        self._class_factors = factors

    def _open(
        self, checkpoint: str | PathLike[str] | None, abilities: Capabilities, data: TrainingData
    ) -> CheckpointFile | None:
        """The file in which the runs are kept, if they are to be (on a cluster they cannot)."""
        if checkpoint is None or isinstance(data, OnCluster):
            return None
        abilities.check_checkpoint()
        return CheckpointFile(checkpoint, abilities.learner, self.get_params(), data.digest())

    def _learn(self, data: TrainingData, kept: CheckpointFile | None) -> list[Any]:
        """All runs, on as many threads as `n_jobs` allows: compiled loops hold no lock."""
        learn, runs = self._learner(data), range(data.steps.n_runs)
        if len(runs) == 1 or not isinstance(data, InMemory):
            return [learn(k, self._plan(k, data, kept)) for k in runs]
        outcomes: list[Any] = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(learn)(k, self._plan(k, data, kept)) for k in runs
        )
        return outcomes

    def _plan(self, k: int, data: TrainingData, kept: CheckpointFile | None) -> RunPlan:
        rows = data.partitions.n if isinstance(data, OnCluster) else 0
        return RunPlan(
            tie=tie_sign(self.tie),
            order=self.order,
            max_iter=self.max_iter if data.whole else 1,
            random_state=self._random_states[k],
            watch=progress_callback(type(self).__name__, self.max_iter, self.verbose, rows),
            checkpoint=kept,
            part=f"run {k}",
            threads=self._threads() if data.steps.n_runs == 1 else 1,
        )

    def _threads(self) -> int:
        """How many threads may share one run: more than there are cores would only wait."""
        if self.n_jobs in (None, 1):
            return 1
        return int(min(effective_n_jobs(self.n_jobs), effective_n_jobs(-1)))

    @abstractmethod
    def _check_options(self) -> Capabilities:
        """What it can do with its options; `OptionError` if they are not sound."""

    @abstractmethod
    def _forget(self) -> None:
        """Start from nothing: zero weights."""

    @abstractmethod
    def _learner(self, data: Any) -> Learn:
        """Prepare what all runs share, once; what comes back learns run k, from where it was left.

        The data is `InMemory`, or one of the other kinds that the abilities speak of.
        """

    @abstractmethod
    def _keep(self, outcomes: list[Any], data: Any) -> None:
        """Set the fitted attributes that hold what was learned."""

    @abstractmethod
    def _scores(self, matrix: Matrix) -> list[Floats]:
        """One array of scores for each run."""

    def decision_function(self, X: object) -> Floats:
        """Scores: one a row for two classes (positive: the second), else one a row and class."""
        return cast("Floats", in_library_of(X, self._decision(X)))

    def predict(self, X: object) -> NDArray[Any]:
        """The class of each row; a score of exactly 0 falls where the tie rule says."""
        decision = self._decision(X)
        if decision.ndim == 2:
            index = decision.argmax(axis=1)
        else:
            index = (decision > 0 if tie_sign(self.tie) < 0 else decision >= 0).astype(np.intp)
        return cast("NDArray[Any]", in_library_of(X, self.classes_[index]))

    def _decision(self, X: object) -> Floats:
        check_is_fitted(self)
        # Rational weights can tell numbers apart that float64 cannot.
        rational = hasattr(self, "exact_coef_")
        columns = self._scores(check_matrix(self, X, reset=False, exact=rational))
        return columns[0] if len(columns) == 1 else np.column_stack(columns)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags
