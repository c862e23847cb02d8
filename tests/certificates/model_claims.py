"""The rows of a regression by docs/certificates.md, in another way: the oracle of the fuzzer.

The kind is that of *all* comparisons of the model, of which a certificate writes fewer.
"""

from fractions import Fraction
from typing import Any

from tests.certificates.claims import (
    Data,
    Refused,
    Rows,
    number,
    read_column,
    require,
)

Parts = dict[str, list[Any]]
FIELDS = {"name": str, "features": list, "intercept": bool, "decimals": bool, "levels": list,
          "columns": dict}  # fmt: skip
TWO = ("logit", "probit", "cloglog", "log-binomial")
ORDERED = ("ordinal", "adjacent-category", "continuation-ratio")
COUNTS = ("poisson", "negative-binomial")
SUMMED = ("adjacent-category", "conditional", "cox")
NEEDED = {"binomial": {"y", "trials"}, "conditional": {"y", "strata"}, "cox": {"time"}}
ALLOWED = {"cox": {"time", "event", "entry", "strata"}}


def check_model(fields: dict[str, Any], data: Data) -> dict[str, Any]:
    """The model, if it is one."""
    model = fields["model"]
    require(isinstance(model, dict) and set(model) == {*FIELDS, "ties"})
    require(all(type(model[key]) is kind for key, kind in FIELDS.items()))
    name, where, levels = model["name"], model["columns"], model["levels"]
    require(name in (*TWO, *COUNTS, *ORDERED, *SUMMED, "binomial", "multinomial"))
    known = ("breslow", "efron", "exact") if name == "cox" else (None,)
    require(model["ties"] in known)
    require(not model["intercept"] or name not in (*ORDERED, *SUMMED))
    require(all(isinstance(text, str) for text in [*model["features"], *where.values()]))
    needed = NEEDED.get(name, {"y"})
    require(needed <= set(where) <= ALLOWED.get(name, needed) | {"weights"})
    require(len(set(model["features"])) == len(model["features"]))
    require(not set(model["features"]) & set(where.values()))
    require({*model["features"], *where.values()} <= set(data.header))
    check_levels(name, levels)
    require(fields["label"] in (None, where.get("y", fields["label"])))
    require(fields["label"] is None or isinstance(fields["label"], str))
    require(fields["label"] not in fields["columns"])
    require(not fields["fit_intercept"] and repr(fields["classes"]) == "[-1, 1]")
    require(fields["decimals"] == (model["decimals"] and name not in SUMMED))
    require(fields["columns"] == names(model))
    return model


def check_levels(name: str, levels: list[Any]) -> None:
    if name in (*COUNTS, "binomial", "cox"):
        require(levels == [])
        return
    require(len(levels) == 2 if name in (*TWO, "conditional") else len(levels) > 1)
    texts, truths = (sum(isinstance(x, kind) for x in levels) for kind in (str, bool))
    plain = all(type(x) in (str, bool, int, float) for x in levels)
    require(plain and texts in (0, len(levels)) and truths in (0, len(levels)))
    require(len(set(levels)) == len(levels))
    require(all(isinstance(x, str) or abs(x) < float("inf") for x in levels))


def names(model: dict[str, Any]) -> list[str]:
    columns = (["(intercept)"] if model["intercept"] else []) + model["features"]
    levels = [str(level) for level in model["levels"]]
    if model["name"] == "multinomial":
        return [f"{level}: {column}" for level in levels[1:] for column in columns]
    if model["name"] in ORDERED:
        return [f"{levels[k - 1]}/{levels[k]}" for k in range(1, len(levels))] + columns
    return columns


def position(cell: str, levels: list[Any]) -> int:
    """Where the label is among the levels: each is asked whether it is that."""
    found = [k for k, level in enumerate(levels) if is_level(cell, level)]
    require(len(found) == 1)
    return found[0]


def is_level(cell: str, level: Any) -> bool:
    if isinstance(level, str):
        return cell == level
    if isinstance(level, bool):
        return cell.lower() == str(level).lower()
    return number(cell) == Fraction(str(level))


def truth(cell: str) -> bool:
    if cell.lower() in ("true", "false"):
        return cell.lower() == "true"
    require(number(cell) in (0, 1))
    return number(cell) == 1


def read_parts(model: dict[str, Any], table: list[dict[str, str]]) -> Parts:
    """The parts of the outcome; labels are left as texts."""
    found: Parts = {}
    for part, column in model["columns"].items():
        cells = [row[column] for row in table]
        if part == "event":
            found[part] = [truth(cell) for cell in cells]
        elif part == "strata":
            try:
                found[part] = [number(cell) for cell in cells]
            except Refused:
                found[part] = cells
        elif part == "y" and model["levels"]:
            found[part] = cells
        else:
            found[part] = [number(cell) for cell in cells]
    return found


def parts_of(model: dict[str, Any], table: list[dict[str, str]]) -> Parts:
    """The parts of the outcome, read and in their ranges."""
    found = read_parts(model, table)
    if model["levels"]:
        found["y"] = [position(cell, model["levels"]) for cell in found["y"]]
    if model["name"] in (*COUNTS, "binomial"):
        require(min(found["y"]) >= 0)
        require(
            all(y <= t for y, t in zip(found["y"], found.get("trials", found["y"]), strict=True))
        )
    require(all(e < t for e, t in zip(found.get("entry", []), found.get("time", []), strict=False)))
    return found


def present(model: dict[str, Any], data: Data) -> list[dict[str, str]]:
    rows = [dict(zip(data.header, row, strict=True)) for row in data.rows]
    for part in ("weights", "trials"):
        if part in model["columns"]:
            counts = [number(row[model["columns"][part]]) for row in rows]
            require(min(counts, default=Fraction(0)) >= 0)
            rows = [row for row, count in zip(rows, counts, strict=True) if count > 0]
    require(rows)
    return rows


def features_of(
    fields: dict[str, Any], rows: list[dict[str, str]], data: Data
) -> list[list[Fraction]]:
    """x of every row that is present, as the certificate reads it."""
    model = fields["model"]
    written = [[number(row[name]) for name in model["features"]] for row in rows]
    if as_written(fields, data):
        return written
    columns = [read_column(column, model["decimals"]) for column in zip(*written, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)] if columns else [[] for _ in rows]


def as_written(fields: dict[str, Any], data: Data) -> bool:
    """Whether the numbers of the file are meant as they stand; differences may be fractions too."""
    features = [data.header.index(name) for name in fields["model"]["features"]]
    fractions = any("/" in row[j] for row in data.rows for j in features)
    return fields["encoding"] == "fractions" and (
        fields["model"]["name"] not in SUMMED or fractions
    )


def minus(x: list[Fraction], z: list[Fraction]) -> tuple[Fraction, ...]:
    return tuple(a - b for a, b in zip(x, z, strict=True))


def model_rows(fields: dict[str, Any], data: Data) -> tuple[Rows, Rows]:
    """(the rows that a certificate is about, all comparisons of the model)."""
    model = fields["model"]
    rows = present(model, data)
    x, parts = features_of(fields, rows, data), parts_of(model, rows)
    x = [[*([Fraction(1)] if model["intercept"] else []), *row] for row in x]
    if model["name"] == "cox":
        return cox_rows(x, parts, model["ties"] == "exact"), cox_comparisons(
            x, parts, model["ties"]
        )
    if model["name"] == "conditional":
        y, s, n = parts["y"], parts["strata"], range(len(x))
        A = tuple(minus(x[i], x[j]) for i in n if y[i] for j in n if s[i] == s[j] and not y[j])
        return A, A
    A = tuple(row for i in range(len(x)) for row in own_rows(model, x[i], i, parts))
    return A, A


def own_rows(
    model: dict[str, Any], x: list[Fraction], i: int, parts: Parts
) -> list[tuple[Fraction, ...]]:
    """The rows of one row of the data."""
    name, y, last = model["name"], parts["y"][i], len(model["levels"]) - 1
    plus, negative = tuple(x), tuple(-v for v in x)
    if name in TWO:
        both = y and name == "log-binomial"  # a probability of 1 is a bound
        return [plus, negative] if both else [plus if y else negative]
    if name in COUNTS:
        return [plus, negative] if y else [negative]
    if name == "binomial":
        return [plus] * (y > 0) + [negative] * (y < parts["trials"][i])
    zero = tuple(Fraction(0) for _ in x)
    if name == "multinomial":
        return [sum((plus if k == y else negative if k == other else zero
                     for k in range(1, last + 1)), ())
                for other in range(last + 1) if other != y]  # fmt: skip
    found = []
    if name == "adjacent-category":
        for other in (k for k in range(last + 1) if k != y):
            low, high, sign = (other, y, -1) if other < y else (y, other, 1)
            between = tuple(Fraction(sign * (low <= k < high)) for k in range(last))
            found.append(between + tuple(-sign * (high - low) * v for v in x))
        return found
    if y < last:
        found.append(tuple(Fraction(k == y) for k in range(last)) + negative)
    below = range(y) if name == "continuation-ratio" else range(max(y - 1, 0), y)
    return found + [tuple(Fraction(-(k == j)) for k in range(last)) + plus for j in below]


def survival(parts: Parts) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
    time = parts["time"]
    n = len(time)
    always = [min(time) - 1] * n
    return (time, parts.get("event", [True] * n), parts.get("entry", always),
            parts.get("strata", [0] * n))  # fmt: skip


def cox_comparisons(x: list[list[Fraction]], parts: Parts, ties: str) -> Rows:
    """Every event with everybody at risk then; events at one time are equal, unless exact."""
    time, event, entry, s = survival(parts)
    found = []
    for i in range(len(x)):
        for j in range(len(x)):
            at_risk = event[i] and s[i] == s[j] and entry[j] < time[i] <= time[j] and i != j
            tied = event[j] and time[i] == time[j]
            if at_risk and not (tied and ties == "exact"):
                found.append(minus(x[i], x[j]))
    return tuple(found)


def cox_rows(x: list[list[Fraction]], parts: Parts, exact_ties: bool) -> Rows:
    """Sentence by sentence as the page has it."""
    time, event, entry, s = survival(parts)
    people = range(len(x))
    found: list[tuple[Fraction, ...]] = []
    for i in people:
        if not event[i]:
            continue
        t = time[i]
        own = [j for j in people if s[j] == s[i]]
        then = [j for j in own if event[j] and time[j] == t]
        at_risk = [j for j in own if entry[j] < t <= time[j]]
        coming = sorted((time[j], j) for j in at_risk if event[j] and time[j] > t)
        stays = [j for j in at_risk if j not in then and (not coming or time[j] < coming[0][0])]
        if exact_ties:
            nexts = [j for when, j in coming if when == coming[0][0]]
            found += [minus(x[i], x[j]) for j in sorted({*stays, *nexts})]
        elif i == then[0]:
            for j in then[1:]:
                found += [minus(x[i], x[j]), minus(x[j], x[i])]
            found += [minus(x[i], x[j]) for _, j in coming[:1]] + [minus(x[i], x[j]) for j in stays]
    return tuple(found)
