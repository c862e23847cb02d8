"""Ranks of few rows in very many columns, checked in one number for each pair of rows.

For rows M over the rationals cᵀM = 0 exactly if cᵀMMᵀ = 0, because cᵀMMᵀc = ‖Mᵀc‖². So rows span
each other exactly if the rows of the Gram matrix MMᵀ do, and that is as wide as there are rows.
Each column of M may be scaled on its own: M has the integers of the reading, and a 1 for the
intercept.
"""

from typing import Any

import flint
import numpy as np
from numpy.typing import NDArray

from novikoff import sparse as sp
from novikoff.certificates.certificate import Certificate
from novikoff.certificates.claims import rank_reason
from novikoff.exact.reading import Reading
from novikoff.far import Far

__all__ = ["rank_at_any_width_reason"]

WIDE = 4096  # columns, and more than rows: beyond, the Gram matrix stands for them
BLOCK = 1 << 18  # numbers made integers together


def rank_at_any_width_reason(
    claim: Certificate, reading: Reading, y: NDArray[np.int8]
) -> str | None:
    """Stiemke: the rows of α span what all rows span, however many columns there are."""
    assert claim.rows is not None
    n, d = reading.X.shape
    if len(claim.rows) < n and d > max(n, WIDE) and not isinstance(reading.X, Far):
        reading = Reading(_gram(reading, claim.fit_intercept), decimals=False)
    return rank_reason(claim, reading, y)


def _gram(reading: Reading, fit_intercept: bool) -> NDArray[Any]:
    """The products of the rows with each other, exactly."""
    X = reading.X
    n, stored = X.shape[0], range(X.shape[1])
    if sp.issparse(X):
        stored = np.unique(X.indices).tolist()
    total = flint.fmpz_mat([[int(fit_intercept)] * n] * n)
    step = max(1, BLOCK // n)
    for start in range(0, len(stored), step):
        integers, _ = reading.integers(range(n), stored[start : start + step])
        rows = flint.fmpz_mat(integers.tolist())
        total += rows * rows.transpose()
    return np.array([[int(value) for value in row] for row in total.table()], dtype=object)
