"""What the theorem speaks of: R, the margins of a separator, the bound on mistakes, E_n."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.conventions import Tie, tie_sign
from novikoff.errors import DataError
from novikoff.exact.signs import row_norms
from novikoff.learners.scores import scores
from novikoff.learners.unit import count_mistakes, examples_of, pushed, weights_at
from novikoff.problem import Problem, matrix_of
from novikoff.rows import n_rows, rows_of
from novikoff.theory.separator import w_hat_of

__all__ = ["Margins", "margins", "mistake_bound_of", "radius", "training_error"]


@dataclass(frozen=True)
class Margins:
    """How far a separator keeps the nearest example: one number for each meaning of "far".

    `functional` = min yᵢ(w·xᵢ + b), as the weights stand. `augmented` divides it by ‖(w, b)‖ and is
    the γ of the bound; `geometric` divides it by ‖w‖ and is what a plot shows. Without a bias the
    two are the same. Negative: some example is on the wrong side.
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
    rows = rows_of(matrix_of(X))
    return float(row_norms(rows, n_rows(rows), fit_intercept).max())


def margins(separator: Any, X: object, y: object, *, fit_intercept: bool = True) -> Margins:
    """The margins of a given separator on labelled points.

    Parameters
    ----------
    separator : (w, b), verdict or fitted classifier
        The hyperplane.
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
    w_hat = w_hat_of(separator, problem.d)
    nearest = float((problem.y * scores(problem.rows, problem.n, w_hat)).min())
    augmented, geometric = float(np.linalg.norm(w_hat)), float(np.linalg.norm(w_hat[:-1]))
    return Margins(
        functional=nearest,
        augmented=nearest / augmented if augmented else math.nan,
        geometric=nearest / geometric if geometric else math.nan,
    )


def mistake_bound_of(separator: Any, X: object, y: object, *, fit_intercept: bool = True) -> float:
    """M ≤ R²‖ŵ*‖²/γ² with γ = min yᵢ ŵ*·x̂ᵢ: what any given separator promises about mistakes.

    The least of these bounds, over all separators, is `novikoff.mistake_bound(X, y)`.

    Parameters
    ----------
    separator : (w, b), verdict or fitted classifier
        The hyperplane.
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    float
        The bound, rounded up; infinite where the hyperplane does not separate.

    Examples
    --------
    >>> import novikoff
    >>> round(novikoff.mistake_bound_of(([1.0], -1.0), [[0.0], [2.0]], [-1, 1]), 6)
    10.0
    """
    gamma = margins(separator, X, y, fit_intercept=fit_intercept).augmented
    if not gamma > 0:
        raise DataError(f"this is no separator: its least margin is {gamma:g}, and must be > 0.")
    return (radius(X, fit_intercept=fit_intercept) / gamma) ** 2


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
    weights = weights_at(w_hat_of(separator, problem.d))
    rows = examples_of(problem.rows, fit_intercept=True)
    examples = pushed(rows, problem.y.astype(np.float64), weights, on_grid=False)
    return count_mistakes(examples, tie_sign(tie), weights) / problem.n
