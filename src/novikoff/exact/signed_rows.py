"""The rows yᵢx̂ᵢ that every theorem speaks of, as integers, and exact scores yᵢ(w·xᵢ + b)."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.points import Points
from novikoff.progress import in_time

__all__ = ["SignedRows", "exact_scores", "exact_signs", "signed_rows"]

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
    points: Points, indices: NDArray[np.intp] | Sequence[int], *, with_one: bool | None = None
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
    points: Points, indices: NDArray[np.intp], w_hat: Sequence[Fraction]
) -> Iterator[Fraction]:
    """yᵢ x̂ᵢ·ŵ for the rows `indices`, without rounding; yᵢ xᵢ·ŵ if ŵ has no bias."""
    with_one = len(w_hat) > points.problem.d
    step = max(1, BLOCK // (len(w_hat) + 1))
    for start in in_time(range(0, len(indices), step)):
        block = signed_rows(points, indices[start : start + step], with_one=with_one)
        scaled = [w * unit for w, unit in zip(w_hat, block.units, strict=True)]
        denominator = lcm(*(value.denominator for value in scaled))
        column = flint.fmpz_mat([[int(value * denominator)] for value in scaled])
        for score in (block.matrix * column).entries():
            yield Fraction(int(score), denominator)


def exact_signs(
    points: Points, indices: NDArray[np.intp], w_hat: Sequence[Fraction]
) -> NDArray[np.int8]:
    """The signs of yᵢ x̂ᵢ·ŵ for the rows `indices`."""
    signs = ((score > 0) - (score < 0) for score in exact_scores(points, indices, w_hat))
    return np.fromiter(signs, dtype=np.int8, count=len(indices))
