"""Is it separable? What users ask, and what the rooms above ask about points in memory."""

from collections.abc import Sequence
from typing import Literal

import numpy as np

from novikoff.core.blas import one_thread
from novikoff.core.options import check_flag, choice
from novikoff.core.progress import Deadline, OutOfTime, start_deadline
from novikoff.errors import DataError
from novikoff.exact.points import ExactProblem
from novikoff.matrix.sources import as_problem
from novikoff.separability.build import UNLIMITED
from novikoff.separability.stages import AT_ONCE, Answer, Decision
from novikoff.separability.verdicts import Interval, Separable

__all__ = ["Answer", "Exact", "decide", "decide_within", "mistake_bound", "separate"]

Exact = Literal["auto"] | bool

SUMMARY_SECONDS = 0.3  # to work out what is known when time is over


def separate(
    X: object,
    y: object = None,
    *,
    fit_intercept: bool = True,
    exact: Exact = "auto",
    decimals: bool = False,
    names: Sequence[str] | None = None,
    time_limit: float | None = None,
    progress: bool = False,
) -> Answer:
    """Whether a hyperplane separates the two classes of `y`, with a proof either way.

    `exact="auto"` proves in floating point always and in rational numbers where that is cheap;
    `True` insists on rational numbers; `False` does without, never lies, and may be `Undecided`.
    With `decimals`, a column of decimals with at most 15 significant digits stands for those
    decimals (0.1 is one tenth) and not for their nearest float64 numbers. After `time_limit`
    seconds the answer is `Undecided`, with what is known by then.

    Parameters
    ----------
    X : array-like of shape (n, d), or novikoff.data.scan(…)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample. A scan
        is read again and again and never held: see "Bigger than memory" in the guide.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1. A scan has its own.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    exact : {"auto", True, False}, default="auto"
        How far to go in rational numbers; see above.
    decimals : bool, default=False
        Whether numbers stand for the decimals that they print as (0.1 is one tenth).
    names : sequence of str, optional
        Names of the columns, where the data brings none.
    progress : bool, default=False
        Whether to show on standard error how far a long search is.
    time_limit : float, optional
        Seconds after which the answer is `Undecided`; with 0 nothing is searched. None: no limit.

    Returns
    -------
    Separable, Touching, Overlapping or Undecided
        The verdict, with its proof.

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 1])
    >>> verdict.word
    'separable'
    >>> print(f"{verdict.margin.lower:.4f}")
    0.3536
    """
    choice("exact", exact, ("auto", True, False))
    check_flag("progress", progress)
    problem = as_problem(X, y, fit_intercept=fit_intercept, names=names)
    points = ExactProblem.of(problem, decimals=decimals)
    return decide(points, exact=exact, time_limit=time_limit, progress=progress)


def decide(
    points: ExactProblem,
    *,
    exact: Exact = "auto",
    time_limit: float | None = None,
    progress: bool = False,
) -> Answer:
    """The verdict on points that are validated already; all of them may be of one class."""
    with start_deadline(progress, time_limit) as deadline:
        return decide_within(points, deadline, exact)


def decide_within(points: ExactProblem, deadline: Deadline, exact: Exact = "auto") -> Answer:
    """The verdict with a caller's deadline: `Undecided` when that is over."""
    limit = {"auto": AT_ONCE, True: UNLIMITED, False: 0}[exact]
    # What overflows proves nothing, and is treated so: no need to warn of it.
    size = points.problem.n * points.problem.d
    with np.errstate(all="ignore"), one_thread(size):
        decision = Decision(points, limit, deadline)
        try:
            with deadline.enforced():
                return decision.answer()
        except OutOfTime:
            with Deadline(SUMMARY_SECONDS).enforced():
                return decision.undecided(
                    deadline.reason,
                    "allow more time with time_limit=…",
                )


def mistake_bound(X: object, y: object = None, *, fit_intercept: bool = True) -> Interval:
    """R²/γ²: no perceptron makes more mistakes on this data, in any order, under any tie rule.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample. Or a
        scan, which has its labels with it.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.

    Returns
    -------
    Interval
        R²/γ², between two floats.

    Examples
    --------
    >>> import novikoff
    >>> round(novikoff.mistake_bound([[0.0], [2.0]], ["low", "high"]).upper, 9)
    10.0
    """
    verdict = separate(X, y, fit_intercept=fit_intercept)
    if not isinstance(verdict, Separable):
        raise DataError(
            f"the data is {verdict.word}, so a perceptron never stops and R²/γ² bounds nothing: "
            "see novikoff.separate(X, y)."
        )
    return verdict.mistake_bound
