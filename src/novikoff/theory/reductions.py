"""The reductions of the theory: what texts assume "without loss of generality", as functions."""

from typing import NamedTuple

import numpy as np

from novikoff import sparse as sp
from novikoff.problem import Matrix, matrix_of
from novikoff.rows import Floats

__all__ = ["UnitBall", "augment", "into_unit_ball", "to_positive_side"]


class UnitBall(NamedTuple):
    """Points scaled into the unit ball, and the R they were divided by."""

    X: Matrix
    R: float


def augment(X: object) -> Matrix:
    """x̂ = (x, 1): the bias becomes a weight like any other, and the plane passes the origin."""
    matrix = matrix_of(X)
    ones = np.ones((matrix.shape[0], 1))
    if sp.issparse(matrix):
        return sp.hstack([matrix, sp.csr_array(ones)], format="csr")
    return np.hstack([matrix, ones])


def into_unit_ball(X: object) -> UnitBall:
    """x / R with R = max ‖x‖, so that ‖x‖ ≤ 1. From zero weights no mistake changes."""
    matrix = matrix_of(X)
    R = float(np.sqrt(_squared_norms(matrix).max()))
    return UnitBall(matrix / R if R > 0 else matrix, R)


def to_positive_side(X: object, y: object, *, fit_intercept: bool = True) -> Matrix:
    """yᵢx̂ᵢ: every example turned to the positive side, so that w ← w + x is the whole rule.

    `y` holds −1 and +1. With `fit_intercept` the examples are augmented first.
    """
    matrix = augment(X) if fit_intercept else matrix_of(X)
    signs = np.asarray(y)
    if sp.issparse(matrix):
        return sp.csr_array(sp.diags_array(signs.astype(np.float64)) @ matrix)
    return matrix * signs[:, np.newaxis]


def _squared_norms(matrix: Matrix) -> Floats:
    if sp.issparse(matrix):
        return np.asarray(matrix.multiply(matrix).sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
