"""What `separate` answers: four verdicts, each a type of its own, each with its proof.

Separable    a hyperplane with every point strictly on its own side
Touching     none, but one with no point on the wrong side ("quasi-complete separation")
Overlapping  not even that
Undecided    a stated limit was hit before a proof was found; says which, and what to do

`rows`, `support` and `rows_on_plane` are indices into the data as it was given.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.rows import Floats
from novikoff.verdicts.base import Interval, Verdict, Word

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate

__all__ = [
    "Interval",
    "NotSeparable",
    "Overlapping",
    "Separable",
    "Touching",
    "Undecided",
    "Verdict",
    "Word",
]

Rationals: TypeAlias = tuple[Fraction, ...]
Indices: TypeAlias = NDArray[np.intp]


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
        from novikoff.exact.points import Points
        from novikoff.proofs.margin import exact_margin

        if self.known_margin_squared is not None or len(self.support) > self.exact_limit:
            return self.known_margin_squared
        points = Points.of(self.problem, decimals=self.decimals)
        exact = exact_margin(points, self.support)
        return None if exact is None else exact.square

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
        from novikoff.exact.points import Points
        from novikoff.proofs.contradictions import contradiction

        return contradiction(Points.of(self.problem, decimals=self.decimals))

    def contradiction_certificate(self) -> "Certificate | None":
        """The proof by the two rows of `contradiction` alone: "not separable", and no more.

        For an overlapping verdict it says less than `certificate()`, in as little as can be said.
        """
        from novikoff.certificates.certificate import Certificate

        if self.contradiction is None:
            return None
        return Certificate.not_separable(
            self.problem, self.contradiction, (1, 1), decimals=self.decimals
        )

    def exact_alpha(self) -> Rationals:
        """`alpha`, worked out now if it was not before."""
        from novikoff.proofs.multipliers import exact_multipliers

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
    headline = "no point is on the wrong side, but some must lie on the plane"

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


def _more(values: Sequence[Any], shown: int = 8) -> str:
    return ", …" if len(values) > shown else ""


def _listed(values: NDArray[Any], shown: int = 8) -> str:
    """The first few values, for one line."""
    return ", ".join(f"{value:.6g}" for value in values[:shown].tolist()) + (
        ", …" if len(values) > shown else ""
    )
