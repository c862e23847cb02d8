"""A certificate as JSON: strict text, exact numbers as strings, a digest, a table of the fields.

Fractions are strings, "p/q" in lowest terms. What is not there is left out, and never null, but for
the name of the label. Conflicts and trees are written as nested lists and objects; reading them
back checks each part.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import lcm
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from novikoff.certificates.cones import cones_of, cones_to_json
from novikoff.certificates.conflicts import Conflict, Fixed, Leaf, Split, Tree
from novikoff.certificates.models.model import RegressionModel
from novikoff.errors import CertificateError, FileError
from novikoff.matrix.problem import exact_text

WRITTEN_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
LONGEST = 100_000  # characters of a number: whoever checks a file must be done some time
BITS = 3.33  # of a digit
LONG = 4000  # digits; above about this many, Python's own conversions refuse
# Digits of numbers over one denominator: for each that writes them, and beside these.
SPREAD, FREE = 1000, 10_000_000
LARGEST = 1 << 30  # bytes of a file


class NoCertificateError(CertificateError):
    """Nothing that could be checked: not JSON, or of another format or version."""


def require(condition: bool, message: str) -> None:
    """Raise `CertificateError` unless the condition holds."""
    if not condition:
        raise CertificateError(message)


def text_of(value: Fraction) -> str:
    """The fraction as "p/q" in lowest terms, or "p" if it is an integer."""
    text = exact_text(value)
    if len(text) > LONGEST:
        raise CertificateError(
            f"a number of {len(text)} characters: a certificate holds at most {LONGEST}."
        )
    return text


def fraction_of(text: object, field: str) -> Fraction:
    """The number that `text` writes; only the one spelling that `text_of` gives is accepted."""
    if isinstance(text, str) and len(text) > LONGEST:
        raise CertificateError(f"{field} has {len(text)} characters; at most {LONGEST} are read.")
    if not isinstance(text, str) or not WRITTEN_FRACTION.fullmatch(text):
        raise CertificateError(f'{field} must be a fraction written as "p/q"; got {_short(text)}.')
    top, _, bottom = text.partition("/")
    denominator = _integer(bottom) if bottom else 1
    value = Fraction(_integer(top), denominator) if denominator else None
    if value is None or text_of(value) != text:
        raise CertificateError(f"{field} is {_short(text)}, not a fraction in lowest terms.")
    return value


def check_together(values: Iterable[Fraction], name: str) -> None:
    """Raise `CertificateError` if these numbers are too long over one denominator.

    What adds them up works with that denominator. Each number may be short, and it long.
    """
    values = list(values)
    common = 1
    for denominator in {value.denominator for value in values}:
        common = lcm(common, denominator)
        if common.bit_length() > BITS * LONGEST:
            raise CertificateError(
                f"{name} have a common denominator of more than {LONGEST} digits: they are not "
                "worked with, because checking them might take for ever."
            )
    pairs = [(v.numerator.bit_length(), v.denominator.bit_length()) for v in values if v]
    written = sum(top + bottom for top, bottom in pairs)
    together = sum(top for top, _ in pairs) + len(pairs) * common.bit_length()
    if common > 1 and together > SPREAD * written + BITS * FREE:
        raise CertificateError(
            f"{name} are {together / BITS:.0f} digits over one denominator, far more than are "
            "written: they are not worked with, because checking them might take for ever."
        )


def _integer(text: str) -> int:
    if len(text) < LONG:
        return int(text)
    from flint import fmpz

    return int(fmpz(text))


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else f"{shown[:37]}…"


def content_digest(fields: Mapping[str, Any]) -> str:
    """SHA-256 of all fields but the digest itself: keys sorted, no spaces, ASCII."""
    content = {key: value for key, value in fields.items() if key != "digest"}
    try:
        text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise CertificateError(f"a certificate holds plain JSON values only: {error}.") from error
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def parse(text: str) -> dict[str, Any]:
    """The fields of a certificate's text; no key twice, no NaN, and an object at the top."""
    try:
        fields = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        if isinstance(error, CertificateError):
            raise
        raise NoCertificateError(f"not a certificate: not JSON ({error}).") from error
    if not isinstance(fields, dict):
        raise NoCertificateError("not a certificate: a JSON object was expected.")
    return fields


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise NoCertificateError(f"the field {key!r} is there twice.")
        fields[key] = value
    return fields


def _refuse(constant: str) -> NoReturn:
    raise NoCertificateError(f"{constant} is not a number that a certificate can hold.")


def check_size(size: int) -> None:
    """Raise `CertificateError` if a file may not have so many bytes."""
    if size > LARGEST:
        raise CertificateError(f"a certificate has at most {LARGEST} bytes: this one has more.")


def read_text(path: Path) -> str:
    """The text of a certificate file."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise FileError(f"cannot read the certificate {path}: {error.strerror}.") from error
    except ValueError as error:  # the name of no file: it has a null byte
        raise FileError(f"cannot read the certificate {str(path)!r}: {error}.") from error
    check_size(len(content))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoCertificateError(f"{path} is not a certificate: not text in UTF-8.") from error


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
    require(isinstance(value, list), "conflicts must be a list.")
    conflicts = []
    for k, item in enumerate(value):
        name = f"conflicts[{k}]"
        is_whole = isinstance(item, Mapping) and item.keys() == {"rows", "alpha", "share"}
        require(is_whole, f"{name} must have rows, alpha and share, and nothing else.")
        rows, alpha = item["rows"], item["alpha"]
        require(
            isinstance(rows, list) and isinstance(alpha, list),
            f"{name}: rows and alpha must be lists.",
        )
        exact = tuple(fraction_of(text, f"{name}.alpha[{i}]") for i, text in enumerate(alpha))
        share = fraction_of(item["share"], f"{name}.share")
        conflicts.append(Conflict(tuple(rows), exact, share))
    return tuple(conflicts)


def tree_of(value: Any, depth: int = 0) -> Tree:
    """The tree that nested objects and lists write."""
    require(depth <= MOST_DEEP, f"tree: more than {MOST_DEEP} rows are split on one way.")
    if isinstance(value, Mapping) and "fixed" in value:
        is_whole = value.keys() == {"fixed", "shares", "then"} and isinstance(value["fixed"], list)
        require(is_whole, "tree: fixed rows must have a list, shares and then, and nothing else.")
        shares, then = _leaf_of(value["shares"]), tree_of(value["then"], depth + 1)
        return Fixed(tuple(value["fixed"]), shares, then)
    if isinstance(value, Mapping):
        require(
            value.keys() == {"row", "right", "wrong"},
            "tree: a split must have row, right and wrong, and nothing else.",
        )
        right, wrong = tree_of(value["right"], depth + 1), tree_of(value["wrong"], depth + 1)
        return Split(value["row"], right, wrong)
    return _leaf_of(value)


def _leaf_of(value: Any) -> Leaf:
    """The shares that a list of pairs writes."""
    require(isinstance(value, list), "tree: it must be a split or a list of shares.")
    leaf = []
    for pair in value:
        require(
            isinstance(pair, list) and len(pair) == 2,
            "tree: a leaf is a list of pairs, a conflict and its share.",
        )
        leaf.append((pair[0], fraction_of(pair[1], "a share in the tree")))
    return tuple(leaf)
