"""Check a certificate about a regression, beside the checker of separability.

    python novikoff_models.py certificate.json data.csv

novikoff_design.py makes the columns of a formula, novikoff_model_rows.py the rows of the model.
What novikoff_check.py says of files, of exit statuses and of what is refused holds here too.
"""

import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -I leaves it out
import novikoff_check
from novikoff_design import made_of, term
from novikoff_model_rows import BINARY, COUNTS, ORDERED, Data, alone, conditional, cox, present
from novikoff_numbers import need
from novikoff_rows import Row, Table, data_hash, read_table

KINDS = {kind: own | {"model": dict} for kind, own in novikoff_check.KINDS.items()}
FIELDS = {"name": str, "features": list, "intercept": bool, "decimals": bool, "levels": list,
          "ties": str, "columns": dict}  # fmt: skip
CLASSES = (*BINARY, "conditional", "multinomial", *ORDERED)  # whose outcome has levels
CONSTANT = (*BINARY, "binomial", *COUNTS, "multinomial")  # which may have a constant
MODELS = (*CLASSES, "binomial", *COUNTS, "cox")
SUMMED = ("adjacent-category", "conditional", "cox")  # rows are exact sums of rows of the data
SHOWN = 100  # names of columns
MOST = 10**9  # thresholds in the rows of ordered classes
NEEDED = {"binomial": {"y", "trials"}, "conditional": {"y", "strata"}, "cox": {"time"}}


def check_model(model: dict[str, Any], table: Table) -> None:
    """Stop unless the model is one of those known, of columns that the file has."""
    name, levels, where = model["name"], model["levels"], model["columns"]
    types = FIELDS | ({"ties": type(None)} if name != "cox" else {})
    need({key: type(value) for key, value in model.items()} == types, "model has other fields")
    need(name in MODELS, f"unknown model {name!r}")
    need(model["ties"] in (None, "breslow", "efron", "exact"), f"unknown ties {model['ties']!r}")
    need(name in CONSTANT or not model["intercept"], f"a {name} model has no intercept")
    right = len(levels) >= 2 if name in ("multinomial", *ORDERED) else len(levels) == 2
    need(right if name in CLASSES else not levels, f"not the levels of a {name} model")
    few = name not in ORDERED or len(table) * len(levels) ** 2 < MOST
    need(few, "too many levels: checking them would take for ever", ValueError)
    kinds = {type(level) if type(level) in (str, bool) else float for level in levels}
    need(len(kinds) < 2, "levels are not of one kind")
    needed = NEEDED.get(name, {"y"})
    more = {"weights"} | ({"strata", "event", "entry"} if name == "cox" else set())
    need(where.keys() <= needed | more, f"a {name} model has no such parts: {list(where)}")
    need(needed <= where.keys(), f"it names no column {min(needed - where.keys(), default='')}",
         ValueError)  # fmt: skip
    features, parts = model["features"], [*where.values()]
    absent = [column for column in parts if column not in table[0]]
    need(not absent, f"the file has no columns {absent}", ValueError)
    outcome = {where[part] for part in ("y", "time", "event") if part in where}
    good = len({*features}) == len(features) and not {*features} & {*parts}
    good &= not made_of(features, table) & outcome  # nor one of its levels, nor a product with it
    need(good, "a column named twice, or a part of the outcome as one")


def coefficients(model: dict[str, Any]) -> list[str]:
    """The names of the columns of A, in their order."""
    levels, columns = model["levels"], [*["(intercept)"] * model["intercept"], *model["features"]]
    if model["name"] == "multinomial":
        return [f"{level}: {column}" for level in levels[1:] for column in columns]
    steps = [f"{below}/{above}" for below, above in pairwise(levels)]
    return (steps if model["name"] in ORDERED else []) + columns


def model_rows(fields: dict[str, Any], table: Table) -> tuple[list[Row], list[str]]:
    """A, the rows of the model, if the data is the certificate's; which columns were rounded."""
    model, name, fractions = fields["model"], fields["model"]["name"], False
    width = len(model["features"]) + model["intercept"]
    blocks = len(model["levels"]) - 1 if name == "multinomial" else 1
    need(width * blocks <= fields["d"] == len(fields["columns"]), "other coefficients")
    if fields["encoding"] == "fractions":  # sums may be some where no number is
        columns = made_of(model["features"], table)
        fractions = name not in SUMMED or any(
            "/" in row.get(k, "") for row in table for k in columns
        )
    data = Data(model, table, fractions)
    if name == "conditional":
        A = conditional(data)
    elif name == "cox":
        A = cox(data, model["ties"] == "exact")
    else:
        A = [dict(sorted(row.items())) for row in alone(name, data)]
    if name in SUMMED:
        whole = fields["encoding"] == "fractions" or all(
            x == Fraction(float(x)) for row in A for x in row.values()
        )
        need(whole, "float64 cannot hold the sums, and the encoding is of float64")
    sizes = (len(A), len(fields["columns"])) == (fields["n"], fields["d"])
    same_columns = coefficients(model) == fields["columns"]
    need(sizes and same_columns, "other rows or coefficients than the model's")
    label = fields["label"] in (None, model["columns"].get("y", fields["label"]))
    label &= fields["label"] not in fields["columns"]
    plain = not fields["fit_intercept"] and repr(fields["classes"]) == "[-1, 1]"
    need(label and plain, "a model has neither an intercept nor labels beside its columns")
    agree = fields["decimals"] == (model["decimals"] and name not in SUMMED)
    need(agree, "decimals and the model's decimals do not agree")
    same = data_hash(fields["encoding"], A, fields["d"], [1] * len(A)) == fields["data_sha256"]
    need(same, "other data: another SHA-256")
    products = [name for name in model["features"] if len(term(name, table[0])[0][0]) > 1]
    return A, [*dict.fromkeys(data.other + products)]


def listed(names: list[str]) -> str:
    """The names, and if there are very many, how many."""
    shown = ", ".join(map(repr, names[:SHOWN]))
    return shown if len(names) <= SHOWN else f"{shown}, … ({len(names)} in all)"


def check(certificate: str, lines: list[str], svmlight: bool, label: str | None = None) -> str:
    """What is proven, of which rows, columns and outcome; an error says why nothing is."""
    need(label is None, "the model names the columns of its outcome: leave out --label", ValueError)
    need(not svmlight, "a regression names columns, and svmlight has no names", ValueError)
    fields = novikoff_check.read_certificate(certificate, KINDS, "models")
    model, table = fields["model"], read_table(lines, svmlight)
    check_model(model, table)
    A, rounded = model_rows(fields, table)
    novikoff_check.check_claim(fields, A)
    where, there = model["columns"], len(present(model, table))
    gone = f"{there} of {len(table)}, the others without weight or trials"
    but = f", but as float64 in {listed(rounded)}" if rounded else ""
    used = made_of(model["features"], table) | {*where.values()}
    left_out = [name for name in table[0] if name not in used]
    return f"""{fields["kind"]}, the {fields["n"]} rows of the model {model["name"]!r}
rows of the file: {f"all {there}" if there == len(table) else gone}; \
numbers: {f"as written{but}" if model["decimals"] else "as float64"}
coefficients: {listed(fields["columns"])}
outcome: {", ".join(f"{part} is {column!r}" for part, column in where.items())}
levels: {", ".join(map(repr, model["levels"])) or "none"}; ties: {model["ties"] or "none"}
columns left out: {listed(left_out) or "none"}"""


if __name__ == "__main__":
    sys.exit(novikoff_check.main(check))
