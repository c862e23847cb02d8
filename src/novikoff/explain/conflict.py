"""A conflict that a person can read: a few rows that no hyperplane serves, not the whole face."""

from fractions import Fraction

import numpy as np

from novikoff.blas import one_thread
from novikoff.exact.points import Points
from novikoff.progress import Watch
from novikoff.proofs.multipliers import conflict_among
from novikoff.search.start import first_rows
from novikoff.search.survey import survey
from novikoff.search.wolfe import ZERO
from novikoff.search.working_set import search, spread_out
from novikoff.verdicts.verdict import NotSeparable

__all__ = ["small_conflict"]

READABLE = 8  # rows that a person reads at a glance
MOST_SOLVED = 120  # rows whose exact multipliers are worked out for a sentence
MOST_WORK = 1 << 33  # multiply-adds of the search for fewer rows


def small_conflict(verdict: NotSeparable) -> dict[int, Fraction] | None:
    """Rows with α > 0 and Σ αᵢyᵢx̂ᵢ = 0: two equal points, where the hulls meet, or the verdict's.

    The nearest points of the two hulls are mixtures of few rows, whatever the face is. None if
    there are very many all the same, with multipliers that nobody has worked out.
    """
    if verdict.contradiction is not None:
        return dict.fromkeys(verdict.contradiction, Fraction(1))
    found = None if len(verdict.rows) <= READABLE else _where_hulls_meet(verdict)
    if found is not None and len(found) < len(verdict.rows):
        return found
    if verdict.alpha is None and len(verdict.rows) > MOST_SOLVED:
        return None
    return dict(zip(verdict.rows.tolist(), verdict.exact_alpha(), strict=True))


def _where_hulls_meet(verdict: NotSeparable) -> dict[int, Fraction] | None:
    points = Points.of(verdict.problem, decimals=verdict.decimals)
    n, d = verdict.n, verdict.d
    if min(n, d) ** 2 * max(n, d) > MOST_WORK:
        return None
    with np.errstate(all="ignore"), one_thread(n * d):
        seen = survey(points)
        metric = spread_out(points, seen)
        found = search(points, metric, first_rows(points, seen, metric), Watch())
        if found.ended != ZERO or len(found.rows) > MOST_SOLVED:
            return None
        conflict = conflict_among(points, found.rows, found.alpha)
    if conflict is None:
        return None
    order = np.argsort(conflict.rows)
    rows = conflict.rows[order].tolist()
    return dict(zip(rows, (conflict.alpha[at] for at in order), strict=True))
