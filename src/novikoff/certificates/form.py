"""The form of a certificate: every field of its type and in its range, and none that contradict."""

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from novikoff.certificates.cones import MOST_VECTORS
from novikoff.certificates.conflicts import Conflict, Fixed, Split, Tree
from novikoff.certificates.fields import require
from novikoff.certificates.models.model import (
    LEVELLED,
    PARTS,
    SUMMED,
    TWO_CLASSES,
    WITH_INTERCEPT,
    RegressionModel,
)
from novikoff.certificates.models.question import coefficient_count, coefficient_names
from novikoff.exact.rational import nearest_float
from novikoff.matrix.digest import ENCODINGS

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate

Kind: TypeAlias = Literal["separable", "touching", "overlapping", "not separable", "fewest errors"]
KINDS: tuple[Kind, ...] = get_args(Kind)
WITH_WEIGHTS = ("separable", "touching", "fewest errors")
WITH_ALPHA = ("touching", "overlapping", "not separable")
FLOATING = "floating point"
HEXADECIMAL = re.compile(r"[0-9a-f]{64}")


def check_data(certificate: "Certificate") -> None:
    """Check the description of the data: sizes, flags, names, hash."""
    kind, encoding = certificate.kind, certificate.encoding
    require(kind in KINDS, f"kind is {kind!r}; it must be one of {', '.join(KINDS)}.")
    for name in ("n", "d"):
        size = getattr(certificate, name)
        require(type(size) is int and size > 0, f"{name} must be a positive integer; got {size!r}.")
    for name in ("fit_intercept", "decimals"):
        flag = getattr(certificate, name)
        require(type(flag) is bool, f"{name} must be true or false; got {flag!r}.")
    require(
        encoding in ENCODINGS,
        f"encoding is {encoding!r}; it must be one of {', '.join(ENCODINGS)}.",
    )
    require(
        isinstance(certificate.data_sha256, str)
        and HEXADECIMAL.fullmatch(certificate.data_sha256) is not None,
        "data_sha256 must be 64 hexadecimal digits.",
    )
    columns, label, classes = certificate.columns, certificate.label, certificate.classes
    require(
        isinstance(columns, tuple) and all(isinstance(name, str) for name in columns),
        "columns must be a list of names.",
    )
    require(
        len(columns) == certificate.d,
        f"d is {certificate.d}, but there are {len(columns)} columns.",
    )
    require(len(set(columns)) == len(columns), "two columns have the same name.")
    require(label is None or isinstance(label, str), "label must be a column's name or null.")
    require(label not in columns, f"the label {label!r} is one of the columns.")
    require(
        isinstance(classes, tuple)
        and len(classes) == 2
        and type(classes[0]) is type(classes[1])
        and isinstance(classes[0], (str, int, float))
        and all(not isinstance(name, float) or math.isfinite(name) for name in classes)
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
    require(name in WITH_INTERCEPT or not model.intercept, f"a {name} model has no intercept.")
    as_printed = model.decimals and name not in SUMMED
    require(certificate.decimals == as_printed, "decimals and the model's decimals do not agree.")
    require((model.ties is not None) == (name == "cox"), "ties are those of a cox model.")
    for part in parts:
        require(name in PARTS[part], f"a {name} model has no {part}.")
    for column in model.features:
        require(column not in parts.values(), f"{column!r} is a feature and of the outcome.")
    require(len(set(model.features)) == len(model.features), "two features have the same name.")
    label = certificate.label
    require(label in (None, parts.get("y", label)), "the label is not the model's column y.")
    require(
        certificate.d == coefficient_count(model)  # there may be too many to name
        and certificate.columns == coefficient_names(model),
        f"columns are not the coefficients of the model {model.name!r}.",
    )
    require(
        not certificate.fit_intercept and repr(certificate.classes) == "(-1, 1)",
        "the rows of a model are all of class 1 of [-1, 1], and fit_intercept is false.",
    )


def _check_levels(model: RegressionModel) -> None:
    """The levels of an outcome of classes: different ones, of one kind; none for other models."""
    levels, name = model.levels, model.name
    if name not in LEVELLED:
        require(not levels, f"a {name} model has no levels.")
        return
    two = name in (*TWO_CLASSES, "conditional")
    require(len(levels) == 2 if two else len(levels) >= 2, f"not the levels of a {name} model.")
    kinds = {type(level) if isinstance(level, (str, bool)) else float for level in levels}
    require(
        len(kinds) == 1 and len(set(levels)) == len(levels),
        "levels must be different labels of one kind.",
    )


def check_weights(certificate: "Certificate") -> None:
    """The separator: there if the kind has one, one weight a column."""
    weights, intercept = certificate.weights, certificate.intercept
    if certificate.kind not in WITH_WEIGHTS:
        none = weights is None and intercept is None
        require(
            none, f"a certificate of kind {certificate.kind!r} has no weights and no intercept."
        )
        return
    require(
        weights is not None and intercept is not None,
        f"a certificate of kind {certificate.kind!r} needs weights and intercept.",
    )
    assert weights is not None
    require(
        len(weights) == certificate.d,
        f"d is {certificate.d}, but there are {len(weights)} weights.",
    )
    require(
        certificate.fit_intercept or intercept == 0,
        "there is an intercept, and fit_intercept is false.",
    )


def check_alpha(certificate: "Certificate") -> None:
    """The multipliers: there if the kind has them, positive, on distinct rows in order."""
    rows, alpha = certificate.rows, certificate.alpha
    if certificate.kind not in WITH_ALPHA:
        none = rows is None and alpha is None
        require(none, f"a certificate of kind {certificate.kind!r} has no rows and no alpha.")
        require(certificate.proof is None, "a separator needs no proof in floating point.")
        return
    require(
        rows is not None and alpha is not None,
        f"a certificate of kind {certificate.kind!r} needs rows and alpha.",
    )
    assert rows is not None
    assert alpha is not None
    require(len(rows) > 0, "rows is empty.")
    require(len(rows) == len(alpha), f"there are {len(rows)} rows, but {len(alpha)} alphas.")
    _check_rows(rows, "rows", certificate.n)
    for i, value in enumerate(alpha):
        require(value > 0, f"alpha[{i}] is not positive.")
    proof = certificate.proof
    require(proof in (None, FLOATING), f"proof is {proof!r}; it can only be {FLOATING!r}.")
    if proof is not None:
        require(
            certificate.kind == "overlapping", "a proof in floating point is for overlapping only."
        )
        require(
            all(nearest_float(value) == value for value in alpha),
            "a proof in floating point has an alpha of float64 numbers.",
        )


def check_fewest(certificate: "Certificate") -> None:
    """The fields of the fewest errors: all there if that is the kind, none of them if not."""
    needed = ("errors", "wrong_rows", "conflicts")
    values = {
        name: getattr(certificate, name) for name in (*needed, "row_weights", "tree", "cones")
    }
    if certificate.kind != "fewest errors":
        for name, value in values.items():
            require(value is None, f"a certificate of kind {certificate.kind!r} has no {name}.")
        return
    require(certificate.model is None, "the fewest errors are those of no regression's rows.")
    for name in needed:
        require(values[name] is not None, f"a certificate of the fewest errors needs {name}.")
    errors, row_weights = values["errors"], values["row_weights"]
    require(len(errors) == 2, "errors must be two numbers: at least, and at most.")
    require(0 <= errors[0] <= errors[1], "errors must not be negative, the lesser one first.")
    if row_weights is not None:
        require(
            len(row_weights) == certificate.n and min(row_weights) >= 0,
            "row_weights must be one number a row, none of them negative.",
        )
    _check_rows(values["wrong_rows"], "wrong_rows", certificate.n)
    for k, conflict in enumerate(values["conflicts"]):
        _check_conflict(conflict, f"conflicts[{k}]", certificate.n)
    if values["cones"] is not None:
        few = 1 <= len(values["cones"].vectors) <= MOST_VECTORS
        require(few, f"cones.vectors must be 1 to {MOST_VECTORS} lists of numbers.")
    if values["tree"] is not None:
        _check_tree(values["tree"], certificate.n, len(values["conflicts"]))


def _check_rows(rows: tuple[Any, ...], name: str, n: int) -> None:
    for i, row in enumerate(rows):
        require(
            type(row) is int and 0 <= row < n,
            f"{name}[{i}] is {row!r}; rows are counted from 0 to n − 1 = {n - 1}.",
        )
        require(
            i == 0 or rows[i - 1] < row, f"{name}[{i}] is {row}: rows must be distinct, in order."
        )


def _check_conflict(conflict: Conflict, name: str, n: int) -> None:
    require(len(conflict.rows) > 0, f"{name}: rows is empty.")
    _check_rows(conflict.rows, f"{name}.rows", n)
    require(len(conflict.rows) == len(conflict.alpha), f"{name}: one alpha a row is needed.")
    require(min(conflict.alpha) > 0, f"{name}: an alpha is not positive.")
    require(conflict.share >= 0, f"{name}: the share is negative.")


def _check_tree(tree: Tree, n: int, n_conflicts: int) -> None:
    if isinstance(tree, Split):
        _check_rows((tree.row,), "tree.row", n)
        _check_tree(tree.right, n, n_conflicts)
        _check_tree(tree.wrong, n, n_conflicts)
        return
    if isinstance(tree, Fixed):
        require(len(tree.rows) > 0, "tree.fixed is empty.")
        _check_rows(tree.rows, "tree.fixed", n)
        _check_tree(tree.shares, n, n_conflicts)
        _check_tree(tree.then, n, n_conflicts)
        return
    seen: set[Any] = set()
    for j, share in tree:
        require(
            type(j) is int and 0 <= j < n_conflicts and j not in seen,
            f"tree: {j!r} is not a conflict, or is twice in a leaf.",
        )
        require(share > Fraction(0), "tree: a share is not positive.")
        seen.add(j)
