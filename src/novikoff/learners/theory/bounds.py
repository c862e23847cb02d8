"""The quantities of the convergence theorem: R, margins of a separator, the bound on mistakes, E_n.

A separator may be given as (w, b), a verdict, or a fitted linear classifier.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core import sparse as sp
from novikoff.core.options import Tie, check_flag, tie_sign
from novikoff.errors import DataError, NotFiniteError, NotNumericError, ShapeError
from novikoff.exact.bounds import row_norms
from novikoff.exact.rational import above, nearest_float, square_root
from novikoff.learners.unit import scores
from novikoff.matrix.problem import Matrix, Problem, check_float64_holds, matrix_of, nearest_floats
from novikoff.matrix.rows import Csr, Floats, Rows, n_rows, rows_of


def w_hat_of(separator: Any, d: int, *, fit_intercept: bool) -> Floats:
    """ŵ* = (w, b) of a pair, of something with `weights` and `intercept`, or of an estimator.

    Where there is no bias, ŵ* must not have one either: it would be another plane.
    """
    w, b = _parts_of(separator)
    try:
        w_hat = np.append(np.asarray(w, dtype=np.float64), np.float64(b))
    except (TypeError, ValueError, OverflowError) as error:
        raise NotNumericError(f"the separator must hold numbers: {error}.") from error
    if len(w_hat) != d + 1:
        raise ShapeError(f"the separator has {len(w_hat) - 1} weights, but X has {d} columns.")
    if not np.isfinite(w_hat).all():
        j = int(np.flatnonzero(~np.isfinite(w_hat))[0])
        which = f"weight {j}" if j < d else "bias"
        raise NotFiniteError(f"the separator's {which} is {w_hat[j]}: no plane has such a number.")
    if not fit_intercept and w_hat[-1]:
        raise DataError(
            f"the separator has the bias {w_hat[-1]:g}, and with fit_intercept=False there is "
            "none: give (w, 0), or use fit_intercept=True."
        )
    return w_hat


def w_star_of(separator: Any, d: int, *, fit_intercept: bool) -> Floats:
    """The ŵ* that the theorem speaks of: a verdict's is the one of widest augmented margin."""
    reference = getattr(separator, "reference", separator)
    return w_hat_of(reference, d, fit_intercept=fit_intercept)


def _parts_of(separator: Any) -> tuple[Any, Any]:
    if hasattr(separator, "coef_"):
        if np.ndim(separator.coef_) == 2 and len(separator.coef_) != 1:
            raise ShapeError(f"the classifier has {len(separator.coef_)} planes: give one plane.")
        return np.ravel(separator.coef_), np.ravel(separator.intercept_)[0]
    if hasattr(separator, "weights"):
        return separator.weights, separator.intercept
    try:
        w, b = separator
    except (TypeError, ValueError) as error:
        raise ShapeError(
            "a separator is a pair (w, b), a verdict, or a fitted linear classifier."
        ) from error
    return w, b


def length_of(w: Floats) -> Fraction:
    """‖w‖ to 64 bits, whatever the size of its numbers."""
    return square_root(sum((Fraction(value) ** 2 for value in w.tolist()), Fraction(0)))


def least_side(rows: Rows, y: Any, w: Floats) -> Fraction:
    """min yᵢ(xᵢ·w + w[-1]), without rounding."""
    signs = np.asarray(y, dtype=np.float64)
    i = _core.least_row(rows, signs, w)
    total = Fraction(w[-1])
    if isinstance(rows, Csr):
        stored = slice(int(rows.indptr[i]), int(rows.indptr[i + 1]))
        columns, values = rows.indices[stored].tolist(), rows.data[stored].tolist()
    else:
        columns, values = range(rows.shape[1]), rows[i].tolist()
    for j, value in zip(columns, values, strict=True):
        if value and w[j]:
            total += Fraction(value) * Fraction(w[j])
    return total if signs[i] > 0 else -total


# Numbers whose squares float64 can add up without a thought.
ORDINARY = 2.0**-400, 2.0**400
RADIUS_UP = 1.0 + 2.0**-40


@dataclass(frozen=True)
class Margins:
    """How far a separator keeps the nearest example: one number for each meaning of "far".

    `functional` = min yᵢ(w·xᵢ + b), as the weights stand. `augmented` divides it by ‖(w, b)‖ and is
    the γ of the bound; `geometric` divides it by ‖w‖ and is what a plot shows. Without a bias the
    two are the same. Negative: some example is on the wrong side. Infinite: beyond what float64 can
    hold; 0 only if it is 0.
    """

    functional: float
    augmented: float
    geometric: float


def radius(X: object, *, fit_intercept: bool = True) -> float:
    """R = max ‖x̂ᵢ‖, augmented where there is a bias; rounded up.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    float
        R.

    Examples
    --------
    >>> import novikoff
    >>> round(novikoff.radius([[3.0, 4.0]], fit_intercept=False), 9)
    5.0
    """
    check_flag("fit_intercept", fit_intercept)
    matrix = float_matrix_of(X)
    largest = largest_number(matrix)
    if fit_intercept:
        largest = max(largest, 1.0)
    if largest == 0.0:
        return 0.0
    if ORDINARY[0] < largest < ORDINARY[1]:
        rows = rows_of(matrix)
        return float(row_norms(rows, n_rows(rows), fit_intercept).max())
    # Divided by a power of two, numbers keep their digits; beside the largest, 1 is as good as 0.
    power = math.frexp(largest)[1]
    rows = rows_of(scale_by_power(matrix, -power))
    longest = float(row_norms(rows, n_rows(rows), False).max()) * RADIUS_UP
    try:
        return math.nextafter(math.ldexp(longest, power), math.inf)
    except OverflowError:
        raise NotFiniteError(
            "R = max ‖x‖ is beyond what float64 can hold: divide X by a power of two."
        ) from None


def float_matrix_of(X: object) -> Matrix:
    """`X` as a matrix of numbers that float64 holds; exact objects are rounded to the nearest."""
    matrix = matrix_of(X)
    if matrix.dtype == object:
        return nearest_floats(matrix)
    check_float64_holds(matrix)
    return matrix


def largest_number(matrix: Matrix) -> float:
    """The greatest size of a number; 0 if there is none."""
    values = matrix.data if sp.issparse(matrix) else matrix
    return max(abs(float(values.min())), abs(float(values.max()))) if values.size else 0.0


def scale_by_power(matrix: Matrix, power: int) -> Matrix:
    """`matrix` · 2^power, in float64: only numbers that become subnormal can lose digits."""
    values = (matrix.data if sp.issparse(matrix) else matrix).astype(np.float64)
    half = power // 2  # in two steps: 2^power itself may not be a float64
    scaled = np.ldexp(np.ldexp(values, half), power - half)
    if sp.issparse(matrix):
        return sp.csr_array((scaled, matrix.indices, matrix.indptr), shape=matrix.shape)
    return scaled


def margins(separator: Any, X: object, y: object, *, fit_intercept: bool = True) -> Margins:
    """The margins of a given separator on labelled points.

    Parameters
    ----------
    separator : (w, b), verdict or fitted classifier
        The hyperplane; of a verdict that of its `weights`.
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    Margins
        The functional, the augmented and the geometric margin.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.margins(([2.0], -2.0), [[0.0], [2.0]], [-1, 1]).geometric
    1.0
    """
    problem = Problem.of(X, y, fit_intercept=fit_intercept)
    w_hat = w_hat_of(separator, problem.d, fit_intercept=problem.fit_intercept)
    nearest = least_side(problem.rows, problem.y, w_hat)
    return Margins(
        functional=nearest_float(nearest),
        augmented=_quotient(nearest, length_of(w_hat)),
        geometric=_quotient(nearest, length_of(w_hat[:-1])),
    )


def _quotient(nearest: Fraction, length: Fraction) -> float:
    return nearest_float(nearest / length) if length else math.nan


def augmented_margin_squared(problem: Problem, w_hat: Floats) -> Fraction:
    """γ² with γ = min yᵢ ŵ*·x̂ᵢ / ‖ŵ*‖, exactly; `DataError` unless γ is positive."""
    nearest = least_side(problem.rows, problem.y, w_hat)
    if nearest <= 0:
        raise DataError(
            f"this is not a separator: the least yᵢ ŵ*·x̂ᵢ is {nearest_float(nearest):g}, "
            "and must be > 0."
        )
    return nearest**2 / sum(Fraction(value) ** 2 for value in w_hat.tolist())


def mistake_bound_of(separator: Any, X: object, y: object, *, fit_intercept: bool = True) -> float:
    """M ≤ R²‖ŵ*‖²/γ² with γ = min yᵢ ŵ*·x̂ᵢ: what any given separator promises about mistakes.

    The least of these bounds, over all separators, is `novikoff.mistake_bound(X, y)`.

    Parameters
    ----------
    separator : (w, b), verdict or fitted classifier
        The hyperplane; of a verdict its `reference`, the separator of widest augmented margin.
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    float
        The bound, rounded up; infinite if it is beyond what float64 can hold.

    Examples
    --------
    >>> import novikoff
    >>> round(novikoff.mistake_bound_of(([1.0], -1.0), [[0.0], [2.0]], [-1, 1]), 6)
    10.0
    """
    problem = Problem.of(X, y, fit_intercept=fit_intercept)
    w_star = w_star_of(separator, problem.d, fit_intercept=problem.fit_intercept)
    square = augmented_margin_squared(problem, w_star)
    return above(Fraction(radius(problem.X, fit_intercept=fit_intercept)) ** 2 / square)


def training_error(separator: Any, X: object, y: object, *, tie: Tie = "mistake") -> float:
    """E_n: the share of examples that are misclassified, with the tie rule deciding at score 0.

    Parameters
    ----------
    separator : (w, b), verdict or fitted classifier
        The hyperplane.
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    tie : {"mistake", "+1", "-1"}, default="mistake"
        Which side a score of exactly 0 falls on.

    Returns
    -------
    float
        The share, from 0 to 1.

    Examples
    --------
    >>> import novikoff
    >>> novikoff.training_error(([1.0], 0.0), [[-1.0], [1.0], [2.0], [3.0]], [-1, 1, -1, 1])
    0.25
    """
    problem = Problem.of(X, y)
    return len(_misclassified(separator, problem, tie)) / problem.n


def misclassified(
    separator: Any, X: object, y: object, *, tie: Tie = "mistake"
) -> NDArray[np.intp]:
    """The rows that a separator misclassifies: exact signs, and the tie rule at score 0."""
    return _misclassified(separator, Problem.of(X, y), tie)


def _misclassified(separator: Any, problem: Problem, tie: Tie) -> NDArray[np.intp]:
    # A score of 0 is no mistake for the one label that the tie rule favours, if it favours any.
    w_hat = w_hat_of(separator, problem.d, fit_intercept=True)
    sides = problem.y * np.sign(scores(problem.rows, problem.n, w_hat))
    favoured = problem.y * tie_sign(tie) > 0
    return np.flatnonzero((sides < 0) | ((sides == 0) & ~favoured))
