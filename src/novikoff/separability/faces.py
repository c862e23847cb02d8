"""Separable, touching or overlapping, decided in rational numbers by facial reduction.

A has rows yᵢx̂ᵢ. Either some ŵ has Aŵ > 0, or some α ≥ 0, α ≠ 0, has Aᵀα = 0 (Gordan). In the second
case every weak separator is 0 on the rows S where α > 0. So restrict ŵ to the null space of A_S,
drop the rows that it makes 0, and ask again. A separator of what is left: touching. Nothing left:
overlapping, for then rank(A_S) = rank(A) (Stiemke).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.nearest import nearest_point
from novikoff.separability.points import Points
from novikoff.separability.signed_rows import SignedRows, signed_rows
from novikoff.separability.signs import signs_everywhere

__all__ = ["Multipliers", "Separator", "WeakSeparator", "facial_reduction", "primitive"]

Vector: TypeAlias = tuple[Fraction, ...]
Indices: TypeAlias = NDArray[np.intp]
SMALL = 400  # rows that are all looked at together


@dataclass(frozen=True)
class Separator:
    """ŵ with yᵢ x̂ᵢ·ŵ > 0 for all rows."""

    w_hat: Vector


@dataclass(frozen=True)
class Multipliers:
    """α > 0 on `rows` with Σ αᵢyᵢx̂ᵢ = 0."""

    rows: Indices
    alpha: Vector


@dataclass(frozen=True)
class WeakSeparator:
    """ŵ with yᵢ x̂ᵢ·ŵ = 0 for the rows `on_plane` and > 0 for all others, and why not better."""

    w_hat: Vector
    on_plane: Indices
    multipliers: Multipliers


def facial_reduction(
    points: Points, start: Sequence[int], known: Multipliers | None = None
) -> Separator | WeakSeparator | Multipliers:
    """The verdict with its proof, from rows likely to matter, or from known multipliers.

    Multipliers alone mean "overlapping": their rows span what all rows span.
    """
    everything = np.arange(points.problem.n)
    if known is None:
        found = _separator_or_multipliers(points, everything, None, start)
        if isinstance(found, Separator):
            return found
        known = found
    first = known
    while True:
        basis = _null_basis(points, known.rows)
        off = _rows_off(points, basis)
        if len(off) == 0:
            return known
        found = _separator_or_multipliers(points, off, basis, off[:1].tolist())
        if isinstance(found, Separator):
            on_plane = np.setdiff1d(everything, off, assume_unique=True)
            return WeakSeparator(found.w_hat, on_plane, first)
        known = _joined(points, known, found)


def _separator_or_multipliers(
    points: Points, live: Indices, basis: list[Vector] | None, start: Sequence[int]
) -> Separator | Multipliers:
    """Gordan's alternative for the rows `live`, with ŵ in the span of `basis`.

    The multipliers are those of the rows times the basis: Σ αᵢyᵢx̂ᵢ is 0 along it, no more.
    """
    few = live if len(live) <= SMALL else live[np.linspace(0, len(live) - 1, SMALL, dtype=int)]
    working = np.unique(np.concatenate([np.asarray(start, dtype=np.intp), few]))
    weights = {int(i): 1 for i in start}
    while True:
        block = signed_rows(points, working)
        columns = _integer_basis(basis, block)
        restricted = block.matrix * columns
        places = {int(i): at for at, i in enumerate(working)}
        nearest = nearest_point(
            restricted,
            [0] * len(working),
            {places[i]: value for i, value in weights.items()},
            until_optimal=False,
        )
        if not any(nearest.point.entries()):
            return Multipliers(working[nearest.rows], primitive(nearest.alpha))
        w_hat = block.weights((columns * nearest.point).entries())
        signs = signs_everywhere(points, w_hat, live)
        if (signs > 0).all():
            return Separator(w_hat)
        wrong = live[signs <= 0]
        spread = np.linspace(0, len(wrong) - 1, min(len(wrong), SMALL), dtype=int)
        working = np.unique(np.concatenate([working, wrong[spread]]))
        weights = {int(working_row): value for working_row, value in _named(nearest, places)}


def _named(nearest: Any, places: dict[int, int]) -> list[tuple[int, Any]]:
    at_place = {at: i for i, at in places.items()}
    return [(at_place[at], value) for at, value in zip(nearest.rows, nearest.alpha, strict=True)]


def _integer_basis(basis: list[Vector] | None, block: SignedRows) -> Any:
    """The basis, a column each, in the units of a block and made whole."""
    p = len(block.units)
    if basis is None:
        return flint.fmpz_mat([[int(i == j) for j in range(p)] for i in range(p)])
    columns = []
    for vector in basis:
        scaled = [value * unit for value, unit in zip(vector, block.units, strict=True)]
        columns.append([int(value) for value in primitive(scaled)])
    return flint.fmpz_mat(columns).transpose()


def _null_basis(points: Points, rows: Indices) -> list[Vector]:
    """A basis of the ŵ that are 0 on `rows`."""
    block = signed_rows(points, rows)
    kernel, nullity = block.matrix.nullspace()
    columns = kernel.transpose().table()[:nullity]
    return [primitive(block.weights(column)) for column in columns]


def _rows_off(points: Points, basis: list[Vector]) -> Indices:
    """The rows on which some vector of the basis is not 0."""
    left = np.arange(points.problem.n)
    for vector in basis:
        left = left[signs_everywhere(points, vector, left) == 0]
    return np.setdiff1d(np.arange(points.problem.n), left, assume_unique=True)


def _joined(points: Points, face: Multipliers, found: Multipliers) -> Multipliers:
    """Multipliers on both sets of rows: what is left of the second sum is undone on the face."""
    rows = np.concatenate([face.rows, found.rows])
    matrix = signed_rows(points, rows).matrix.table()
    k = len(face.rows)
    if not any(any(row) for row in matrix[:k]):
        return found  # a point in the origin forbids a separator, and then adds nothing
    beta = flint.fmpz_mat([[int(value) for value in found.alpha]])
    rest = (beta * flint.fmpz_mat(matrix[k:])).table()[0]
    kernel, nullity = flint.fmpz_mat([*matrix[:k], rest]).transpose().nullspace()
    table = kernel.transpose().table()
    solution = next(row for row in table[:nullity] if row[k] != 0)
    # Σ change·a over the face is minus the rest
    change = [Fraction(int(value), int(solution[k])) for value in solution[:k]]
    pairs = list(zip(face.alpha, change, strict=True))
    factor = 1 + max(Fraction(0), *(-c / a for a, c in pairs))
    alpha = [factor * a + c for a, c in pairs] + list(found.alpha)
    return Multipliers(rows, primitive(alpha))


def primitive(values: Sequence[Any]) -> Vector:
    """The values times the positive number that makes them integers without a common divisor."""
    fractions = [_as_fraction(value) for value in values]
    denominator = lcm(*(value.denominator for value in fractions))
    integers = [value.numerator * (denominator // value.denominator) for value in fractions]
    divisor = gcd(*integers) or 1
    return tuple(Fraction(value // divisor) for value in integers)


def _as_fraction(value: Any) -> Fraction:
    if isinstance(value, Fraction):
        return value
    rational = flint.fmpq(value)
    return Fraction(int(rational.p), int(rational.q))
