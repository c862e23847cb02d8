"""The result of `fewest_errors`: a plane, the rows it gets wrong, and why fewer are impossible.

An error is a row with y·(w·x + b) ≤ 0: all other rows are strictly separated. A conflict is a set
of rows that no plane serves: α > 0 on them with Σ αᵢyᵢx̂ᵢ = 0. Every plane is wrong somewhere in
each conflict. So if the shares of the conflicts that hold a row never add up to more than the row
counts, every plane's errors count at least the sum of all shares.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.certificate import Certificate
from novikoff.certificates.conflicts import Cones, Conflict, Fixed, Split, Tree
from novikoff.core.options import first_few
from novikoff.exact.rational import FLOATS_END, decimal_text, nearest_float
from novikoff.matrix.problem import Problem, exact_text
from novikoff.separability.verdict_base import Answer

SHOWN = 8  # rows and conflicts that a sentence lists
ALL_DIGITS = 17  # of a float64: what 10 digits do not tell apart
ROUNDING = Fraction(1, 10**12)  # of a total of weights: what is less came from rounding decimals


@dataclass(frozen=True)
class ErrorBounds:
    """At least `lower`, at most `upper`: whole numbers, or weights where rows have some."""

    lower: Fraction
    upper: Fraction

    def __contains__(self, value: float | Fraction) -> bool:
        return bool(self.lower <= value <= self.upper)

    def __iter__(self) -> Iterator[Fraction]:
        return iter((self.lower, self.upper))

    def __str__(self) -> str:
        lower, upper = self.texts
        return upper if self.lower == self.upper else f"{lower} to {upper}"

    @property
    def texts(self) -> tuple[str, str]:
        """Both for sentences, with as many digits as tell them apart."""
        texts = plain_number(self.lower), plain_number(self.upper)
        if texts[0] != texts[1] or self.lower == self.upper:
            return texts
        return decimal_text(self.lower, ALL_DIGITS), decimal_text(self.upper, ALL_DIGITS)


@dataclass(frozen=True, kw_only=True, eq=False)
class FewestErrors(Answer):
    """The fewest errors of any plane, between two proven bounds.

    `weights` and `intercept` are exact, and wrong (y·(w·x + b) ≤ 0) on `wrong_rows` and nowhere
    else. `conflicts` with their shares prove the lower bound, together with the `tree` where there
    is one; or `cones` of planes do, in few dimensions. `row_weights` are what the rows count, or
    None if each counts 1.

    Examples
    --------
    >>> import novikoff
    >>> X, y = [[0.0], [1.0], [1.0], [2.0]], [0, 0, 1, 1]
    >>> found = novikoff.fewest_errors(X, y, weights=[1, 2, 1, 1])
    >>> found.wrong_rows.tolist(), str(found.errors)
    ([2], '1')
    >>> print(found.explain())
    At least 1 error (in weights): every hyperplane errs on one of the 2 rows of a conflict.
    At most 1 error: a hyperplane is wrong on row 2 only.
    """

    errors: ErrorBounds
    weights: tuple[Fraction, ...]
    intercept: Fraction
    wrong_rows: NDArray[np.intp]
    conflicts: tuple[Conflict, ...] = field(repr=False)
    tree: Tree | None = field(default=None, repr=False)
    cones: Cones | None = field(default=None, repr=False)
    row_weights: tuple[Fraction, ...] | None = field(default=None, repr=False)
    seconds: float = 0.0

    @property
    def optimal(self) -> bool:
        """Whether both bounds meet: no plane does better than this one, and that is proven."""
        return self.errors.lower == self.errors.upper

    @property
    def n_leaves(self) -> int:
        """The leaves of the tree, or the cones; 1 without either."""
        if self.cones is not None:
            return self.cones.n_leaves
        return 1 if self.tree is None else _leaves(self.tree)

    @property
    def title(self) -> str:
        """The answer in a line."""
        kind = "proven" if self.optimal else "between two proven bounds"
        return f"fewest errors: {self.errors}{self._unit}, {kind}"

    @property
    def _unit(self) -> str:
        return "" if self.row_weights is None else " (in weights)"

    def certificate(self, *, label: str | None = None) -> Certificate:
        """The small object that proves both bounds to anybody."""
        return Certificate.fewest_errors(self, label=label)

    def explain(self) -> str:
        """Why there are no fewer errors, and what is known of more, in sentences."""
        if self.errors.upper == 0:
            return f"No errors{self._unit}: a hyperplane separates all rows that count."
        sentences = [self._at_least(), self._at_most()]
        if not self.optimal:
            sentences.append(self._what_is_open())
        return " ".join(sentences)

    def _what_is_open(self) -> str:
        apart = self.errors.upper - self.errors.lower
        if self.row_weights is None or self.decimals or apart > self.errors.upper * ROUNDING:
            return "Whether fewer than the latter are possible is open: give more time."
        return (
            f"The two are {decimal_text(apart, 2)} apart, which is what rounding makes of "
            "decimals: as a float 0.1 is not quite a tenth, and with decimals=True it is."
        )

    def _at_least(self) -> str:
        if self.errors.lower == 0:
            return f"No lower bound{self._unit}: no conflict was proven in the time there was."
        start = f"At least {_errors(self.errors.texts[0])}{self._unit}: "
        if self.cones is not None:
            return (
                f"{start}all hyperplanes were divided into {self.n_leaves} cones, and in each of "
                "them every hyperplane has that many."
            )
        most = "its weight" if self.row_weights is not None else "once"
        rule = "every hyperplane errs on a row of each conflict"
        if self.tree is None:
            shared = [conflict for conflict in self.conflicts if conflict.share > 0]
            if len(shared) == 1:
                rows = len(shared[0].rows)
                return f"{start}every hyperplane errs on one of the {rows} rows of a conflict."
            return f"{start}{rule}, and {len(shared)} conflicts count no row more than {most}."
        if self.n_leaves == 1:
            return (
                f"{start}{rule}, and {len(self.conflicts)} conflicts count no row more than "
                f"{most}, but for rows that no better hyperplane gets wrong."
            )
        return (
            f"{start}{rule}, and in each of {self.n_leaves} cases of rows that are right or wrong "
            f"some of {len(self.conflicts)} conflicts count no row more than {most}."
        )

    def _at_most(self) -> str:
        wrong = list_rows(self.problem.numbers_of(self.wrong_rows))
        return f"At most {_errors(self.errors.texts[1])}: a hyperplane is wrong on {wrong} only."

    def alternatives(self, *, most: int = 100, time_limit: float = 10.0) -> "Alternatives":
        """Other sets of wrong rows that count the same, and the rows that are wrong in all."""
        import novikoff

        found: Alternatives = novikoff.alternatives(self, most=most, time_limit=time_limit)
        return found

    def facts(self) -> list[tuple[str, str]]:
        """What a person wants to know."""
        shared = sum(conflict.share > 0 for conflict in self.conflicts)
        proof = "1 conflict" if shared == 1 else f"{shared} conflicts that share the rows"
        if self.tree is not None:
            proof = f"{len(self.conflicts)} conflicts and fixed rows"
        if self.cones is not None:
            proof = f"{self.n_leaves} cones of hyperplanes"
        elif self.n_leaves > 1:
            proof = f"{len(self.conflicts)} conflicts in a tree of {self.n_leaves} leaves"
        return [
            ("points", f"{self.n} × {self.d}"),
            ("errors", f"{self.errors}{self._unit}"),
            ("wrong rows", list_rows(self.problem.numbers_of(self.wrong_rows))),
            ("why not fewer", proof),
            ("weights", first_few(self.weights, SHOWN, lambda value: decimal_text(value, 6))),
            ("intercept", decimal_text(self.intercept, 6)),
        ]

    def fields(self) -> dict[str, Any]:
        """What the answer holds, as plain JSON values."""
        return {
            "errors": {"lower": number(self.errors.lower), "upper": number(self.errors.upper)},
            "optimal": self.optimal,
            "wrong_rows": self.problem.numbers_of(self.wrong_rows),
            "exact_weights": [exact_text(value) for value in self.weights],
            "exact_intercept": exact_text(self.intercept),
            "conflicts": [conflict.numbered(self.problem).to_dict() for conflict in self.conflicts],
            "leaves": self.n_leaves,
            "weighted": self.row_weights is not None,
            "seconds": self.seconds,
        }


@dataclass(frozen=True)
class Alternatives:
    """Sets of wrong rows that count the same as those of the best plane, itself the first.

    Each set is proven: some plane is wrong there and nowhere else. `counted` says that there are no
    other sets, which is proven too; without it they are a sample. `always_wrong` are the rows that
    are proven to be wrong in every set that counts as little, found or not.
    """

    sets: tuple[tuple[int, ...], ...]
    counted: bool
    always_wrong: tuple[int, ...]

    @property
    def only(self) -> bool:
        """Whether there is only one set, proven."""
        return self.counted and len(self.sets) == 1

    def numbered(self, problem: Problem) -> "Alternatives":
        """The alternatives with their rows numbered as in the file."""
        sets = tuple(tuple(problem.numbers_of(rows)) for rows in self.sets)
        return replace(self, sets=sets, always_wrong=tuple(problem.numbers_of(self.always_wrong)))

    def to_dict(self) -> dict[str, Any]:
        """The sets as plain JSON values."""
        return {
            "sets": [list(rows) for rows in self.sets],
            "counted": self.counted,
            "only": self.only,
            "always_wrong": list(self.always_wrong),
        }

    def __str__(self) -> str:
        if self.only:
            return f"these are the only rows that will do: {list_rows(self.sets[0])}."
        count = len(self.sets)
        if self.counted:
            text = f"there are {count} sets of wrong rows of this size, and no others."
            if count <= SHOWN:
                named = "; ".join(list_rows(rows) for rows in self.sets)
                text = f"{text[:-1]}: {named}."
            always = "None of the rows is wrong in all of them."
            if self.always_wrong:
                always = f"Wrong in all of them: {list_rows(self.always_wrong)}."
            return f"{text} {always}"
        known = "one set of wrong rows" if count == 1 else f"{count} sets of wrong rows"
        text = f"{known} of this size found, and there may be more."
        if self.always_wrong:
            text += f" Wrong in all of them, found or not: {list_rows(self.always_wrong)}."
        return text


def number(value: Fraction) -> int | float:
    """A fraction as JSON has numbers: an integer where it is one, or where float64 has ended."""
    if value.denominator == 1:
        return value.numerator
    return round(value) if value > FLOATS_END else nearest_float(value)


def plain_number(value: Fraction) -> str:
    """A fraction for a sentence."""
    return str(value.numerator) if value.denominator == 1 else decimal_text(value, 10)


def _errors(count: str) -> str:
    """So many errors."""
    return f"{count} error" + ("" if count == "1" else "s")


def list_rows(rows: Sequence[int]) -> str:
    """Rows for a sentence: all of a few, the first of many."""
    if len(rows) == 0:
        return "no rows"
    shown = ", ".join(map(str, rows[:SHOWN]))
    if len(rows) == 1:
        return f"row {shown}"
    if len(rows) <= SHOWN:
        return f"rows {shown}"
    return f"{len(rows)} rows: {shown}, …"


def _leaves(tree: Tree) -> int:
    if isinstance(tree, Fixed):
        return _leaves(tree.then)
    return _leaves(tree.right) + _leaves(tree.wrong) if isinstance(tree, Split) else 1
