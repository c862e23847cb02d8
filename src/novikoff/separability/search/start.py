"""Where the search starts: a rough separator, and the rows that it gets most wrong.

In few dimensions the difference of the class means is rough but good enough. In many, each round of
the search is dear, and a few epochs of the averaged perceptron, which cost next to nothing beside
it, come much closer to the rows that matter. Where the search would take very long, the perceptron
itself is asked first: if it stops, it has answered.
"""

import numpy as np
from numpy.typing import NDArray

from novikoff.core.compiled import kernel
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats, Rows, axpy, dot, stored_values
from novikoff.separability.search.column_stats import ColumnStats, some_rows
from novikoff.separability.search.passes import pass_over
from novikoff.separability.search.working_set import (
    Found,
    Metric,
    fits_at_once,
    found_of,
    rows_to_keep,
)

__all__ = ["first_rows", "may_take_minutes", "perceptron_found"]

MANY_COLUMNS = 200
STARTED_FROM = 1 << 16  # rows that the perceptron looks at for a start
MANY_OPERATIONS = 10**10  # multiply-adds of the factorisation, counted once
WORK = 2 * 10**9  # multiply-adds that the perceptron may spend
SLICE = 1 << 27  # of them in compiled code before Python can hear Ctrl-C
A_ROW = 16  # multiply-adds that a row takes as long as, however short it is


def may_take_minutes(points: ExactProblem) -> bool:
    """Whether the search may take minutes: many columns, and about as many active rows."""
    n, d = points.problem.n, points.problem.d
    return min(n, d) ** 2 * d > MANY_OPERATIONS


def first_rows(points: ExactProblem, seen: ColumnStats, metric: Metric) -> NDArray[np.intp]:
    """The rows of the first working set, sorted."""
    d = points.problem.d
    if fits_at_once(points):
        return np.arange(points.problem.n)
    if d < MANY_COLUMNS:
        w_hat, _ = metric.weights((seen.means[1] - seen.means[0]) * metric.scale, 0.0)
    else:
        chosen = some_rows(points.problem.y, STARTED_FROM)
        everything = points.far is None and len(chosen) == points.problem.n
        w_hat = _perceptron(points if everything else points.part(chosen), most_epochs=20)[1]
    found = pass_over(points, w_hat, rows_to_keep(d))
    return np.sort(found.rows).astype(np.intp)


def perceptron_found(points: ExactProblem) -> Found | None:
    """The perceptron's weights if it stops soon."""
    w_hat, _, converged = _perceptron(points, most_epochs=1000)
    if not converged:
        return None
    return found_of(points, w_hat)


def _perceptron(points: ExactProblem, most_epochs: int) -> tuple[Floats, Floats, bool]:
    """The last weights, their average (Freund and Schapire, 1999), and whether it stopped."""
    stored = max(stored_values(points.rows).size, 1)
    epochs = min(max(WORK // stored, 3), most_epochs)
    d = points.problem.d
    w, delayed, seen = np.zeros(d + 1), np.zeros(d + 1), np.zeros(1)
    a_slice = max(1, SLICE // (stored + A_ROW * len(points.problem.y)))
    for done in range(0, epochs, a_slice):
        most = min(a_slice, epochs - done)
        if _epochs(
            points.rows, points.problem.y, points.problem.fit_intercept, most, w, delayed, seen
        ):
            return w, w - delayed / seen[0], True
    return w, w - delayed / seen[0], False


@kernel
def _epochs(
    rows: Rows,
    y: NDArray[np.int8],
    with_bias: bool,
    epochs: int,
    w: Floats,
    delayed: Floats,
    seen: Floats,
) -> bool:
    """Go on for some epochs, with w, its sum weighed by when, and the rounds; did it stop?"""
    d = len(w) - 1
    for _ in range(epochs):
        mistakes = 0
        for i in range(len(y)):
            if y[i] * (dot(rows, i, w) + w[d]) <= 0.0:
                axpy(rows, i, float(y[i]), w)
                axpy(rows, i, seen[0] * y[i], delayed)
                if with_bias:
                    w[d] += y[i]
                    delayed[d] += seen[0] * y[i]
                mistakes += 1
            seen[0] += 1.0
        if mistakes == 0:
            return True
    return False
