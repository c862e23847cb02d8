"""Check a certificate of separability against its data, exactly, with nothing but Python.

    python novikoff_check.py certificate.json data.csv [--label COLUMN]

Data: delimited text, or svmlight (.svm, .svmlight, .libsvm). docs/certificates.md says what is
claimed; all else is refused. Exit status: 0 valid, 1 not valid, 2 could not be checked.
To believe it, read this file, which checks the proof, novikoff_rows.py, which reads the data, and
novikoff_numbers.py, which reads numbers.
"""

import argparse
import hashlib
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))  # python -I leaves it out
from novikoff_numbers import LONGEST, NotValid, need, numbers
from novikoff_rows import Row, claimed_rows, once, read_table

FIELDS = {"format": str, "version": int, "kind": str, "n": int, "d": int, "fit_intercept": bool,
          "decimals": bool, "encoding": str, "data_sha256": str, "columns": list, "label": str,
          "classes": list, "digest": str}  # fmt: skip
SEPARATOR: dict[str, type] = {"weights": list, "intercept": str}
MULTIPLIERS: dict[str, type] = {"rows": list, "alpha": list}
KINDS = {"separable": SEPARATOR, "touching": SEPARATOR | MULTIPLIERS,
         "not separable": MULTIPLIERS, "overlapping": MULTIPLIERS}  # fmt: skip


def read_certificate(text: str, kinds: dict[str, Any] = KINDS, file: str = "check",
                     optional: tuple[str, ...] = ()) -> dict[str, Any]:  # fmt: skip
    """The fields: each of its type, none missing, none unknown, and the digest that of the rest."""
    fields: dict[str, Any] = json.loads(text, object_pairs_hook=once)
    known = (fields.get("format"), fields.get("version")) == ("novikoff-certificate", 1)
    need(known, "not a novikoff certificate of version 1", ValueError)
    why = "a proof in floating point takes too long here: use novikoff.verify, or exact=True"
    need(fields.get("proof") != "floating point", why, ValueError)
    kind: Any = fields.get("kind")
    beside = "models" if "model" in fields else "fewest" if kind == "fewest errors" else "check"
    need(beside == file, f"it is for novikoff_{beside}.py, beside this file", ValueError)
    need(kind in [*kinds], f"unknown kind {kind!r}")
    types = FIELDS | kinds[kind] | {key: type(fields[key]) for key in optional if key in fields}
    types["label"] = type(None) if fields.get("label") is None else str
    found = {name: type(value) for name, value in fields.items()}
    wrong = sorted({name for name, _ in found.items() ^ types.items()})
    need(not wrong, f"fields missing, unknown or of another type: {wrong}")
    need(fields["encoding"] in ("dense-float64", "csr-float64", "fractions"), "unknown encoding")
    digest = fields.pop("digest")
    content = json.dumps(fields, sort_keys=True, separators=(",", ":"), allow_nan=False)
    need(hashlib.sha256(content.encode()).hexdigest() == digest, "it was changed: another digest")
    return fields


def scores(fields: dict[str, Any], A: list[Row]) -> list[Any]:
    """y(w·x + b) of each row, times a positive number, for the certificate's plane."""
    w = numbers([*fields["weights"], fields["intercept"]], whole=True)
    good = len(w) == fields["d"] + 1 and (fields["fit_intercept"] or w[-1] == 0)
    need(good, "there is not one weight a column, or an intercept where none is")
    return [sum(x * w[j] for j, x in row.items()) for row in A]


def multipliers(rows: list[Any], alpha: list[str], A: list[Row]) -> None:
    """Gordan: α > 0 on some rows with Σ αA = 0. No (w, b) is > 0 on all of these."""
    need({int} == {type(i) for i in rows} and len(rows) == len(alpha), "not one α for each row")
    need(rows == sorted({*rows}), "rows twice, or no order")
    need(0 <= rows[0] and rows[-1] < len(A), "a row that the file does not have")
    pairs = list(zip((A[i] for i in rows), numbers(alpha, whole=True), strict=True))
    need(all(a > 0 for _, a in pairs), "an α is not above 0")
    sums = defaultdict[int, Fraction](Fraction)
    for j, share in ((j, a * x) for row, a in pairs for j, x in row.items()):
        sums[j] += share
    need(not any(sums.values()), f"Σ αy(x, 1) is not 0: {[j for j in sums if sums[j]][:3]}")


def spanned(basis: dict[int, Row], row: Row, uses: dict[int, int]) -> bool:
    """Whether the basis spans the row; if not, what is left of it joins the basis."""
    left = dict(row)
    while left:
        pivot = min(left, key=lambda j: (uses[j], j))  # a rare column: rows of dummies stay short
        known = basis.setdefault(pivot, left)
        if known is left:
            return False
        factor = left[pivot] / known[pivot]
        left |= {j: left.get(j, Fraction(0)) - factor * x for j, x in known.items()}
        left = {j: x for j, x in left.items() if x}
    return True


def check_claim(fields: dict[str, Any], A: list[Row]) -> None:
    """Stop unless the rows A = y(x, 1), or yx without an intercept, are as the kind claims."""
    kind = fields["kind"]
    if kind in ("separable", "touching"):
        sides = scores(fields, A)
        wrong = [i for i, s in enumerate(sides) if s < 0 or (s == 0 and kind == "separable")]
        need(not wrong, f"row {wrong[:1]}, counted from 0, is not on its side")
        need(any(sides), "every row lies on the plane")
    if kind in ("touching", "not separable", "overlapping"):
        multipliers(fields["rows"], fields["alpha"], A)
    if kind == "overlapping":  # a weak separator is 0 on α's rows, so on all that they span
        basis, uses = dict[int, Row](), Counter(j for row in A for j in row)
        rank = sum(not spanned(basis, A[i], uses) for i in fields["rows"])
        full = rank == fields["d"] + fields["fit_intercept"]
        need(full or all(spanned(basis, row, uses) for row in A), "α's rows do not span all rows")


def check(certificate: str, lines: list[str], svmlight: bool, label: str | None = None) -> str:
    """What is proven, of which rows, columns and labels; an error says why nothing is."""
    fields = read_certificate(certificate)
    A, claim = claimed_rows(fields, read_table(lines, svmlight), svmlight, label)
    check_claim(fields, A)
    return claim


def main(check: Callable[[str, list[str], bool, str | None], str] = check) -> int:
    """Check the two files named on the command line, and say the result."""
    parser = argparse.ArgumentParser(description="Check a novikoff certificate against its data.")
    for name in ("certificate", "data", "--label"):
        parser.add_argument(name)
    asked = parser.parse_args()
    sys.set_int_max_str_digits(LONGEST)
    try:
        with open(asked.certificate, encoding="utf-8") as file:
            certificate = file.read(1 << 30)  # what is cut off there is no JSON any more
        with open(asked.data, encoding="utf-8-sig", newline="") as file:
            svmlight = asked.data.endswith((".svm", ".svmlight", ".libsvm"))
            status, answer = 0, "valid: " + check(certificate, list(file), svmlight, asked.label)
    except NotValid as error:
        status, answer = 1, f"not valid: {error}"
    except (Exception, KeyboardInterrupt) as error:
        status, answer = 2, f"could not be checked: {type(error).__name__}: {error}"
    try:
        encoding = sys.stdout.encoding
        print(answer.encode(encoding, "backslashreplace").decode(encoding), flush=True)
    except (AttributeError, OSError):  # nobody listens, and the status says it too
        sys.stdout = sys.stderr  # or Python would try again, and end with a status of its own
    return status


if __name__ == "__main__":
    sys.exit(main())
