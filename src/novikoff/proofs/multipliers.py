"""α > 0 with Σ αᵢyᵢx̂ᵢ = 0 on p + 1 rows in general position: one square system."""

from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff.exact.dixon import solve_exactly
from novikoff.exact.nearest import nearest_point
from novikoff.exact.points import Points
from novikoff.exact.signed_rows import signed_rows
from novikoff.proofs.gordan import Multipliers, primitive

__all__ = ["conflict_among", "solved_multipliers"]


def solved_multipliers(points: Points, rows: NDArray[np.intp]) -> Multipliers | None:
    """Exact multipliers on p + 1 rows; None if they are not unique, or not positive."""
    values = _square_solution(signed_rows(points, rows).matrix)
    if values is None or not all(value > 0 for value in values):
        return None
    return Multipliers(rows, primitive(values))


def conflict_among(
    points: Points, rows: NDArray[np.intp], alpha: NDArray[np.float64]
) -> Multipliers | None:
    """Exact multipliers on some of these rows, from what floating point says; None if none are."""
    matrix = signed_rows(points, rows).matrix
    floats = np.maximum(alpha, 2.0**-60)
    start = {i: flint.fmpq(*value.as_integer_ratio()) for i, value in enumerate(floats.tolist())}
    nearest = nearest_point(matrix, [0] * len(rows), start, until_optimal=False)
    if any(nearest.point.entries()):
        return None
    return Multipliers(rows[nearest.rows], primitive(nearest.alpha))


def _square_solution(matrix: Any) -> list[Any] | None:
    """The one α of p + 1 rows with Σ αᵢaᵢ = 0 and Σ αᵢ = 1; None if it is not the only one."""
    system = [*matrix.transpose().table(), [1] * matrix.nrows()]
    right = [0] * matrix.ncols() + [1]
    found = solve_exactly(flint.fmpz_mat(system), right, lambda: None)
    return None if found is None else [flint.fmpq(value, found[1]) for value in found[0]]
