"""Whether docs/certificates.md says that a certificate is valid for a file: the fuzzer's judge."""

from fractions import Fraction
from typing import Any

import numpy as np
from tests.certificates.claims import (
    PROVEN,
    Data,
    Refused,
    Rows,
    arrays,
    as_read,
    check_form,
    check_proof,
    chosen,
    hash_of,
    kind_of,
    number,
    numbers,
    rank,
    require,
    sign,
    strict_json,
)
from tests.certificates.fewest_claims import check_fewest
from tests.certificates.model_claims import (
    SUMMED,
    as_written,
    check_model,
    features_of,
    model_rows,
    present,
    read_parts,
)

__all__ = ["as_arrays", "data_hash", "holds", "is_true"]


def holds(text: str, data: Data) -> bool:
    """Whether the page says that this certificate is valid for this file."""
    try:
        fields = strict_json(text)
        check_form(fields)
        require(data_hash(fields, data) == fields["data_sha256"])
        if "model" in fields:
            check_model_claim(fields, data)
        else:
            check_claim(fields, data)
    except Refused:
        return False
    return True


def is_true(text: str, data: Data) -> bool:
    """Whether a certificate whose proof is in floating point says what is so.

    `verify` may refuse such a proof where the numbers are too close; the checker always does.
    """
    try:
        fields = strict_json(text)
        check_form({name: value for name, value in fields.items() if name != "proof"}, fields)
        require(fields["kind"] == "overlapping")
        require(data_hash(fields, data) == fields["data_sha256"])
        is_model = "model" in fields
        A = model_rows(fields, data)[0] if is_model else signed_rows(fields, data)
        require(len(A) == fields["n"])
        rows = fields["rows"]
        require(rows and all(type(i) is int and 0 <= i < len(A) for i in rows))
        held = tuple(A[i] for i in rows)
        require(kind_of(held) == "overlapping" and rank(list(held)) == rank(list(A)))
    except Refused:
        return False
    return True


def signed_rows(fields: dict[str, Any], data: Data) -> Rows:
    X, y = read(fields, data)
    bias = [Fraction(1)] if fields["fit_intercept"] else []
    return tuple(tuple(s * x for x in [*row, *bias]) for s, row in zip(y, X, strict=True))


def check_claim(fields: dict[str, Any], data: Data) -> None:
    A = signed_rows(fields, data)
    (check_fewest if fields["kind"] == "fewest errors" else check_proof)(fields, A)


def check_model_claim(fields: dict[str, Any], data: Data) -> None:
    check_model(fields, data)
    A, comparisons = model_rows(fields, data)
    require(len(A) == fields["n"])
    check_proof(fields, A)
    assert kind_of(comparisons) in PROVEN[fields["kind"]], "the page's own rows do not suffice"


def read(fields: dict[str, Any], data: Data) -> tuple[list[list[Fraction]], list[int]]:
    """The numbers as the certificate reads them, and the signs."""
    label, columns = chosen(fields, data)
    at = data.header.index(label)
    y = [sign(row[at], fields["classes"]) for row in data.rows]
    require(set(y) == {-1, 1})
    return as_read(fields, numbers(fields, data, columns)), y


def data_hash(fields: dict[str, Any], data: Data) -> str:
    """The hash that belongs to the file, however false the claim."""
    if "model" not in fields:
        X, y = read(fields, data)
        return hash_of(fields, arrays(fields, X), y)
    check_table(data)
    check_model(fields, data)
    A, _ = model_rows(fields, data)
    require(A)
    if fields["model"]["name"] in SUMMED and fields["encoding"] != "fractions":
        require(all(x == Fraction(float(x)) for row in A for x in row))
    return hash_of(fields, arrays(fields, [list(row) for row in A]), [1] * len(A))


def check_table(data: Data) -> None:
    """Each name once, and as many cells in every row."""
    require(not data.broken and len(set(data.header)) == len(data.header))
    require(all(len(row) == len(data.header) for row in data.rows))


def as_arrays(fields: dict[str, Any], data: Data) -> tuple[Any, dict[str, Any]]:
    """The features and the outcome of a regression as a user of the package would have them."""
    check_table(data)
    model = fields["model"]
    rows = [dict(zip(data.header, row, strict=True)) for row in data.rows]
    features_of(fields, present(model, data), data)
    X = [[number(row[name]) for name in model["features"]] for row in rows]
    encoding = "fractions" if as_written(fields, data) else "dense-float64"
    found = read_parts(model, rows)
    if model["levels"]:
        found["y"] = labels(found["y"], model["levels"])
    plain = {"event", "y"} if model["levels"] else {"event"}
    parts = {part: np.array(values if part in plain else as_floats(values))
             for part, values in found.items() if part != "strata"}  # fmt: skip
    if "strata" in found:
        parts["strata"] = np.array([found["strata"].index(value) for value in found["strata"]])
    return arrays({"encoding": encoding}, X), parts


def labels(cells: list[str], levels: list[Any]) -> list[Any]:
    """The labels in the type that the levels have."""
    if isinstance(levels[0], str):
        return cells
    if isinstance(levels[0], bool):
        return [{"true": True, "false": False}[cell.lower()] for cell in cells]
    return as_floats([number(cell) for cell in cells])


def as_floats(values: list[Any]) -> list[float]:
    """The numbers, if float64 holds each of them."""
    require(all(Fraction(float(value)) == value for value in values))
    return [float(value) for value in values]
