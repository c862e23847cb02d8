"""What becomes of each coefficient of a regression whose rows live elsewhere.

The questions are those of `coefficients`, and so are the answers: which columns are aliased, which
rows can be moved, which coefficients are infinite are facts about the rows. The verdict with its
proof comes from passes over all rows, as `separate` makes them; the rest from working sets.
"""

from novikoff.decide import Exact
from novikoff.exact.far_null import far_null_space, null_space_at
from novikoff.exact.reading import Reading
from novikoff.explain.far_cone import far_estimates
from novikoff.progress import OutOfTime, Watch
from novikoff.regressions.elsewhere import FarModelRows
from novikoff.regressions.question import Question
from novikoff.separation.aliases import independent_of
from novikoff.separation.coefficients import MEANINGS, MOST, decided, finding_of, nothing_found
from novikoff.separation.finding import Estimate, Finding
from novikoff.verdicts.verdict import Overlapping, Touching

__all__ = ["find_elsewhere"]


def find_elsewhere(question: Question, watch: Watch, exact: Exact = "auto") -> Finding:
    """Decide the question, and each coefficient: what time allows."""
    try:
        with watch.rules():
            return _far_found(question, watch, exact)
    except OutOfTime:
        return nothing_found(len(question.names), watch)


def _far_found(question: Question, watch: Watch, exact: Exact) -> Finding:
    rows = question.rows
    assert isinstance(rows, FarModelRows)
    p = rows.shape[1]
    if p > MOST:
        answer = decided(rows, question.decimals, watch, exact)
        unknown = Estimate.FINITE if isinstance(answer, Overlapping) else Estimate.UNDECIDED
        return finding_of(question, answer, tuple(range(p)), [unknown] * p)
    watch.show("aliased columns")
    reading = Reading(rows, question.decimals)
    kept = independent_of(far_null_space(reading), p)
    narrow = rows if len(kept) == p else rows.columns(kept)
    answer = decided(narrow, question.decimals, watch, exact)
    estimates = [Estimate.ALIASED] * p
    for j, estimate in zip(kept, far_estimates(answer, narrow, watch), strict=True):
        estimates[j] = MEANINGS[estimate]
    # The rows with multipliers span those that stay in the limit.
    estimable = kept
    if isinstance(answer, Touching):
        estimable = independent_of(null_space_at(reading, answer.rows), p)
    return finding_of(question, answer, kept, estimates, estimable)
