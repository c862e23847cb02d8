"""What a verdict means for a logistic regression, as a person or a program reads it."""

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from novikoff.explain.cells import Cell
from novikoff.explain.columns import SingleColumn
from novikoff.explain.cone import Estimate
from novikoff.explain.fates import MOST_OF_A_KIND, fate_lines, fate_meanings, rich_steps

if TYPE_CHECKING:
    from rich.console import Group

    from novikoff.verdicts.verdict import Verdict

__all__ = ["Coefficient", "Explanation", "Separation"]

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
        return fate_lines([(c.name, ESTIMATES[c.estimate]) for c in self.coefficients], most)

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
