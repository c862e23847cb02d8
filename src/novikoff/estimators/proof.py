"""Cycles of the perceptron as certificates, checked before anybody sees them."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.verify import verify_problem
from novikoff.estimators.training_data import InBatches, InMemory, TrainingData
from novikoff.problem import Problem, check_names, two_classes

__all__ = ["proofs_of_cycles"]

# How often each row was mistaken in one turn of the cycle; None for a run that made none.
Cycle = NDArray[np.int64] | None


def proofs_of_cycles(
    cycles: Sequence[Cycle], data: TrainingData, names: Sequence[str] | None
) -> list[Certificate | None]:
    """The certificates of the runs that cycled; none at all where not all rows are at hand.

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
