"""The rows of a regression, from a file and the model that a certificate states.

docs/certificates.md says which rows, in which order, and what Aδ ≥ 0 means for the likelihood.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

from novikoff_rows import NUMBER, Row, Table, as_float64, data_hash, exact, need

FIELDS = {"name": str, "features": list, "intercept": bool, "decimals": bool, "levels": list,
          "ties": str, "columns": dict}  # fmt: skip
BINARY, COUNTS = ("logit", "probit", "cloglog"), ("poisson", "negative-binomial")
PAIRS, ONE = ("conditional", "cox"), Fraction(1)
MODELS = (*BINARY, "binomial", *COUNTS, "multinomial", "ordinal", *PAIRS)


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


def number_or_text(cell: str) -> Any:
    """A stratum: two cells are the same if they are as numbers, or as texts."""
    return exact(cell) if NUMBER.fullmatch(cell) else cell


class Data:
    """The rows that are present: x with the constant, and each part of the outcome."""

    def __init__(self, model: dict[str, Any], table: Table, as_written: bool):
        where, features = model["columns"], model["features"]
        absent = [k for k in [*features, *where.values()] if k not in table[0]]
        need(not absent, f"the file has no columns {absent}", ValueError)
        good = len({*features}) == len(features) and not {*features} & {*where.values()}
        need(good, "a column named twice, or a part of the outcome as one")
        for column in (where[part] for part in ("weights", "trials") if part in where):
            table = [row for row in table if exact(row[column]) > 0]
        cells = [{j: exact(row[k]) for j, k in enumerate(features)} for row in table]
        written = as_written and any("/" in row[k] for row in table for k in features)
        read = cells if written else as_float64(cells, model["decimals"])
        constant = {0: ONE} if model["intercept"] else {}
        self.x = [constant | times({j: v for j, v in row.items() if v}, 1, len(constant))
                  for row in read]  # fmt: skip
        self.levels, self.width = model["levels"], len(features) + len(constant)
        self.n, self.where, self.table = range(len(table)), where, table

    def part(self, name: str, read: Callable[[str], Any], default: Any = None) -> list[Any]:
        """A part of the outcome; every row has the default if no column is named."""
        need(name in self.where or default is not None, f"it names no column {name}", ValueError)
        column = self.where.get(name)
        return [default if column is None else read(row[column]) for row in self.table]

    def labels(self) -> list[int]:
        """The outcome as positions among the levels."""
        return self.part("y", lambda cell: code(cell, self.levels))

    def pair(self, i: int, j: int) -> Row:
        """x of row i minus x of row j."""
        difference = {k: self.x[i].get(k, 0) - self.x[j].get(k, 0) for k in range(self.width)}
        return {k: Fraction(v) for k, v in difference.items() if v}


def alone(name: str, data: Data) -> list[Row]:
    """The models in which a row of the data speaks for itself."""
    A: list[Row] = []
    if name in (*BINARY, "binomial", *COUNTS):
        y = data.labels() if name in BINARY else data.part("y", exact)
        never = {"binomial": None, "poisson": -1, "negative-binomial": -1}.get(name, 1)
        trials = data.part("trials", exact, never)
        for x, successes, t in zip(data.x, y, trials, strict=True):
            A += [times(x, 1)] * (successes > 0) + [times(x, -1)] * (successes != t)
        return A
    last = len(data.levels) - 1
    for x, own in zip(data.x, data.labels(), strict=True):
        if name == "ordinal":
            upper, lower = {own: ONE} | times(x, -1, last), {own - 1: -ONE} | times(x, 1, last)
            A += [upper] * (own < last) + [lower] * (own > 0)
            continue
        for k in (k for k in range(last + 1) if k != own):
            blocks = [times(x, sign, (b - 1) * data.width) for sign, b in ((1, own), (-1, k)) if b]
            A.append({j: v for block in blocks for j, v in block.items()})
    return A


def conditional(data: Data) -> list[Row]:
    """Every case with every control of its stratum."""
    y, s = data.labels(), data.part("strata", number_or_text)
    return [data.pair(i, j) for i in data.n if y[i] for j in data.n if not y[j] and s[i] == s[j]]


def cox(data: Data, exact_ties: bool) -> list[Row]:
    """Each event with the next one, and with those who leave before it."""
    time, s = data.part("time", exact), data.part("strata", number_or_text, "")
    event = data.part("event", lambda cell: cell.lower() in ("1", "1.0", "true"), True)
    entry = data.part("entry", exact, min(time) - 1)
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


def names(model: dict[str, Any]) -> list[str]:
    """The coefficients, in the order of the columns of A."""
    levels, columns = model["levels"], [*["(intercept)"] * model["intercept"], *model["features"]]
    if model["name"] == "multinomial":
        return [f"{level}: {column}" for level in levels[1:] for column in columns]
    steps = [f"{below}/{above}" for below, above in pairwise(levels)]
    return (steps if model["name"] == "ordinal" else []) + columns


def model_rows(fields: dict[str, Any], table: Table) -> list[Row]:
    """A, if the model is one of those known and the data is the certificate's."""
    model, name = fields["model"], fields["model"]["name"]
    types = FIELDS | ({"ties": type(None)} if name != "cox" else {})
    need({k: type(v) for k, v in model.items()} == types, "model has other fields")
    need(name in MODELS, f"unknown model {name!r}")
    data = Data(model, table, fields["encoding"] == "fractions")
    if name in PAIRS:
        A = conditional(data) if name == "conditional" else cox(data, model["ties"] == "exact")
    else:
        A = [dict(sorted(row.items())) for row in alone(name, data)]
    sizes = (len(A), len(fields["columns"])) == (fields["n"], fields["d"])
    need(sizes and names(model) == fields["columns"], "other rows or coefficients than the model's")
    need(not fields["fit_intercept"], "a model has no intercept beside its columns")
    same = data_hash(fields["encoding"], A, fields["d"], [1] * len(A)) == fields["data_sha256"]
    need(same, "other data: another SHA-256")
    return A
