"""What docs/certificates.md says, once more and in another way: the oracle of the fuzzer.

The kind of a set of rows is decided here without any certificate: by all its circuits, the minimal
sets of rows with Σ αᵢyᵢx̂ᵢ = 0 and α > 0. The rows of all circuits together are those that every
weak separator holds on its plane (Tucker): none if separable, all if overlapping, else touching.
"""

import hashlib
import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any

import numpy as np
import scipy.sparse as sp

from novikoff.matrix.digest import data_sha256

Rows = tuple[tuple[Fraction, ...], ...]

COMMON = {
    "format": "str", "version": "int", "kind": "str", "n": "int", "d": "int",
    "fit_intercept": "bool", "decimals": "bool", "encoding": "str", "data_sha256": "str",
    "columns": "list", "classes": "list", "digest": "str",
}  # fmt: skip
PLANE, ALPHA = {"weights": "list", "intercept": "str"}, {"rows": "list", "alpha": "list"}
OWN = {
    "separable": PLANE, "touching": PLANE | ALPHA, "overlapping": ALPHA, "not separable": ALPHA,
    "fewest errors": PLANE | {"errors": "list", "wrong_rows": "list", "conflicts": "list"},
}  # fmt: skip
OPTIONAL = {"fewest errors": ("row_weights", "tree")}
PROVEN = {
    "separable": {"separable"},
    "touching": {"touching"},
    "overlapping": {"overlapping"},
    "not separable": {"touching", "overlapping"},
}
CELL = re.compile(r"[ \t]*[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]{1,4})?[ \t]*")


class Refused(Exception):  # noqa: N818
    """The page does not allow this."""


@dataclass
class Data:
    """A file as its parts: for svmlight, a column of the table is what the file calls its index."""

    header: list[str]
    rows: list[list[str]]
    svmlight: bool = False
    extra: str = ""  # what a text may have besides: blank lines, comments
    broken: str = ""  # what no row may have

    def lines(self) -> list[str]:
        if self.svmlight:
            at = self.header.index("label")
            texts = [
                " ".join(
                    [row[at]]
                    + [f"{name[1:]}:{cell}" for name, cell in zip(self.header, row, strict=False)
                       if name != "label" and cell != ""]
                )
                for row in self.rows
            ]  # fmt: skip
            return [text + self.broken + self.extra + "\n" for text in texts]
        quoted = [[f'"{name}"' if "," in name else name for name in self.header], *self.rows]
        return [",".join(cells) + self.broken + "\n" + self.extra for cells in quoted]


def require(condition: object) -> None:
    if not condition:
        raise Refused


def strict_json(text: str) -> dict[str, Any]:
    """The fields, none twice; an error of `json` is a refusal."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        require(len({name for name, _ in pairs}) == len(pairs))
        return dict(pairs)

    try:
        fields = json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError) as error:
        raise Refused from error
    require(isinstance(fields, dict))
    return dict(fields)


def written_fraction(text: Any) -> Fraction:
    require(isinstance(text, str) and len(text) <= 100_000)
    require(re.fullmatch(r"-?[0-9]+(/[0-9]+)?", text))
    top, _, bottom = text.partition("/")
    require(int(bottom or 1) != 0)
    value = Fraction(int(top), int(bottom or 1))
    require(str(value) == text)
    return value


def strictly_written(text: Any) -> Fraction:
    require(written_fraction(text) > 0)
    return written_fraction(text)


def check_form(fields: dict[str, Any], sealed: dict[str, Any] | None = None) -> None:
    """Every field is there and of its type; the digest is that of `sealed`, or of the fields."""
    require(isinstance(fields.get("kind"), str) and fields["kind"] in OWN)
    types = COMMON | OWN[fields["kind"]]
    free = {"label", "model", *OPTIONAL.get(fields["kind"], ())}
    require("model" not in fields or fields["kind"] != "fewest errors")
    found = {name: type(value).__name__ for name, value in fields.items() if name not in free}
    require(found == types and "label" in fields)
    require(fields["label"] is None or isinstance(fields["label"], str))
    require((fields["format"], fields["version"]) == ("novikoff-certificate", 1))
    require(fields["encoding"] in ("dense-float64", "csr-float64", "fractions"))
    require(fields["n"] > 0 and fields["d"] > 0)
    require(all(isinstance(name, str) for name in fields["columns"]))
    require(len(fields["columns"]) == fields["d"] == len(set(fields["columns"])))
    require(fields["label"] not in fields["columns"])
    require(len(fields["classes"]) == 2)
    minus, plus = fields["classes"]
    require(type(minus) is type(plus) and isinstance(minus, (str, int, float)) and minus != plus)
    require(all(isinstance(name, str) or abs(name) < float("inf") for name in (minus, plus)))
    require(fields["digest"] == digest_of(sealed or fields))


def digest_of(fields: dict[str, Any]) -> str:
    rest = {name: value for name, value in fields.items() if name != "digest"}
    try:
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise Refused from error
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def chosen(fields: dict[str, Any], data: Data) -> tuple[str, list[str]]:
    """The label's column and the columns of the claim, by their names in the file."""
    require(not data.broken and len(set(data.header)) == len(data.header))
    require(all(len(row) == len(data.header) for row in data.rows))
    last = "label" if data.svmlight else data.header[-1]
    label = fields["label"] if fields["label"] is not None else last
    columns = fields["columns"]
    unnamed = columns == [f"x{j}" for j in range(len(columns))]
    if unnamed and not set(columns) & set(data.header) and not data.svmlight:
        columns = [name for name in data.header if name != label]
    require(label in data.header and label not in columns)
    require(label == "label" or not data.svmlight)
    for name in columns:
        index = re.fullmatch(r"x(0|[1-9][0-9]*)", name)
        require(index if data.svmlight else name in data.header)
    require(len(columns) == fields["d"] and len(data.rows) == fields["n"])
    return label, columns


def sign(label: str, classes: list[Any]) -> int:
    minus, plus = classes
    require(label != "")
    if isinstance(minus, str):
        if label in (minus, plus):
            return -1 if label == minus else 1
        require(minus == f"not {plus}" or plus == f"not {minus}")
        return -1 if minus == f"not {plus}" else 1
    if isinstance(minus, bool):
        require(label.lower() in ("true", "false"))
        return 1 if (label.lower() == "true") == plus else -1
    require(CELL.fullmatch(label))
    value = Decimal(label.strip())
    require(value in (Decimal(str(minus)), Decimal(str(plus))))
    return -1 if value == Decimal(str(minus)) else 1


@lru_cache(maxsize=10_000)
def number(cell: str) -> Fraction:
    if re.fullmatch(r"-?[0-9]+/[1-9][0-9]*", cell):
        return Fraction(cell)
    require(len(cell) <= 100_000 and CELL.fullmatch(cell))
    return Fraction(Decimal(cell.strip()))


def numbers(fields: dict[str, Any], data: Data, columns: list[str]) -> list[list[Fraction]]:
    """The cells as they are written."""
    at = {name: j for j, name in enumerate(data.header)}
    texts = [[row[at[name]] if name in at else "0" for name in columns] for row in data.rows]
    # Only fractions are written p/q.
    require(
        fields["encoding"] == "fractions" or not any("/" in cell for row in texts for cell in row)
    )
    return [[number(cell if cell or not data.svmlight else "0") for cell in row] for row in texts]


def as_read(fields: dict[str, Any], written: list[list[Fraction]]) -> list[list[Fraction]]:
    """The numbers as the certificate reads them."""
    if fields["encoding"] == "fractions":
        return written
    columns = [read_column(column, fields["decimals"]) for column in zip(*written, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


@lru_cache(maxsize=100_000)
def read_column(column: tuple[Fraction, ...], decimals: bool) -> list[Fraction]:
    """Float64 numbers: as they print, or as they are stored."""
    try:
        stored = [float(value) for value in column]
    except OverflowError as error:
        raise Refused from error
    printed = [Decimal(repr(value)) for value in stored]
    if decimals and all(len(value.normalize().as_tuple().digits) <= 15 for value in printed):
        read = [Fraction(value) for value in printed]
        require(read == list(column))
        return read
    read = [Fraction(value) for value in stored]
    for value, shown, cell in zip(read, printed, column, strict=True):
        require(not decimals or cell in (value, Fraction(shown)))
    return read


def arrays(fields: dict[str, Any], read: list[list[Fraction]]) -> Any:
    """The numbers as a user of the package would have them."""
    if fields["encoding"] == "fractions":
        return np.array(read, dtype=object)
    X = np.array([[float(value) for value in row] for row in read])
    return sp.csr_array(X) if fields["encoding"] == "csr-float64" else X


def whole(row: tuple[Fraction, ...]) -> tuple[int, ...]:
    """The row times a number above 0, so that no fractions are left."""
    factor = math.lcm(*(x.denominator for x in row))
    values = [x.numerator * (factor // x.denominator) for x in row]
    divisor = math.gcd(*values) or 1
    return tuple(value // divisor for value in values)


def null_vector(rows: Sequence[tuple[int, ...]]) -> list[int] | None:
    """The only α, up to a factor, with Σ αᵢ·rowᵢ = 0; None if there is none, or another one."""
    left = [[*row, *(int(i == k) for k in range(len(rows)))] for i, row in enumerate(rows)]
    d = len(rows[0])
    done = 0
    for j in range(d):
        at = next((i for i in range(done, len(left)) if left[i][j]), None)
        if at is None:
            continue
        left[done], left[at] = left[at], left[done]
        pivot = left[done]
        for i in range(done + 1, len(left)):
            first, other = pivot[j], left[i][j]
            if other:
                left[i] = [first * a - other * b for a, b in zip(left[i], pivot, strict=True)]
        done += 1
    return left[-1][d:] if done == len(left) - 1 else None


@lru_cache(maxsize=100_000)
def kind_of(A: Rows) -> str:
    """Separable, touching or overlapping: by all circuits."""
    rows = list(dict.fromkeys(map(whole, A)))
    held: set[int] = set()
    for size in range(1, min(len(rows), len(rows[0]) + 1) + 1):
        for subset in combinations(range(len(rows)), size):
            if held.issuperset(subset):
                continue
            alpha = null_vector([rows[i] for i in subset])
            if alpha and (min(alpha) > 0 or max(alpha) < 0):
                held.update(subset)
    return "separable" if not held else "overlapping" if len(held) == len(rows) else "touching"


def check_proof(fields: dict[str, Any], A: Rows) -> None:
    """The numbers of the certificate do what its kind needs, and the kind is that of the rows."""
    if "weights" in fields:
        w = [written_fraction(text) for text in [*fields["weights"], fields["intercept"]]]
        require(len(w) == fields["d"] + 1 and (fields["fit_intercept"] or w[-1] == 0))
        scores = [sum(x * y for x, y in zip(row, w, strict=False)) for row in A]
        require(
            min(scores) > 0 if fields["kind"] == "separable" else min(scores) >= 0 < max(scores)
        )
    if "rows" in fields:
        rows, alpha = fields["rows"], [written_fraction(text) for text in fields["alpha"]]
        require(rows and all(type(i) is int and 0 <= i < len(A) for i in rows))
        require(all(a < b for a, b in pairwise(rows)))
        require(len(rows) == len(alpha) and min(alpha) > 0)
        sums = zip(*([a * x for x in A[i]] for i, a in zip(rows, alpha, strict=True)), strict=True)
        require(not any(sum(column) for column in sums))
        if fields["kind"] == "overlapping":
            require(kind_of(tuple(A[i] for i in rows)) == "overlapping")
            require(rank([A[i] for i in rows]) == rank(list(A)))
    require(kind_of(A) in PROVEN[fields["kind"]])


def rank(rows: list[tuple[Fraction, ...]]) -> int:
    left, found = [list(row) for row in rows], 0
    for j in range(len(rows[0])):
        at = next((i for i in range(found, len(left)) if left[i][j]), None)
        if at is None:
            continue
        left[found], left[at] = left[at], left[found]
        for i in range(found + 1, len(left)):
            factor = left[i][j] / left[found][j]
            left[i] = [a - factor * b for a, b in zip(left[i], left[found], strict=True)]
        found += 1
    return found


def hash_of(fields: dict[str, Any], X: Any, y: list[int]) -> str:
    return data_sha256(X, np.array(y, np.int8), fields["encoding"])
