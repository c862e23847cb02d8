"""Explain a verdict as a logistic regression: which coefficients are infinite, and why."""

import json
import math
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.certificates.models.question import INTERCEPT
from novikoff.core.options import list_names, with_count
from novikoff.regression.cells import Cell, SingleColumn, pure_bases, pure_cells, single_columns
from novikoff.regression.cone import Cone, recession_cone
from novikoff.regression.estimates import Estimate
from novikoff.regression.result import WORDS, Kind
from novikoff.regression.text import (
    HEADLINES,
    MOST_OF_A_KIND,
    SeparationText,
    advice_on,
    coefficient_table,
    fate_meanings,
    numbered_rows,
)

if TYPE_CHECKING:
    from rich.console import Group

    from novikoff.separability.verdicts import Verdict

SHOWN = 12  # columns that separate by themselves
TINY = Fraction(sys.float_info.min)
MOST_POWER = sys.float_info.max_exp - 1


@dataclass(frozen=True)
class Coefficient:
    """What becomes of one coefficient when the likelihood is maximised.

    `direction` is its share in a direction along which the likelihood rises for ever; 0 for all
    coefficients where there is none, and None where none is known.
    """

    name: str
    estimate: Estimate
    direction: float | None


@dataclass(frozen=True)
class Explanation:
    """Which coefficients run to infinity, along how many directions, because of which columns.

    `cone_dimension` is that of the directions along which the likelihood never falls,
    `idle_dimension` of those among them that change nothing (collinear columns). `rows_on_plane`
    are the rows that no such direction moves: they alone determine what stays finite.

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[-1], [0], [0], [1]], [0, 0, 1, 1], names=["dose"])
    >>> explanation = verdict.explain()
    >>> explanation.separation, explanation["dose"].estimate
    ('quasi-complete', <Estimate.PLUS_INFINITY: '+∞'>)
    """

    separation: Kind
    n: int
    coefficients: tuple[Coefficient, ...]
    cone_dimension: int | None
    idle_dimension: int | None
    rows_on_plane: tuple[int, ...]
    single_columns: tuple[SingleColumn, ...]
    advice: tuple[str, ...]
    cells: tuple[Cell, ...] = ()
    verdict: "Verdict | None" = field(default=None, repr=False, compare=False)

    @property
    def headline(self) -> str:
        """The finding in one sentence."""
        return HEADLINES[self.separation]

    def __getitem__(self, name: str) -> Coefficient:
        for coefficient in self.coefficients:
            if coefficient.name == name:
                return coefficient
        raise KeyError(name)

    def facts(self) -> list[str]:
        """What is known beside the coefficients, a sentence each."""
        p = len(self.coefficients)
        facts = fate_meanings(self.table())
        if self.cone_dimension is not None and self.idle_dimension is not None:
            rising = self.cone_dimension - self.idle_dimension
            if rising:
                along = with_count(rising, "independent direction")
                facts.append(f"the likelihood rises for ever along {along}")
            elif not self.idle_dimension:
                facts.append(f"all {p} coefficients are finite")
        if self.separation == "quasi-complete":
            shown = numbered_rows(self.rows_on_plane, self.n)
            facts.append(f"on the plane: {shown}")
        facts.extend(str(column) for column in self.single_columns[:SHOWN])
        if len(self.single_columns) > SHOWN:
            more = len(self.single_columns) - SHOWN
            facts.append(f"{more} more columns also separate on their own")
        facts.extend(str(cell) for cell in self.cells)
        if p > self.n and self.cone_dimension is None and self.separation != "undecided":
            facts.append(
                f"there are more coefficients ({p}) than rows ({self.n}): the data cannot "
                "determine them all, so single ones were not examined; "
                "use fewer columns, or a penalty"
            )
        return facts

    def table(self, most: int = MOST_OF_A_KIND) -> list[tuple[str, str]]:
        """The coefficients with what becomes of each, the infinite ones first; `most` of a kind."""
        return coefficient_table([(c.name, c.estimate) for c in self.coefficients], most)

    def text(self) -> SeparationText:
        """The explanation in sentences."""
        estimates = tuple((c.name, c.estimate) for c in self.coefficients)
        return SeparationText(self.headline, "", estimates, tuple(self.facts()), self.advice)

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain JSON values."""
        return {
            "separation": self.separation,
            "n": self.n,
            "coefficients": [vars(coefficient) for coefficient in self.coefficients],
            "cone_dimension": self.cone_dimension,
            "idle_dimension": self.idle_dimension,
            "rows_on_plane": list(self.rows_on_plane),
            "single_columns": [column.to_dict() for column in self.single_columns],
            "cells": [cell.to_dict() for cell in self.cells],
            "advice": list(self.advice),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The explanation as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        return str(self.text())

    def __rich__(self) -> "Group":
        return self.text().__rich__()

    def _repr_html_(self) -> str:
        import novikoff

        figure = "" if self.verdict is None else novikoff.report.figure_html(self.verdict)
        return f"{self.text()._repr_html_()}{figure}"


def explain_verdict(verdict: "Verdict", *, most_signs: int | None = None) -> Explanation:
    """What the verdict means for a logistic regression on the same columns.

    Everything is decided exactly; what could not be is "undecided". The sign of an infinite
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
    separation = WORDS[verdict.word]
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
    separation: Kind, coefficients: tuple[Coefficient, ...], alone: tuple[SingleColumn, ...]
) -> list[str]:
    steps = []
    aliased = [c.name for c in coefficients if c.estimate is Estimate.ALIASED]
    if aliased:
        steps.append(
            f"Drop {list_names(aliased)}: combinations of the columns before them. "
            "They are set aside here, as in R."
        )
    if separation == "undecided":
        steps.append("Ask again with exact=True.")
    return steps + advice_on(
        separation,
        [c.estimate for c in coefficients],
        suspects=list_names([column.name for column in alone]),
        limit="use the rows on the plane alone",
        penalise="Penalise: Firth's method (Jeffreys' prior), ridge, or a weakly informative prior "
        "gives finite estimates.",
    )
