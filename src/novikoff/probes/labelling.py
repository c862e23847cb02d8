"""Labels on the points of one X, with what is proven of them, what was measured, and the proof."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.form import FLOATING
from novikoff.errors import CertificateError
from novikoff.probes.devices import host_array
from novikoff.probes.settle import Outcome, ProbeWord
from novikoff.problem import Problem, default_names
from novikoff.rows import Floats
from novikoff.verdicts.base import Interval

__all__ = ["Control", "Labelling", "Points"]


@dataclass(frozen=True, eq=False)
class Points:
    """The points that labellings speak of, as far as they are kept."""

    shape: tuple[int, int]
    columns: NDArray[np.intp]
    dimension: int
    dimension_is_proven: bool
    X: Any = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Labelling:
    """Labels on the points of one X, with what is proven of them and what was measured.

    `labels` are −1 and +1. `errors` are bounds on the errors of the best plane. `accuracy` and
    `auc` are those of an averaged perceptron on rows that it did not learn from.
    """

    labels: NDArray[np.int8] = field(repr=False)
    accuracy: float
    auc: float
    classes: tuple[Any, Any] = field(default=(-1, 1), repr=False)
    outcome: Outcome = field(repr=False)
    points: Points = field(repr=False)

    @property
    def verdict(self) -> ProbeWord:
        """The word: "separable", "touching", "overlapping", "not separable" or "undecided"."""
        return self.outcome.word

    @property
    def margin(self) -> Interval | None:
        """The geometric margin, between two proven bounds; None if it is not separable."""
        return self.outcome.margin

    @property
    def errors(self) -> tuple[int, int]:
        """Proven bounds on the rows that the best plane does not have on their own side."""
        return self.outcome.errors

    @property
    def reason(self) -> str:
        """Why it is undecided; empty if it is not."""
        return self.outcome.reason

    @property
    def n(self) -> int:
        """How many points."""
        return len(self.labels)

    @property
    def separator(self) -> tuple[Floats, float] | None:
        """Weights on all columns and an intercept that separate; None if there are none."""
        return _separator(self.outcome, self.points)

    def certificate(self, X: object = None) -> Certificate:
        """The proof of the verdict, for `novikoff.verify(certificate, X, y)`.

        `X` is asked for where the points are not at hand: layers that came one at a time are not
        kept. The labels are the column that was given; True and False for one class against the
        rest; `labels` for a control.
        """
        return _certificate(self, X)


@dataclass(frozen=True, kw_only=True, eq=False)
class Control(Labelling):
    """A shuffled labelling: what the same labels give on rows that they do not belong to."""


def _separator(outcome: Outcome, points: Points) -> tuple[Floats, float] | None:
    if outcome.weights is not None:
        weights = np.zeros(points.shape[1])
        weights[points.columns] = outcome.weights
        return weights, outcome.intercept
    if outcome.word == "separable" and outcome.verdict is not None:
        return outcome.verdict.weights, outcome.verdict.intercept  # type: ignore[attr-defined]
    return None


def _certificate(row: Labelling, X: object) -> Certificate:
    X = row.points.X if X is None else X
    if X is None:
        raise CertificateError(
            "the points are not at hand, because layers came one at a time: give them, "
            "certificate(X)."
        )
    matrix = host_array(X)
    if matrix.shape != row.points.shape:
        raise CertificateError(f"X has the shape {matrix.shape}, not {row.points.shape}.")
    problem = Problem(matrix, row.labels, True, default_names(matrix.shape[1]), row.classes)
    outcome = row.outcome
    if outcome.weights is not None:
        weights, intercept = _separator(outcome, row.points) or ((), 0.0)
        return Certificate.separable(problem, list(weights), intercept)
    if outcome.verdict is not None:
        return replace(outcome.verdict.certificate(), classes=row.classes)
    if outcome.alpha is not None:
        rows = range(problem.n)
        return Certificate.overlapping(problem, rows, outcome.alpha.tolist(), proof=FLOATING)
    if outcome.pair is not None:
        return Certificate.not_separable(problem, outcome.pair, (1, 1))
    raise CertificateError(f"an undecided concept has no certificate: {outcome.reason}.")
