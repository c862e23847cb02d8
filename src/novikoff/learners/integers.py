"""The perceptron with real numbers: data scaled to integers, integer weights, rational results.

Multiplying every x̂ᵢ by one positive integer L changes no mistake. The compiled loop runs on the
scaled data for as long as float64 provably holds every weight (below 2⁵³); after that, and for data
too large for it, Python's integers take over with the same filter in front.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.exact.scaling import as_integers, common_denominator
from novikoff.learners.big_integers import run_big
from novikoff.learners.perceptron_run import run_perceptron
from novikoff.learners.run import Plan, Run
from novikoff.learners.status import Status
from novikoff.learners.unit import examples_of, weights_at, with_push
from novikoff.problem import Matrix, as_fraction
from novikoff.rows import rows_of

__all__ = ["ExactRun", "IntegerRows", "integer_rows", "run_exact"]

LARGEST_EXACT = 2**53


@dataclass(frozen=True)
class IntegerRows:
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


def integer_rows(X: Matrix, *, fit_intercept: bool) -> IntegerRows:
    """Scale a matrix of floats, integers or exact objects to integers, with the bias column."""
    values = X.data if sp.issparse(X) else X
    L = common_denominator(values)
    if not _fits(values, L):
        dense = X.toarray() if sp.issparse(X) else X
        scaled = as_integers(dense, L)
        ones = np.full((len(scaled), 1), L, dtype=object)
        return IntegerRows(np.hstack([scaled, ones]) if fit_intercept else scaled, L)
    if sp.issparse(X):
        matrix = sp.csr_array((X.data.astype(np.float64) * L, X.indices, X.indptr), shape=X.shape)
        ones = sp.csr_array(np.full((X.shape[0], 1), float(L)))
        return IntegerRows(sp.hstack([matrix, ones], format="csr") if fit_intercept else matrix, L)
    integers = as_integers(X, L) if X.dtype == object else X.astype(np.float64) * L
    matrix = integers.astype(np.float64, copy=False)
    ones = np.full((len(X), 1), float(L))
    return IntegerRows(np.hstack([matrix, ones]) if fit_intercept else matrix, L)


def _fits(values: NDArray[Any], L: int) -> bool:
    if values.size == 0 or L >= LARGEST_EXACT:
        return L < LARGEST_EXACT
    largest = max(abs(as_fraction(values.min())), abs(as_fraction(values.max())))
    return largest * L < LARGEST_EXACT


def run_exact(
    integers: IntegerRows, push: list[Fraction], start: list[Fraction] | None, plan: Plan
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
