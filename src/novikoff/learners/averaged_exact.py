"""The averaged perceptron with real numbers: integer weights, and an average that is rational.

Row i was mistaken cᵢ times, after τᵢ rounds in sum. Then the weights after each of T rounds sum to
T·ŵ₀ + Σ ηᵢyᵢ(T·cᵢ − τᵢ)x̂ᵢ: two integers a row are all that has to be carried.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.exact.integers import as_integers
from novikoff.learners.exact_run import IntegerExamples, Unit
from novikoff.learners.run import Run, RunPlan, run
from novikoff.learners.status import CONVERGED, PAUSED
from novikoff.learners.unit import Examples, examples_of


@dataclass(frozen=True)
class ExactAverage:
    """Where a run is: its ŵ, the sum of ŵ after each round, the number of rounds, its report."""

    weights: list[Fraction]
    total: list[Fraction]
    rounds: int
    run: Run | None = None

    @classmethod
    def start(cls, p: int) -> "ExactAverage":
        """Zero weights, before the first round."""
        return cls([Fraction(0)] * p, [Fraction(0)] * p, 0)

    @property
    def average(self) -> list[Fraction]:
        """The mean of the weights after each round."""
        return [value / max(1, self.rounds) for value in self.total]


class ContributionLog:
    """The epochs of a run on Python's integers; what each row contributed is written down."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.counts = [0] * len(unit.push)
        self.delays = [0] * len(unit.push)
        self.rounds = 0

    def epochs(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,  # noqa: ARG002 (the unit knows it)
        state: Any,  # noqa: ARG002 (the account is the state)
        mistakes_per_epoch: NDArray[np.int64],
    ) -> tuple[int, int]:
        """Epoch after epoch in the same order; return how many were run, and why it stopped."""
        in_order = order if len(order) else np.arange(len(examples.push))
        for epoch in range(len(mistakes_per_epoch)):
            mistakes_per_epoch[epoch] = self._one_epoch(in_order)
            if mistakes_per_epoch[epoch] == 0:
                return epoch + 1, CONVERGED
        return len(mistakes_per_epoch), PAUSED

    def _one_epoch(self, order: NDArray[np.int64]) -> int:
        unit, mistakes = self.unit, 0
        t = unit.next_doubtful(order, 0)
        while t < len(order):
            i = int(order[t])
            if unit.is_mistake(i, unit.side(i)):
                unit.update(i)
                self.counts[i] += 1
                self.delays[i] += self.rounds + t
                mistakes += 1
            t = unit.next_doubtful(order, t + 1)
        self.rounds += len(order)
        return mistakes

    def errors(self, examples: Examples, tie: int, state: Any) -> int:  # noqa: ARG002
        """How many examples the weights as they are now misclassify."""
        presented = np.flatnonzero(examples.push).tolist()
        return sum(self.unit.is_mistake(i, self.unit.side(i)) for i in presented)


def run_exact_average(
    integers: IntegerExamples, push: list[Fraction], start: ExactAverage, plan: RunPlan
) -> ExactAverage:
    """Go on from `start` in exact arithmetic, example i pushing yᵢηᵢ."""
    L = integers.L
    X = as_integers(integers.X.toarray() if sp.issparse(integers.X) else integers.X, 1)
    # In units of 1/(L·D) every step and every weight is an integer.
    D = math.lcm(
        *(step.denominator for step in push), *((w * L).denominator for w in start.weights)
    )
    unit = Unit(
        X, [int(step * D) for step in push], [int(w * L * D) for w in start.weights], plan.tie
    )
    account = ContributionLog(unit)
    examples = examples_of(unit.shadow_rows, fit_intercept=False)._replace(push=unit.signs)
    report = run(account.epochs, examples, account, plan, errors=account.errors)

    T = account.rounds
    total = [before + T * w for before, w in zip(start.total, start.weights, strict=True)]
    for i, row in enumerate(unit.rows):
        weight = push[i] * (T * account.counts[i] - account.delays[i]) / L
        if weight:
            total = [value + weight * x for value, x in zip(total, row, strict=True)]
    weights = [Fraction(value, L * D) for value in unit.w]
    return ExactAverage(weights, total, start.rounds + T, report)
