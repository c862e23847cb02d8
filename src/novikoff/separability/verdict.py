"""What `separate` answers: four verdicts, each a type of its own, each with its proof.

Separable    a hyperplane with every point strictly on its own side
Touching     none, but one with no point on the wrong side ("quasi-complete separation")
Overlapping  not even that
Undecided    a stated limit was hit before a proof was found; says which, and what to do

`rows`, `support` and `rows_on_plane` are indices into the data as it was given.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.problem import Problem
from novikoff.rows import Floats

if TYPE_CHECKING:
    from rich.panel import Panel

    from novikoff.separability.certificate import Certificate
    from novikoff.separability.explain import Explanation

__all__ = ["Interval", "Overlapping", "Separable", "Touching", "Undecided", "Verdict", "Word"]

Word: TypeAlias = Literal["separable", "touching", "overlapping", "undecided"]
Rationals: TypeAlias = tuple[Fraction, ...]
Indices: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True)
class Interval:
    """A number that is proven to lie between `lower` and `upper`, both included."""

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


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdict:
    """What all four verdicts share: the problem they speak of, and how they are shown."""

    problem: Problem = field(repr=False)
    decimals: bool = False

    word: ClassVar[Word]
    headline: ClassVar[str]

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

    @cached_property
    def data_sha256(self) -> str:
        """The hash that ties a certificate to this data."""
        from novikoff.separability.digest import data_sha256, encoding_of

        return data_sha256(self.problem.X, self.problem.y, encoding_of(self.problem.X))

    def certificate(self) -> "Certificate":
        """The small object that proves this verdict to anybody (not for `Undecided`)."""
        from novikoff.separability.certificate import Certificate

        return Certificate.of(self)

    def explain(self) -> "Explanation":
        """What the verdict means for a logistic regression on the same columns."""
        from novikoff.separability.explain import explain

        return explain(self)

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know, as pairs of a name and a text."""
        raise NotImplementedError

    def fields(self) -> dict[str, Any]:
        """What this kind of verdict holds, as plain JSON values."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain JSON values: fractions are strings, arrays are lists."""
        return {
            "verdict": self.word,
            "n": self.n,
            "d": self.d,
            "fit_intercept": self.fit_intercept,
            "decimals": self.decimals,
            "columns": list(self.names),
            "classes": [_plain(label) for label in self.classes],
            **self.fields(),
        }

    def to_json(self, indent: int | None = None) -> str:
        """The verdict as JSON text."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts())
        lines = [f"{name:<{width}}  {text}" for name, text in self.facts()]
        return "\n".join([f"{self.word}: {self.headline}", *lines])

    def __rich__(self) -> "Panel":
        from rich.panel import Panel
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2))
        for name, text in self.facts():
            table.add_row(Text(name, style="dim"), Text(text))
        title = Text(f"{self.word}: {self.headline}", style="bold")
        return Panel(table, title=title, title_align="left", expand=False)

    def _repr_html_(self) -> str:
        from html import escape

        rows = "".join(
            f"<tr><th style='text-align:left'>{escape(name)}</th>"
            f"<td style='text-align:left'>{escape(text)}</td></tr>"
            for name, text in self.facts()
        )
        title = f"<b>{escape(self.word)}</b>: {escape(self.headline)}"
        return f"<table><caption style='text-align:left'>{title}</caption>{rows}</table>"


@dataclass(frozen=True, kw_only=True, eq=False)
class Separable(Verdict):
    """Every y·(w·x + b) > 0: "complete separation".

    `weights` and `intercept` have ‖w‖ = 1 up to rounding. `exact_weights` and `exact_intercept` are
    the separator that was checked row by row without rounding: the same numbers wherever float64
    can hold a separator. `margin` is the geometric one; `augmented_margin` and `radius` are those
    of x̂ = (x, 1), and `mistake_bound` is R²/γ² of the two.
    """

    weights: Floats
    intercept: float
    exact_weights: Rationals = field(repr=False)
    exact_intercept: Fraction = field(repr=False)
    margin: Interval
    augmented_margin: Interval
    radius: Interval
    mistake_bound: Interval
    support: Indices
    known_margin_squared: Fraction | None = field(default=None, repr=False)
    exact_limit: int = field(default=0, repr=False)

    word = "separable"
    headline = "a hyperplane has every point strictly on its own side"

    @cached_property
    def exact_margin_squared(self) -> Fraction | None:
        """The square of the geometric margin, a rational number; None where it was not asked for.

        Worked out when it is first read: the optimality system on the support, solved in integers
        and checked against every row. With `exact="auto"` only for supports of moderate size.
        """
        from novikoff.separability.margin import exact_margin_squared
        from novikoff.separability.points import Points

        if self.known_margin_squared is not None or len(self.support) > self.exact_limit:
            return self.known_margin_squared
        points = Points.of(self.problem, decimals=self.decimals)
        return exact_margin_squared(points, self.support)

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [
            ("points", f"{self.n} × {self.d}"),
            ("weights", _listed(self.weights)),
            ("intercept", f"{self.intercept:.6g}"),
            ("margin γ", str(self.margin)),
            ("augmented margin", str(self.augmented_margin)),
            ("radius R", str(self.radius)),
            ("mistake bound R²/γ²", str(self.mistake_bound)),
            ("support", f"{len(self.support)} rows: {_listed(self.support)}"),
        ]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        square = self.exact_margin_squared
        return {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
            "exact_weights": _texts(self.exact_weights),
            "exact_intercept": str(self.exact_intercept),
            "margin": _bounds(self.margin),
            "augmented_margin": _bounds(self.augmented_margin),
            "radius": _bounds(self.radius),
            "mistake_bound": _bounds(self.mistake_bound),
            "support": self.support.tolist(),
            "exact_margin_squared": None if square is None else str(square),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class NotSeparable(Verdict):
    """What the two verdicts without a separator share: α > 0 on `rows` with Σ αᵢyᵢx̂ᵢ = 0.

    `alpha` is exact, and None where only floating point was asked for: then the rows are the proof
    (their α is the one solution of a linear system, proven positive) and `exact_alpha` solves it.
    """

    rows: Indices
    alpha: Rationals | None
    alpha_float: Floats

    @cached_property
    def contradiction(self) -> tuple[int, int] | None:
        """Two rows with the same point and different labels: a proof by themselves; or None."""
        from novikoff.separability.contradictions import contradiction
        from novikoff.separability.points import Points

        return contradiction(Points.of(self.problem, decimals=self.decimals))

    def exact_alpha(self) -> Rationals:
        """`alpha`, worked out now if it was not before."""
        from novikoff.separability.multipliers import exact_multipliers

        if self.alpha is not None:
            return self.alpha
        return exact_multipliers(self.problem, self.rows, decimals=self.decimals)

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {
            "rows": self.rows.tolist(),
            "alpha": None if self.alpha is None else _texts(self.alpha),
            "alpha_float": self.alpha_float.tolist(),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Touching(NotSeparable):
    """Not separable, but y·(w·x + b) ≥ 0 everywhere and > 0 somewhere: "quasi-complete separation".

    `exact_weights` and `exact_intercept` are a weak separator; `weights` and `intercept` the same,
    rounded, for plots. `rows_on_plane` are the rows with w·x + b = 0. The points of `rows` lie on
    the plane of every weak separator. `columns` are the names of the columns with a weight.
    """

    weights: Floats
    intercept: float
    exact_weights: Rationals = field(repr=False)
    exact_intercept: Fraction = field(repr=False)
    rows_on_plane: Indices
    columns: tuple[str, ...]

    word = "touching"
    headline = "no point need be on the wrong side, but some must lie on the plane"

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [
            ("points", f"{self.n} × {self.d}"),
            ("columns responsible", ", ".join(self.columns[:8]) + _more(self.columns)),
            ("weak separator", _listed(self.weights)),
            ("intercept", f"{self.intercept:.6g}"),
            ("on the plane", f"{len(self.rows_on_plane)} rows: {_listed(self.rows_on_plane)}"),
            ("hulls meet in", f"{len(self.rows)} rows: {_listed(self.rows)}"),
        ]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
            "exact_weights": _texts(self.exact_weights),
            "exact_intercept": str(self.exact_intercept),
            "rows_on_plane": self.rows_on_plane.tolist(),
            "columns_responsible": list(self.columns),
            **super().fields(),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Overlapping(NotSeparable):
    """Neither separable nor touching: the hulls of `rows` meet, and their span is that of all rows.

    `shared_point` is in both hulls (without an intercept: in the cones from the origin through
    them; the origin itself where one class surrounds it).
    """

    shared_point: Floats

    word = "overlapping"
    headline = "no hyperplane keeps the classes apart, not even touching"

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [
            ("points", f"{self.n} × {self.d}"),
            ("hulls meet in", f"{len(self.rows)} rows: {_listed(self.rows)}"),
            ("shared point", _listed(self.shared_point)),
        ]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {"shared_point": self.shared_point.tolist(), **super().fields()}


@dataclass(frozen=True, kw_only=True, eq=False)
class Undecided(Verdict):
    """No proof was found within a stated limit: `reason` says which, `advice` what to do."""

    reason: str
    advice: str

    word = "undecided"
    headline = "a limit was hit before a proof was found"

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [("points", f"{self.n} × {self.d}"), ("why", self.reason), ("advice", self.advice)]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {"reason": self.reason, "advice": self.advice}


def _bounds(interval: Interval) -> dict[str, float]:
    return {"lower": interval.lower, "upper": interval.upper}


def _texts(values: Rationals) -> list[str]:
    return [str(value) for value in values]


def _plain(label: Any) -> Any:
    return label if isinstance(label, (bool, int, float, str)) else str(label)


def _more(values: Sequence[Any], shown: int = 8) -> str:
    return ", …" if len(values) > shown else ""


def _listed(values: NDArray[Any], shown: int = 8) -> str:
    """The first few values, for one line."""
    return ", ".join(f"{value:.6g}" for value in values[:shown].tolist()) + (
        ", …" if len(values) > shown else ""
    )
