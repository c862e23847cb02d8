"""The four verdicts of `separate`, each a type of its own, each with its proof.

Separable    a hyperplane separates the two classes
Touching     none does, but one has no point on its wrong side ("quasi-complete separation")
Overlapping  every hyperplane has a point on its wrong side, or all points on it
Undecided    a limit was hit before a proof was found; it says which, and what to do

`rows`, `support` and `rows_on_plane` are indices into the data as it was given. Panels, sentences
and `to_dict` number rows as their file does, which differs where rows of the file were left out.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.form import FLOATING
from novikoff.core.options import first_few
from novikoff.errors import CertificateError
from novikoff.matrix.problem import exact_text
from novikoff.matrix.rows import Floats
from novikoff.separability.verdict_base import Interval, ProvenMargins, Verdict, Word

__all__ = [
    "Interval",
    "LazyProofs",
    "NotSeparable",
    "Overlapping",
    "ProvenMargins",
    "Separable",
    "Touching",
    "Undecided",
    "Verdict",
    "Word",
]

Rationals: TypeAlias = tuple[Fraction, ...]
Indices: TypeAlias = NDArray[np.intp]


class LazyProofs(Protocol):
    """Results that a verdict works out when they are asked for: margins, exact multipliers."""

    def margins(self, time_limit: float | None, progress: bool) -> ProvenMargins:
        """Both margins, to within a small gap if the time allows it."""

    def margin_squared(self, support: Indices) -> Fraction | None:
        """The square of the geometric margin; None where it was not asked for."""

    def alpha(self, rows: Indices, near: Floats, *, at_any_cost: bool) -> Rationals | None:
        """The exact multipliers near those of a proof in floating point; None if there are none.

        Unless `at_any_cost`, also None if they would take more than a few seconds.
        """

    def contradiction(self) -> tuple[int, int] | None:
        """Two rows with the same point and different labels; or None."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Separable(Verdict):
    """Every y·(w·x + b) > 0: "complete separation".

    `weights` and `intercept` have ‖w‖ = 1 up to rounding. `exact_weights` and `exact_intercept` are
    the separator that was checked row by row without rounding: the same numbers wherever float64
    can hold a separator. `margin` is the geometric one; `augmented_margin` and `radius` are those
    of x̂ = (x, 1), and `mistake_bound` is R²/γ² of the two. `reference` is the ŵ* of the convergence
    proof, another plane than that of `weights`. They are worked out when one of them is first read,
    or by `measure` under a time limit; `known` holds what was proven before that.

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[0.0], [2.0]], ["low", "high"])
    >>> verdict.weights.tolist(), round(verdict.intercept, 9)
    ([-1.0], 1.0)
    >>> print(verdict.margin)
    1
    """

    weights: Floats
    intercept: float
    exact_weights: Rationals = field(repr=False)
    exact_intercept: Fraction = field(repr=False)
    known: ProvenMargins
    lazy: LazyProofs | None = field(default=None, repr=False)

    word = "separable"
    headline = "a hyperplane separates the two classes"

    @cached_property
    def margins(self) -> ProvenMargins:
        """Both margins, the radius and the mistake bound, each within a small gap."""
        return self.known if self.lazy is None else self.lazy.margins(None, False)

    def measure(self, *, time_limit: float | None = None, progress: bool = False) -> "Separable":
        """Work out the margins now, within `time_limit` seconds: wider intervals where it ends."""
        if self.lazy is not None and "margins" not in self.__dict__:
            self.__dict__["margins"] = self.lazy.margins(time_limit, progress)
        return self

    @property
    def margin(self) -> Interval:
        """The geometric margin: ‖w‖ = 1, b free."""
        return self.margins.margin

    @property
    def augmented_margin(self) -> Interval:
        """γ, the margin of x̂ = (x, 1) with ‖(w, b)‖ = 1."""
        return self.margins.augmented_margin

    @property
    def radius(self) -> Interval:
        """R, the length of the longest x̂."""
        return self.known.radius

    @property
    def mistake_bound(self) -> Interval:
        """R²/γ²: no perceptron makes more mistakes."""
        return self.margins.mistake_bound

    @property
    def reference(self) -> tuple[Floats, float]:
        """ŵ* = (w, b), whose augmented margin is the widest that was found: γ in the bound."""
        return self.margins.reference or (self.weights, self.intercept)

    @property
    def support(self) -> Indices:
        """The rows nearest to the plane of the margin."""
        return self.margins.support

    @cached_property
    def exact_margin_squared(self) -> Fraction | None:
        """The square of the geometric margin, a rational number; None where it was not asked for.

        Worked out when it is first read: the optimality system on the support, solved in integers
        and checked against every row. With `exact="auto"` only for supports of moderate size.
        """
        if self.margins.margin_squared is not None or self.lazy is None:
            return self.margins.margin_squared
        return self.lazy.margin_squared(self.support)

    def certificate(self, *, label: str | None = None, exact: bool = False) -> Certificate:  # noqa: ARG002
        """The small object that proves this verdict to anybody."""
        return Certificate.separable(
            self.problem,
            self.exact_weights,
            self.exact_intercept,
            decimals=self.decimals,
            label=label,
        )

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [
            ("points", f"{self.n} × {self.d}"),
            ("weights", _numbers(self.weights)),
            ("intercept", f"{self.intercept:.6g}"),
            ("geometric margin", str(self.margin)),
            ("augmented margin γ", str(self.augmented_margin)),
            ("radius R", str(self.radius)),
            ("mistake bound R²/γ²", str(self.mistake_bound)),
            ("support", self._rows(self.support)),
        ]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        square = self.exact_margin_squared
        return {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
            "exact_weights": _texts(self.exact_weights),
            "exact_intercept": exact_text(self.exact_intercept),
            "margin": _bounds(self.margin),
            "augmented_margin": _bounds(self.augmented_margin),
            "radius": _bounds(self.radius),
            "mistake_bound": _bounds(self.mistake_bound),
            "support": self.problem.numbers_of(self.support),
            "exact_margin_squared": None if square is None else exact_text(square),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class NotSeparable(Verdict):
    """What the two verdicts without a separator share: α > 0 on `rows` with Σ αᵢyᵢx̂ᵢ = 0.

    `alpha` is exact. It is None where its existence was proven in floating point, near
    `alpha_float`: then `exact_alpha` works it out.
    """

    rows: Indices
    alpha: Rationals | None
    alpha_float: Floats
    lazy: LazyProofs | None = field(default=None, repr=False)

    @cached_property
    def contradiction(self) -> tuple[int, int] | None:
        """Two rows with the same point and different labels: a proof by themselves; or None."""
        return None if self.lazy is None else self.lazy.contradiction()

    def contradiction_certificate(self) -> Certificate | None:
        """The proof by the two rows of `contradiction` alone: "not separable", and no more.

        For an overlapping verdict it says less than `certificate()`, in as little as can be said.
        """
        if self.contradiction is None:
            return None
        return Certificate.not_separable(
            self.problem, self.contradiction, (1, 1), decimals=self.decimals
        )

    def exact_alpha(self) -> Rationals:
        """`alpha`, worked out now if it was not before."""
        alpha = self._alpha(at_any_cost=True)
        if alpha is None:
            raise CertificateError(
                f"exact multipliers on {len(self.rows)} rows could not be worked out; "
                "their existence is proven in floating point all the same."
            )
        return alpha

    def quick_alpha(self) -> Rationals | None:
        """`alpha`, worked out now if that takes no more than a few seconds; None otherwise."""
        return self._alpha(at_any_cost=False)

    def _alpha(self, *, at_any_cost: bool) -> Rationals | None:
        if self.alpha is not None or self.lazy is None:
            return self.alpha
        return self.lazy.alpha(self.rows, self.alpha_float, at_any_cost=at_any_cost)

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {
            "rows": self.problem.numbers_of(self.rows),
            "alpha": None if self.alpha is None else _texts(self.alpha),
            "alpha_float": self.alpha_float.tolist(),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Touching(NotSeparable):
    """Not separable, but y·(w·x + b) ≥ 0 everywhere and > 0 somewhere: "quasi-complete separation".

    `exact_weights` and `exact_intercept` are a weak separator; `weights` and `intercept` the same,
    rounded, for plots. `rows_on_plane` are the rows with w·x + b = 0: they lie on the plane of
    every weak separator, because the points of `rows` do and span the others. `columns` are the
    names of the columns with a weight.

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[-1], [0], [0], [1]], ["no", "no", "yes", "yes"])
    >>> verdict.word, verdict.rows_on_plane.tolist()
    ('touching', [1, 2])
    """

    weights: Floats
    intercept: float
    exact_weights: Rationals = field(repr=False)
    exact_intercept: Fraction = field(repr=False)
    rows_on_plane: Indices
    columns: tuple[str, ...]

    word = "touching"
    headline = "no point is on the wrong side, but some must lie on the plane"

    def certificate(self, *, label: str | None = None, exact: bool = False) -> Certificate:  # noqa: ARG002
        """The small object that proves this verdict to anybody."""
        return Certificate.touching(
            self.problem,
            (self.exact_weights, self.exact_intercept),
            self.rows,
            self.exact_alpha(),
            decimals=self.decimals,
            label=label,
        )

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [
            ("points", f"{self.n} × {self.d}"),
            ("columns responsible", first_few(self.columns)),
            ("weak separator", _numbers(self.weights)),
            ("intercept", f"{self.intercept:.6g}"),
            ("on the plane", self._rows(self.rows_on_plane)),
            ("hulls meet in", self._rows(self.rows)),
        ]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {
            "weights": self.weights.tolist(),
            "intercept": self.intercept,
            "exact_weights": _texts(self.exact_weights),
            "exact_intercept": exact_text(self.exact_intercept),
            "rows_on_plane": self.problem.numbers_of(self.rows_on_plane),
            "columns_responsible": list(self.columns),
            **super().fields(),
        }


@dataclass(frozen=True, kw_only=True, eq=False)
class Overlapping(NotSeparable):
    """Neither separable nor touching: the hulls of `rows` meet, and their span is that of all rows.

    `shared_point` is in both hulls (without an intercept: in the cones from the origin through
    them; the origin itself where one class surrounds it).

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> verdict.word, verdict.shared_point.tolist()
    ('overlapping', [0.5, 0.5])
    """

    shared_point: Floats

    word = "overlapping"
    headline = "no hyperplane keeps the classes apart, not even touching"

    def certificate(self, *, label: str | None = None, exact: bool = False) -> Certificate:
        """The small object that proves this verdict to anybody.

        Where the multipliers are known to exist, and working them out would take more than a few
        seconds, the certificate holds the proof in floating point, unless `exact`.
        """
        alpha = self.exact_alpha() if exact else self.quick_alpha()
        proof = FLOATING if alpha is None else None
        multipliers = self.alpha_float.tolist() if alpha is None else alpha
        return Certificate.overlapping(
            self.problem,
            self.rows,
            multipliers,
            decimals=self.decimals,
            label=label,
            proof=proof,
        )

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        return [
            ("points", f"{self.n} × {self.d}"),
            ("hulls meet in", self._rows(self.rows)),
            ("shared point", _numbers(self.shared_point)),
        ]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        return {"shared_point": self.shared_point.tolist(), **super().fields()}


@dataclass(frozen=True, kw_only=True, eq=False)
class Undecided(Verdict):
    """No proof was found within a stated limit: `reason` says which, `advice` what to do.

    What is known all the same: no separator has an augmented margin above `margin_at_most`, so the
    bound R²/γ² on a perceptron's mistakes is `mistakes_at_least` or more; and `weights` with
    `intercept`, the best candidate, fail `rows_failed` rows.

    Examples
    --------
    >>> import novikoff
    >>> verdict = novikoff.separate([[0.0], [2.0]], ["low", "high"])
    >>> isinstance(verdict, novikoff.Undecided)
    False
    """

    reason: str
    advice: str
    margin_at_most: float = math.inf
    mistakes_at_least: float = 0.0
    weights: Floats | None = None
    intercept: float = 0.0
    rows_failed: int | None = None

    word = "undecided"
    headline = "a limit was hit before a proof was found"

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        facts = [("points", f"{self.n} × {self.d}"), ("why", self.reason)]
        if math.isfinite(self.margin_at_most):
            facts.append(("augmented margin γ", f"at most {self.margin_at_most:.6g}, if any"))
            facts.append(("mistake bound R²/γ²", f"at least {self.mistakes_at_least:.6g}"))
        if self.rows_failed is not None:
            facts.append(("best candidate", f"fails {self.rows_failed} of {self.n} rows"))
        return [*facts, ("advice", self.advice)]

    def fields(self) -> dict[str, Any]:
        """What this verdict holds, as plain JSON values."""
        known = math.isfinite(self.margin_at_most)
        return {
            "reason": self.reason,
            "advice": self.advice,
            "margin_at_most": self.margin_at_most if known else None,
            "mistakes_at_least": self.mistakes_at_least,
            "weights": None if self.weights is None else self.weights.tolist(),
            "intercept": self.intercept,
            "rows_failed": self.rows_failed,
        }


def _bounds(interval: Interval) -> dict[str, float]:
    return {"lower": interval.lower, "upper": interval.upper}


def _texts(values: Rationals) -> list[str]:
    return [exact_text(value) for value in values]


def _numbers(values: NDArray[Any]) -> str:
    """The first few numbers, for one line."""
    return first_few(values.tolist(), text="{:.6g}".format)
