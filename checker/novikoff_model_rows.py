"""The rows of a regression, from a table and the model that a certificate states.

docs/certificates.md says which rows, in which order, and what Aδ ≥ 0 means for the likelihood.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from novikoff_design import design
from novikoff_numbers import NUMBER, exact, need
from novikoff_rows import Row, Table, as_float64

BINARY, COUNTS = ("logit", "probit", "cloglog", "log-binomial"), ("poisson", "negative-binomial")
ORDERED = ("ordinal", "adjacent-category", "continuation-ratio")  # with thresholds
ONE = Fraction(1)


def times(row: Row, factor: int, shift: int = 0) -> Row:
    """The row times a factor, its columns moved to the right."""
    return {j + shift: factor * x for j, x in row.items()}


def code(level: Any, levels: list[Any]) -> int:
    """The position of a cell among the levels: the same text, truth value or number."""
    read: Any = {str: str, bool: str.lower}.get(type(levels[0]), exact)
    known = [read(str(name)) for name in levels]
    need(len(set(known)) == len(known) > 1, "levels are not different labels")
    need(read(level) in known, f"the outcome {level!r} is none of {levels}")
    return known.index(read(level))


def happened(cell: str) -> bool:
    """Whether there was an event: 1 or true, and not 0 or false."""
    event = exact({"true": "1", "false": "0"}.get(cell.lower(), cell))
    need(event in (0, 1), f"an event is 1 or 0, and not {cell!r}", ValueError)
    return event == 1


def present(model: dict[str, Any], table: Table) -> Table:
    """The rows with a weight and with trials, where the model has these."""
    where = model["columns"]
    for column in (where[part] for part in ("weights", "trials") if part in where):
        counts = [exact(row[column]) for row in table]
        need(min(counts) >= 0, f"{column!r} is negative", ValueError)
        table = [row for row, count in zip(table, counts, strict=True) if count]
    return table


class Data:
    """The rows that are present: x with the constant, and each part of the outcome."""

    def __init__(self, model: dict[str, Any], table: Table, as_written: bool):
        where, features, table = model["columns"], model["features"], present(model, table)
        cells = design(features, table)
        rounded = as_float64(cells, model["decimals"]) if not as_written else (cells, set[int]())
        read, self.other = rounded[0], [features[j] for j in sorted(rounded[1])]
        constant = {0: ONE} if model["intercept"] else {}
        self.x = [constant | times({j: v for j, v in row.items() if v}, 1, len(constant))
                  for row in read]  # fmt: skip
        self.levels, self.width = model["levels"], len(features) + len(constant)
        self.n, self.where, self.table = range(len(table)), where, table

    def part(self, name: str, read: Callable[[str], Any], default: Any = None) -> list[Any]:
        """A part of the outcome; every row has the default if no column is named."""
        column = self.where.get(name)
        return [default if column is None else read(row[column]) for row in self.table]

    def labels(self) -> list[int]:
        """The outcome as positions among the levels."""
        return self.part("y", lambda cell: code(cell, self.levels))

    def strata(self) -> list[Any]:
        """The stratum of each row: the same numbers, if all are numbers, else the same texts."""
        cells = self.part("strata", str, "")
        return [exact(cell) for cell in cells] if all(map(NUMBER.fullmatch, cells)) else cells

    def pair(self, i: int, j: int) -> Row:
        """x of row i minus x of row j."""
        x, z = self.x[i], self.x[j]
        difference = {k: x.get(k, 0) - z.get(k, 0) for k in sorted({*x, *z})}
        return {k: Fraction(v) for k, v in difference.items() if v}


def alone(name: str, data: Data) -> list[Row]:
    """The models in which a row of the data speaks for itself."""
    A: list[Row] = []
    if name in (*BINARY, "binomial", *COUNTS):
        y = data.labels() if name in BINARY else data.part("y", exact)
        trials = data.part("trials", exact, 1) if name not in COUNTS else [max(y) + 1] * len(y)
        within = all(0 <= count <= t for count, t in zip(y, trials, strict=True))
        need(within, "a count is below 0, or above its trials", ValueError)
        for x, count, t in zip(data.x, y, trials, strict=True):
            below = count < t or name == "log-binomial"
            A += [times(x, 1)] * (count > 0) + [times(x, -1)] * below
        return A
    last = len(data.levels) - 1
    for x, own in zip(data.x, data.labels(), strict=True):
        if name == "adjacent-category":  # the thresholds between its class and any other
            for k in (k for k in range(last + 1) if k != own):
                sign, between = (-1, range(k, own)) if k < own else (1, range(own, k))
                A.append(dict.fromkeys(between, ONE * sign) | times(x, -sign * len(between), last))
            continue
        if name in ORDERED:
            upper = {own: ONE} | times(x, -1, last)
            first = own - 1 if name == "ordinal" else 0
            lower = [{j: -ONE} | times(x, 1, last) for j in range(max(first, 0), own)]
            A += [upper] * (own < last) + lower
            continue
        for k in (k for k in range(last + 1) if k != own):
            blocks = [times(x, sign, (b - 1) * data.width) for sign, b in ((1, own), (-1, k)) if b]
            A.append({j: v for block in blocks for j, v in block.items()})
    return A


def conditional(data: Data) -> list[Row]:
    """Every case with every control of its stratum."""
    y, s = data.labels(), data.strata()
    return [data.pair(i, j) for i in data.n if y[i] for j in data.n if not y[j] and s[i] == s[j]]


def cox(data: Data, exact_ties: bool) -> list[Row]:
    """Each event with the next one, and with those who leave before it."""
    time, s = data.part("time", exact), data.strata()
    event = data.part("event", happened, True)
    entry = data.part("entry", exact, min(time) - 1)
    after = all(e < t for e, t in zip(entry, time, strict=True))
    need(after, "somebody enters when the time is over", ValueError)
    A: list[Row] = []
    for i in (i for i in data.n if event[i]):
        risk = [j for j in data.n if s[j] == s[i] and entry[j] < time[i] <= time[j]]
        tied = [j for j in data.n if s[j] == s[i] and event[j] and time[j] == time[i]]
        later = [j for j in risk if event[j] and time[j] > time[i]]
        end = min((time[j] for j in later), default=max(time) + 1)
        following = [j for j in later if time[j] == end]
        leaving = [j for j in risk if j not in tied and time[j] < end]
        if exact_ties:
            A += [data.pair(i, j) for j in sorted(leaving + following)]
        elif i == tied[0]:
            A += [data.pair(*each) for j in tied[1:] for each in ((i, j), (j, i))]
            A += [data.pair(i, j) for j in following[:1] + leaving]
    return A
