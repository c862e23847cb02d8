"""Separable, touching or overlapping, decided in rational numbers by facial reduction.

A has rows yᵢx̂ᵢ. Either some ŵ has Aŵ > 0, or some α ≥ 0, α ≠ 0, has Aᵀα = 0 (Gordan). In the
second case every weak separator is 0 on the rows S where α > 0. So restrict ŵ to the null space of
A_S, drop the rows that it makes 0, and ask again. A separator of what is left: touching. Nothing
left: overlapping, for then rank(A_S) = rank(A) (Stiemke).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.core.progress import in_time
from novikoff.exact.points import ExactProblem, signed_rows
from novikoff.exact.rational import Vector, primitive
from novikoff.exact.scores import exact_signs
from novikoff.separability.proofs.gordan import Multipliers, Separator, gordan

Indices: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True)
class WeakSeparator:
    """ŵ with yᵢ x̂ᵢ·ŵ = 0 for the rows `on_plane` and > 0 for all others, and why not better."""

    w_hat: Vector
    on_plane: Indices
    multipliers: Multipliers


def facial_reduction(
    points: ExactProblem, start: Sequence[int], check: Callable[[], None] = lambda: None
) -> Separator | WeakSeparator | Multipliers:
    """The verdict with its proof, from rows likely to matter.

    Multipliers alone mean "overlapping": their rows span what all rows span.
    """
    everything = np.arange(points.problem.n)
    found = gordan(points, everything, None, start, check)
    if isinstance(found, Separator):
        return found
    known = found
    while True:
        check()
        basis = _null_basis(points, known.rows)
        off = _rows_off(points, basis)
        if len(off) == 0:
            return known
        found = gordan(points, off, basis, [], check)
        if isinstance(found, Separator):
            on_plane = np.setdiff1d(everything, off, assume_unique=True)
            return WeakSeparator(found.w_hat, on_plane, known)
        known = _join(points, known, found)


def _null_basis(points: ExactProblem, rows: Indices) -> list[Vector]:
    """A basis of the ŵ that are 0 on `rows`."""
    block = signed_rows(points, rows)
    kernel, nullity = block.matrix.nullspace()
    columns = kernel.transpose().table()[:nullity]
    return [primitive(block.weights(column)) for column in in_time(columns)]


def _rows_off(points: ExactProblem, basis: list[Vector]) -> Indices:
    """The rows on which some vector of the basis is not 0."""
    left = np.arange(points.problem.n)
    for vector in in_time(basis):
        left = left[exact_signs(points, vector, left) == 0]
    return np.setdiff1d(np.arange(points.problem.n), left, assume_unique=True)


def _join(points: ExactProblem, face: Multipliers, found: Multipliers) -> Multipliers:
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
