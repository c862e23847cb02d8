"""What all threshold classifiers share: `fit` and `partial_fit`, scores and predictions."""

from abc import ABCMeta, abstractmethod
from collections.abc import Callable
from os import PathLike
from typing import Any, Protocol, Self, cast

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from novikoff.batches import Batches
from novikoff.conventions import tie_sign
from novikoff.errors import OptionError
from novikoff.estimators.abilities import Abilities
from novikoff.estimators.checkpoint import CheckpointFile
from novikoff.estimators.epoch_news import news_of
from novikoff.estimators.report import ReportsRuns
from novikoff.estimators.scoring import ScoresScans
from novikoff.estimators.steps import Steps, n_planes
from novikoff.estimators.training_data import InMemory, OnCluster, TrainingData, find_rows
from novikoff.estimators.validation import (
    check_classes,
    check_matrix,
    check_random,
    check_weights,
    class_factors,
    in_library_of,
    index_known_labels,
)
from novikoff.learners.run import Plan, Run
from novikoff.problem import Matrix
from novikoff.rows import Floats

__all__ = ["Learn", "Outcome", "ThresholdClassifier"]


class Outcome(Protocol):
    """What one run ends with: a report, and whatever its learner learned."""

    @property
    def run(self) -> Run:
        """How it went."""


Learn = Callable[[int, Plan], Outcome]


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
        of Parquet files, while a `dask.distributed.Client` is at hand.
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
        steps = Steps(self.eta0, self.classes_, self._class_factors, abilities.together)
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
        if y is not None or sample_weight is not None:
            raise OptionError("a scan has its labels and weights with it: give no others.")
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
        self, checkpoint: str | PathLike[str] | None, abilities: Abilities, data: TrainingData
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

    def _plan(self, k: int, data: TrainingData, kept: CheckpointFile | None) -> Plan:
        rows = data.partitions.n if isinstance(data, OnCluster) else 0
        return Plan(
            tie=tie_sign(self.tie),
            order=self.order,
            max_iter=self.max_iter if data.whole else 1,
            random_state=self._random_states[k],
            watch=news_of(type(self).__name__, self.max_iter, self.verbose, rows),
            checkpoint=kept,
            part=f"run {k}",
        )

    @abstractmethod
    def _check_options(self) -> Abilities:
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
