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
    """x̂ = (x, 1): the bias becomes a weight like any other, and the plane passes the origin.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.

    Returns
    -------
    ndarray or CSR matrix of shape (n, d + 1)
        The data with a column of ones behind it.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.augment([[3.0, 4.0]]).tolist()
    [[3.0, 4.0, 1.0]]
    """
    matrix = matrix_of(X)
    ones = np.ones((matrix.shape[0], 1))
    if sp.issparse(matrix):
        return sp.hstack([matrix, sp.csr_array(ones)], format="csr")
    return np.hstack([matrix, ones])


def into_unit_ball(X: object) -> UnitBall:
    """x / R with R = max ‖x‖, so that ‖x‖ ≤ 1. From zero weights no mistake changes.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.

    Returns
    -------
    UnitBall
        The scaled data as `X`, and `R`.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.into_unit_ball([[3.0, 4.0], [0.0, 1.0]]).R
    5.0
    """
    matrix = matrix_of(X)
    R = float(np.sqrt(_squared_norms(matrix).max()))
    return UnitBall(matrix / R if R > 0 else matrix, R)


def to_positive_side(X: object, y: object, *, fit_intercept: bool = True) -> Matrix:
    """yᵢx̂ᵢ: every example turned to the positive side, so that w ← w + x is the whole rule.

    `y` holds −1 and +1. With `fit_intercept` the examples are augmented first.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        Labels, −1 or +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    ndarray or CSR matrix
        The rows yᵢx̂ᵢ.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.to_positive_side([[3.0, 4.0]], [-1]).tolist()
    [[-3.0, -4.0, -1.0]]
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
