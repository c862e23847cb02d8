"""`detect_separation`: a regression and its data in, the answer with its proof out."""

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import Name, Ties
from novikoff.certificates.models.question import (
    RegressionRows,
    build_remote_rows,
    build_rows,
    without_rows,
)
from novikoff.core.options import check_flag, choice
from novikoff.core.progress import Deadline, OutOfTime, start_deadline
from novikoff.errors import OptionError
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.remote import Part, RemoteMatrix, over_parts
from novikoff.matrix.sources import is_remote
from novikoff.regression.aliases import score_levels
from novikoff.regression.coefficients import find
from novikoff.regression.estimates import CoefficientAnswers, Estimate
from novikoff.regression.inputs import Inputs, regression_of, remote_regression
from novikoff.regression.outcomes import detect_each, detect_hurdle, named_outcomes
from novikoff.regression.result import WORDS, Regression, Separation
from novikoff.regression.strata import find_by_strata
from novikoff.separability.api import Exact


def detect_separation(
    X: object,
    y: object = None,
    *,
    model: Name | Literal["hurdle"] = "logit",
    data: object = None,
    trials: object = None,
    strata: object = None,
    time: object = None,
    event: object = None,
    entry: object = None,
    ties: Ties = "breslow",
    weights: object = None,
    offset: object = None,
    exposure: object = None,
    fit_intercept: bool | None = None,
    levels: Sequence[object] | None = None,
    names: Sequence[str] | None = None,
    decimals: bool = False,
    drop_missing: bool = False,
    signs: bool = True,
    exact: Exact = "auto",
    time_limit: float | None = None,
    progress: bool = False,
) -> Separation:
    """Whether the maximum-likelihood estimate of a regression exists; which coefficients do not.

    Parameters
    ----------
    X
        An array, a sparse matrix or a DataFrame; or a formula, with `data` (a formula is code:
        use only those you trust). Of "logit", "probit", "cloglog", "log-binomial", "poisson"
        and "negative-binomial" models also `novikoff.data.scan(…)`, which brings its own outcome,
        and a Dask array or dataframe: rows stay where they are.
    y
        The outcome: labels for "logit", "probit", "cloglog", "log-binomial", "multinomial",
        "ordinal", "adjacent-category", "continuation-ratio" and "conditional" (1 for a case, 0 for
        a control), counts for "poisson", "negative-binomial" and "hurdle", successes for "binomial"
        (or two columns, successes and failures). A Cox model has none. Of other models than
        "binomial", a matrix or a frame of outcomes, or names of columns of `data`, asks the same of
        each of them.
    model
        Which regression. A negative binomial one with log link is the same question as Poisson.
        "hurdle" gives `Separations` of its two parts, "zeros" and "counts".
    data
        A DataFrame. Then X is a formula (or a list of columns), and every other part of the data
        may be the name of a column.
    trials
        How many trials each row of a binomial model had.
    strata
        The stratum of each row, for "conditional" and "cox".
    time, event, entry, ties
        For "cox": when each row left, whether with an event (default: all), when it came under
        observation (at risk after that), and how ties are treated. Breslow's and Efron's are the
        same question.
    weights
        Weights or counts of rows; 0 means that the row is absent.
    offset, exposure
        They change no answer, and are kept for fitting.
    fit_intercept
        Whether a constant is put before the columns. By default it is unless X has one already;
        conditional, Cox and ordinal models have none.
    levels
        The classes in their order: the base class first, or the lowest of an ordinal model. By
        default they are sorted, or in the order of an ordered categorical; the answer's first line
        names them. Labels that are no numbers have no order: an ordinal model needs `levels` then,
        and so does a conditional one whose labels are not 0 and 1.
    names
        The columns' names.
    decimals
        Whether float64 numbers stand for the decimals they print as: 0.1 is one tenth.
    drop_missing
        Whether to leave out rows of `data` that lack a value, which are an error otherwise. The
        answer still numbers rows as `data` does. Of many outcomes, a row is left out (it has the
        weight 0) for the outcomes that it lacks.
    signs
        Whether to say where each infinite coefficient goes. Without, only the kind and the rows
        are looked for, which is quicker with thousands of levels; coefficients are "undecided"
        then, unless all are finite.
    exact
        How far to go in rational numbers: "auto", True or False, as for `separate`.
    time_limit
        Seconds after which what is known is returned: coefficients that are still open are
        "undecided", and so is the kind if that is. Each of many outcomes has as many.
    progress
        Whether to show on standard error what is being done.

    Returns
    -------
    Separation
        Which coefficients are infinite, why, and what to do. Of many outcomes, `Separations`: a
        `Separation` for each, by its name, and `to_frame()` with a row for each.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0], [0], [1]], [2, 1, 0]
    >>> counts = novikoff.detect_separation(X, y, model="poisson", names=["x"])
    >>> print(counts.kind, counts.coefficients["x"])
    quasi-complete −∞
    """
    given = {
        "y": y, "trials": trials, "strata": strata, "time": time, "event": event, "entry": entry,
        "weights": weights,
    }  # fmt: skip
    inputs = Inputs(
        X, given, data, offset, exposure, fit_intercept, levels, names, decimals, ties,
        drop_missing=drop_missing,
    )  # fmt: skip
    is_remote_data = is_remote(y if isinstance(X, str) else X) or is_remote(data)
    regression_from = remote_regression if is_remote_data else regression_of
    check_flag("signs", signs)

    def answered(name: Name, inputs: Inputs) -> Separation:
        regression = regression_from(name, inputs)
        return detect(
            regression, signs=signs, exact=exact, time_limit=time_limit, progress=progress
        )

    # Several answers have the type of a single one for those who check types.
    if model == "hurdle":
        if is_remote_data:
            raise OptionError("a hurdle model needs all rows in memory: compute() the data.")
        return cast("Separation", detect_hurdle(inputs, answered))
    outcomes = None if is_remote_data or model == "binomial" else named_outcomes(X, y, data)
    if outcomes is None:
        return answered(model, inputs)
    return cast("Separation", detect_each(outcomes, inputs, partial(answered, model)))


def detect(
    regression: Regression,
    *,
    signs: bool = True,
    exact: Exact = "auto",
    time_limit: float | None = None,
    progress: bool = False,
) -> Separation:
    """The answer for a regression whose data was validated already."""
    choice("exact", exact, ("auto", True, False))
    with start_deadline(progress, time_limit) as deadline:
        if isinstance(regression.X, RemoteMatrix):
            question = build_remote_rows(regression.model, regression.X)
        else:
            try:
                with deadline.enforced():
                    question = build_rows(regression.model, regression.X, regression.outcome)
            except OutOfTime:
                question = without_rows(regression.model, regression.outcome)
        finding = None
        if regression.model.name == "conditional":
            finding = find_by_strata(regression, question, deadline, exact, signs)
        finding = finding or find(question, deadline, exact, signs)
        directions = _directions(question, finding, deadline)
    estimates = dict(zip(question.names, finding.estimates, strict=True))
    return Separation(
        kind=WORDS[finding.word],
        separated=_separated_rows(regression, question, finding),
        coefficients=estimates,
        directions=directions,
        regression=regression,
        question=question,
        finding=finding,
    )


def _directions(
    question: RegressionRows, finding: CoefficientAnswers, deadline: Deadline
) -> tuple[dict[str, Fraction], ...]:
    """The direction that moves all that can be moved, then those of one coefficient, in time."""
    if finding.direction is None or not any(finding.direction):
        return ()
    named = zip(question.names, finding.direction, strict=True)
    found = [{name: value for name, value in named if value}]
    try:
        with deadline.enforced():
            signs = _signs_of_columns(question.rows)
    except OutOfTime:
        return tuple(found)
    for j, estimate in enumerate(finding.estimates):
        if estimate in (Estimate.PLUS_INFINITY, Estimate.MINUS_INFINITY, Estimate.NOT_DETERMINED):
            alone = {question.names[j]: Fraction(int(signs[j]))}
            if signs[j] and found[0] != alone:
                found.append(alone)
    return tuple(found)


def _signs_of_columns(rows: Any) -> NDArray[np.int8]:
    """1 for columns of positive entries and zeros, −1 for negative ones and zeros, else 0."""
    parts = over_parts(rows, None, _signs_in_columns)
    above = np.logical_or.reduce([part[0] for part in parts])
    below = np.logical_or.reduce([part[1] for part in parts])
    signs: NDArray[np.int8] = (above & ~below).astype(np.int8) - (below & ~above).astype(np.int8)
    return signs


def _signs_in_columns(part: Part) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which columns have positive entries, and which have negative ones."""
    rows = part.X
    above, below = (np.asarray(some.sum(axis=0)).ravel() > 0 for some in (rows > 0, rows < 0))
    return above, below


def _separated_rows(
    regression: Regression, question: RegressionRows, finding: CoefficientAnswers
) -> NDArray[np.bool_]:
    """Which rows of the data some direction of recession moves.

    A row of the data that a row of A speaks of alone is moved if that is. A control is if every
    case of its stratum is above it, a case if every control is below. In a Cox model a row is if an
    event happened before its eyes to somebody above it, or to itself above everybody at risk.
    """
    moved = np.zeros(question.n, dtype=np.bool_)
    if finding.direction is None or not any(finding.direction):
        return moved
    off = np.ones(len(question.first), dtype=np.bool_)
    off[finding.on_plane] = False
    if regression.model.name == "conditional":
        moved[question.first] = moved[question.second] = True
        moved[question.first[~off]] = moved[question.second[~off]] = False
    elif regression.model.name == "cox":
        moved[question.first] = True
        moved[question.first[~off]] = False
        moved |= _behind(regression, finding)
    else:
        moved[question.first[off]] = True
    return moved


def _behind(regression: Regression, finding: CoefficientAnswers) -> NDArray[np.bool_]:
    """The rows that were at risk when somebody with a greater score had an event.

    With exact ties, events at one time are not compared with each other.
    """
    assert finding.direction is not None
    outcome, ties = regression.outcome, regression.model.ties
    level = score_levels(ExactMatrix(regression.X, regression.model.decimals), finding.direction)
    assert outcome.time is not None
    time, present = outcome.time, outcome.present
    event = np.ones(outcome.n, np.bool_) if outcome.event is None else outcome.event
    entry = np.full(outcome.n, -np.inf) if outcome.entry is None else outcome.entry
    strata = np.zeros(outcome.n, dtype=np.intp) if outcome.strata is None else outcome.strata
    order = present[np.lexsort((time[present], strata[present]))]
    behind = np.zeros(outcome.n, dtype=np.bool_)
    for rows in np.split(order, np.flatnonzero(np.diff(strata[order])) + 1):
        failing = rows[event[rows]]
        first = np.searchsorted(time[failing], entry[rows], side="right")
        last = np.searchsorted(time[failing], time[rows], side="right")
        if ties == "exact":
            before = np.searchsorted(time[failing], time[rows])
            last = np.where(event[rows], before, last)
        behind[rows] = level[rows] < _greatest(level[failing], first, last)
    return behind


def _greatest(
    values: NDArray[np.intp], first: NDArray[np.intp], last: NDArray[np.intp]
) -> NDArray[np.intp]:
    """The greatest of values[first:last], of many such ranges; −1 of none.

    Of ranges as long as a power of two it is known, and two of them that overlap make up any other.
    """
    found = np.full(len(first), -1, dtype=np.intp)
    length = last - first
    width = 1
    while len(values):
        here = (length >= width) & (length < 2 * width)
        found[here] = np.maximum(values[first[here]], values[last[here] - width])
        values = np.maximum(values[:-width], values[width:])
        width *= 2
    return found
