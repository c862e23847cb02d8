"""Classify each coefficient: aliased, finite, infinite or undetermined, exactly.

The rows of A that no direction of recession moves determine what stays finite: coefficient j is
finite exactly if e_j lies in their row space. The signs of the others are decided over the cone of
directions, which `novikoff.regression.cone` does; fixed effects are decided on the graph
of their levels.

For rows that are not in memory, the verdict with its proof comes from passes over all rows, and the
rest from working sets.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.question import RegressionRows, RemoteModelRows
from novikoff.core import sparse as sp
from novikoff.core.progress import Deadline, OutOfTime
from novikoff.exact.duplicates import distinct_rows
from novikoff.exact.points import ExactProblem
from novikoff.exact.projection import null_space_at
from novikoff.exact.rational import Vector, primitive
from novikoff.exact.reading import ExactMatrix
from novikoff.matrix.problem import Problem
from novikoff.regression.aliases import independent_columns, independent_of
from novikoff.regression.cone import recession_cone, remote_estimates
from novikoff.regression.estimates import CoefficientAnswers, Estimate
from novikoff.regression.fixed_effects.directions import fixed_effects
from novikoff.regression.fixed_effects.general import sparse_finding
from novikoff.separability.api import Answer, Exact, decide_within
from novikoff.separability.verdicts import NotSeparable, Overlapping, Separable, Touching, Undecided

MANY = 100  # columns of a design of mostly zeros whose levels are looked at first
MOST_FULL = 0.2  # of its numbers
MOST = 3000  # columns that are asked about one by one
FEW = 1000  # rows that are as quick to search with their equals
SAMPLED = 4096  # rows among which equal ones are looked for first


def find(
    question: RegressionRows, deadline: Deadline, exact: Exact = "auto", signs: bool = True
) -> CoefficientAnswers:
    """Decide the question, and each coefficient: what time allows."""
    try:
        with deadline.enforced():
            return _merged(question, deadline, exact, signs)
    except OutOfTime:
        return nothing_found(len(question.names), deadline)


def nothing_found(p: int, deadline: Deadline) -> CoefficientAnswers:
    """What is known of p coefficients if time was over before anything was decided."""
    nowhere = np.empty(0, np.intp)
    advice = (
        deadline.reason,
        "allow more time with time_limit=…",
    )
    unknown = (Estimate.UNDECIDED,) * p
    return CoefficientAnswers("undecided", unknown, None, nowhere, nowhere, lambda: (), advice)


def _merged(
    question: RegressionRows, deadline: Deadline, exact: Exact, signs: bool
) -> CoefficientAnswers:
    """The finding for the rows that differ, told of all rows."""
    given = question.rows
    rows = given.at_hand() if isinstance(given, RemoteModelRows) else given
    asked = question.with_rows(rows)
    m = rows.shape[0]
    if isinstance(rows, RemoteModelRows) or rows.dtype == object:
        return _found(asked, deadline, exact, signs)
    some = np.unique(np.linspace(0, m - 1, min(m, SAMPLED)).astype(np.intp))
    if m <= FEW or len(distinct_rows(rows[some])[0]) == len(some):
        found = _found(asked, deadline, exact, signs)
    else:
        first, place = distinct_rows(rows)
        found = _found(question.with_rows(rows[first]), deadline, exact, signs)
        stays = np.zeros(len(first), dtype=np.bool_)
        stays[found.on_plane] = True
        on_plane = np.flatnonzero(stays[place])
        found = replace(found, rows=first[found.rows], on_plane=on_plane)
    if rows is given or found.estimable is not None or not len(found.on_plane):
        return found
    # Rows that were fetched for this are not fetched again for the limit.
    columns = independent_columns(rows, found.on_plane, question.decimals)
    return replace(found, estimable=columns)


def _found(
    question: RegressionRows, deadline: Deadline, exact: Exact, signs: bool
) -> CoefficientAnswers:
    rows = question.rows
    m, p = rows.shape
    if p > MANY and not isinstance(rows, RemoteModelRows) and _is_mostly_zeros(rows):
        found = sparse_finding(question, deadline, signs) or fixed_effects(question)
        if found is not None:
            return found
    if p > MOST:
        answer = decided(rows, question.decimals, deadline, exact)
        unknown = Estimate.FINITE if isinstance(answer, Overlapping) else Estimate.UNDECIDED
        return finding_of(question, answer, tuple(range(p)), [unknown] * p)
    deadline.show("aliased columns")
    kept = independent_columns(rows, np.arange(m), question.decimals)
    narrow = _columns(rows, kept)
    answer = decided(narrow, question.decimals, deadline, exact)
    estimates = [Estimate.ALIASED] * p
    if kept:
        known = _estimates(answer, narrow, deadline) if signs else _without_signs(answer)
        for j, estimate in zip(kept, known, strict=True):
            estimates[j] = estimate
    estimable = None
    if isinstance(rows, RemoteModelRows):
        # The rows with multipliers span those that stay in the limit.
        estimable = kept
        if isinstance(answer, Touching):
            reading = ExactMatrix(rows, question.decimals)
            estimable = independent_of(null_space_at(reading, answer.rows), p)
    return finding_of(question, answer, kept, estimates, estimable)


def _estimates(answer: Answer, rows: Any, deadline: Deadline) -> tuple[Estimate, ...]:
    """What becomes of each coefficient that is not aliased; the verdict stands if time is over."""
    if isinstance(rows, RemoteModelRows):
        return remote_estimates(answer, rows, deadline)
    try:
        return recession_cone(answer, deadline=deadline).estimates
    except OutOfTime:
        return (Estimate.UNDECIDED,) * answer.problem.d


def _is_mostly_zeros(rows: Any) -> bool:
    """Whether the rows are better kept sparse."""
    if sp.issparse(rows):
        return True
    return bool(rows.dtype != object and np.count_nonzero(rows) <= MOST_FULL * rows.size)


def _without_signs(answer: Answer) -> tuple[Estimate, ...]:
    known = Estimate.FINITE if isinstance(answer, Overlapping) else Estimate.UNDECIDED
    return (known,) * answer.problem.d


def finding_of(
    question: RegressionRows,
    answer: Answer,
    kept: tuple[int, ...],
    estimates: list[Estimate],
    estimable: tuple[int, ...] | None = None,
) -> CoefficientAnswers:
    """What was found, put together; `kept` are the columns that were decided on."""
    direction, on_plane = _direction(question, answer, kept)
    proof = answer if isinstance(answer, NotSeparable) else None
    advice = (answer.reason, answer.advice) if isinstance(answer, Undecided) else ()
    return CoefficientAnswers(
        word=answer.word,
        estimates=tuple(estimates),
        direction=direction,
        on_plane=on_plane,
        rows=np.empty(0, np.intp) if proof is None else proof.rows,
        multipliers=(lambda: ()) if proof is None else proof.exact_alpha,
        advice=advice,
        estimable=estimable,
    )


def _direction(
    question: RegressionRows, answer: Answer, kept: tuple[int, ...]
) -> tuple[Vector | None, NDArray[np.intp]]:
    everywhere = np.arange(question.rows.shape[0])
    if isinstance(answer, Overlapping):
        return (Fraction(0),) * len(question.names), everywhere
    if not isinstance(answer, (Separable, Touching)):
        return None, everywhere
    direction = [Fraction(0)] * len(question.names)
    for j, weight in zip(kept, answer.exact_weights, strict=True):
        factor = 1 if question.factors is None else question.factors[j]
        direction[j] = weight * Fraction(factor)
    on_plane = answer.rows_on_plane if isinstance(answer, Touching) else everywhere[:0]
    return primitive(direction), on_plane


def _columns(rows: Any, kept: tuple[int, ...]) -> Any:
    if len(kept) == rows.shape[1]:
        return rows
    if isinstance(rows, RemoteModelRows):
        return rows.columns(kept)
    part = rows[:, list(kept)]
    return sp.csr_array(part) if sp.issparse(part) else np.ascontiguousarray(part)


def decided(rows: Any, decimals: bool, deadline: Deadline, exact: Exact = "auto") -> Answer:
    """The verdict on rows that should all be positive."""
    if rows.shape[1] == 0:
        return _nothing_to_estimate(rows)
    signs = np.ones(rows.shape[0], dtype=np.int8)
    names = tuple(f"x{j}" for j in range(rows.shape[1]))
    problem = Problem(rows, signs, False, names, (-1, 1))
    return decide_within(ExactProblem.of(problem, decimals=decimals), deadline, exact)


def _nothing_to_estimate(rows: Any) -> Overlapping:
    """All rows are 0, and so is every one of them times 1: a proof that none can be moved."""
    signs = np.ones(rows.shape[0], dtype=np.int8)
    return Overlapping(
        problem=Problem(rows, signs, False, (), (-1, 1)),
        rows=np.zeros(1, dtype=np.intp),
        alpha=(Fraction(1),),
        alpha_float=np.ones(1),
        shared_point=np.zeros(0),
    )
