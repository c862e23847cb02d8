"""Decide a conditional regression by its rows, with a column for each stratum.

A stratum of k cases and m controls has km pairs, but only k + m rows. Every case is above every
control exactly if some number t is between them: x·δ ≥ t for cases, x·δ ≤ t for controls. So the
rows of a logit with a column for each stratum have the same δ. Multipliers α of these rows have the
same sum over the cases of a stratum as over its controls, and so belong to pairs: αᵢαⱼ, over that
sum, is the multiplier of the pair of case i and control j.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from novikoff.certificates.models.question import RegressionRows, signable
from novikoff.certificates.models.rows import apply_signs
from novikoff.core import sparse as sp
from novikoff.core.progress import Deadline
from novikoff.regression.coefficients import find
from novikoff.regression.estimates import CoefficientAnswers
from novikoff.regression.result import Regression
from novikoff.separability.api import Exact

PAIRS_A_ROW = 8  # from so many on, rows are fewer
MOST_STRATA = 64
MOST_PAIRS = 100_000  # with multipliers


def find_by_strata(
    regression: Regression, question: RegressionRows, deadline: Deadline, exact: Exact, signs: bool
) -> CoefficientAnswers | None:
    """The finding for the pairs of `question`; None if these are better asked about themselves."""
    role = np.zeros(regression.outcome.n, dtype=np.int8)
    role[question.second], role[question.first] = -1, 1
    rows = np.flatnonzero(role)
    assert regression.outcome.strata is not None
    labels, strata = np.unique(regression.outcome.strata[rows], return_inverse=True)
    if len(question.first) < PAIRS_A_ROW * len(rows) or len(labels) > MOST_STRATA:
        return None
    side = role[rows]
    is_case = side > 0
    X = apply_signs(signable(regression.X), rows, side)
    steps = (strata[:, None] == np.arange(len(labels))) * -side[:, None].astype(np.float64)
    together = sp.hstack([steps, X]) if sp.issparse(X) else np.hstack([steps, X])
    found = find(
        replace(
            question,
            made=lambda: (sp.csr_array(together) if sp.issparse(X) else together, None),
            decimals=regression.model.decimals,
            names=(*map(str, labels), *question.names),
            first=rows,
            second=np.full(len(rows), -1),
        ),
        deadline,
        exact,
        signs,
    )
    there = np.zeros(regression.outcome.n, dtype=np.bool_)
    there[rows[found.on_plane]] = True
    used = [found.rows[strata[found.rows] == k] for k in range(len(labels))]
    sides = [(some[is_case[some]], some[~is_case[some]]) for some in used]
    if sum(len(cases) * len(controls) for cases, controls in sides) > MOST_PAIRS:
        return None
    pairs = [(i, j) for cases, controls in sides for i in cases.tolist() for j in controls.tolist()]
    keys = question.first * regression.outcome.n + question.second
    wanted = np.array([rows[i] * regression.outcome.n + rows[j] for i, j in pairs], dtype=np.intp)
    place = np.searchsorted(keys, wanted)
    order = np.argsort(place)

    def multipliers() -> tuple[Fraction, ...]:
        alpha = dict(zip(found.rows.tolist(), found.multipliers(), strict=True))
        total = [sum((alpha[i] for i in cases.tolist()), Fraction(0)) for cases, _ in sides]
        each = [alpha[i] * alpha[j] / total[strata[i]] for i, j in pairs]
        return tuple(each[k] for k in order.tolist())

    direction = found.direction
    return replace(
        found,
        estimates=found.estimates[len(labels) :],
        direction=None if direction is None else direction[len(labels) :],
        on_plane=np.flatnonzero(there[question.first] & there[question.second]),
        rows=place[order],
        multipliers=multipliers,
        estimable=None,
    )
