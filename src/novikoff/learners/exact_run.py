"""The perceptron with real numbers: data scaled to integers, integer weights, rational results.

Multiplying every x̂ᵢ by one positive integer L changes no mistake. The compiled loop runs on the
scaled data for as long as float64 provably holds every weight (below 2⁵³); after that, and for data
too large for it, Python's integers take over with the same filter in front.

The perceptron on Python's integers: as slow as it must be, and never wrong.

Each score is an exact integer. The only short cut is a filter in front: rows that rounded weights
already put beyond doubt on their right side need no exact score.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from operator import mul
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.exact.integers import as_integers, common_denominator
from novikoff.exact.signs import norm_bound, row_norms
from novikoff.learners.run import Run, RunPlan, run_perceptron
from novikoff.learners.status import Status
from novikoff.learners.unit import examples_of, weights_at, with_push
from novikoff.matrix.problem import Matrix, as_fraction
from novikoff.matrix.rows import rows_of


class Unit:
    """Integer weights, their float64 shadow, and the mistakes made since they were last saved."""

    def __init__(self, X: NDArray[Any], push: list[int], w: list[int], tie: int) -> None:
        self.rows = [row.tolist() for row in X]
        self.push, self.w, self.tie = push, w, tie
        self.counts = np.zeros(len(push), np.int64)
        self.signs = np.array([(step > 0) - (step < 0) for step in push], dtype=np.float64)
        self.scale = _scale(max(map(abs, X.flat), default=1))
        self.shadow_rows = np.array([[x / self.scale for x in row] for row in self.rows])
        self.norms = row_norms(self.shadow_rows, len(push), False)
        self._cast_shadow()

    def _cast_shadow(self) -> None:
        scale = _scale(max(map(abs, self.w), default=1))
        self.shadow = np.array([*(value / scale for value in self.w), 0.0])
        self.shadow_norm = norm_bound(self.shadow)

    def next_doubtful(self, order: NDArray[np.int64], t: int) -> int:
        """The next position from t on whose row may be a mistake."""
        return _core.next_doubtful(
            self.shadow_rows, self.signs, self.norms, order, t, self.shadow, self.shadow_norm
        )

    def side(self, i: int) -> int:
        """yᵢ·(xᵢ·w) up to a positive factor, exactly."""
        score: int = sum(map(mul, self.rows[i], self.w))
        return score if self.push[i] > 0 else -score

    def is_mistake(self, i: int, side: int) -> bool:
        """Whether row i, with y·s = side, is misclassified."""
        return side < 0 or (side == 0 and self.tie * self.push[i] <= 0)

    def update(self, i: int) -> None:
        """w ← w + push·x."""
        push = self.push[i]
        self.w = [w + push * x for w, x in zip(self.w, self.rows[i], strict=True)]
        self.counts[i] += 1
        self._cast_shadow()


def _scale(largest: int) -> int:
    """A power of two near `largest`: dividing by it is exact and overflows nothing."""
    return 1 << max(0, largest.bit_length() - 1)


def run_big(
    X: NDArray[Any], push: list[int], w: list[int], plan: RunPlan
) -> tuple[Run, list[int], NDArray[np.int64] | None]:
    """Run the perceptron on integers of any size; return the report, the weights, and any cycle."""
    unit = Unit(X, push, w, plan.tie)
    presented = np.flatnonzero(unit.signs)
    saved, lap, power = unit.w, 0, 1
    mistakes_per_epoch: list[int] = []
    status = Status.REACHED_MAX_ITER
    repeats = plan.order in ("cyclic", "worst")
    while len(mistakes_per_epoch) < plan.max_iter and status is Status.REACHED_MAX_ITER:
        mistakes_per_epoch.append(_one_epoch(unit, presented, plan))
        if plan.watch is not None:
            plan.watch(len(mistakes_per_epoch), mistakes_per_epoch[-1])
        if mistakes_per_epoch[-1] == 0:
            doubtful = plan.order == "random" and _any_mistake(unit, presented)
            status = Status.REACHED_MAX_ITER if doubtful else Status.CONVERGED
        elif repeats and unit.w == saved:
            status = Status.CYCLED
        else:
            lap += 1
            if lap == power:  # Brent: save anew at each power of two
                saved, lap, power = unit.w, 0, 2 * power
                unit.counts[:] = 0
    report = Run(status, np.array(mistakes_per_epoch, dtype=np.int64))
    return report, unit.w, unit.counts if status is Status.CYCLED else None


def _one_epoch(unit: Unit, presented: NDArray[np.int64], plan: RunPlan) -> int:
    if plan.order == "worst":
        return _one_greedy_epoch(unit, presented)
    order = presented
    if plan.order == "shuffled":
        order = presented[plan.random_state.permutation(len(presented))]
    elif plan.order == "random":
        order = presented[
            plan.random_state.randint(0, len(presented), len(presented), dtype=np.int64)
        ]
    mistakes = 0
    t = unit.next_doubtful(order, 0)
    while t < len(order):
        i = int(order[t])
        if unit.is_mistake(i, unit.side(i)):
            unit.update(i)
            mistakes += 1
        t = unit.next_doubtful(order, t + 1)
    return mistakes


def _one_greedy_epoch(unit: Unit, presented: NDArray[np.int64]) -> int:
    for mistakes in range(len(presented)):
        sides = [(unit.side(i), i) for i in presented.tolist()]
        wrong = [(side, i) for side, i in sides if unit.is_mistake(i, side)]
        if not wrong:
            return mistakes
        unit.update(min(wrong)[1])
    return len(presented)


def _any_mistake(unit: Unit, presented: NDArray[np.int64]) -> bool:
    return any(unit.is_mistake(i, unit.side(i)) for i in presented.tolist())


LARGEST_EXACT = 2**53


@dataclass(frozen=True)
class IntegerExamples:
    """x̂ᵢ·L as integers, the bias a column like any other: float64 where that holds them."""

    X: Matrix
    L: int

    @property
    def fits_float64(self) -> bool:
        """Whether the compiled loop can hold these integers."""
        return bool(self.X.dtype != object)


@dataclass(frozen=True)
class ExactRun:
    """A run in exact arithmetic: what it learned, how it went, and the mistakes of its cycle."""

    weights: list[Fraction]
    run: Run
    cycle: NDArray[np.int64] | None


def integer_rows(X: Matrix, *, fit_intercept: bool) -> IntegerExamples:
    """Scale a matrix of floats, integers or exact objects to integers, with the bias column."""
    values = X.data if sp.issparse(X) else X
    L = common_denominator(values)
    if not _fits(values, L):
        dense = X.toarray() if sp.issparse(X) else X
        scaled = as_integers(dense, L)
        ones = np.full((len(scaled), 1), L, dtype=object)
        return IntegerExamples(np.hstack([scaled, ones]) if fit_intercept else scaled, L)
    if sp.issparse(X):
        matrix = sp.csr_array((X.data.astype(np.float64) * L, X.indices, X.indptr), shape=X.shape)
        ones = sp.csr_array(np.full((X.shape[0], 1), float(L)))
        return IntegerExamples(
            sp.hstack([matrix, ones], format="csr") if fit_intercept else matrix, L
        )
    integers = as_integers(X, L) if X.dtype == object else X.astype(np.float64) * L
    matrix = integers.astype(np.float64, copy=False)
    ones = np.full((len(X), 1), float(L))
    return IntegerExamples(np.hstack([matrix, ones]) if fit_intercept else matrix, L)


def _fits(values: NDArray[Any], L: int) -> bool:
    if values.size == 0 or L >= LARGEST_EXACT:
        return L < LARGEST_EXACT
    largest = max(abs(as_fraction(values.min())), abs(as_fraction(values.max())))
    return largest * L < LARGEST_EXACT


def run_exact(
    integers: IntegerExamples, push: list[Fraction], start: list[Fraction] | None, plan: RunPlan
) -> ExactRun:
    """Run the perceptron in exact arithmetic from `start` (None: zero), example i pushing yᵢηᵢ.

    With ŵ·K in place of ŵ, K chosen so that all of it is integer: (ŵK) ← (ŵK) + (push·K/L)·(x̂L).
    """
    L, p = integers.L, integers.X.shape[1]
    start = start or [Fraction(0)] * p
    if not any(push):  # nobody is presented, so nobody is mistaken
        return ExactRun(start, Run(Status.CONVERGED, np.zeros(1, np.int64)), None)
    D = math.lcm(*(step.denominator for step in push), *((w * L).denominator for w in start))
    steps = [int(step * D) for step in push]
    w = [int(value * L * D) for value in start]
    shared = math.gcd(*steps, *w) or 1
    steps, w = [step // shared for step in steps], [value // shared for value in w]
    K = Fraction(L * D, shared)

    report, cycle = Run(Status.REACHED_MAX_ITER, np.zeros(0, np.int64), outgrown=True), None
    if integers.fits_float64 and max(map(abs, [*steps, *w])) < LARGEST_EXACT:
        weights = weights_at(np.array([*w, 0], dtype=np.float64))
        rows = examples_of(rows_of(integers.X), fit_intercept=False)
        examples = with_push(rows, np.array(steps, dtype=np.float64), weights, on_grid=True)
        report, cycle = run_perceptron(examples, weights, plan, must_be_exact=True)
        w = [int(value) for value in weights.w[:p]]
    if report.outgrown:
        X = integers.X.toarray() if sp.issparse(integers.X) else integers.X
        rest_of_plan = replace(plan, max_iter=plan.max_iter - report.n_epochs)
        rest, w, cycle = run_big(as_integers(X, 1), steps, w, rest_of_plan)
        mistakes = np.concatenate([report.mistakes_per_epoch, rest.mistakes_per_epoch])
        report = Run(rest.status, mistakes)
    return ExactRun([value / K for value in w], report, cycle)
