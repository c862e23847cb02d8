"""Rows yᵢx̂ᵢ as integers, for exact solves with some of them and exact sums over all.

Systems of short integers, or of few long ones, are solved by lifting; dense ones of long integers
(general float64 data) go to flint.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.exact.integers import odd_times_power
from novikoff.exact.lifting import IntegerMatrix, IntegerSystem, solve_exactly
from novikoff.exact.points import ExactProblem, signed_rows
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.residues import ResidueRows, combination_is_zero

Indices = NDArray[np.intp]
SHORT = 53  # bits: float64 holds such integers
MOST_LONG = 1 << 23  # integers of many digits that are held at once
DENSE = 0.3  # the share of entries that are stored
MOST_DENSE_UNKNOWNS = 600  # for which flint's solve takes seconds
MOST_TRIED_TWICE = 300  # unknowns for which flint is asked where lifting fails


class Solver(Protocol):
    """A square integer system, solved exactly over one denominator; None if that fails."""

    def solve(
        self, b: list[int], *, transposed: bool, check: Callable[[], None]
    ) -> tuple[list[int], int] | None:
        """Numerators and the denominator of the solution."""


@dataclass(frozen=True)
class SignedIntegerRows:
    """An integer matrix with yᵢx̂ᵢ = matrix[i] / factors, column by column."""

    matrix: IntegerMatrix
    factors: tuple[Fraction, ...]
    whole: ResidueRows | None
    rows: Indices
    signs: NDArray[np.int8]

    def combine(self, rows: Indices, alpha: list[int]) -> list[int]:
        """Σ αᵢ · row i over some rows."""
        return self.matrix.take(rows).transpose().times(alpha)

    def score(self, rows: Indices, columns: Indices, w: list[int]) -> list[int]:
        """row · w for some rows and columns."""
        return self.matrix.take(rows, columns).times(w)

    def score_all(self, w: Sequence[Fraction]) -> list[int]:
        """yᵢx̂ᵢ · w for all rows, times one positive number."""
        values = [Fraction(value) / factor for value, factor in zip(w, self.factors, strict=True)]
        return self.matrix.times(over_one_denominator(values)[0])

    def sum_is_zero(self, rows: Indices, alpha: list[int]) -> bool:
        """Whether Σ αᵢ · row i over some rows is 0."""
        if self.whole is None:
            return not any(self.combine(rows, alpha))
        signs = self.signs[rows].tolist()
        signed = [sign * value for sign, value in zip(signs, alpha, strict=True)]
        if len(self.factors) > len(self.whole.factors) and sum(signed) != 0:
            return False
        zero = combination_is_zero(self.whole, self.rows[rows], signed)
        return not any(self.combine(rows, alpha)) if zero is None else zero

    def square(
        self, rows: Indices, columns: Indices, *, at_any_size: bool = False
    ) -> Solver | None:
        """The system of as many rows as columns; None if it is singular, or too large."""
        if len(rows) == 0:
            return _EmptySystem()
        chosen = self.matrix.take(rows, columns)
        if chosen.values.dtype == object and chosen.places.nnz > DENSE * len(rows) * len(columns):
            if len(rows) > MOST_DENSE_UNKNOWNS and not at_any_size:
                return None
            return _FlintSystem(chosen)
        lifted = IntegerSystem.of(chosen)
        return lifted if len(rows) > MOST_TRIED_TWICE else _TriedTwice(chosen, lifted)


def signed_integers(points: ExactProblem, rows: Indices) -> SignedIntegerRows | None:
    """These rows as integers; None if they are not of that kind, or too many of them are long."""
    whole, problem = points.whole, points.problem
    if whole is None:
        return _of_any_kind(points, rows)
    X = sp.csr_of(points.floats[rows])
    if whole.bits > SHORT and X.nnz > MOST_LONG:
        return None
    data = _integers(whole, X.data.astype(np.float64), X.indices)
    signs = problem.y[rows]
    data = data * np.repeat(signs.astype(data.dtype), np.diff(X.indptr))
    matrix = IntegerMatrix.of(data, X.indices, X.indptr, X.shape)
    if problem.fit_intercept:
        # Sparse from the start: of an array, SciPy would leave out the place 0.
        at, column = len(data) + np.arange(len(rows)), np.zeros(len(rows), dtype=np.intp)
        ones = sp.csr_array((at, column, np.arange(len(rows) + 1)), shape=(len(rows), 1))
        places = sp.csr_array(sp.hstack([matrix.places, ones]))
        matrix = IntegerMatrix(places, np.concatenate([data, signs.astype(data.dtype)]))
    factors = (*whole.factors, *[Fraction(1)] * problem.fit_intercept)
    return SignedIntegerRows(matrix, factors, whole, rows, signs)


def _of_any_kind(points: ExactProblem, rows: Indices) -> SignedIntegerRows | None:
    """The system for fractions, very long integers, and columns of extremely different sizes."""
    p = points.problem.d + points.problem.fit_intercept
    if len(rows) * p > MOST_LONG >> 3:
        return None
    block = signed_rows(points, rows)
    data = np.array([int(value) for value in block.matrix.entries()], dtype=object)
    indices, indptr = np.tile(np.arange(p), len(rows)), np.arange(len(rows) + 1) * p
    matrix = IntegerMatrix.of(data, indices, indptr, (len(rows), p))
    factors = tuple(1 / unit for unit in block.units)
    return SignedIntegerRows(matrix, factors, None, rows, points.problem.y[rows])


def _integers(whole: ResidueRows, values: NDArray[np.float64], columns: Any) -> NDArray[Any]:
    """The integers of some entries: int64 where all of them are short."""
    tens = whole.tens[columns]
    if whole.bits <= SHORT:
        return whole.integers(values, columns)
    odd, powers = odd_times_power(values)
    shifts = np.where((odd == 0) | (tens > 0), 0, powers - whole.lowest[columns])
    long = odd.astype(object) << shifts.astype(object)
    decimal = np.flatnonzero(tens > 0)
    long[decimal] = np.rint(values[decimal] * tens[decimal]).astype(np.int64).astype(object)
    return np.asarray(long)


class _EmptySystem:
    """No unknowns: rows of zeros alone."""

    def solve(
        self,
        b: list[int],
        *,
        transposed: bool,  # noqa: ARG002
        check: Callable[[], None],  # noqa: ARG002
    ) -> tuple[list[int], int] | None:
        return None if any(b) else ([], 1)


class _FlintSystem:
    """A dense system of long integers."""

    def __init__(self, matrix: IntegerMatrix) -> None:
        places, data = matrix.places.tocoo(), matrix.data
        table = [[0] * matrix.shape[1] for _ in range(matrix.shape[0])]
        for i, j, value in zip(places.row, places.col, data.tolist(), strict=True):
            table[i][j] = value
        self.matrix = flint.fmpz_mat(table)

    def solve(
        self, b: list[int], *, transposed: bool, check: Callable[[], None]
    ) -> tuple[list[int], int] | None:
        check()
        matrix = self.matrix.transpose() if transposed else self.matrix
        return solve_exactly(matrix, b, check)


class _TriedTwice:
    """Lifting first; nearly dependent columns, which floats cannot tell apart, go to flint."""

    def __init__(self, matrix: IntegerMatrix, lifted: IntegerSystem | None) -> None:
        self.matrix, self.lifted = matrix, lifted

    def solve(
        self, b: list[int], *, transposed: bool, check: Callable[[], None]
    ) -> tuple[list[int], int] | None:
        if self.lifted is not None:
            found = self.lifted.solve(b, transposed=transposed, check=check)
            if found is not None:
                return found
        return _FlintSystem(self.matrix).solve(b, transposed=transposed, check=check)
