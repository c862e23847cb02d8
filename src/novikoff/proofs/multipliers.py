"""α > 0 with Σ αᵢyᵢx̂ᵢ = 0, from rows that floating point proposes: why there is no separator."""

from fractions import Fraction
from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.nearest import nearest_point
from novikoff.exact.points import Points
from novikoff.exact.signed_rows import signed_rows
from novikoff.problem import Problem
from novikoff.proofs.gordan import Multipliers, primitive
from novikoff.rows import Floats

__all__ = ["exact_multipliers", "solved_multipliers"]


def solved_multipliers(points: Points, rows: NDArray[np.intp], alpha: Floats) -> Multipliers | None:
    """Exact multipliers on some of `rows`, if any; `alpha` is what floating point says."""
    matrix = signed_rows(points, rows).matrix
    if len(rows) == matrix.ncols() + 1:
        values = _square_solution(matrix)
        if values is not None and all(value > 0 for value in values):
            return Multipliers(rows, primitive(values))
    floats = np.maximum(alpha, 2.0**-60)
    start = {i: flint.fmpq(*value.as_integer_ratio()) for i, value in enumerate(floats.tolist())}
    nearest = nearest_point(matrix, [0] * len(rows), start, until_optimal=False)
    if any(nearest.point.entries()):
        return None
    return Multipliers(rows[nearest.rows], primitive(nearest.alpha))


def _square_solution(matrix: Any) -> list[Any] | None:
    """The one α of p + 1 rows with Σ αᵢaᵢ = 0 and Σ αᵢ = 1; None if it is not the only one."""
    system = [*matrix.transpose().table(), [1] * matrix.nrows()]
    right = [[0]] * matrix.ncols() + [[1]]
    try:
        solved: list[Any] = flint.fmpz_mat(system).solve(flint.fmpz_mat(right)).entries()
    except ZeroDivisionError:
        return None
    return solved


def exact_multipliers(
    problem: Problem, rows: NDArray[np.intp], *, decimals: bool = False
) -> tuple[Fraction, ...]:
    """α on rows that were proven in floating point to have one that is positive and unique."""
    points = Points.of(problem, decimals=decimals)
    values = _square_solution(signed_rows(points, rows).matrix)
    assert values is not None
    return primitive(values)
