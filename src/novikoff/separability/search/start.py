"""The start of the search: a rough separator, and the rows that it gets most wrong.

In few dimensions the difference of the class means is rough but good enough. In many, each round of
the search is dear, and a few epochs of the averaged perceptron, which cost next to nothing beside
it, come much closer to the rows that matter. Where the search would take very long, the perceptron
itself is asked first: if it stops, it has answered.
"""

import numpy as np
from numpy.typing import NDArray

from novikoff import _core
from novikoff.core.progress import seconds_in_force
from novikoff.exact.points import ExactProblem
from novikoff.matrix.rows import Floats, stored_values
from novikoff.separability.search.column_stats import ColumnStats, some_rows
from novikoff.separability.search.passes import pass_over
from novikoff.separability.search.working_set import (
    Found,
    Metric,
    fits_at_once,
    found_of,
    rows_to_keep,
)

MANY_COLUMNS = 200
STARTED_FROM = 1 << 16  # rows that the perceptron looks at for a start
MANY_OPERATIONS = 10**10  # multiply-adds of the factorisation, counted once
WORK = 2 * 10**9  # multiply-adds that the perceptron may spend


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
        everything = points.remote is None and len(chosen) == points.problem.n
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
    w, delayed = np.zeros(d + 1), np.zeros(d + 1)
    problem, seconds = points.problem, seconds_in_force()
    presented, converged = _core.rough_perceptron(
        points.rows, problem.y, problem.fit_intercept, epochs, w, delayed, seconds
    )
    return w, w - delayed / presented, converged
