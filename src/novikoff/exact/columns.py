"""Columns that floating point cannot tell from dependent ones, made well scaled without rounding.

Data of numerical rank 10 in 100 columns differs from rank 10 by roundings only, and yet those
decide the verdict. Subtract from each dependent-looking column the combination of the others that
comes nearest to it, exactly: what is left is small, and multiplied by a power of two it is a column
like any other. Columns that are combinations of the others go before that: factors of a thousand
digits may be what makes them so, and subtracting would not come to an end.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import flint
import numpy as np

from novikoff.core import linalg as la
from novikoff.exact.null_space import independent_columns, null_space
from novikoff.exact.points import ExactProblem
from novikoff.exact.spanning import spanning_columns
from novikoff.matrix.rows import Floats

MOST_NUMBERS = 1 << 20
DEPENDENT = 1e-7  # what is left of a column beside its size, when the others are taken off
BITS = 60  # of the factors of a combination
MOST_ROUNDS = 20


# What a column is of the old ones: a factor for each that is there, the bias as the last one.
Combination: TypeAlias = dict[int, Fraction]


class ReconditionedColumns(NamedTuple):
    """The rows in new columns, each a combination of the old ones (the bias last)."""

    points: ExactProblem
    combinations: list[Combination]
    width: int

    def weights(self, w_hat: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
        """ŵ on the old columns, from one on the new: the same scores."""
        totals = [Fraction(0)] * (self.width + 1)
        for weight, combination in zip(w_hat, self.combinations, strict=False):
            for j, factor in combination.items():
                totals[j] += weight * factor
        if not self.points.problem.fit_intercept:
            return tuple(totals[:-1])
        return (*totals[:-1], totals[-1] + w_hat[-1])


def reconditioned_columns(
    points: ExactProblem, check: Callable[[], None]
) -> ReconditionedColumns | None:
    """Well-scaled columns for nearly dependent ones; None if there are none, or too many."""
    n, d = points.problem.n, points.problem.d
    independent = _independent(points)
    if independent is None or n * len(independent) > MOST_NUMBERS:
        return None
    if not independent:  # all of them are constant, and one says what they say
        return _first_alone(points) if d > n else None
    integers, factors = points.reading.integers(np.arange(n), independent)
    columns = integers.T.tolist()
    combinations = [
        {j: factor} for j, factor in zip(independent, map(Fraction, factors), strict=True)
    ]
    changed = len(independent) < d
    for _ in range(MOST_ROUNDS):
        check()
        kept, dependent = _split(_scale(columns), points.problem.fit_intercept)
        if len(dependent) == 0:
            break
        changed = True
        base = [d] if points.problem.fit_intercept else []
        columns, combinations = _reduce(columns, combinations, kept, dependent, base)
        if not columns:
            return None
    if not changed:
        return None
    X = np.array(columns, dtype=object).T
    names = tuple(f"x{j}" for j in range(len(columns)))
    problem = replace(points.problem, X=X, names=names)
    return ReconditionedColumns(ExactProblem.of(problem), combinations, d)


def _first_alone(points: ExactProblem) -> ReconditionedColumns:
    integers, factors = points.reading.integers(np.arange(points.problem.n), [0])
    problem = replace(points.problem, X=integers, names=("x0",))
    return ReconditionedColumns(
        ExactProblem.of(problem), [{0: Fraction(factors[0])}], points.problem.d
    )


def _independent(points: ExactProblem) -> list[int] | None:
    """Columns of which no combination is 0 in every row, nor constant where there is a bias.

    All other columns are combinations of them; None if there are too many numbers to tell.
    """
    n, d = points.problem.n, points.problem.d
    if d > n:
        return spanning_columns(points.reading, with_one=points.problem.fit_intercept)
    if n * d > MOST_NUMBERS:
        return None
    basis = null_space(points.reading, range(n), points.problem.fit_intercept)
    return [j for j in independent_columns(basis) if j < d] if basis else list(range(d))


def _scale(columns: list[list[int]]) -> Floats:
    """The columns as floats of like size."""
    scaled = np.empty((len(columns[0]), len(columns)))
    for j, column in enumerate(columns):
        shift = max(map(abs, column)).bit_length() - 1000
        if shift > 0:
            column = [value >> shift for value in column]
        floats = np.array([float(value) for value in column])
        scaled[:, j] = floats / (np.linalg.norm(floats / 2.0**500) * 2.0**500 or 1.0)
    return scaled


def _split(F: Floats, with_one: bool) -> tuple[list[int], list[int]]:
    """Columns that are clearly independent, and those that look dependent on them."""
    if with_one:
        # The constant goes first: it is no column that could be changed.
        one = np.ones(len(F)) / np.sqrt(len(F))
        F = F - np.outer(one, one @ F)
    _, R, pivots = la.qr(F, mode="economic", pivoting=True)
    sizes = np.abs(np.diagonal(R))
    rank = int((sizes > DEPENDENT).sum())
    return sorted(pivots[:rank].tolist()), sorted(pivots[rank:].tolist())


def _reduce(
    columns: list[list[int]],
    combinations: list[Combination],
    kept: list[int],
    dependent: list[int],
    bias: list[int],
) -> tuple[list[list[int]], list[Combination]]:
    """Each dependent column minus its nearest combination of the kept ones, scaled.

    `bias` is the place of the bias among the old columns, where there is one.
    """
    n = len(columns[0])
    base = [columns[j] for j in kept] + [[1] * n for _ in bias]
    base_combinations = [combinations[j] for j in kept] + [{j: Fraction(1)} for j in bias]
    others = [columns[j] for j in dependent]
    whole = _factors(base, others)
    rest: Any = (1 << BITS) * flint.fmpz_mat(others)
    if base:
        rest = rest - flint.fmpz_mat(whole) * flint.fmpz_mat(base)
    new_columns = [columns[j] for j in kept]
    new_combinations = [combinations[j] for j in kept]
    for at, values in enumerate(rest.table()):
        column = [int(value) for value in values]
        if not any(column):
            continue
        mixed = {j: (1 << BITS) * value for j, value in combinations[dependent[at]].items()}
        for factor, combination in zip(whole[at], base_combinations, strict=True):
            for j, value in combination.items():
                mixed[j] = mixed.get(j, Fraction(0)) - factor * value
        low = min((value & -value).bit_length() - 1 for value in column if value)
        new_columns.append([value >> low for value in column])
        new_combinations.append({j: value / (1 << low) for j, value in mixed.items()})
    return new_columns, new_combinations


def _factors(base: list[list[int]], others: list[list[int]]) -> list[list[int]]:
    """The factors of the combinations that come nearest, times 2^BITS, as integers."""
    if not base:
        return [[] for _ in others]
    sizes = [max(map(abs, column)) or 1 for column in (*base, *others)]
    shifts = [size.bit_length() for size in sizes]
    F = np.array(
        [
            [_ratio(value, s) for value in column]
            for column, s in zip((*base, *others), shifts, strict=True)
        ]
    ).T
    k = len(base)
    solution, *_ = la.lstsq(F[:, :k], F[:, k:], check_finite=False)
    factors: Floats = solution
    return [
        [
            round(Fraction(factors[i, at]) * Fraction(2) ** (shifts[k + at] - shifts[i] + BITS))
            for i in range(k)
        ]
        for at in range(len(others))
    ]


def _ratio(value: int, shift: int) -> float:
    """value / 2^shift, for integers of any length."""
    extra = max(0, value.bit_length() - 900)
    return float(np.ldexp(float(value >> extra), extra - shift))
