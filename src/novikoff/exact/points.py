"""The points of a problem, two ways: as floats for fast loops, and exactly, some at a time.

The floats are the user's own array wherever it holds numbers. They *are* the points if the points
are float64 numbers, and are within one rounding of them if not (`Fraction` objects, integers beyond
2⁵³, decimals that stand for what they print as): `rounded` says which.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.errors import DataError
from novikoff.exact.integers import IntegerRows, integer_rows
from novikoff.exact.reading import Reading
from novikoff.exact.whole import WholeRows, whole_rows
from novikoff.problem import Problem, check_float64_holds
from novikoff.rows import Floats, Rows, rows_of

__all__ = ["Points"]

Indices: TypeAlias = NDArray[np.intp] | Sequence[int]


@dataclass(frozen=True)
class Points:
    """A problem's rows for compiled loops, and what is needed to have them exactly."""

    problem: Problem
    floats: Any
    rounded: bool
    decimal: NDArray[np.bool_] | None

    @cached_property
    def rows(self) -> Rows:
        """The floats for compiled loops."""
        return rows_of(self.floats)

    @cached_property
    def reading(self) -> Reading:
        """The points as exact numbers."""
        return Reading(self.problem.X, self.decimal is not None)

    @cached_property
    def whole(self) -> WholeRows | None:
        """The points as integers in float64, each column scaled, if they are of that kind."""
        return whole_rows(self.reading)

    @classmethod
    def of(cls, problem: Problem, *, decimals: bool = False) -> "Points":
        """The points of `problem`; with `decimals`, decimal columns are what they print as."""
        X = problem.X
        decimal = _decimal_columns(X) if decimals and X.dtype.kind == "f" else None
        try:
            check_float64_holds(X)
        except DataError:
            return cls(problem, _nearest_floats(X), rounded=True, decimal=None)
        return cls(problem, X, rounded=decimal is not None, decimal=decimal)

    def take(self, indices: Indices) -> Floats:
        """Some rows, dense, as float64."""
        X = self.floats[indices]
        dense = X.toarray() if sp.issparse(X) else X
        return np.asarray(dense, dtype=np.float64)

    def integers(self, indices: Indices) -> IntegerRows:
        """Some rows, dense, exactly."""
        X = self.problem.X[indices]
        return integer_rows(X.toarray() if sp.issparse(X) else X, self.decimal)


def _decimal_columns(X: Any) -> NDArray[np.bool_] | None:
    """Which columns hold decimals that float64 had to round; None if there are none."""
    places = Reading(X, decimals=True).places
    marks = places > 0
    whole = np.flatnonzero(places == 0)
    if len(whole):
        # 1e23 prints as an integer that float64 cannot hold.
        sizes = abs(X[:, whole]).max(axis=0)
        marks[whole] = (sizes.toarray() if sp.issparse(sizes) else sizes).ravel() > 2.0**53
    return marks if marks.any() else None


def _nearest_floats(X: Any) -> Any:
    """Float64 within one rounding of exact numbers; an error where it cannot come that close."""
    if X.dtype != object:
        return X.astype(np.float64)
    floats = np.empty(X.shape)
    for at, value in np.ndenumerate(X):
        try:
            floats[at] = float(value)
        except OverflowError:
            floats[at] = np.inf
        if np.isinf(floats[at]) or (value != 0 and abs(floats[at]) < np.finfo(np.float64).tiny):
            raise DataError(
                f"row {at[0]}, column {at[1]} of X is beyond the range of float64: "
                "multiply that column by a constant, which changes no verdict."
            )
    return floats
