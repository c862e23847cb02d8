"""What is orthogonal to all rows of a matrix that lives elsewhere, exactly, in a few passes.

What is orthogonal to all rows is so to some. So a basis for some rows is checked on all of them in
one pass, and for each of its vectors the first row that breaks it joins. Every round adds a row
that is independent of those before: there are never more rounds than columns, and seldom many.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from novikoff.exact.reading import Reading
from novikoff.exact.score_signs import score_signs
from novikoff.exact.spans import Vector, null_space
from novikoff.far import Far

__all__ = ["far_null_space", "null_space_at"]

ROWS_A_COLUMN = 3  # that are looked at first


def far_null_space(reading: Reading) -> list[Vector]:
    """A basis of the w with w·x = 0 on every row."""
    far = reading.X
    assert isinstance(far, Far)
    n, p = far.shape
    rows = np.unique(np.linspace(0, n - 1, min(n, ROWS_A_COLUMN * p), dtype=np.intp))
    while True:
        basis = null_space_at(reading, rows)
        if not basis:
            return []
        found = np.array(reading.over_parts(_first_outside, basis))
        places = np.where(found >= 0, found + far.offsets[:, None], n).min(axis=0)
        places = np.unique(places[places < n])
        if len(places) == 0:
            return basis
        rows = np.union1d(rows, places)


def null_space_at(reading: Reading, rows: NDArray[np.intp]) -> list[Vector]:
    """A basis of what is orthogonal to these rows, which are fetched."""
    return null_space(reading.part(rows), range(len(rows)), False)


def _first_outside(reading: Reading, basis: list[Vector]) -> list[int]:
    """For each vector the first row of a part that is not orthogonal to it; −1 if all are."""
    found = []
    for vector in basis:
        signs = score_signs(reading, vector, Fraction(0))
        found.append(int(np.argmax(signs != 0)) if signs.any() else -1)
    return found
