"""How far each example pushes the weights when it is a mistake: η · factor · weight."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.batches import Batch
from novikoff.errors import NotFiniteError
from novikoff.problem import as_fraction
from novikoff.rows import Floats

__all__ = ["Steps", "n_planes"]

Index = NDArray[np.intp]


def n_planes(classes: NDArray[Any]) -> int:
    """One hyperplane for two classes, otherwise one a class."""
    return 1 if len(classes) == 2 else len(classes)


@dataclass(frozen=True)
class Steps:
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
        factors = np.where(self.is_positive(k, index), positive, -negative)
        return _steps(float(self.eta0), factors, weights)

    def exact_push(self, k: int, index: Index, weights: Floats | None) -> list[Fraction]:
        """The same without rounding: a factor given as a float is the rational that it is."""
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


def _steps(eta0: float, factors: Floats, weights: Floats | None) -> Floats:
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
