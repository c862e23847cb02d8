"""Check a novikoff certificate against a CSV file, with exact arithmetic and nothing but Python.

    python novikoff_check.py certificate.json data.csv [--label COLUMN]

Exit status: 0 valid, 1 not valid, 2 could not be checked. It shares no code with the package.
A has one row for each line of the data, y·(x, 1), or y·x without an intercept; y is −1 or +1.
  separable       y(w·x + b) > 0 on every row
  not separable   Σ α·A = 0 with α > 0 on some rows: no (w, b) can be > 0 on all of these
  touching        the same, and y(w·x + b) ≥ 0 on every row, and > 0 on one
  overlapping     the same, and the rows with an α have the rank of all rows
"""

import argparse
import csv
import hashlib
import json
import struct
import sys
from fractions import Fraction
from typing import Any


def need(condition: object, why: str) -> None:
    """Stop, with the reason and exit status 1, unless the condition holds."""
    if not condition:
        print(f"not valid: {why}")
        sys.exit(1)


def read_certificate(path: str) -> dict[str, Any]:
    """The certificate's fields, whole: its digest is a SHA-256 of all the other fields."""
    with open(path, encoding="utf-8") as file:
        fields: dict[str, Any] = json.load(file)
    if (fields["format"], fields["version"]) != ("novikoff-certificate", 1):
        raise ValueError("not a novikoff certificate of version 1")
    if fields["encoding"] not in ("dense-float64", "fractions"):
        raise ValueError("not a certificate about dense data; use novikoff.verify")
    digest = fields.pop("digest", None)
    text = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    need(digest == hashlib.sha256(text.encode()).hexdigest(), "it was changed: another digest")
    return fields


def read_data(path: str, label: str, columns: list[str]) -> tuple[list[list[str]], list[str]]:
    """The cells of the certificate's columns, and the labels (by default the last column)."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        header, *lines = [[cell.strip() for cell in line] for line in csv.reader(file) if line]
    at = header.index(label or header[-1])
    named = [header.index(name) for name in columns if name in header]
    chosen = named if len(named) == len(columns) else [j for j in range(len(header)) if j != at]
    return [[line[j] for j in chosen] for line in lines], [line[at] for line in lines]


def sign_of(label: str, classes: list[Any]) -> int:
    """−1 for the first class and +1 for the second: the same text, or the same number."""
    same = [(label.title() if isinstance(name, bool) else label) == str(name) for name in classes]
    if not any(same) and not isinstance(classes[0], str):
        same = [float(label) == name for name in classes]
    need(any(same), f"the label {label!r} is not one of the certificate's, {classes}")
    return 1 if same[1] else -1


def data_hash(encoding: str, cells: list[list[str]], y: list[int]) -> str:
    """The SHA-256 of the numbers, row by row, and of the signs."""
    sha = hashlib.sha256()
    for row in cells:
        if encoding == "fractions":
            sha.update((",".join(str(Fraction(cell)) for cell in row) + "\n").encode())
        else:  # adding 0.0 turns −0.0 into 0.0
            sha.update(struct.pack(f"<{len(row)}d", *(float(cell) + 0.0 for cell in row)))
    sha.update(struct.pack(f"{len(y)}b", *y))
    return sha.hexdigest()


def exact_column(cells: tuple[str, ...], encoding: str, decimals: bool) -> list[Fraction]:
    """Fractions as written, or float64: "decimals" of up to 15 digits are what they print."""
    if encoding == "fractions":
        return [Fraction(cell) for cell in cells]
    texts = [repr(float(cell)) for cell in cells]
    digits = [text.split("e")[0].replace(".", "").strip("-0") for text in texts]
    as_printed = decimals and all(len(text) <= 15 for text in digits)
    return [Fraction(text if as_printed else float(text)) for text in texts]


def dot(u: list[Fraction], v: list[Fraction]) -> Fraction:
    """Σ uⱼvⱼ, exactly."""
    return sum((a * b for a, b in zip(u, v, strict=True)), Fraction(0))


def rank_grows(basis: dict[int, list[Fraction]], row: list[Fraction]) -> bool:
    """Reduce the row by the basis (first column to row) and keep what is left, if anything is."""
    for first in sorted(basis):
        factor = row[first] / basis[first][first]
        row = [a - factor * b for a, b in zip(row, basis[first], strict=True)]
    left = [j for j, value in enumerate(row) if value]
    basis.update({left[0]: row} if left else {})
    return bool(left)


def check(fields: dict[str, Any], cells: list[list[str]], labels: list[str]) -> None:
    """Stop unless the certificate proves its claim, for the data it was made for."""
    n, d, kind, encoding = (fields[name] for name in ("n", "d", "kind", "encoding"))
    need(len(cells) == n, f"the file has {len(cells)} rows; the certificate speaks of {n}")
    need(len(cells[0]) == d, f"the file has {len(cells[0])} columns; the certificate, {d}")
    y = [sign_of(label, fields["classes"]) for label in labels]
    need(data_hash(encoding, cells, y) == fields["data_sha256"], "other data: another SHA-256")
    columns = [exact_column(c, encoding, fields["decimals"]) for c in zip(*cells, strict=True)]
    columns += [[Fraction(1)] * n] * fields["fit_intercept"]  # True counts as 1
    A = [[sign * x for x in row] for sign, *row in zip(y, *columns, strict=True)]
    if kind in ("separable", "touching"):
        bias = [fields["intercept"]] * fields["fit_intercept"]
        w = [Fraction(text) for text in fields["weights"] + bias]
        scores = [dot(row, w) for row in A]
        least, at = min(zip(scores, range(n), strict=True))
        good = least > 0 or (kind == "touching" and least == 0)
        need(good, f"row {at}, counted from 0, is not on its side: y(w·x + b) = {least}")
        need(any(scores), "every row lies on the plane")
    if kind != "separable":
        need(kind in ("touching", "overlapping", "not separable"), f"unknown claim {kind!r}")
        rows, alpha = fields["rows"], [Fraction(text) for text in fields["alpha"]]
        need(0 < len(rows) == len(alpha) == len(set(rows)), "one α a row, and no row twice")
        need(all(0 <= i < n for i in rows) and min(alpha) > 0, "rows of the file, and α above 0")
        sums = [dot(alpha, list(column)) for column in zip(*(A[i] for i in rows), strict=True)]
        need(not any(sums), "Σ αy(x, 1) is not 0")
    if kind == "overlapping":
        basis: dict[int, list[Fraction]] = {}
        full = sum(rank_grows(basis, A[i]) for i in rows) == len(columns)
        need(full or not any(rank_grows(basis, row) for row in A), "α's rows do not span all rows")


def main() -> int:
    """Check the two files named on the command line, and say the result."""
    parser = argparse.ArgumentParser(description="Check a novikoff certificate against a CSV.")
    for name in ("certificate", "data", "--label"):
        parser.add_argument(name)
    asked = parser.parse_args()
    sys.set_int_max_str_digits(0)  # long integers are meant here
    try:
        fields = read_certificate(asked.certificate)
        check(fields, *read_data(asked.data, asked.label or fields["label"], fields["columns"]))
    except (OSError, LookupError, TypeError, ValueError, ArithmeticError) as error:
        print(f"could not be checked: {type(error).__name__}: {error}")
        return 2
    print(f"valid: {fields['kind']}, {fields['n']} rows and {fields['d']} columns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
