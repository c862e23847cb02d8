"""The points of a problem, two ways: as floats for fast loops, and exactly, some at a time.

The floats are the user's own array wherever it holds numbers. They *are* the points if the points
are float64 numbers, and are within one rounding of them if not (`Fraction` objects, integers beyond
2⁵³, decimals that stand for what they print as): `rounded` says which. Objects may be so large or
so small that float64 has an infinity or a 0 for them: then the points are not `in_range`, and
rational numbers decide.

The rows yᵢx̂ᵢ that every theorem speaks of, as integers, and exact scores yᵢ(w·xᵢ + b).
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias, TypeVar

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core import sparse as sp
from novikoff.core.options import check_flag
from novikoff.core.progress import in_time
from novikoff.errors import DataError
from novikoff.exact.bounds import LEAST_NORMAL
from novikoff.exact.rational import over_one_denominator
from novikoff.exact.reading import WHOLE, ExactMatrix
from novikoff.exact.residues import ResidueRows, whole_rows
from novikoff.matrix.problem import Problem
from novikoff.matrix.remote import Part, RemoteMatrix, over_parts
from novikoff.matrix.rows import Floats, Rows, rows_of

T = TypeVar("T")
Indices: TypeAlias = NDArray[np.intp] | Sequence[int]


@dataclass(frozen=True)
class ExactProblem:
    """A problem's rows for compiled loops, and what is needed to have them exactly."""

    problem: Problem
    floats: Any
    rounded: bool
    places: NDArray[np.int64] | None = None  # of decimals that float64 had to round

    @cached_property
    def rows(self) -> Rows:
        """The floats for compiled loops."""
        return rows_of(self.floats)

    @cached_property
    def in_range(self) -> bool:
        """Whether the floats are near the points: none is infinite or has lost digits below."""
        if self.problem.X.dtype != object:
            return True
        sizes = np.abs(self.floats)
        beyond = ~((LEAST_NORMAL <= sizes) & (sizes < np.inf))
        return not (self.problem.X[beyond] != 0).any()

    @cached_property
    def reading(self) -> ExactMatrix:
        """The points as exact numbers."""
        return ExactMatrix(self.problem.X, self.decimals, self.places)

    @property
    def decimals(self) -> bool:
        """Whether some columns stand for the decimals that they print as."""
        return self.places is not None

    @cached_property
    def whole(self) -> ResidueRows | None:
        """The points as integers in float64, each column scaled, if they are of that kind."""
        return whole_rows(self.reading)

    @classmethod
    def of(cls, problem: Problem, *, decimals: bool = False) -> "ExactProblem":
        """The points of `problem`; with `decimals`, decimal columns are what they print as."""
        check_flag("decimals", decimals)
        X, places = problem.X, None
        if not ExactMatrix(X, decimals).is_float:
            return cls(problem, _nearest_floats(X), rounded=True)
        if decimals and X.dtype.kind == "f":
            places = ExactMatrix(X, decimals=True).places
            if not _holds_rounded_decimals(X, places):
                places = None
        return cls(problem, X, rounded=places is not None, places=places)

    def __getstate__(self) -> dict[str, Any]:
        """The points once: what was made of them is made again."""
        return {name: self.__dict__[name] for name in ("problem", "rounded", "places")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        nearest = self.rounded and not self.decimals
        self.__dict__["floats"] = _nearest_floats(self.problem.X) if nearest else self.problem.X

    @property
    def remote(self) -> RemoteMatrix | None:
        """Where the rows live, if not in memory."""
        return self.problem.X if isinstance(self.problem.X, RemoteMatrix) else None

    @property
    def pace(self) -> str:
        """How fast the last pass over a remote matrix was, as the end of a sentence."""
        rate = 0.0 if self.remote is None else self.remote.rows_a_second
        return f", {rate:,.0f} rows a second" if rate else ""

    def over_parts(self, task: Callable[..., T], *args: Any) -> list[T]:
        """`task(points, *args)` for each part of the rows; those in memory are one part."""
        if self.remote is None:
            return [task(self, *args)]
        how = (self.problem.fit_intercept, self.rounded, self.places)
        return self.remote.over_parts(_on_part, how, task, args)

    def part(self, rows: NDArray[np.intp]) -> "ExactProblem":
        """These points in memory, with the decimal places of the whole matrix."""
        problem = replace(self.problem, X=self.problem.X[rows], y=self.problem.y[rows])
        floats = self.floats[rows] if self.floats is not self.problem.X else problem.X
        return ExactProblem(problem, floats, self.rounded, self.places)

    def take(self, indices: Indices) -> Floats:
        """Some rows, dense, as float64."""
        X = self.floats[indices]
        dense = X.toarray() if sp.issparse(X) else X
        return np.asarray(dense, dtype=np.float64)

    def integers(self, indices: Indices) -> tuple[list[list[int]], list[Fraction]]:
        """Some rows, dense: integers, and the positive unit of each column that they count."""
        entries, factors = self.reading.integers(indices, range(self.problem.d))
        return entries.tolist(), [1 / Fraction(factor) for factor in factors]


def _on_part(part: Part, how: Any, task: Callable[..., T], args: Any) -> T:
    """The task on a part of the points, which is read as all of them are."""
    fit_intercept, rounded, places = how
    problem = Problem(part.X, part.y, fit_intercept, (), (-1, 1))
    return task(ExactProblem(problem, part.X, rounded, places), *args)


def _holds_rounded_decimals(X: Any, places: NDArray[np.int64]) -> bool:
    """Whether a column holds decimals that float64 had to round."""
    whole = np.flatnonzero(places == 0)
    # 1e23 prints as an integer that float64 cannot hold.
    sizes = over_parts(X, None, _sizes, whole) if len(whole) else [np.zeros(1)]
    return bool((places > 0).any() or (np.max(sizes, axis=0) > WHOLE).any())


def _sizes(part: Part, columns: NDArray[np.intp]) -> Floats:
    """The largest number of each of these columns."""
    sizes = abs(part.X[:, columns]).max(axis=0)
    return np.asarray((sizes.toarray() if sp.issparse(sizes) else sizes).ravel(), dtype=np.float64)


def _nearest_floats(X: Any) -> Any:
    """The nearest float64 to each exact number: an infinity beyond them."""
    if isinstance(X, RemoteMatrix):
        raise DataError(
            "float64 cannot hold these numbers, and they are not in memory: read the data whole "
            "(novikoff.read), or convert it to float64."
        )
    if X.dtype != object:
        return X.astype(np.float64)
    return np.array([[_nearest_float(value) for value in row] for row in in_time(X)])


def _nearest_float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


BLOCK = 1 << 18  # numbers made integers together


class SignedRows(NamedTuple):
    """Integer rows with yᵢx̂ᵢ = matrix[i] · units, entry by entry; units are positive fractions."""

    matrix: Any
    units: list[Fraction]

    def weights(self, point: Sequence[Any]) -> tuple[Fraction, ...]:
        """The ŵ with x̂ᵢ·ŵ = matrix[i]·point: weights for the rows as they were given."""
        return tuple(
            Fraction(int(value.p), int(value.q)) / unit
            for value, unit in zip(map(flint.fmpq, point), self.units, strict=True)
        )


def signed_rows(
    points: ExactProblem, indices: NDArray[np.intp] | Sequence[int], *, with_one: bool | None = None
) -> SignedRows:
    """The rows yᵢx̂ᵢ, or yᵢxᵢ, each column divided by a unit of its own that makes it whole.

    `with_one` says which of the two; by default it is a matter of the problem's bias.
    """
    entries, units = points.integers(indices)
    bias = points.problem.fit_intercept if with_one is None else with_one
    signs = points.problem.y[indices].tolist()
    signed = [
        [sign * x for x in row] + [sign] * bias
        for sign, row in zip(in_time(signs), entries, strict=True)
    ]
    return SignedRows(flint.fmpz_mat(signed), units + [Fraction(1)] * bias)


def exact_scores(
    points: ExactProblem, indices: NDArray[np.intp], w_hat: Sequence[Fraction]
) -> Iterator[Fraction]:
    """yᵢ x̂ᵢ·ŵ for the rows `indices`, without rounding; yᵢ xᵢ·ŵ if ŵ has no bias."""
    with_one = len(w_hat) > points.problem.d
    step = max(1, BLOCK // (len(w_hat) + 1))
    for start in in_time(range(0, len(indices), step)):
        block = signed_rows(points, indices[start : start + step], with_one=with_one)
        scaled = [w * unit for w, unit in zip(w_hat, block.units, strict=True)]
        integers, denominator = over_one_denominator(scaled)
        column = flint.fmpz_mat([[value] for value in integers])
        for score in (block.matrix * column).entries():
            yield Fraction(int(score), denominator)


def signs_by_integers(
    points: ExactProblem, indices: NDArray[np.intp], w_hat: Sequence[Fraction]
) -> NDArray[np.int8]:
    """The signs of yᵢ x̂ᵢ·ŵ for the rows `indices`."""
    signs = ((score > 0) - (score < 0) for score in exact_scores(points, indices, w_hat))
    return np.fromiter(signs, dtype=np.int8, count=len(indices))
