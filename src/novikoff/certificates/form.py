"""The form of a certificate: every field of its type and in its range, and none that contradict."""

import math
import re
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from novikoff.certificates.models.model import (
    LEVELLED,
    PARTS,
    TWO_CLASSES,
    WITH_INTERCEPT,
    RegressionModel,
)
from novikoff.certificates.models.question import coefficient_names
from novikoff.errors import CertificateError
from novikoff.exact.rounding import nearest_float
from novikoff.matrix.digest import ENCODINGS

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate

Kind: TypeAlias = Literal["separable", "touching", "overlapping", "not separable", "fewest errors"]
KINDS: tuple[Kind, ...] = get_args(Kind)
WITH_WEIGHTS = ("separable", "touching", "fewest errors")
WITH_ALPHA = ("touching", "overlapping", "not separable")
FLOATING = "floating point"
HEXADECIMAL = re.compile(r"[0-9a-f]{64}")


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise CertificateError(message)


def check_data(certificate: "Certificate") -> None:
    """What the certificate says about its data: sizes, flags, names, hash."""
    kind, encoding = certificate.kind, certificate.encoding
    _require(kind in KINDS, f"kind is {kind!r}; it must be one of {', '.join(KINDS)}.")
    for name in ("n", "d"):
        size = getattr(certificate, name)
        _require(
            type(size) is int and size > 0, f"{name} must be a positive integer; got {size!r}."
        )
    for name in ("fit_intercept", "decimals"):
        flag = getattr(certificate, name)
        _require(type(flag) is bool, f"{name} must be true or false; got {flag!r}.")
    _require(
        encoding in ENCODINGS,
        f"encoding is {encoding!r}; it must be one of {', '.join(ENCODINGS)}.",
    )
    _require(
        isinstance(certificate.data_sha256, str)
        and HEXADECIMAL.fullmatch(certificate.data_sha256) is not None,
        "data_sha256 must be 64 hexadecimal digits.",
    )
    columns, label, classes = certificate.columns, certificate.label, certificate.classes
    _require(
        isinstance(columns, tuple) and all(isinstance(name, str) for name in columns),
        "columns must be a list of names.",
    )
    _require(
        len(columns) == certificate.d,
        f"d is {certificate.d}, but there are {len(columns)} columns.",
    )
    _require(len(set(columns)) == len(columns), "two columns have the same name.")
    _require(label is None or isinstance(label, str), "label must be a column's name or null.")
    _require(label not in columns, f"the label {label!r} is one of the columns.")
    _require(
        isinstance(classes, tuple)
        and len(classes) == 2
        and type(classes[0]) is type(classes[1])
        and isinstance(classes[0], (str, int, float))
        and all(isinstance(name, str) or math.isfinite(name) for name in classes)
        and classes[0] != classes[1],
        "classes must be two different labels of one kind.",
    )


def check_model(certificate: "Certificate") -> None:
    """The regression, if there is one: its coefficients are the columns."""
    model = certificate.model
    if model is None:
        return
    _check_levels(model)
    name, parts = model.name, model.columns
    _require(name in WITH_INTERCEPT or not model.intercept, f"a {name} model has no intercept.")
    as_printed = model.decimals and name not in ("conditional", "cox")  # differences are exact
    _require(certificate.decimals == as_printed, "decimals and the model's decimals do not agree.")
    _require((model.ties is not None) == (name == "cox"), "ties are those of a cox model.")
    for part in parts:
        _require(name in PARTS[part], f"a {name} model has no {part}.")
    for column in model.features:
        _require(column not in parts.values(), f"{column!r} is a feature and of the outcome.")
    _require(len(set(model.features)) == len(model.features), "two features have the same name.")
    label = certificate.label
    _require(label in (None, parts.get("y", label)), "the label is not the model's column y.")
    _require(
        certificate.columns == coefficient_names(model),
        f"columns are not the coefficients of the model {model.name!r}.",
    )
    _require(
        not certificate.fit_intercept and repr(certificate.classes) == "(-1, 1)",
        "the rows of a model are all of class 1 of [-1, 1], and fit_intercept is false.",
    )


def _check_levels(model: RegressionModel) -> None:
    """The levels of an outcome of classes: different ones, of one kind; none for other models."""
    levels, name = model.levels, model.name
    if name not in LEVELLED:
        _require(not levels, f"a {name} model has no levels.")
        return
    two = name in (*TWO_CLASSES, "conditional")
    _require(len(levels) == 2 if two else len(levels) >= 2, f"not the levels of a {name} model.")
    kinds = {type(level) if isinstance(level, (str, bool)) else float for level in levels}
    _require(
        len(kinds) == 1 and len(set(levels)) == len(levels),
        "levels must be different labels of one kind.",
    )


def check_weights(certificate: "Certificate") -> None:
    """The separator: there if the kind has one, one weight a column."""
    weights, intercept = certificate.weights, certificate.intercept
    if certificate.kind not in WITH_WEIGHTS:
        none = weights is None and intercept is None
        _require(
            none, f"a certificate of kind {certificate.kind!r} has no weights and no intercept."
        )
        return
    _require(
        weights is not None and intercept is not None,
        f"a certificate of kind {certificate.kind!r} needs weights and intercept.",
    )
    assert weights is not None
    _require(
        len(weights) == certificate.d,
        f"d is {certificate.d}, but there are {len(weights)} weights.",
    )
    _require(
        certificate.fit_intercept or intercept == 0,
        "there is an intercept, and fit_intercept is false.",
    )


def check_alpha(certificate: "Certificate") -> None:
    """The multipliers: there if the kind has them, positive, on distinct rows in order."""
    rows, alpha = certificate.rows, certificate.alpha
    if certificate.kind not in WITH_ALPHA:
        none = rows is None and alpha is None
        _require(none, f"a certificate of kind {certificate.kind!r} has no rows and no alpha.")
        _require(certificate.proof is None, "a separator needs no proof in floating point.")
        return
    _require(
        rows is not None and alpha is not None,
        f"a certificate of kind {certificate.kind!r} needs rows and alpha.",
    )
    assert rows is not None
    assert alpha is not None
    _require(len(rows) > 0, "rows is empty.")
    _require(len(rows) == len(alpha), f"there are {len(rows)} rows, but {len(alpha)} alphas.")
    for i, row in enumerate(rows):
        _require(
            type(row) is int and 0 <= row < certificate.n,
            f"rows[{i}] is {row!r}; rows are counted from 0 to n − 1 = {certificate.n - 1}.",
        )
        _require(
            i == 0 or rows[i - 1] < row, f"rows[{i}] is {row}: rows must be distinct, in order."
        )
    for i, value in enumerate(alpha):
        _require(value > 0, f"alpha[{i}] is not positive.")
    proof = certificate.proof
    _require(proof in (None, FLOATING), f"proof is {proof!r}; it can only be {FLOATING!r}.")
    if proof is not None:
        _require(
            certificate.kind == "overlapping", "a proof in floating point is for overlapping only."
        )
        _require(
            all(nearest_float(value) == value for value in alpha),
            "a proof in floating point has an alpha of float64 numbers.",
        )
