"""`why_not` explains in sentences with numbers that no hyperplane separates the classes.

With a bias, α says that a point of the one hull is a point of the other. Without one, it says that
a positive combination of the rows of the one class is one of the other class too, or is zero. The
rows with α > 0 each ask for an inequality; times α they add up to 0 > 0.

`small_conflict` looks for few rows that prove it, so that a person can read them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isinf, log10

import numpy as np

from novikoff.core.blas import one_thread
from novikoff.core.progress import Deadline
from novikoff.exact.points import ExactProblem
from novikoff.exact.rational import decimal_text, nearest_float, primitive
from novikoff.matrix.batches import refuse_batches
from novikoff.separability.api import Answer, separate
from novikoff.separability.proofs.gordan import conflict_among
from novikoff.separability.search.passes import survey
from novikoff.separability.search.start import first_rows
from novikoff.separability.search.wolfe import ZERO
from novikoff.separability.search.working_set import search, spread_out
from novikoff.separability.verdicts import NotSeparable, Overlapping, Separable, Touching, Undecided

READABLE = 8  # rows that a person reads at a glance
MOST_SOLVED = 120  # rows whose exact multipliers are worked out for a sentence
MOST_WORK = 1 << 33  # multiply-adds of the search for fewer rows


def small_conflict(verdict: NotSeparable) -> dict[int, Fraction] | None:
    """Rows with α > 0 and Σ αᵢyᵢx̂ᵢ = 0: two equal points, where the hulls meet, or the verdict's.

    The nearest points of the two hulls are mixtures of few rows, whatever the face is. None if
    there are very many all the same, with multipliers that nobody has worked out.
    """
    if verdict.contradiction is not None:
        return dict.fromkeys(verdict.contradiction, Fraction(1))
    found = None if len(verdict.rows) <= READABLE else _where_hulls_meet(verdict)
    if found is not None and len(found) < len(verdict.rows):
        return found
    if verdict.alpha is None and len(verdict.rows) > MOST_SOLVED:
        return None
    return dict(zip(verdict.rows.tolist(), verdict.exact_alpha(), strict=True))


def _where_hulls_meet(verdict: NotSeparable) -> dict[int, Fraction] | None:
    points = ExactProblem.of(verdict.problem, decimals=verdict.decimals)
    n, d = verdict.n, verdict.d
    if min(n, d) ** 2 * max(n, d) > MOST_WORK:
        return None
    with np.errstate(all="ignore"), one_thread(n * d):
        seen = survey(points)
        metric = spread_out(points, seen)
        found = search(points, metric, first_rows(points, seen, metric), Deadline())
        if found.ended != ZERO or len(found.rows) > MOST_SOLVED:
            return None
        conflict = conflict_among(points, found.rows, found.alpha)
    if conflict is None:
        return None
    order = np.argsort(conflict.rows)
    rows = conflict.rows[order].tolist()
    return dict(zip(rows, (conflict.alpha[at] for at in order), strict=True))


MOST_ROWS = 8  # that a sentence names, or whose inequalities are written out
MOST_COLUMNS = 8
NEEDED = MOST_COLUMNS + 1  # columns of a point: one more says that there are more
LONGEST = 11  # characters of a fraction that is still easier to read than a decimal


@dataclass(frozen=True)
class WhyNot:
    """The sentences, and the verdict from whose proof they are derived."""

    sentences: tuple[str, ...]
    verdict: Answer

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)


def why_not(
    X: object,
    y: object = None,
    *,
    fit_intercept: bool = True,
    decimals: bool = False,
    names: Sequence[str] | None = None,
) -> WhyNot:
    """Why no hyperplane separates the two classes of `y`: the proof, in sentences.

    Where one does, the sentence says so and gives it.

    Parameters
    ----------
    X : array-like of shape (n, d)
        The data: an array, a sparse matrix, a DataFrame or an Arrow table; a row a sample.
    y : array-like of shape (n,)
        The labels, two of them; the second in sorted order is +1.
    fit_intercept : bool, default=True
        Whether the hyperplane may miss the origin.
    decimals : bool, default=False
        Whether numbers stand for the decimals that they print as (0.1 is one tenth).
    names : sequence of str, optional
        Names of the columns, where the data brings none.

    Returns
    -------
    WhyNot
        The sentences; printing it prints them.

    Examples
    --------
    >>> import novikoff
    >>> reasons = novikoff.why_not([[0], [1], [2]], ["out", "in", "out"])
    >>> print(reasons.sentences[0])
    Row 1 (class 'in'), the point (1), lies between rows 0 and 2 (class 'out'): ...
    """
    reason = "it looks for the fewest rows that show why, among all of them"
    refuse_batches(X, "why_not", reason)
    return why_not_of(separate(X, y, fit_intercept=fit_intercept, decimals=decimals, names=names))


def why_not_of(verdict: Answer) -> WhyNot:
    """Why no hyperplane separates the classes, from a verdict."""
    if isinstance(verdict, Separable):
        return WhyNot((_separator(verdict),), verdict)
    if isinstance(verdict, Undecided):
        return WhyNot((f"It is undecided: {verdict.reason}", verdict.advice), verdict)
    conflict = small_conflict(verdict)
    if conflict is None:
        many = (
            f"The two hulls meet: a mixture of {len(verdict.rows)} rows of both classes lies in "
            "both, too many to write out; the certificate has them."
        )
        return WhyNot((many, _weak_sentence(verdict, len(verdict.rows))), verdict)
    proof = OverlapProof.of(verdict, conflict)
    sentences = proof.meeting() if verdict.fit_intercept else proof.combination()
    sentences += proof.inequalities()
    sentences.append(_weak_sentence(verdict, len(proof.alpha)))
    return WhyNot(tuple(sentences), verdict)


def _separator(verdict: Separable) -> str:
    return (
        "Nothing stands in the way: the classes are separable, with a geometric margin of "
        f"{verdict.margin.lower:.6g} at least; see novikoff.separate(X, y)."
    )


def _weak_sentence(verdict: Touching | Overlapping, named_rows: int) -> str:
    if isinstance(verdict, Overlapping):
        proof = "."
        if named_rows < len(verdict.rows):
            proof = f"; the certificate has {len(verdict.rows)} rows that prove it."
        return (
            "Allowing points on the hyperplane does not help: every row would have to lie on "
            f"it{proof}"
        )
    on_plane = _join([str(i) for i in verdict.problem.numbers_of(verdict.rows_on_plane)])
    lie = f"row {on_plane} lies" if len(verdict.rows_on_plane) == 1 else f"rows {on_plane} lie"
    named = "this row lies" if named_rows == 1 else "the rows named above lie"
    return (
        f"They can be kept apart by touching only: with weights on {_join(verdict.columns)} no "
        f"point is on the wrong side, but {lie} on the hyperplane, and {named} on every such "
        "hyperplane."
    )


@dataclass(frozen=True)
class Side:
    """The rows of one class that the proof uses, with their numbers in the file and their α."""

    label: str
    rows: list[int]
    numbers: list[int]
    alpha: list[Fraction]

    def sum(self, total: Fraction) -> str:
        """The mixture of rows, in units of `total`: “1/2 of row 1 plus 1/2 of row 2”."""
        return self._sum([f"{_number(a / total)} of" for a in self.alpha])

    def steps(self) -> str:
        """The combination of rows: “2 times row 1 plus 1 times row 2”."""
        return self._sum([f"{_number(a)} times" for a in self.alpha])

    def _sum(self, factors: list[str]) -> str:
        parts = [f"{factor} row {i}" for i, factor in zip(self.numbers, factors, strict=True)]
        return _join(parts, joint=" plus ") + f" ({self.label})"


@dataclass(frozen=True)
class OverlapProof:
    """α of a verdict, the first columns of its rows exactly, and both classes' share in it."""

    verdict: NotSeparable
    points: dict[int, list[Fraction]]
    alpha: dict[int, Fraction]
    sides: tuple[Side, Side]

    @classmethod
    def of(cls, verdict: NotSeparable, conflict: dict[int, Fraction]) -> "OverlapProof":
        """The exact points of a conflict, by class."""
        rows, alpha = list(conflict), conflict
        exact = ExactProblem.of(verdict.problem, decimals=verdict.decimals).integers(rows)
        entries, units = exact
        points = {
            i: [Fraction(int(x)) * unit for x, unit in zip(row[:NEEDED], units, strict=False)]
            for i, row in zip(rows, entries, strict=True)
        }
        sides = []
        for sign, label in zip((-1, 1), verdict.classes, strict=True):
            mine = [i for i in rows if verdict.problem.y[i] == sign]
            numbers = verdict.problem.numbers_of(mine)
            sides.append(Side(f"class {label!r}", mine, numbers, [alpha[i] for i in mine]))
        return cls(verdict, points, alpha, (sides[0], sides[1]))

    def _weighted(self, side: Side, total: Fraction) -> list[Fraction]:
        columns = range(min(self.verdict.d, NEEDED))
        return [
            sum((self.alpha[i] * self.points[i][j] for i in side.rows), Fraction(0)) / total
            for j in columns
        ]

    def meeting(self) -> list[str]:
        """With a bias: the point that lies in both hulls, and the rows that put it there."""
        fewer, more = sorted(self.sides, key=lambda side: len(side.rows))
        total = sum(fewer.alpha, Fraction(0))
        place = _point(self._weighted(fewer, total))
        if len(more.rows) == 1:
            i, j = fewer.numbers[0], more.numbers[0]
            return [
                f"Row {i} ({fewer.label}) and row {j} ({more.label}) are the same point {place}: "
                "every hyperplane has both on the same side, so one of them is wrong."
            ]
        if len(fewer.rows) == 1:
            where = "between" if len(more.rows) == 2 else "in the hull of"
            other = _join([str(i) for i in more.numbers])
            return [
                f"Row {fewer.numbers[0]} ({fewer.label}), the point {place}, lies {where} rows "
                f"{other} ({more.label}): it is {more.sum(total)}.",
                "A hyperplane with these rows on one side also has everything between them there, "
                f"and so row {fewer.numbers[0]}.",
            ]
        return [
            f"The point {place} lies in both hulls: it is {fewer.sum(total)}, and it is "
            f"{more.sum(total)}.",
            "Any separating hyperplane would have this point on both sides at once, which is "
            "impossible.",
        ]

    def combination(self) -> list[str]:
        """Without a bias: the vector that both classes reach by positive steps, or zero."""
        first, second = self.sides
        if not first.rows or not second.rows:
            side = first if first.rows else second
            return [
                f"The zero vector is {side.steps()}: without an intercept its score is 0, and "
                "scores that are all of one sign cannot add up to 0."
            ]
        vector = _point(self._weighted(first, Fraction(1)))
        return [
            f"The vector {vector} is {first.steps()}, and it is {second.steps()}: without an "
            "intercept its score would have to be negative and positive."
        ]

    def inequalities(self) -> list[str]:
        """What each row asks for, and how these add up to 0 > 0; nothing where it gets too long."""
        verdict = self.verdict
        if len(self.alpha) > MOST_ROWS or verdict.d > MOST_COLUMNS:
            return []
        numbers = verdict.problem.numbers_of(self.alpha)
        asked = [
            f"row {number} asks for {self._inequality(i)}"
            for number, i in zip(numbers, self.alpha, strict=True)
        ]
        factors = [int(factor) for factor in primitive(self.alpha.values())]
        if max(factors) >= 10**LONGEST:
            times = "the α of the certificate"
        else:
            times = ", ".join(str(factor) for factor in factors)
        return [
            f"In inequalities: {'; '.join(asked)}.",
            f"Multiplied by {times} they add up to 0 > 0: no weights satisfy them all.",
        ]

    def _inequality(self, i: int) -> str:
        sign = int(self.verdict.problem.y[i])
        terms = [
            (sign * x, f"w[{name}]")
            for x, name in zip(self.points[i], self.verdict.names, strict=True)
            if x != 0
        ]
        if self.verdict.fit_intercept:
            terms.append((Fraction(sign), "b"))
        text = ""
        for factor, what in terms:
            size = "" if abs(factor) == 1 else f"{_coordinate(abs(factor))}·"
            joint = ("−" if factor < 0 else "") if not text else (" − " if factor < 0 else " + ")
            text += f"{joint}{size}{what}"
        return f"{text or '0'} > 0"


def _number(value: Fraction) -> str:
    """A fraction where it is short, or a decimal that is about right."""
    digits = max(value.numerator.bit_length(), value.denominator.bit_length()) * log10(2)
    if digits <= LONGEST and len(str(value)) <= LONGEST:
        return str(value)
    return f"≈{decimal_text(value, 6)}"


def _coordinate(value: Fraction) -> str:
    """The decimal that was written, where there is one."""
    about = nearest_float(value)
    if isinf(about):
        return _number(value)
    written = repr(about).removesuffix(".0")
    if len(written) <= LONGEST and value in (Fraction(written), Fraction(about)):
        return written
    return _number(value)


def _point(values: list[Fraction]) -> str:
    shown = [_coordinate(value) for value in values[:MOST_COLUMNS]]
    more = ", …" if len(values) > MOST_COLUMNS else ""
    return f"({', '.join(shown)}{more})"


def _join(words: Sequence[str], joint: str | None = None) -> str:
    """“a, b and c”, or joined as asked; the first few of many."""
    words = list(words)
    if len(words) > MOST_ROWS:
        words = [*words[:MOST_ROWS], f"{len(words) - MOST_ROWS} more"]
    if joint is not None:
        return joint.join(words)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
