"""The base of all verdicts: the problem, how they are shown, and proven intervals for margins."""

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate, scalar_of
from novikoff.core.options import first_few, with_count
from novikoff.errors import CertificateError
from novikoff.matrix.problem import Problem
from novikoff.matrix.rows import Floats

if TYPE_CHECKING:
    from rich.panel import Panel

    from novikoff.regression.explain import Explanation

Word: TypeAlias = Literal["separable", "touching", "overlapping", "undecided"]


@dataclass(frozen=True)
class Interval:
    """A number that is proven to lie between `lower` and `upper`, both included.

    Examples
    --------
    >>> import novikoff
    >>> margin = novikoff.Interval(0.5, 0.75)
    >>> 0.6 in margin, margin.middle
    (True, 0.625)
    """

    lower: float
    upper: float

    @property
    def middle(self) -> float:
        """The number halfway, for plots; it is `lower` and `upper` that are proven."""
        return self.lower + (self.upper - self.lower) / 2

    def __contains__(self, value: float | Fraction) -> bool:
        return bool(self.lower <= value <= self.upper)

    def __str__(self) -> str:
        if self.lower == self.upper:
            return f"{self.lower:.10g}"
        shown = f"{self.lower:.10g}"
        if shown == f"{self.upper:.10g}":
            return shown
        return f"[{self.lower:.10g}, {self.upper:.10g}]"


@dataclass(frozen=True)
class ProvenMargins:
    """The geometric margin, the augmented one, the radius R, R²/γ², and the rows that fix them.

    `reference` is the (w, b) that reaches the lower end of the augmented margin, where floats do;
    `direction` the w of the geometric one, with b halfway between the classes.
    """

    margin: Interval
    augmented_margin: Interval
    radius: Interval
    mistake_bound: Interval
    support: NDArray[np.intp]
    margin_squared: Fraction | None = None
    reference: tuple[Floats, float] | None = field(default=None, repr=False, compare=False)
    direction: Floats | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, kw_only=True, eq=False)
class Answer:
    """What all answers share: the problem they speak of, and how they are shown."""

    problem: Problem = field(repr=False)
    decimals: bool = False

    def _rows(self, rows: NDArray[np.intp]) -> str:
        """How many rows, and the numbers of the first few, for one line."""
        return f"{with_count(len(rows))}: {first_few(self.problem.numbers_of(rows))}"

    @property
    def title(self) -> str:
        """The answer in a line."""
        raise NotImplementedError

    @property
    def n(self) -> int:
        """How many examples."""
        return self.problem.n

    @property
    def d(self) -> int:
        """How many features, the bias not counted."""
        return self.problem.d

    @property
    def fit_intercept(self) -> bool:
        """Whether the hyperplane may miss the origin."""
        return self.problem.fit_intercept

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names."""
        return self.problem.names

    @property
    def classes(self) -> tuple[Any, Any]:
        """The labels that −1 and +1 stand for."""
        return self.problem.classes

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know, as pairs of a name and a text."""
        raise NotImplementedError

    def fields(self) -> dict[str, Any]:
        """What this kind of answer holds, as plain JSON values."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The answer as plain JSON values: fractions are strings, arrays are lists."""
        return {
            "n": self.n,
            "d": self.d,
            "fit_intercept": self.fit_intercept,
            "decimals": self.decimals,
            "columns": list(self.names),
            "classes": [scalar_of(label) for label in self.classes],
            **self.fields(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The answer as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts())
        lines = [f"{name:<{width}}  {text}" for name, text in self.facts()]
        return "\n".join([self.title, *lines])

    def __rich__(self) -> "Panel":
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2))
        for name, text in self.facts():
            table.add_row(Text(name, style="dim"), Text(text))
        return Panel(table, title=Text(self.title, style="bold"), title_align="left", expand=False)

    def _repr_html_(self) -> str:
        from html import escape

        import novikoff

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self.facts()
        )
        word, _, headline = self.title.partition(": ")
        title = f"<b>{escape(word)}</b>: {escape(headline)}"
        caption = f"<caption style='text-align:left;white-space:nowrap'>{title}</caption>"
        return f"<table>{caption}{rows}</table>{novikoff.report.figure_html(self)}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdict(Answer):
    """What all four verdicts share: a word, a sentence, a certificate and an explanation."""

    word: ClassVar[Word]
    headline: ClassVar[str]

    @property
    def title(self) -> str:
        """The verdict in a line."""
        return f"{self.word}: {self.headline}"

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain JSON values: fractions are strings, arrays are lists."""
        return {"verdict": self.word, **super().to_dict()}

    def certificate(self, *, label: str | None = None, exact: bool = False) -> Certificate:  # noqa: ARG002
        """The small object that proves this verdict to anybody (not for `Undecided`).

        `label` names the column of classes. With `exact`, multipliers whose existence was proven
        in floating point are worked out.
        """
        raise CertificateError("an undecided verdict proves nothing, so it has no certificate.")

    def explain(self) -> "Explanation":
        """What the verdict means for a logistic regression on the same columns."""
        import novikoff

        explanation: Explanation = novikoff.explain_verdict(self)
        return explanation
