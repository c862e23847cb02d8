"""Is it separable? The verdict, with its proof.

A search in floating point proposes a separator, or rows whose hulls meet. Either is proven on the
points as they are, or the question goes to rational arithmetic, which always has an answer.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Literal

import numpy as np

from novikoff.answers import (
    INSISTED,
    not_separable_verdict,
    overlapping_verdict,
    separable_verdict,
)
from novikoff.conventions import choice
from novikoff.errors import DataError
from novikoff.exact.points import Points
from novikoff.problem import Problem
from novikoff.progress import Progress, shown
from novikoff.proofs.faces import facial_reduction
from novikoff.proofs.gordan import Multipliers, Separator
from novikoff.proofs.multipliers import solved_multipliers
from novikoff.proofs.separator import proof_of, proven
from novikoff.proofs.verified import verified_multipliers
from novikoff.search.linear_program import program_found
from novikoff.search.start import first_rows, is_dear, perceptron_found
from novikoff.search.survey import Survey, survey
from novikoff.search.wolfe import ZERO
from novikoff.search.working_set import Found, Metric, geometric, search, spread_out
from novikoff.verdicts.verdict import Interval, Overlapping, Separable, Touching, Undecided

__all__ = ["Answer", "Exact", "mistake_bound", "separate"]

Exact = Literal["auto"] | bool
Answer = Separable | Touching | Overlapping | Undecided

CHEAP = 500  # active rows for which nobody waits long for rational arithmetic


def separate(
    X: object,
    y: object,
    *,
    fit_intercept: bool = True,
    exact: Exact = "auto",
    decimals: bool = False,
    names: Sequence[str] | None = None,
    progress: bool = False,
) -> Answer:
    """Whether a hyperplane separates the two classes of `y`, with a proof either way.

    `exact="auto"` proves in floating point always and in rational numbers where that is cheap;
    `True` insists on rational numbers; `False` does without, never lies, and may be `Undecided`.
    With `decimals`, a column of decimals with at most 15 significant digits stands for those
    decimals (0.1 is one tenth) and not for their nearest float64 numbers.
    """
    choice("exact", exact, ("auto", True, False))
    problem = Problem.of(X, y, fit_intercept=fit_intercept, names=names)
    points = Points.of(problem, decimals=decimals)
    limit = {"auto": CHEAP, True: INSISTED, False: 0}[exact]
    # What overflows proves nothing, and is treated so: no need to warn of it.
    with shown(progress) as tell, np.errstate(all="ignore"):
        return _decided(points, limit, tell)


def mistake_bound(X: object, y: object, *, fit_intercept: bool = True) -> Interval:
    """R²/γ²: no perceptron makes more mistakes on this data, in any order, under any tie rule."""
    verdict = separate(X, y, fit_intercept=fit_intercept)
    if not isinstance(verdict, Separable):
        raise DataError(
            f"the data is {verdict.word}, so a perceptron never stops and R²/γ² bounds nothing: "
            "see novikoff.separate(X, y)."
        )
    return verdict.mistake_bound


def _decided(points: Points, limit: int, tell: Callable[[Progress], None] | None) -> Answer:
    seen = survey(points.rows, points.problem.y)
    tried: list[Found] = []
    if is_dear(points):
        easy = perceptron_found(points)
        proof = None if easy is None else proven(points, easy)
        if easy is not None and proof is not None:
            return separable_verdict(points, seen, proof, [easy], limit, closely=False)
    for metric in _metrics(points, seen):
        found = search(points, metric, first_rows(points, seen, metric), tell)
        tried.append(found)
        proof = proven(points, found)
        if proof is not None:
            return separable_verdict(points, seen, proof, tried, limit)
        if found.ended == ZERO:
            verdict = _not_separable(points, found, limit)
            if verdict is not None:
                return verdict
    return _in_rationals(points, seen, tried, limit)


def _metrics(points: Points, seen: Survey) -> Iterator[Metric]:
    """Distances as they are, then with columns of like width."""
    plain = geometric(points, seen)
    widths = seen.greatest - seen.least
    widths = widths[widths > 0]
    # Squares of lengths beyond this overflow or vanish.
    if len(widths) == 0 or (widths.max() < 1e140 and widths.min() > 1e-140):
        yield plain
    yield spread_out(points, seen)


def _not_separable(points: Points, found: Found, limit: int) -> Answer | None:
    """The verdict if the active rows prove it: in rational numbers, or in floating point."""
    if len(found.rows) <= limit:
        multipliers = solved_multipliers(points, found.rows, found.alpha)
        return None if multipliers is None else _three_ways(points, multipliers)
    rows = np.sort(found.rows)
    alpha = verified_multipliers(points, rows)
    return None if alpha is None else overlapping_verdict(points, rows, alpha, None)


def _three_ways(points: Points, known: Multipliers) -> Answer:
    """Touching or overlapping, given multipliers; p + 1 rows prove overlapping by themselves."""
    p = points.problem.d + points.problem.fit_intercept
    if len(known.rows) == p + 1:
        return not_separable_verdict(points, known)
    outcome = facial_reduction(points, [], known)
    assert not isinstance(outcome, Separator)
    return not_separable_verdict(points, outcome)


def _in_rationals(points: Points, seen: Survey, tried: list[Found], limit: int) -> Answer:
    """The verdict where floating point could not tell, or was not to be asked."""
    p = points.problem.d + points.problem.fit_intercept
    if min(p, points.problem.n) > limit:
        verdict = _by_program(points, seen, tried, limit)
        if verdict is not None:
            return verdict
        allowed = "exact=False allows none" if limit == 0 else f"up to {limit} columns by default"
        return Undecided(
            problem=points.problem,
            decimals=points.decimal is not None,
            reason=f"floating point could not decide, and rationals were not used: {allowed}",
            advice="call separate(X, y, exact=True); it may take long for many columns",
        )
    outcome = facial_reduction(points, tried[-1].rows.tolist())
    if not isinstance(outcome, Separator):
        return not_separable_verdict(points, outcome)
    w_hat = outcome.w_hat if points.problem.fit_intercept else (*outcome.w_hat, Fraction(0))
    proof = proof_of(points, w_hat[:-1], w_hat[-1])
    assert proof is not None
    return separable_verdict(points, seen, proof, tried, limit)


def _by_program(points: Points, seen: Survey, tried: list[Found], limit: int) -> Answer | None:
    """The verdict if a linear program proposes what can be proven without rationals."""
    start = np.concatenate([found.rows for found in tried])
    found = program_found(points, spread_out(points, seen), start)
    if found is None:
        return None
    proof = proven(points, found)
    if proof is not None:
        return separable_verdict(points, seen, proof, [found, *tried], limit)
    return _not_separable(points, found, limit) if found.ended == ZERO else None
