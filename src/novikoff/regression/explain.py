"""Explain a verdict as a logistic regression: which coefficients are infinite, and why."""

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from novikoff.regression.cells import Cell, SingleColumn, pure_bases, pure_cells, single_columns
from novikoff.regression.cone import Cone, Estimate, recession_cone

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from novikoff.separability.verdicts import Verdict

MOST_OF_A_KIND = 40  # coefficients with the same fate that are named
MANY = 12  # coefficients of one fate that make one line
INFINITE = ("+∞", "−∞")
NOT_DETERMINED, ALIASED = "not determined", "aliased"
MEANINGS = {
    NOT_DETERMINED: "+∞, −∞ and finite are all possible",
    ALIASED: "a combination of the columns before it, set aside",
}


def coefficient_table(
    fates: Sequence[tuple[str, str]], most: int = MOST_OF_A_KIND
) -> list[tuple[str, str]]:
    """The names and fates, in one line where all that are not aliased share one.

    "not determined" is such a line for two coefficients, any other fate for many. Of very many
    coefficients with the same fate, the first `most` are named and the others counted.
    """
    left = [fate for _, fate in fates if fate != ALIASED]
    aliased = [(name, fate) for name, fate in fates if fate == ALIASED]
    few = 1 if NOT_DETERMINED in left else MANY
    if len(left) > few and len(set(left)) == 1:
        meaning = f": {MEANINGS[left[0]]}" if left[0] in MEANINGS else ""
        return [(f"all {len(left)} coefficients", f"{left[0]}{meaning}"), *_counted(aliased, most)]
    return _counted(sorted(fates, key=lambda item: item[1] not in INFINITE), most)


def _counted(fates: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    counts: dict[str, int] = {}
    for name, fate in fates:
        counts[fate] = counts.get(fate, 0) + 1
        if counts[fate] <= most:
            lines.append((name, fate))
    more = {fate: count - most for fate, count in counts.items()}
    return lines + [(f"and {count} more", fate) for fate, count in more.items() if count > 0]


def fate_meanings(lines: Sequence[tuple[str, str]]) -> list[str]:
    """What the words in the lines mean, a sentence each, where the line itself does not say."""
    there = {fate for _, fate in lines}
    return [f"{fate}: {meaning}" for fate, meaning in MEANINGS.items() if fate in there]


def rich_steps(steps: Sequence[str]) -> "Table":
    """Advice for a terminal: a line that is too long goes on under its own beginning."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1))
    for step in steps:
        grid.add_row("-", Text(step))
    return grid


Separation: TypeAlias = Literal["complete", "quasi-complete", "none", "undecided"]

SHOWN = 12  # rows listed on a line

HEADLINES: dict[Separation, str] = {
    "complete": "complete separation: no maximum-likelihood estimate exists",
    "quasi-complete": "quasi-complete separation: no maximum-likelihood estimate exists",
    "none": "no separation: the maximum-likelihood estimate exists",
    "undecided": "undecided: nothing is claimed",
}
ESTIMATES: dict[Estimate, str] = {
    "finite": "finite",
    "+inf": "+∞",
    "-inf": "−∞",
    "either": "not determined",
    "aliased": "aliased",
    "undetermined": "undetermined: not proven either way",
}


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
    ('quasi-complete', '+inf')
    """

    separation: Separation
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
            text = f"directions: a cone of dimension {self.cone_dimension} (of {p} coefficients)"
            if self.idle_dimension:
                text += f", {self.idle_dimension} of it without effect: collinear columns"
            facts.append(text)
        if self.separation == "quasi-complete":
            rows = ", ".join(map(str, self.rows_on_plane[:SHOWN]))
            more = ", …" if len(self.rows_on_plane) > SHOWN else ""
            facts.append(f"on the plane: {len(self.rows_on_plane)} of {self.n} rows: {rows}{more}")
        facts.extend(str(column) for column in self.single_columns[:SHOWN])
        if len(self.single_columns) > SHOWN:
            facts.append(f"and {len(self.single_columns) - SHOWN} more columns do so alone")
        facts.extend(str(cell) for cell in self.cells)
        if p > self.n and self.cone_dimension is None and self.separation != "undecided":
            facts.append(
                f"there are {p} coefficients and {self.n} rows: no likelihood determines them all, "
                "so none was asked about by itself; fewer columns, or a penalty, would be needed"
            )
        return facts

    def table(self, most: int = MOST_OF_A_KIND) -> list[tuple[str, str]]:
        """The coefficients with what becomes of each, the infinite ones first; `most` of a kind."""
        return coefficient_table([(c.name, ESTIMATES[c.estimate]) for c in self.coefficients], most)

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
        width = max(len(name) for name, _ in self.table())
        table = [f"  {name:<{width}}  {text}" for name, text in self.table()]
        next_steps = ["next:", *(f"  - {step}" for step in self.advice)] if self.advice else []
        return "\n".join([self.headline, *table, *self.facts(), *next_steps])

    def __rich__(self) -> "Group":
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table("coefficient", "maximum-likelihood estimate", box=None, padding=(0, 2))
        for name, estimate in self.table():
            table.add_row(Text(name), Text(estimate))
        facts = [Text(fact) for fact in self.facts()]
        return Group(Text(self.headline, style="bold"), table, *facts, rich_steps(self.advice))

    def _repr_html_(self) -> str:
        from html import escape

        import novikoff

        figure = "" if self.verdict is None else novikoff.report.figure_html(self.verdict)
        rows = "".join(
            f"<tr><td style='text-align:left'>{escape(name)}</td>"
            f"<td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self.table()
        )
        facts = "".join(f"<p>{escape(fact)}</p>" for fact in self.facts())
        steps = "".join(f"<li>{escape(step)}</li>" for step in self.advice)
        head = "<tr><th>coefficient</th><th>maximum-likelihood estimate</th></tr>"
        return (
            f"<div><b>{escape(self.headline)}</b><table>{head}{rows}</table>{facts}"
            f"<ul>{steps}</ul>{figure}</div>"
        )


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
