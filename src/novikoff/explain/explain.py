"""For the statistician: which coefficients of a logistic regression are infinite, and why."""

import math
import sys
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from novikoff.explain.cells import pure_bases, pure_cells
from novikoff.explain.columns import SingleColumn, single_columns
from novikoff.explain.cone import Cone, recession_cone
from novikoff.explain.explanation import Coefficient, Explanation, Separation

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Verdict

__all__ = ["INTERCEPT", "Explanation", "explain_verdict"]

INTERCEPT = "(intercept)"
TINY = Fraction(sys.float_info.min)
MOST_POWER = sys.float_info.max_exp - 1

SEPARATIONS: dict[str, Separation] = {
    "separable": "complete",
    "touching": "quasi-complete",
    "overlapping": "none",
    "undecided": "undecided",
}


def explain_verdict(verdict: "Verdict", *, most_signs: int | None = None) -> Explanation:
    """What the verdict means for a logistic regression on the same columns.

    Everything is decided exactly; what could not be is "undetermined". The sign of an infinite
    coefficient is a question of its own, asked for at most `most_signs` of them (300 if not given).
    Probit and complementary log-log regressions have the same infinite estimates.

    Parameters
    ----------
    verdict : Separable, Touching, Overlapping or Undecided
        What `novikoff.separate` answered.
    most_signs : int, optional
        For how many infinite coefficients to ask whether they are +∞ or −∞.

    Returns
    -------
    Explanation
        Which coefficients are infinite, and why.

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[0.0], [1.0]], [0, 1], names=["dose"])
    >>> print(novikoff.explain_verdict(verdict).headline)
    complete separation: no maximum-likelihood estimate exists
    """
    problem = verdict.problem
    cone = recession_cone(verdict, most_signs)
    names = [*problem.names, INTERCEPT] if problem.fit_intercept else list(problem.names)
    direction = _shares(cone)
    coefficients = tuple(
        Coefficient(name, estimate, share)
        for name, estimate, share in zip(names, cone.estimates, direction, strict=True)
    )
    separation = SEPARATIONS[verdict.word]
    separated = separation in ("complete", "quasi-complete")
    alone = tuple(single_columns(problem)) if separated else ()
    bases = pure_bases(problem) if separated else []
    off_plane = np.setdiff1d(np.arange(problem.n), cone.on_plane) if separated else np.arange(0)
    return Explanation(
        separation=separation,
        n=problem.n,
        coefficients=coefficients,
        cone_dimension=cone.dimension,
        idle_dimension=cone.idle,
        rows_on_plane=tuple(problem.numbers_of(cone.on_plane)),
        single_columns=alone,
        cells=(*bases, *pure_cells(problem, off_plane)),
        advice=tuple(_advice(separation, coefficients, alone)),
        verdict=verdict,
    )


def _join(names: list[str], shown: int = 12) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _shares(cone: Cone) -> list[float | None]:
    """The direction, scaled so that its largest part is 1, or as large as the least one needs."""
    if cone.direction is None:
        return [None] * len(cone.estimates)
    largest = max(map(abs, cone.direction)) or Fraction(1)
    parts = [Fraction(value) / largest for value in cone.direction]
    least = min((abs(part) for part in parts if part), default=Fraction(1))
    # A part that would be 0 in float64 is not: then all of them are larger, by a power of two.
    missing = (TINY / least).numerator.bit_length() - (TINY / least).denominator.bit_length()
    power = 0 if least >= TINY else min(MOST_POWER, missing + 1)
    return [_with_its_sign(part * 2**power) for part in parts]


def _with_its_sign(part: Fraction) -> float:
    return float(part) or ((1 if part > 0 else -1) * math.ulp(0.0) if part else 0.0)


def _advice(
    separation: Separation, coefficients: tuple[Coefficient, ...], alone: tuple[SingleColumn, ...]
) -> list[str]:
    steps = []
    aliased = [c.name for c in coefficients if c.estimate == "aliased"]
    if aliased:
        steps.append(
            f"drop what is a combination of the columns before it: {_join(aliased)} "
            "(set aside here, as R does)"
        )
    if separation == "undecided":
        steps.append("ask again with exact=True")
    if separation not in ("complete", "quasi-complete"):
        return steps
    steps.append(
        "do not report the numbers that a fitting routine stopped at: they and their standard "
        "errors say where it stopped, not what the data says"
    )
    if alone:
        predict = "predicts" if len(alone) == 1 else "predict"
        itself = "itself" if len(alone) == 1 else "themselves"
        steps.append(
            f"{_join([column.name for column in alone])} {predict} the outcome by {itself}: ask "
            "whether that could be known before the outcome; a level can be merged with another; "
            "or drop it"
        )
    steps.append(
        "penalise: Firth's method (Jeffreys' prior), ridge, or a weakly informative prior give "
        "finite estimates"
    )
    if separation == "quasi-complete" and any(c.estimate == "finite" for c in coefficients):
        steps.append(
            "the finite coefficients can be estimated from the rows on the plane alone, "
            "where the likelihood has its maximum"
        )
    return steps
