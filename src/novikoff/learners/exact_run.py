"""The perceptron with real numbers: data scaled to integers, integer weights, rational results.

Multiplying every x̂ᵢ by one positive integer L changes no mistake. The compiled loop runs on the
scaled data for as long as float64 provably holds every weight (below 2⁵³); after that, and for data
too large for it, Python's integers take over with the same filter in front.

On Python's integers each score is exact. The only short cut is a filter in front: rows that rounded
weights already put beyond doubt on their right side need no exact score.

The averaged perceptron. Row i was mistaken cᵢ times, after τᵢ rounds in sum. Then the weights after
each of T rounds sum to T·ŵ₀ + Σ ηᵢyᵢ(T·cᵢ − τᵢ)x̂ᵢ: two integers a row are all that has to be
carried.
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
from novikoff.exact.bounds import norm_bound, row_norms
from novikoff.exact.integers import as_integers, common_denominator
from novikoff.learners.run import EpochLoop, Run, RunPlan, run, run_perceptron
from novikoff.learners.status import CONVERGED, CYCLED, GO_ON, Status
from novikoff.learners.unit import Examples, examples_of, weights_at, with_push
from novikoff.matrix.problem import Matrix, as_fraction
from novikoff.matrix.rows import rows_of


class IntegerUnit:
    """Integer weights, their float64 shadow, and what has been learned from each row.

    `counts` are its mistakes (since the weights were last saved, where cycles are looked for), and
    `delays` the sum, over its mistakes, of the rounds before.
    """

    def __init__(self, X: NDArray[Any], push: list[int], w: list[int], tie: int) -> None:
        self.rows = [row.tolist() for row in X]
        self.push, self.w, self.tie = push, w, tie
        self.counts, self.delays, self.rounds = np.zeros(len(push), np.int64), [0] * len(push), 0
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


class IntegerEpochs(EpochLoop):
    """Epochs on Python's integers; with `finds_cycles`, Brent's watch for weights that return."""

    def __init__(
        self, unit: IntegerUnit, *, greedy: bool = False, finds_cycles: bool = False
    ) -> None:
        self.unit, self.greedy, self.finds_cycles = unit, greedy, finds_cycles
        self.saved, self.lap, self.power = unit.w, 0, 1

    def epoch(
        self,
        examples: Examples,
        order: NDArray[np.int64],
        tie: int,  # noqa: ARG002 (the unit knows it)
        state: object,  # noqa: ARG002 (the unit is the state)
    ) -> tuple[int, int]:
        """One epoch, each update on the next mistake or, greedily, on the worst."""
        in_order = order if len(order) else np.arange(len(examples.push))
        mistakes = (self._greedily if self.greedy else self._one_by_one)(in_order)
        if mistakes == 0:
            return 0, CONVERGED
        return mistakes, self._look_for_cycle() if self.finds_cycles else GO_ON

    def _one_by_one(self, order: NDArray[np.int64]) -> int:
        unit, mistakes = self.unit, 0
        t = unit.next_doubtful(order, 0)
        while t < len(order):
            i = int(order[t])
            if unit.is_mistake(i, unit.side(i)):
                unit.update(i)
                unit.delays[i] += unit.rounds + t
                mistakes += 1
            t = unit.next_doubtful(order, t + 1)
        unit.rounds += len(order)
        return mistakes

    def _greedily(self, presented: NDArray[np.int64]) -> int:
        unit = self.unit
        for mistakes in range(len(presented)):
            sides = [(unit.side(i), i) for i in presented.tolist()]
            wrong = [(side, i) for side, i in sides if unit.is_mistake(i, side)]
            if not wrong:
                return mistakes
            unit.update(min(wrong)[1])
        return len(presented)

    def _look_for_cycle(self) -> int:
        if self.unit.w == self.saved:
            return CYCLED
        self.lap += 1
        if self.lap == self.power:  # Brent: save anew at each power of two
            self.saved, self.lap, self.power = self.unit.w, 0, 2 * self.power
            self.unit.counts[:] = 0
        return GO_ON

    def run(self, plan: RunPlan) -> Run:
        """Run epochs until a whole one has no mistake, the weights cycle, or the plan ends."""
        unit = self.unit
        rows = examples_of(unit.shadow_rows, fit_intercept=False)
        return run(self, rows._replace(push=unit.signs), unit, plan, errors=_errors)


def _errors(examples: Examples, tie: int, unit: IntegerUnit) -> int:  # noqa: ARG001
    """How many examples the weights as they are now misclassify."""
    presented = np.flatnonzero(examples.push).tolist()
    return sum(unit.is_mistake(i, unit.side(i)) for i in presented)


def run_big(
    X: NDArray[Any], push: list[int], w: list[int], plan: RunPlan
) -> tuple[Run, list[int], NDArray[np.int64] | None]:
    """Run the perceptron on integers of any size; return the report, the weights, and any cycle."""
    unit = IntegerUnit(X, push, w, plan.tie)
    repeats = plan.order in ("cyclic", "worst")
    report = IntegerEpochs(unit, greedy=plan.order == "worst", finds_cycles=repeats).run(plan)
    return report, unit.w, unit.counts if report.status is Status.CYCLED else None


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

    def objects(self) -> NDArray[Any]:
        """The rows as Python's integers."""
        return as_integers(self.X.toarray() if sp.issparse(self.X) else self.X, 1)


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
        rest_of_plan = replace(plan, max_iter=plan.max_iter - report.n_epochs)
        rest, w, cycle = run_big(integers.objects(), steps, w, rest_of_plan)
        mistakes = np.concatenate([report.mistakes_per_epoch, rest.mistakes_per_epoch])
        report = Run(rest.status, mistakes)
    return ExactRun([value / K for value in w], report, cycle)


@dataclass(frozen=True)
class ExactAverage:
    """The state of a run: its ŵ, the sum of ŵ after each round, the rounds so far, its report."""

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


def run_exact_average(
    integers: IntegerExamples, push: list[Fraction], start: ExactAverage, plan: RunPlan
) -> ExactAverage:
    """Go on from `start` in exact arithmetic, example i pushing yᵢηᵢ."""
    L = integers.L
    # In units of 1/(L·D) every step and every weight is an integer.
    D = math.lcm(
        *(step.denominator for step in push), *((w * L).denominator for w in start.weights)
    )
    steps, w = [int(step * D) for step in push], [int(value * L * D) for value in start.weights]
    unit = IntegerUnit(integers.objects(), steps, w, plan.tie)
    report = IntegerEpochs(unit).run(plan)

    T = unit.rounds
    total = [before + T * w for before, w in zip(start.total, start.weights, strict=True)]
    for i, (row, count) in enumerate(zip(unit.rows, unit.counts.tolist(), strict=True)):
        weight = push[i] * (T * count - unit.delays[i]) / L
        if weight:
            total = [value + weight * x for value, x in zip(total, row, strict=True)]
    weights = [Fraction(value, L * D) for value in unit.w]
    return ExactAverage(weights, total, start.rounds + T, report)
