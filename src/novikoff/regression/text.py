"""A separation in words: the coefficients, the rows and cells responsible, and what to do.

A separating base is the rows of a factor's level that has no coefficient. A base is what is left of
the constant when the columns of its factor are taken away. So it is moved by a direction of several
coefficients, which is asked about like any other: Aδ ≥ 0 or Aδ ≤ 0.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from novikoff.certificates.models.model import (
    BINARY,
    COUNTS,
    ORDERED,
    PARTS,
    TWO_CLASSES,
    RegressionModel,
)
from novikoff.certificates.models.question import INTERCEPT
from novikoff.certificates.models.rows import ABSENT, level_codes
from novikoff.core import sparse as sp
from novikoff.core.options import first_few, with_count
from novikoff.data.factors import Factor, factors_of
from novikoff.matrix.problem import Matrix, Problem
from novikoff.matrix.remote import Part, RemoteMatrix, over_parts
from novikoff.regression.cells import single_columns
from novikoff.regression.estimates import Estimate
from novikoff.regression.firth import has_firth
from novikoff.regression.summary import CoefficientTable

if TYPE_CHECKING:
    from rich.console import Group
    from rich.table import Table

    from novikoff.regression.result import Kind, Regression, Separation

MOST = 200  # factors that are asked about


@dataclass(frozen=True)
class SeparatedBase:
    """A base, the class of a multinomial model it is about, the way it is moved, its rows."""

    factor: Factor
    level: Any
    sign: int
    rows: int


def separated_bases(separation: "Separation") -> list[SeparatedBase]:
    """The bases of factors that some direction moves alone; not of rows that are not in memory."""
    regression, question, model = separation.regression, separation.question, separation.model
    if isinstance(
        regression.X, RemoteMatrix
    ):  # which columns are one factor takes all rows in memory
        return []
    present = regression.outcome.present
    X = regression.X[present]
    constant = _constant(X, model)
    if constant is None:
        return []
    found = []
    for factor in factors_of(X, model.features, regression.bases)[:MOST]:
        columns = [model.features[j] for j in factor.columns]
        for level in model.levels[1:] if model.name == "multinomial" else (None,):
            block = "" if level is None else f"{level}: "
            parts = dict.fromkeys((block + name for name in columns), -1)
            parts |= {block + name: value for name, value in constant.items()}
            # No direction moves a finite coefficient.
            if any(separation.coefficients[name] is Estimate.FINITE for name in parts):
                continue
            delta = np.array([parts.get(name, 0) for name in question.names])
            moved = np.asarray(question.rows @ delta)
            sign = int((moved > 0).any()) - int((moved < 0).any())
            if sign:  # one way only
                rows = int(factor.base_rows.sum())
                found.append(SeparatedBase(factor, level, sign, rows))
    return found


def _constant(X: Matrix, model: RegressionModel) -> dict[str, int] | None:
    """The coefficients that make up a constant of 1; none are needed where rows are compared."""
    if model.intercept:
        return {INTERCEPT: 1}
    if model.name in ORDERED:
        steps = zip(model.levels, model.levels[1:], strict=False)
        return {f"{below}/{above}": -1 for below, above in steps}
    if model.name in ("conditional", "cox"):
        return {}
    ones = np.flatnonzero(_all_ones(X))
    return {model.features[ones[0]]: 1} if len(ones) else None


def _all_ones(X: Matrix) -> NDArray[np.bool_]:
    if not sp.issparse(X):
        return np.asarray((X == 1).all(axis=0))
    counts = np.bincount(X.indices[X.data == 1], minlength=X.shape[1])
    return np.asarray(counts == X.shape[0])


class ColumnFacts(NamedTuple):
    """How many entries are not 0, whether all are 0 or 1, and whether none is negative."""

    nonzero: int
    is_dummy: bool
    is_nonnegative: bool


def column_facts(regression: "Regression", j: int, *, everywhere: bool = False) -> ColumnFacts:
    """The facts about column j, in rows that are present or in all."""
    X = regression.X
    if isinstance(X, RemoteMatrix):
        y = X.y
    else:
        y = np.full(X.shape[0], ABSENT, dtype=np.int8)
        y[regression.outcome.present] = 1
    parts = over_parts(X, y, _facts_of_part, j, everywhere)
    return ColumnFacts(
        sum(part.nonzero for part in parts),
        all(part.is_dummy for part in parts),
        all(part.is_nonnegative for part in parts),
    )


def _facts_of_part(part: Part, j: int, everywhere: bool) -> ColumnFacts:
    column = part.X[:, [j]]
    values = (column.toarray() if sp.issparse(column) else column).ravel()
    values = values if everywhere else values[part.y != ABSENT]
    return ColumnFacts(
        int(np.count_nonzero(values)),
        bool(np.isin(values, (0, 1)).all()),
        bool((values >= 0).all()),
    )


MOST_OF_A_KIND = 40  # coefficients with the same fate that are named
MANY = 12  # coefficients of one fate that make one line
LEVEL = re.compile(r"^(.*?)\[[^\]]*\](.*)$")  # what is before and behind the level in a name
INFINITE = ("+∞", "−∞")
MEANINGS = {
    "not determined": "+∞, −∞ and finite are all possible",
    "aliased": "a combination of the columns before it; dropped",
    "undecided": "not proven either way",
}


def coefficient_table(
    fates: Sequence[tuple[str, str]], most: int = MOST_OF_A_KIND
) -> list[tuple[str, str]]:
    """The names and fates, in one line where all that are not aliased share one.

    "not determined" is such a line for two coefficients, any other fate for many. Of very many
    coefficients with the same fate, the first `most` are named and the others counted.
    """
    left = [fate for _, fate in fates if fate != "aliased"]
    aliased = [(name, fate) for name, fate in fates if fate == "aliased"]
    few = 1 if "not determined" in left else MANY
    if len(left) > few and len(set(left)) == 1:
        meaning = f": {MEANINGS[left[0]]}" if left[0] in MEANINGS else ""
        return [(f"all {len(left)} coefficients", f"{left[0]}{meaning}"), *_counted(aliased, most)]
    return _counted(sorted(fates, key=lambda item: item[1] not in INFINITE), most)


def _counted(fates: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    lines: list[tuple[str, str]] = []
    counts: dict[str, int] = {}
    for name, fate in _by_factor(fates):
        counts[fate] = counts.get(fate, 0) + 1
        if counts[fate] <= most:
            lines.append((name, fate))
    more = {fate: count - most for fate, count in counts.items()}
    return lines + [(f"and {count} more", fate) for fate, count in more.items() if count > 0]


def _by_factor(fates: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The names and fates, many levels of one factor with the same fate in one line."""
    factors = [(LEVEL.sub(r"\1\2", name) if "[" in name else "", fate) for name, fate in fates]
    sizes = Counter(factors)
    lines: dict[tuple[str, str], None] = {}
    for name, (factor, fate) in zip((name for name, _ in fates), factors, strict=True):
        many = factor and sizes[factor, fate] > MANY
        lines[f"{sizes[factor, fate]} levels of {factor}" if many else name, fate] = None
    return list(lines)


def fate_meanings(lines: Sequence[tuple[str, str]]) -> list[str]:
    """What the words in the lines mean, a sentence each, where the line itself does not say."""
    there = {fate for _, fate in lines}
    return [f"{fate}: {meaning}" for fate, meaning in MEANINGS.items() if fate in there]


def _rich_steps(steps: Sequence[str]) -> "Table":
    """Advice for a terminal: a line that is too long goes on under its own beginning."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1))
    for step in steps:
        grid.add_row("-", Text(step))
    return grid


SHOWN = 12  # rows listed on a line
MOST_LEVELS = 8
MOST_CELLS = 12

HEADLINES: dict["Kind", str] = {
    "complete": "complete separation: no maximum-likelihood estimate exists",
    "quasi-complete": "quasi-complete separation: no maximum-likelihood estimate exists",
    "none": "no separation: the maximum-likelihood estimate exists",
    "undecided": "undecided: nothing is claimed",
}
TITLES = {
    "logit": "logistic regression",
    "probit": "probit regression",
    "cloglog": "complementary log-log regression",
    "log-binomial": "log-binomial regression",
    "binomial": "binomial regression",
    "poisson": "Poisson regression with log link",
    "negative-binomial": "negative binomial regression with log link (the question is Poisson's)",
    "multinomial": "multinomial logistic regression",
    "ordinal": "ordinal regression",
    "adjacent-category": "adjacent-category logistic regression",
    "continuation-ratio": "continuation-ratio logistic regression",
    "conditional": "conditional logistic regression",
    "cox": "Cox regression",
}


@dataclass(frozen=True)
class SeparationText:
    """The finding in one sentence, a table, and sentences on why and on what to do."""

    headline: str
    outcome: str
    coefficients: tuple[tuple[str, Estimate], ...]
    reasons: tuple[str, ...]
    advice: tuple[str, ...]

    @property
    def table(self) -> list[tuple[str, str]]:
        """The coefficients with what becomes of them, the infinite ones first."""
        return coefficient_table(self.coefficients)

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.table)
        lines = [f"  {name:<{width}}  {estimate}" for name, estimate in self.table]
        steps = ["next:", *(f"  - {step}" for step in self.advice)] if self.advice else []
        return "\n".join([self.headline, *lines, *self.reasons, *steps])

    def __rich__(self) -> "Group":
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        table = Table("coefficient", "maximum-likelihood estimate", box=None, padding=(0, 2))
        for name, estimate in self.table:
            table.add_row(Text(name), Text(estimate))
        reasons = [Text(reason) for reason in self.reasons]
        return Group(Text(self.headline, style="bold"), table, *reasons, _rich_steps(self.advice))

    def _repr_html_(self) -> str:
        head = ("maximum-likelihood estimate",)
        table = CoefficientTable(self.headline, head, tuple(self.table), self.reasons)
        steps = "".join(f"<li>{escape(step)}</li>" for step in self.advice)
        return f"<div>{table.as_html()}<ul>{steps}</ul></div>"


def words(separation: "Separation") -> SeparationText:
    """A separation in words; its rows are numbered as in the data."""
    outcome = outcome_of(separation.regression)
    title = TITLES[separation.model.name]
    return SeparationText(
        headline=f"{title} of {outcome}: {HEADLINES[separation.kind]}",
        outcome=outcome,
        coefficients=tuple(separation.coefficients.items()),
        reasons=tuple(_reasons(separation)),
        advice=tuple(_advice(separation)),
    )


def outcome_of(regression: "Regression") -> str:
    """What is modelled, with its base or its order: which label is a success, which come higher."""
    model = regression.model
    called = {part: model.columns.get(part, part) for part in PARTS}
    y, levels = called["y"], list(map(repr, model.levels))
    if model.name in (*TWO_CLASSES, "conditional"):
        return f"{y} = {levels[1]} (against {levels[0]})"
    if model.name == "multinomial":
        return f"{y} = {_listed(levels[1:], ', ')} (against {levels[0]})"
    if model.name in ORDERED:
        return f"{y}, {_listed(levels, ' < ')}"
    if model.name == "binomial":
        return f"{y} (successes out of {called['trials']})"
    if model.name == "cox":
        all_fail = regression.outcome.event is None
        event = "an event, which every row has" if all_fail else f"{called['event']} = 1"
        return f"{called['time']} until {event}"
    return y


def _listed(names: list[str], between: str) -> str:
    """The names, or the first and the last of many."""
    if len(names) > MOST_LEVELS:
        names = [*names[: MOST_LEVELS - 2], "…", names[-1]]
    return between.join(names)


def numbered_rows(rows: Sequence[int], n: int) -> str:
    """How many of the n rows these are, and the numbers of the first."""
    return f"{len(rows)} of {n} rows: {first_few(rows, SHOWN)}"


def _reasons(separation: "Separation") -> list[str]:
    reasons = fate_meanings(coefficient_table(list(separation.coefficients.items())))
    rows = separation.separated_rows
    if rows:
        reasons.append(f"separated: {numbered_rows(rows, separation.n)}")
        reasons += _cells(separation)
    return reasons


def _cells(separation: "Separation") -> list[str]:
    """Columns and levels that separate by themselves, a sentence each."""
    alone = [next(iter(d.items())) for d in separation.directions if len(d) == 1]
    found = [
        _sentence(separation.model, f"where {base.factor.title}", base.rows, base.level, base.sign)
        for base in separated_bases(separation)[:MOST_CELLS]
    ]
    for name, value in alone[:MOST_CELLS]:
        sentence = _cell(separation, name, 1 if value > 0 else -1)
        found += [] if sentence is None or sentence in found else [sentence]
    if len(alone) > MOST_CELLS:
        return [*found, f"{len(alone) - MOST_CELLS} more columns also separate on their own"]
    thresholds = [text for text in _thresholds(separation) if text not in found]
    # A column whose threshold is known needs no sentence that it has one.
    known = [text for text in thresholds if " alone separates" in text]
    found = [text for text in found if not any(said.startswith(text) for said in known)]
    return found + thresholds


def _cell(separation: "Separation", name: str, sign: int) -> str | None:
    """What the rows have in common that a single coefficient moves."""
    model = separation.model
    level, column = _parts(model, name)
    if column is None:
        return None
    facts = _facts(separation, column)
    if model.name not in (*COUNTS, "log-binomial") and not facts.is_nonnegative:
        return f"{name} alone separates"
    return _sentence(model, _where(column, facts), facts.nonzero, level, sign)


def _sentence(model: RegressionModel, where: str, rows: int, level: Any, sign: int) -> str:
    """What all rows of a cell have in common; `sign` says which way they are moved."""
    counted = with_count(rows)
    if model.name in COUNTS:
        return f"{where}, y is 0 in every row ({counted})"
    if model.name in TWO_CLASSES:
        outcome = model.levels[1 if sign > 0 and model.name in BINARY else 0]
        return f"{where}, y is {outcome!r} in every row ({counted})"
    if model.name == "binomial":
        outcome = "a success" if sign > 0 else "a failure"
        return f"{where}, every trial is {outcome} ({counted})"
    if model.name == "multinomial":
        occurs = "y is always" if sign > 0 else "y is never"
        return f"{where}, {occurs} {level!r} ({counted})"
    if model.name == "cox":
        if sign < 0:
            return f"{where}, no event happens while others are at risk ({counted})"
        return f"{where}, the events come first: no other row has one while they are at risk"
    if model.name in ORDERED:
        outcome = model.levels[-1 if sign > 0 else 0]
        return f"{where}, y is {outcome!r} in every row ({counted})"
    return f"{where.removeprefix('where ')} alone separates"


def _thresholds(separation: "Separation") -> list[str]:
    """For two classes: measurements with a threshold."""
    model, regression = separation.model, separation.regression
    if model.name not in BINARY or not model.intercept:
        return []
    X, signs = _signed(regression)
    if not ((signs == 1).any() and (signs == -1).any()):
        return [f"y is {model.levels[int((signs == 1).any())]!r} in every row"]
    classes = (model.levels[0], model.levels[1])
    problem = Problem(X, signs, True, model.features, classes)
    return [
        str(column)
        for column in single_columns(problem)
        if not column_facts(regression, model.features.index(column.name), everywhere=True).is_dummy
    ]


def _signed(regression: "Regression") -> tuple[Any, NDArray[np.int8]]:
    """The rows with −1 for a failure and +1 for a success; those elsewhere know it themselves."""
    if isinstance(regression.X, RemoteMatrix):
        return regression.X, regression.X.y
    outcome = regression.outcome
    assert outcome.y is not None
    present = outcome.present
    codes = level_codes(outcome.y[present], regression.model.levels)
    return regression.X[present], np.where(codes == 1, 1, -1).astype(np.int8)


def _parts(model: RegressionModel, name: str) -> tuple[Any, str | None]:
    """The class and the column that a coefficient belongs to; no column for a threshold."""
    if model.name == "multinomial":
        for level in model.levels[1:]:
            rest = name.removeprefix(f"{level}: ")
            if rest in (INTERCEPT, *model.features) and name == f"{level}: {rest}":
                return level, rest
    return None, name if name in (INTERCEPT, *model.features) else None


def _facts(separation: "Separation", column: str) -> ColumnFacts:
    regression = separation.regression
    if column == INTERCEPT:
        return ColumnFacts(len(regression.outcome.present), True, True)
    return column_facts(regression, separation.model.features.index(column))


def _where(column: str, facts: ColumnFacts) -> str:
    if column == INTERCEPT:
        return "everywhere"
    if facts.is_dummy:
        return f"where {column} is 1"
    return f"where {column} is {'positive' if facts.is_nonnegative else 'not 0'}"


def advice_on(
    kind: "Kind", estimates: Sequence[Estimate], *, suspects: str = "", limit: str, penalise: str
) -> list[str]:
    """What to do about a separation; nothing without one.

    `suspects` are the columns that may tell the outcome, if known; `limit` and `penalise` say how
    to estimate the finite coefficients, and all of them.
    """
    if kind not in ("complete", "quasi-complete"):
        return []
    columns = suspects or "each column with an infinite coefficient"
    steps = [
        "Do not report the software's estimates for the infinite coefficients, nor their standard "
        "errors.",
        f"Check {columns} for leakage: could this variable be a consequence of the outcome? "
        "Merge a level with another one, or drop the column.",
    ]
    if kind == "quasi-complete" and Estimate.FINITE in estimates:
        steps.append(
            f"The finite coefficients can be estimated, with valid standard errors: {limit}."
        )
    return [*steps, penalise]


def _advice(separation: "Separation") -> list[str]:
    if separation.kind == "undecided":
        return list(separation.finding.advice)
    if isinstance(separation.regression.X, RemoteMatrix):
        limit = "fit the rows separation.limit().rows in the columns separation.limit().columns"
    else:
        limit = "separation.limit().fit(), or --fit (needs statsmodels)"
    if has_firth(separation.regression):
        penalise = "Or penalise: separation.firth(), or --firth, is Firth's fit (firthmodels)."
    else:
        penalise = "Or penalise: ridge or a weakly informative prior gives finite estimates."
    estimates = list(separation.coefficients.values())
    return advice_on(separation.kind, estimates, limit=limit, penalise=penalise)
