"""The data of a certificate: from a file to the exact rows y(x, 1) that the claim is about."""

import csv
import hashlib
import re
import struct
from fractions import Fraction
from itertools import accumulate
from typing import Any

from novikoff_numbers import exact, need

Row = dict[int, Fraction]  # the numbers of a row that are not 0, by their column
Table = list[dict[str, str]]  # the cells of each row, by the names of their columns


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The pairs as a dictionary, if no name is there twice."""
    need(len(dict(pairs)) == len(pairs), "a name is there twice", ValueError)
    return dict(pairs)


def read_table(lines: list[str], svmlight: bool) -> Table:
    """Delimited text with a header, or svmlight, whose column 7 is called x7."""
    if svmlight:
        table = []
        for label, *parts in filter(None, (line.partition("#")[0].split() for line in lines)):
            pairs = [part.split(":") for part in parts if not part.startswith("qid:")]
            table.append(once([("label", label), *((f"x{exact(k)}", cell) for k, cell in pairs)]))
        return table
    first = next(line for line in lines if line.strip())
    read = csv.reader(lines, delimiter=max(",\t;|", key=first.count), strict=True)
    header, *rows = filter(None, read)
    ragged = [i for i, row in enumerate(rows) if len(row) != len(header)]
    need(not ragged, f"row {ragged[:1]}, counted from 0, has not {len(header)} cells", ValueError)
    return [once(list(zip(header, row, strict=True))) for row in rows]


def chosen(columns: list[str], label: str, table: Table, svmlight: bool) -> list[list[str]]:
    """The columns of the file that are meant, and those left out; none twice, none the label."""
    header = dict.fromkeys(name for row in table for name in row)  # in order
    generic = columns == [f"x{j}" for j in range(len(columns))] and not {*columns} & {*header}
    if generic and not svmlight:  # the certificate knows no names: all columns, in order
        columns = [name for name in header if name != label]
    need(len({*columns, label}) == len(columns) + 1, "a column named twice, or the label as one")
    absent = [name for name in [*columns, label] if name not in header]
    if svmlight:  # an index that is not there is a 0, and the label is what a line begins with
        absent = [name for name in columns if not re.fullmatch(r"x(0|[1-9][0-9]*)", name)]
        absent += [label] * (label != "label")
    need(not absent, f"the file has no columns {absent}", ValueError)
    used = {*columns, label}
    return [columns, [name for name in header if name not in used]]


def signs_of(labels: list[str], classes: list[Any]) -> list[int]:
    """−1 for the first class and +1 for the second: the same text, truth value or number."""
    kinds = {type(name) for name in classes}
    need(len(classes) == 2 and len(kinds) == 1, "classes are not two labels of one kind")
    read: Any = {str: str, bool: str.lower}.get(type(classes[0]), exact)
    signs = {read(str(name)): sign for name, sign in zip(classes, (-1, 1), strict=True)}
    need(len(signs) == 2, "classes are twice the same label")
    minus, plus = classes  # of which one may be "not" the other: one class against all others
    rest = -1 if minus == f"not {plus}" else 1 if plus == f"not {minus}" else 0
    y = [signs.get(read(label), rest) if label else 0 for label in labels]
    need(set(y) == {-1, 1}, f"the labels are not {classes[0]!r} and {classes[1]!r}, both of them")
    return y


def as_float64(cells: list[Row], decimals: bool) -> tuple[list[Row], set[int]]:
    """The float64 that is stored; if decimals are meant, in columns of 15 digits what is printed.

    Then a cell must be written as one of the two. Also the columns that are not as written.
    """
    shown = {x: repr(float(x)) for row in cells for x in row.values()}
    digits = {x: len(re.sub(r"e.*|\D", "", text).strip("0")) for x, text in shown.items()}
    binary = {j for row in cells for j, x in row.items() if not decimals or digits[x] > 15}
    rows = [{j: Fraction(float(x) if j in binary else shown[x]) for j, x in row.items()}
            for row in cells]  # fmt: skip
    other = [(i, j) for i, cell in enumerate(cells) for j, x in cell.items() if x != rows[i][j]]
    lost = [(i, j) for i, j in other if cells[i][j] != Fraction(shown[cells[i][j]])]
    need(not (lost and decimals), f"float64 cannot hold row and column {lost[:1]}", ValueError)
    return rows, {j for _, j in other}


def data_hash(encoding: str, rows: list[Row], d: int, y: list[int]) -> str:
    """The SHA-256 of the numbers, in one of three encodings, and of the signs."""
    if encoding == "csr-float64":
        starts, columns = accumulate(map(len, rows), initial=0), (j for row in rows for j in row)
        integers, floats = [*starts, *columns], [x for row in rows for x in row.values()]
        data = struct.pack(f"<{len(integers)}q{len(floats)}d", *integers, *floats)
    else:
        full = [[row.get(j, 0) for j in range(d)] for row in rows]
        texts = (",".join(map(str, row)) + "\n" for row in full)
        packed = (struct.pack(f"<{d}d", *row) for row in full)
        data = "".join(texts).encode() if encoding == "fractions" else b"".join(packed)
    return hashlib.sha256(data + struct.pack(f"{len(y)}b", *y)).hexdigest()


def signed_rows(fields: dict[str, Any], table: Table, columns: list[str],
                label: str) -> tuple[list[Row], list[str]]:  # fmt: skip
    """A: the rows y(x, 1), or yx without an intercept; and which columns are not as written."""
    at, whole = {name: j for j, name in enumerate(columns)}, fields["encoding"] == "fractions"
    ratio = next((row[k] for row in table for k in at if "/" in row.get(k, "")), None)
    need(whole or ratio is None, f"not a decimal: {ratio!r}", ValueError)
    cells = [dict(sorted((at[k], exact(row[k])) for k in row if k in at)) for row in table]
    read, other = (cells, set[int]()) if whole else as_float64(cells, fields["decimals"])
    rows = [{j: x for j, x in row.items() if x} for row in read]
    y = signs_of([row[label] for row in table], fields["classes"])
    same = data_hash(fields["encoding"], rows, len(columns), y) == fields["data_sha256"]
    need(same, "other data: another SHA-256")
    bias = {len(columns): Fraction(1)} if fields["fit_intercept"] else {}
    A = [{j: sign * x for j, x in (row | bias).items()} for sign, row in zip(y, rows, strict=True)]
    return A, [columns[j] for j in sorted(other)]


def claimed_rows(fields: dict[str, Any], table: Table, svmlight: bool,
                 label: str | None) -> tuple[list[Row], str]:  # fmt: skip
    """A, and of which kind, rows, columns and labels the certificate speaks."""
    label = label or fields["label"] or ("label" if svmlight else list(table[0])[-1])
    need(fields["label"] in (None, label), f"its label is the column {fields['label']!r}")
    columns, left_out = chosen(fields["columns"], label, table, svmlight)
    sizes = {len(fields["columns"]), len(columns), fields["d"]}
    need(len(table) == fields["n"] and len(sizes) == 1, "another number of rows or columns")
    A, other = signed_rows(fields, table, columns, label)
    bias, minus, plus = fields["fit_intercept"], *map(repr, fields["classes"])
    but = f", but as float64 in {', '.join(map(repr, other))}" if other else ""
    written = fields["decimals"] or fields["encoding"] == "fractions"
    return A, f"""{fields["kind"]}, {"with" if bias else "without"} an intercept
rows: all {len(table)}; numbers: {f"as written{but}" if written else "as float64"}
columns: {", ".join(map(repr, columns))}
label: {label!r}, where {minus} is -1 and {plus} is +1
columns left out: {", ".join(map(repr, left_out)) or "none"}"""  # fmt: skip
