"""The fields of a certificate between Python and JSON: one table says how each is written and read.

Fractions are strings, "p/q" in lowest terms. What is not there is left out, and never null, but for
the name of the label.

Conflicts and trees are written as nested lists and objects; reading them back checks each part.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

from novikoff.certificates.cones import MOST_VECTORS, cones_of, cones_to_json
from novikoff.certificates.conflicts import Conflict, Fixed, Leaf, Split, Tree
from novikoff.certificates.models.model import RegressionModel
from novikoff.certificates.text import check_together, fraction_of, text_of
from novikoff.errors import CertificateError

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate

FRAME = ("format", "version", "digest")  # what a file has beside the fields of a certificate


class Field(NamedTuple):
    """How a field is written as JSON and read back; one that is optional may be left out."""

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    optional: bool = True


def _as_it_is(value: Any, name: str = "") -> Any:  # noqa: ARG001
    return value


def _tuple(value: Any, name: str) -> tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise CertificateError(f"{name} must be a list; got {value!r}.")
    return tuple(value)


def _texts(values: tuple[Fraction, ...]) -> list[str]:
    return [text_of(value) for value in values]


def _fractions(value: Any, name: str) -> tuple[Fraction, ...]:
    return tuple(fraction_of(text, f"{name}[{i}]") for i, text in enumerate(_tuple(value, name)))


PLAIN = Field(_as_it_is, _as_it_is, optional=False)
LISTED = Field(list, _tuple, optional=False)
FRACTIONS = Field(_texts, _fractions)

FIELDS: dict[str, Field] = {
    "kind": PLAIN,
    "n": PLAIN,
    "d": PLAIN,
    "fit_intercept": PLAIN,
    "decimals": PLAIN,
    "encoding": PLAIN,
    "data_sha256": PLAIN,
    "columns": LISTED,
    "label": PLAIN,
    "classes": LISTED,
    "weights": FRACTIONS,
    "intercept": Field(text_of, fraction_of),
    "rows": LISTED._replace(optional=True),
    "alpha": FRACTIONS,
    "proof": PLAIN._replace(optional=True),
    "model": Field(RegressionModel.to_dict, lambda value, _: RegressionModel.from_dict(value)),
    "errors": FRACTIONS,
    "wrong_rows": LISTED._replace(optional=True),
    "conflicts": Field(
        lambda value: [conflict_to_json(conflict) for conflict in value],
        lambda value, _: conflicts_of(value),
    ),
    "row_weights": FRACTIONS,
    "tree": Field(lambda value: tree_to_json(value), lambda value, _: tree_of(value)),
    "cones": Field(cones_to_json, lambda value, _: cones_of(value, fraction_of)),
}


def write_fields(certificate: Any) -> dict[str, Any]:
    """The fields that are there, in the order of the table, as JSON has them."""
    values = {name: getattr(certificate, name) for name in FIELDS}
    return {
        name: None if value is None else FIELDS[name].write(value)
        for name, value in values.items()
        if value is not None or name == "label"
    }


def read_fields(written: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a certificate from those of its file."""
    values = {name: written.get(name) for name in FIELDS}
    fields = {
        name: None if value is None else FIELDS[name].read(value, name)
        for name, value in values.items()
    }
    _check_work(fields)
    return fields


def _check_work(fields: Mapping[str, Any]) -> None:
    """Raise `CertificateError` for numbers that would take very long to add up."""
    intercept = fields["intercept"]
    check_together(
        [*(fields["weights"] or ()), *(() if intercept is None else (intercept,))], "the weights"
    )
    check_together(fields["alpha"] or (), "the α")
    conflicts = fields["conflicts"] or ()
    for k, conflict in enumerate(conflicts):
        check_together(conflict.alpha, f"the α of conflict {k}")
    shares = [conflict.share for conflict in conflicts]
    if fields["tree"] is not None:
        shares += shares_of(fields["tree"])
    if fields["cones"] is not None:
        check_together([v for vector in fields["cones"].vectors for v in vector], "the vectors")
    check_together(
        [*shares, *(fields["row_weights"] or ()), *(fields["errors"] or ())], "the shares"
    )


def check_names_of_fields(written: Mapping[str, Any]) -> None:
    """Raise `CertificateError` for a field that is missing, null, or none of a certificate's."""
    known = {*FRAME, *FIELDS}
    optional = {name for name, field in FIELDS.items() if field.optional}
    for name in sorted(known - optional - written.keys()):
        raise CertificateError(f"the field {name!r} is missing.")
    for name in sorted(optional & written.keys()):
        if written[name] is None:
            raise CertificateError(f"the field {name!r} is null: leave optional fields out.")
    for name in sorted(written.keys() - known):
        raise CertificateError(f"the field {name!r} is not one of a certificate's.")


MOST_DEEP = 500  # rows split on one way of a tree


def _require(condition: bool, message: str) -> None:
    if not condition:
        raise CertificateError(message)


def conflict_to_json(conflict: Conflict) -> dict[str, Any]:
    """A conflict as JSON has it."""
    alpha = [text_of(value) for value in conflict.alpha]
    return {"rows": list(conflict.rows), "alpha": alpha, "share": text_of(conflict.share)}


def tree_to_json(tree: Tree) -> Any:
    """A tree as JSON has it: nested splits and fixed rows, with lists of shares for leaves."""
    if isinstance(tree, Fixed):
        then = tree_to_json(tree.then)
        return {"fixed": list(tree.rows), "shares": tree_to_json(tree.shares), "then": then}
    if isinstance(tree, Split):
        right, wrong = tree_to_json(tree.right), tree_to_json(tree.wrong)
        return {"row": tree.row, "right": right, "wrong": wrong}
    return [[j, text_of(share)] for j, share in tree]


def shares_of(tree: Tree) -> list[Fraction]:
    """The shares in all leaves of a tree."""
    if isinstance(tree, Fixed):
        return [*shares_of(tree.shares), *shares_of(tree.then)]
    if isinstance(tree, Split):
        return [*shares_of(tree.right), *shares_of(tree.wrong)]
    return [share for _, share in tree]


def conflicts_of(value: Any) -> tuple[Conflict, ...]:
    """The conflicts that a list of objects writes."""
    _require(isinstance(value, list), "conflicts must be a list.")
    conflicts = []
    for k, item in enumerate(value):
        name = f"conflicts[{k}]"
        is_whole = isinstance(item, Mapping) and item.keys() == {"rows", "alpha", "share"}
        _require(is_whole, f"{name} must have rows, alpha and share, and nothing else.")
        rows, alpha = item["rows"], item["alpha"]
        _require(
            isinstance(rows, list) and isinstance(alpha, list), f"{name}: two lists are meant."
        )
        exact = tuple(fraction_of(text, f"{name}.alpha[{i}]") for i, text in enumerate(alpha))
        share = fraction_of(item["share"], f"{name}.share")
        conflicts.append(Conflict(tuple(rows), exact, share))
    return tuple(conflicts)


def tree_of(value: Any, depth: int = 0) -> Tree:
    """The tree that nested objects and lists write."""
    _require(depth <= MOST_DEEP, f"tree: more than {MOST_DEEP} rows are split on one way.")
    if isinstance(value, Mapping) and "fixed" in value:
        is_whole = value.keys() == {"fixed", "shares", "then"} and isinstance(value["fixed"], list)
        _require(is_whole, "tree: fixed rows must have a list, shares and then, and nothing else.")
        shares, then = _leaf_of(value["shares"]), tree_of(value["then"], depth + 1)
        return Fixed(tuple(value["fixed"]), shares, then)
    if isinstance(value, Mapping):
        _require(
            value.keys() == {"row", "right", "wrong"},
            "tree: a split must have row, right and wrong, and nothing else.",
        )
        right, wrong = tree_of(value["right"], depth + 1), tree_of(value["wrong"], depth + 1)
        return Split(value["row"], right, wrong)
    return _leaf_of(value)


def _leaf_of(value: Any) -> Leaf:
    """The shares that a list of pairs writes."""
    _require(isinstance(value, list), "tree: a split or a list of shares is meant.")
    leaf = []
    for pair in value:
        _require(
            isinstance(pair, list) and len(pair) == 2,
            "tree: a leaf is a list of pairs, a conflict and its share.",
        )
        leaf.append((pair[0], fraction_of(pair[1], "a share in the tree")))
    return tuple(leaf)


def check_fewest(certificate: "Certificate") -> None:
    """The fields of the fewest errors: all there if that is the kind, none of them if not."""
    needed = ("errors", "wrong_rows", "conflicts")
    values = {
        name: getattr(certificate, name) for name in (*needed, "row_weights", "tree", "cones")
    }
    if certificate.kind != "fewest errors":
        for name, value in values.items():
            _require(value is None, f"a certificate of kind {certificate.kind!r} has no {name}.")
        return
    _require(certificate.model is None, "the fewest errors are those of no regression's rows.")
    for name in needed:
        _require(values[name] is not None, f"a certificate of the fewest errors needs {name}.")
    errors, row_weights = values["errors"], values["row_weights"]
    _require(len(errors) == 2, "errors must be two numbers: at least, and at most.")
    _require(0 <= errors[0] <= errors[1], "errors must not be negative, the lesser one first.")
    if row_weights is not None:
        _require(
            len(row_weights) == certificate.n and min(row_weights) >= 0,
            "row_weights must be one number a row, none of them negative.",
        )
    _check_rows(values["wrong_rows"], "wrong_rows", certificate.n)
    for k, conflict in enumerate(values["conflicts"]):
        _check_conflict(conflict, f"conflicts[{k}]", certificate.n)
    if values["cones"] is not None:
        few = 1 <= len(values["cones"].vectors) <= MOST_VECTORS
        _require(few, f"cones.vectors must be 1 to {MOST_VECTORS} lists of numbers.")
    if values["tree"] is not None:
        _check_tree(values["tree"], certificate.n, len(values["conflicts"]))


def _check_rows(rows: tuple[Any, ...], name: str, n: int) -> None:
    for i, row in enumerate(rows):
        _require(
            type(row) is int and 0 <= row < n,
            f"{name}[{i}] is {row!r}; rows are counted from 0 to n − 1 = {n - 1}.",
        )
        _require(i == 0 or rows[i - 1] < row, f"{name}: rows must be distinct, in order.")


def _check_conflict(conflict: Conflict, name: str, n: int) -> None:
    _require(len(conflict.rows) > 0, f"{name}: rows is empty.")
    _check_rows(conflict.rows, f"{name}.rows", n)
    _require(len(conflict.rows) == len(conflict.alpha), f"{name}: one alpha a row is needed.")
    _require(min(conflict.alpha) > 0, f"{name}: an alpha is not positive.")
    _require(conflict.share >= 0, f"{name}: the share is negative.")


def _check_tree(tree: Tree, n: int, n_conflicts: int) -> None:
    if isinstance(tree, Split):
        _check_rows((tree.row,), "tree.row", n)
        _check_tree(tree.right, n, n_conflicts)
        _check_tree(tree.wrong, n, n_conflicts)
        return
    if isinstance(tree, Fixed):
        _require(len(tree.rows) > 0, "tree.fixed is empty.")
        _check_rows(tree.rows, "tree.fixed", n)
        _check_tree(tree.shares, n, n_conflicts)
        _check_tree(tree.then, n, n_conflicts)
        return
    seen: set[Any] = set()
    for j, share in tree:
        _require(
            type(j) is int and 0 <= j < n_conflicts and j not in seen,
            f"tree: {j!r} is no conflict, or is twice in a leaf.",
        )
        _require(share > Fraction(0), "tree: a share is not positive.")
        seen.add(j)
