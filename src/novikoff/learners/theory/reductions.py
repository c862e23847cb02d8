"""The reductions of the theory: what texts assume "without loss of generality", as functions."""

import math
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.core import sparse as sp
from novikoff.core.options import check_flag
from novikoff.errors import DataError, LabelError, NotFiniteError
from novikoff.exact.rational import nearest_float
from novikoff.learners.theory.bounds import (
    float_matrix_of,
    largest_number,
    length_of,
    scale_by_power,
)
from novikoff.matrix.arrays import same
from novikoff.matrix.problem import Matrix, check_float64_holds, check_lengths, matrix_of
from novikoff.matrix.rows import Floats


class UnitBall(NamedTuple):
    """Points scaled into the unit ball, and the R they were divided by."""

    X: Matrix
    R: float

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UnitBall) and same(self.X, other.X) and self.R == other.R

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.R, self.X.shape))


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
    # Of the matrix's own type, so that no integer is rounded on its way into a float.
    kind = np.float64 if matrix.dtype == np.bool_ else matrix.dtype
    ones = np.ones((matrix.shape[0], 1), dtype=kind)
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
    matrix = float_matrix_of(X)
    largest = largest_number(matrix)
    if largest == 0.0:
        return UnitBall(scale_by_power(matrix, 0), 0.0)
    power = math.frexp(largest)[1]
    scaled = scale_by_power(matrix, -power)
    longest = int(np.argmax(_squared_norms(scaled)))
    row = scaled[[longest]].data if sp.issparse(scaled) else scaled[longest]
    length = length_of(row)
    R = nearest_float(length * Fraction(2) ** power)
    if math.isinf(R):
        raise NotFiniteError("R = max ‖x‖ is beyond what float64 can hold: divide X first.")
    ball = scaled / nearest_float(length)
    shrunk = ball.data if sp.issparse(ball) else ball
    given = matrix.data if sp.issparse(matrix) else matrix
    if ((np.abs(shrunk) < np.finfo(np.float64).tiny) & (given != 0)).any():
        raise DataError(
            f"X / {R:g} has numbers that float64 cannot hold: drop the columns that are so much "
            "smaller than the others, or scale them."
        )
    return UnitBall(ball, R)


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
    check_flag("fit_intercept", fit_intercept)
    matrix = augment(X) if fit_intercept else matrix_of(X)
    signs = np.asarray(y)
    check_lengths(matrix, signs)
    other = [label for label in signs.tolist() if label not in (-1, 1)]
    if other:
        raise LabelError(f"y must hold −1 and +1; it has the label {other[0]!r}.")
    if matrix.dtype == object:
        return matrix * signs.astype(np.int64).astype(object)[:, np.newaxis]
    check_float64_holds(matrix)
    matrix, signs = matrix.astype(np.float64), signs.astype(np.float64)
    if sp.issparse(matrix):
        return sp.csr_array(sp.diags_array(signs) @ matrix)
    return matrix * signs[:, np.newaxis]


def _squared_norms(matrix: Matrix) -> Floats:
    if sp.issparse(matrix):
        return np.asarray(matrix.multiply(matrix).sum(axis=1), dtype=np.float64).ravel()
    return np.asarray(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
