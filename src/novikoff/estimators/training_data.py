"""The rows of a `fit`: in memory, in batches of a scan, or on a cluster.

`StepSizes` says how far each example pushes the weights when it is a mistake: η · factor · weight.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.errors import DataError, NotFiniteError
from novikoff.estimators.capabilities import Capabilities
from novikoff.estimators.checkpoint import digest_of, digest_of_batches
from novikoff.estimators.validation import (
    check_are_classes,
    check_labels,
    check_numbers,
    check_weights,
    class_factors,
    note_columns,
    note_width_and_names,
)
from novikoff.learners.batched import Parts
from novikoff.learners.distributed.tasks import PresentedPartitions
from novikoff.learners.unit import Examples, Weights, examples_of, rows_are_integral, with_push
from novikoff.matrix.batches import Batch, Batches, copy_to_memmap, refuse_labels
from novikoff.matrix.dask.inputs import is_dask, partitions_of, partitions_of_pieces
from novikoff.matrix.dask.partitions import Partitions
from novikoff.matrix.problem import Matrix, as_fraction
from novikoff.matrix.rows import Floats, rows_of

Index = NDArray[np.intp]


def n_planes(classes: NDArray[Any]) -> int:
    """One hyperplane for two classes, otherwise one a class."""
    return 1 if len(classes) == 2 else len(classes)


@dataclass(frozen=True)
class StepSizes:
    """The steps of every run of a learner: η, and a factor for each class.

    Of two classes there is one run, in which the second is +1. Of more there is one a class, which
    is +1 against the rest, or one for all of them `together`. Rows are given by the `index` of
    their classes and by their weights (None: all are 1). It is small, and can be sent to workers.
    """

    eta0: Any
    classes: NDArray[Any]
    factors: Floats
    together: bool = False

    @property
    def n_runs(self) -> int:
        """How many runs there are."""
        return 1 if self.together else n_planes(self.classes)

    def is_positive(self, k: int, index: Index) -> NDArray[np.bool_]:
        """Which rows are +1 in run k."""
        return np.equal(index, 1 if len(self.classes) == 2 else k)

    def push(self, k: int, index: Index, weights: Floats | None) -> Floats:
        """yᵢ·ηᵢ for run k."""
        negative, positive = self._factors_of_signs(k)
        is_positive, eta0 = self.is_positive(k, index), float(self.eta0)
        if weights is not None:
            return _steps(eta0, np.where(is_positive, positive, -negative), weights)
        return np.where(is_positive, _step(eta0, positive), -_step(eta0, negative))

    def exact_push(self, k: int, index: Index, weights: Floats | None) -> list[Fraction]:
        """yᵢ·ηᵢ as fractions: a factor given as a float is the rational that it is."""
        self.push(k, index, weights)  # what float64 refuses is refused here too
        eta0 = as_fraction(self.eta0)
        negative, positive = (eta0 * as_fraction(each) for each in self._factors_of_signs(k))
        own = [1] * len(index) if weights is None else weights.tolist()
        return [
            (positive if is_positive else -negative) * as_fraction(weight)
            for is_positive, weight in zip(self.is_positive(k, index), own, strict=True)
        ]

    def push_of_batch(self, k: int, batch: Batch) -> Floats:
        """yᵢ·ηᵢ of a batch for run k."""
        return self.push(k, np.searchsorted(self.classes, batch.y), batch.weights)

    def lengths(self, index: Index, weights: Floats | None) -> Floats:
        """ηᵢ where each row has the factor of its own class, whatever the run."""
        return _steps(float(self.eta0), self.factors[index], weights)

    def _factors_of_signs(self, k: int) -> tuple[float, float]:
        """The factors of −1 and of +1 in run k: against the rest, only class k has its own.

        (scikit-learn's one-against-the-rest classifiers do the same.)
        """
        if len(self.classes) == 2:
            return float(self.factors[0]), float(self.factors[1])
        return 1.0, float(self.factors[k])


NO_SUCH_STEP = (
    "eta0, class_weight and sample_weight multiply to a step that float64 cannot hold: "
    "divide or multiply one of them by a power of ten."
)


def _step(eta0: float, factor: float) -> float:
    """η · factor; an error where float64 has no such step."""
    step = eta0 * factor
    if not math.isfinite(step) or (step == 0.0) != (factor == 0.0):
        raise NotFiniteError(NO_SUCH_STEP)
    return step


def _steps(eta0: float, factors: Floats, weights: Floats | None) -> Floats:
    """η · factor · weight of each example."""
    with np.errstate(over="ignore", under="ignore"):
        steps: Floats = eta0 * factors if weights is None else eta0 * factors * weights
    wanted = factors != 0 if weights is None else (factors != 0) & (weights != 0)
    if not np.isfinite(steps).all() or (wanted & (steps == 0)).any():
        raise NotFiniteError(NO_SUCH_STEP)
    return steps


# (run, the weights it starts from) -> what is presented to it
ExamplesOfRun = Callable[[int, Weights], Examples]


@dataclass(frozen=True, kw_only=True)
class _Located:
    """What is known of the data, in memory or not.

    `whole`: it is all the data, for epochs until they end (`fit`), and not a batch that is to be
    presented once (`partial_fit`).
    """

    steps: StepSizes
    fit_intercept: bool
    whole: bool = True


@dataclass(frozen=True)
class InMemory(_Located):
    """All rows in memory: a matrix, the index of each row's class, and its weight if it has one."""

    matrix: Matrix
    index: NDArray[np.intp]
    weights: Floats | None

    def is_positive(self, k: int) -> NDArray[np.bool_]:
        """Which rows are +1 in run k."""
        return self.steps.is_positive(k, self.index)

    def push(self, k: int) -> Floats:
        """yᵢ·ηᵢ for run k."""
        return self.steps.push(k, self.index, self.weights)

    def exact_push(self, k: int) -> list[Fraction]:
        """yᵢ·ηᵢ for run k, as fractions."""
        return self.steps.exact_push(k, self.index, self.weights)

    def digest(self) -> str:
        """A hash of the data."""
        return digest_of(self.matrix, self.index, self.weights)

    def examples(self) -> ExamplesOfRun:
        """Prepare the rows once for all runs; what comes back gives those of run k from ŵ on."""
        rows = rows_of(self.matrix)
        # A batch proves nothing about cycles, so only `fit` asks for the grid.
        on_grid = self.whole and rows_are_integral(rows)
        shared = examples_of(rows, fit_intercept=self.fit_intercept)

        def examples_of_run(k: int, weights: Weights) -> Examples:
            return with_push(shared, self.push(k), weights, on_grid=on_grid)

        return examples_of_run


@dataclass(frozen=True)
class InBatches(_Located):
    """A scan, which is read again and again in its order."""

    batches: Batches

    def parts(self, k: int) -> Parts:
        """The batches as run k sees them."""
        push_of = partial(self.steps.push_of_batch, k)
        return Parts.of(self.batches, push_of, fit_intercept=self.fit_intercept)

    def digest(self) -> str:
        """A hash of the data: a pass over all batches."""
        return digest_of_batches(self.batches)

    def in_memory(self, why: str) -> InMemory:
        """All its rows, mapped from a file; `why` starts the error raised when cache=False."""
        X, y, weights = copy_to_memmap(self.batches, why)
        index = np.searchsorted(self.steps.classes, y)
        return InMemory(X, index, weights, steps=self.steps, fit_intercept=self.fit_intercept)


@dataclass(frozen=True)
class OnCluster(_Located):
    """Partitions on the workers of a cluster."""

    partitions: Partitions

    def parts(self, k: int) -> PresentedPartitions:
        """The partitions as run k sees them."""
        push_of = partial(self.steps.push_of_batch, k)
        return PresentedPartitions(self.partitions, push_of, fit_intercept=self.fit_intercept)


TrainingData = InMemory | InBatches | OnCluster


def find_rows(
    estimator: Any,
    abilities: Capabilities,
    X: object,
    y: object,
    sample_weight: object,
    *,
    checkpoint: object,
) -> TrainingData:
    """Where the rows to `fit` are, validated.

    When all is well, and not before, the estimator notes their columns.
    """
    if is_dask(X):
        abilities.check_cluster(checkpoint)
        return _on_cluster(estimator, abilities, partitions_of(X, y, sample_weight))
    if isinstance(X, Batches):
        refuse_labels(y, sample_weight)
        use_cluster = abilities.can_use_cluster(checkpoint)
        partitions = partitions_of_pieces(X) if use_cluster else None
        if partitions is not None:
            return _on_cluster(estimator, abilities, partitions)
        abilities.check_scan(X)
        if abilities.learns_by_batch(len(X.labels)):
            return _in_batches(estimator, abilities, X)
        X, y, sample_weight = copy_to_memmap(X, abilities.why_any_row)
    abilities.check_one_machine()
    matrix = check_numbers(estimator, X, exact=abilities.exact)
    classes, index = check_labels(matrix, y)
    steps = _steps_of(estimator, abilities, classes, lambda: np.bincount(index))
    weights = check_weights(sample_weight, matrix, some=True)
    note_columns(estimator, X, matrix)
    return InMemory(matrix, index, weights, steps=steps, fit_intercept=estimator.fit_intercept)


def _in_batches(estimator: Any, abilities: Capabilities, batches: Batches) -> InBatches:
    steps = _steps_of(estimator, abilities, batches.labels, batches.label_counts)
    note_width_and_names(estimator, batches.d, None)
    return InBatches(batches, steps=steps, fit_intercept=estimator.fit_intercept)


def _on_cluster(estimator: Any, abilities: Capabilities, partitions: Partitions) -> OnCluster:
    names = partitions.names if partitions.has_names else None
    check_are_classes(partitions.labels)
    if partitions.is_without_weight:
        raise DataError("Sample weights must contain at least one non-zero number.")
    steps = _steps_of(estimator, abilities, partitions.labels, lambda: partitions.label_counts)
    note_width_and_names(estimator, partitions.d, names)
    return OnCluster(partitions, steps=steps, fit_intercept=estimator.fit_intercept)


def _steps_of(
    estimator: Any,
    abilities: Capabilities,
    classes: NDArray[Any],
    count_rows: Callable[[], NDArray[np.int64]],
) -> StepSizes:
    factors = class_factors(estimator.class_weight, classes, count_rows)
    return StepSizes(estimator.eta0, classes, factors, abilities.together)
