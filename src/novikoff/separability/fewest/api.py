"""How close can one come? The fewest errors of any hyperplane, proven at both ends.

Empirical risk minimisation over half-spaces, as the texts define it. The search proposes planes and
conflicts; everything that is claimed is worked out again in exact numbers.
"""

import time
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from novikoff.core.blas import one_thread
from novikoff.core.options import check_flag, check_seconds
from novikoff.core.progress import start_deadline
from novikoff.errors import DataError, ShapeError
from novikoff.exact.points import ExactProblem
from novikoff.exact.reading import decimal_fraction
from novikoff.matrix.batches import Batches, load_rows, refuse_labels
from novikoff.matrix.problem import Problem, as_fraction
from novikoff.separability.fewest.proof import FewestProof
from novikoff.separability.fewest.result import ErrorBounds, FewestErrors


def fewest_errors(
    X: object,
    y: object = None,
    *,
    fit_intercept: bool = True,
    weights: object = None,
    time_limit: float | None = None,
    decimals: bool = False,
    names: Sequence[str] | None = None,
    progress: bool = False,
) -> FewestErrors:
    """The fewest errors that any hyperplane makes on these rows, between two proven bounds.

    An error is a row with y·(w·x + b) ≤ 0; it counts 1, or its weight.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample. Or a
        scan of up to 2²⁴ numbers, which has the labels, and the weights, too.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    weights : array-like of shape (n,), optional
        What an error on each row counts: numbers of at least 0, taken exactly.
    time_limit : float, optional
        Seconds to search; what was found is proven within about a second more. With 0 only the
        bounds that need no search are returned. None: no limit; the search ends when the bounds
        meet, or with a tree of 256 leaves.
    decimals : bool, default=False
        Whether numbers stand for the decimals that they print as (0.1 is one tenth), in `X` and in
        `weights`.
    names : sequence of str, optional
        Names of the columns, where the data brings none.
    progress : bool, default=False
        Whether to show on standard error how the interval closes.

    Returns
    -------
    FewestErrors
        Both bounds, the plane, the rows it gets wrong, and the conflicts that forbid fewer.

    Examples
    --------
    >>> import novikoff
    >>> found = novikoff.fewest_errors([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    >>> str(found.errors), found.optimal
    ('1', True)
    >>> found.conflicts[0].rows
    (0, 1, 2, 3)
    """
    check_flag("progress", progress)
    if time_limit is not None:
        check_seconds("time_limit", time_limit)
    if isinstance(X, Batches):
        refuse_labels(y, weights)
        names = names or X.names
        X, y, weights = load_rows(X, "fewest_errors")
    problem = Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    start = time.monotonic()
    with (
        start_deadline(progress, time_limit) as deadline,
        np.errstate(all="ignore"),
        one_thread(problem.n * problem.d),
    ):
        row_weights = _row_weights(weights, problem.n, decimals)
        points = ExactProblem.of(problem, decimals=decimals)
        counts = row_weights or (Fraction(1),) * problem.n
        proof = FewestProof(points, counts, deadline)
        proof.run()
        lower, conflicts, tree = proof.lower_bound()
    best = proof.best
    bias = problem.fit_intercept
    return FewestErrors(
        problem=problem,
        decimals=points.decimals,
        errors=ErrorBounds(lower, best.errors),
        weights=best.w_hat[:-1] if bias else best.w_hat,
        intercept=best.w_hat[-1] if bias else Fraction(0),
        wrong_rows=best.wrong,
        conflicts=conflicts,
        tree=tree,
        cones=proof.cones,
        row_weights=row_weights,
        seconds=time.monotonic() - start,
    )


def _row_weights(weights: object, n: int, decimals: bool) -> tuple[Fraction, ...] | None:
    """What each row counts, as exact numbers; None if no weights were given."""
    if weights is None:
        return None
    given = np.asarray(weights)
    if given.shape != (n,):
        raise ShapeError(f"weights must be flat, one for each of {n} rows; got {given.shape}.")
    exact = []
    for row, weight in enumerate(given.tolist()):
        try:
            is_float = isinstance(weight, float) and decimals
            value = decimal_fraction(weight) if is_float else as_fraction(weight)
        except (TypeError, ValueError, OverflowError) as error:
            raise DataError(f"the weight of row {row} is {weight!r}, not a number.") from error
        if value < 0:
            raise DataError(f"the weight of row {row} is {weight!r}: no row counts less than 0.")
        exact.append(value)
    return tuple(exact)
