"""Check a novikoff certificate against its data, exactly, with nothing but Python.

    python novikoff_check.py certificate.json data.csv [--label COLUMN]

Data: delimited text, or svmlight (.svm, .svmlight, .libsvm). docs/certificates.md says what is
claimed; all else is refused. Exit status: 0 valid, 1 not valid, 2 could not be checked.
"""

import argparse
import hashlib
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -I leaves it out
from novikoff_fewest import check_fewest  # noqa: I001
from novikoff_models import model_rows
from novikoff_rows import LONGEST, NotValid, Row, chosen, exact, need, once
from novikoff_rows import read_table, signed_rows, spanned

FIELDS = {"format": str, "version": int, "kind": str, "n": int, "d": int, "fit_intercept": bool,
          "decimals": bool, "encoding": str, "data_sha256": str, "columns": list, "label": str,
          "classes": list, "digest": str}  # fmt: skip
SEPARATOR: dict[str, type] = {"weights": list, "intercept": str}
MULTIPLIERS: dict[str, type] = {"rows": list, "alpha": list}
KINDS = {"separable": SEPARATOR, "touching": SEPARATOR | MULTIPLIERS,
         "not separable": MULTIPLIERS, "overlapping": MULTIPLIERS, "fewest errors":
         SEPARATOR | {"errors": list, "wrong_rows": list, "conflicts": list}}  # fmt: skip


def read_certificate(text: str) -> dict[str, Any]:
    """The fields: each of its type, none missing, none unknown, and the digest that of the rest."""
    fields: dict[str, Any] = json.loads(text, object_pairs_hook=once)
    known = (fields["format"], fields["version"]) == ("novikoff-certificate", 1)
    need(known, "not a novikoff certificate of version 1", ValueError)
    rounded = fields.get("proof") == "floating point"
    need(not rounded, "its proof is in floating point: novikoff.verify checks it", ValueError)
    need(fields["kind"] in KINDS, f"unknown kind {fields['kind']!r}")
    types, fewest = FIELDS | KINDS[fields["kind"]], fields["kind"] == "fewest errors"
    extra = ("row_weights", "tree") if fewest else ("model",)  # may be there, or not
    types |= {key: type(fields[key]) for key in extra if key in fields}
    types["label"] = type(None) if fields["label"] is None else str
    found = {name: type(value) for name, value in fields.items()}
    wrong = sorted({name for name, _ in found.items() ^ types.items()})
    need(not wrong, f"fields missing, unknown or of another type: {wrong}")
    known = fields["encoding"] in ("dense-float64", "csr-float64", "fractions")
    need(known, f"unknown encoding {fields['encoding']!r}")
    digest = fields.pop("digest")
    content = json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False)
    need(hashlib.sha256(content.encode()).hexdigest() == digest, "it was changed: another digest")
    return fields


def numbers(texts: list[str]) -> list[Fraction]:
    """The exact numbers of a certificate, each written as p/q in lowest terms."""
    values = [exact(text) for text in texts]
    need(list(map(str, values)) == texts, "a number is not written in lowest terms")
    return values


def scores(fields: dict[str, Any], A: list[Row]) -> list[Any]:
    """y(w·x + b) of each row, for the plane in the certificate."""
    w = numbers([*fields["weights"], fields["intercept"]])
    good = len(w) == fields["d"] + 1 and (fields["fit_intercept"] or w[-1] == 0)
    need(good, "there is not one weight a column, or an intercept where none is")
    return [sum(x * w[j] for j, x in row.items()) for row in A]


def multipliers(rows: list[Any], alpha: list[str], A: list[Row]) -> None:
    """Gordan: α > 0 on some rows with Σ αA = 0. No (w, b) is > 0 on all of these."""
    need({int} == {type(i) for i in rows} and rows == sorted(set(rows)), "rows twice, or no order")
    need(0 <= rows[0] and rows[-1] < len(A), "a row that the file does not have")
    pairs = list(zip((A[i] for i in rows), numbers(alpha), strict=True))
    need(all(a > 0 for _, a in pairs), "an α is not above 0")
    for j in {j for row, _ in pairs for j in row}:
        need(sum(a * row.get(j, 0) for row, a in pairs) == 0, f"Σ αy(x, 1) is not 0 in column {j}")


def check_claim(fields: dict[str, Any], A: list[Row]) -> None:
    """Stop unless the rows A = y(x, 1), or yx without an intercept, are as the kind claims."""
    kind = fields["kind"]
    if kind in ("separable", "touching"):
        sides = scores(fields, A)
        wrong = [i for i, s in enumerate(sides) if s < 0 or (s == 0 and kind == "separable")]
        need(not wrong, f"row {wrong[:1]}, counted from 0, is not on its side")
        need(any(sides), "every row lies on the plane")
    if kind == "fewest errors":
        check_fewest(fields, A, scores(fields, A), multipliers, numbers)
    if kind in ("touching", "not separable", "overlapping"):
        multipliers(fields["rows"], fields["alpha"], A)
    if kind == "overlapping":  # a weak separator is 0 on α's rows, so on all that they span
        basis: dict[int, Row] = {}
        rank = sum(not spanned(basis, A[i]) for i in fields["rows"])
        full = rank == fields["d"] + fields["fit_intercept"]
        need(full or all(spanned(basis, row) for row in A), "α's rows do not span all rows")


def check(certificate: str, lines: list[str], svmlight: bool, label: str | None = None) -> str:
    """What is proven, of which rows, columns and labels; an error says why nothing is."""
    fields, table = read_certificate(certificate), read_table(lines, svmlight)
    if "model" in fields:
        check_claim(fields, model_rows(fields, table))
        return f"""{fields["kind"]}, the {fields["n"]} rows of the model {fields["model"]["name"]!r}
coefficients: {", ".join(map(repr, fields["columns"]))}; rows of the file: all {len(table)}"""
    label = label or fields["label"] or ("label" if svmlight else list(table[0])[-1])
    need(fields["label"] in (None, label), f"its label is the column {fields['label']!r}")
    columns, left_out = chosen(fields["columns"], label, table, svmlight)
    sizes = {len(fields["columns"]), len(columns), fields["d"]}
    need(len(table) == fields["n"] and len(sizes) == 1, "another number of rows or columns")
    check_claim(fields, signed_rows(fields, table, columns, label))
    bias, minus, plus = fields["fit_intercept"], *map(repr, fields["classes"])
    return f"""{fields["kind"]}, {"with" if bias else "without"} an intercept
rows: all {len(table)}; numbers: {"as written" if fields["decimals"] else "as float64"}
columns: {", ".join(map(repr, columns))}
label: {label!r}, where {minus} is -1 and {plus} is +1
columns left out: {", ".join(map(repr, left_out)) or "none"}"""


def main() -> int:
    """Check the two files named on the command line, and say the result."""
    parser = argparse.ArgumentParser(description="Check a novikoff certificate against its data.")
    for name in ("certificate", "data", "--label"):
        parser.add_argument(name)
    asked = parser.parse_args()
    sys.set_int_max_str_digits(LONGEST)
    try:
        with open(asked.certificate, encoding="utf-8") as file:
            certificate = file.read()
        with open(asked.data, encoding="utf-8-sig", newline="") as file:
            svmlight = asked.data.endswith((".svm", ".svmlight", ".libsvm"))
            status, answer = 0, "valid: " + check(certificate, list(file), svmlight, asked.label)
    except NotValid as error:
        status, answer = 1, f"not valid: {error}"
    except (Exception, KeyboardInterrupt) as error:
        status, answer = 2, f"could not be checked: {type(error).__name__}: {error}"
    encoding = sys.stdout.encoding
    print(answer.encode(encoding, "backslashreplace").decode(encoding))
    return status


if __name__ == "__main__":
    sys.exit(main())
