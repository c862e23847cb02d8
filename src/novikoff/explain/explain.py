"""For the statistician: which coefficients of a logistic regression are infinite, and why."""

from typing import TYPE_CHECKING

from novikoff.explain.columns import SingleColumn, single_columns
from novikoff.explain.cone import Cone, recession_cone
from novikoff.explain.explanation import Coefficient, Explanation, Separation

if TYPE_CHECKING:
    from novikoff.verdicts.verdict import Verdict

__all__ = ["INTERCEPT", "Explanation", "explain_verdict"]

INTERCEPT = "(intercept)"

SEPARATIONS: dict[str, Separation] = {
    "separable": "complete",
    "touching": "quasi-complete",
    "overlapping": "none",
    "undecided": "undecided",
}


def explain_verdict(verdict: "Verdict") -> Explanation:
    """What the verdict means for a logistic regression on the same columns.

    Everything is decided exactly; what could not be is "undetermined". Probit and complementary
    log-log regressions have the same infinite estimates.
    """
    problem = verdict.problem
    cone = recession_cone(verdict)
    names = [*problem.names, INTERCEPT] if problem.fit_intercept else list(problem.names)
    direction = _shares(cone)
    coefficients = tuple(
        Coefficient(name, estimate, share)
        for name, estimate, share in zip(names, cone.estimates, direction, strict=True)
    )
    separation = SEPARATIONS[verdict.word]
    alone = tuple(single_columns(problem)) if separation != "none" else ()
    return Explanation(
        separation=separation,
        n=problem.n,
        coefficients=coefficients,
        cone_dimension=cone.dimension,
        idle_dimension=cone.idle,
        rows_on_plane=tuple(cone.on_plane.tolist()),
        single_columns=alone,
        advice=tuple(_advice(separation, coefficients, alone)),
    )


def _shares(cone: Cone) -> list[float | None]:
    """The direction, scaled so that its largest part is 1."""
    if cone.direction is None:
        return [None] * len(cone.estimates)
    largest = max(map(abs, cone.direction)) or 1
    return [float(value / largest) for value in cone.direction]


def _advice(
    separation: Separation, coefficients: tuple[Coefficient, ...], alone: tuple[SingleColumn, ...]
) -> list[str]:
    steps = []
    tangled = [c.name for c in coefficients if c.estimate == "not identified"]
    if tangled:
        steps.append(f"drop one of the collinear columns ({', '.join(tangled)})")
    if separation == "undecided":
        steps.append("ask again with exact=True")
    if separation not in ("complete", "quasi-complete"):
        return steps
    steps.append(
        "do not report the numbers that a fitting routine stopped at: they and their standard "
        "errors say where it stopped, not what the data says"
    )
    steps.extend(
        f"{column.name} predicts the outcome by itself: ask whether it could be known before the "
        "outcome; if it is a level, merge it with another one; or drop it"
        for column in alone
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
