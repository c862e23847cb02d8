"""The fields of a certificate between Python and JSON: one table says how each is written and read.

Fractions are strings, "p/q" in lowest terms. What is not there is left out, and never null, but for
the name of the label.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from novikoff.certificates.conflict_fields import (
    conflict_to_json,
    conflicts_of,
    shares_of,
    tree_of,
    tree_to_json,
)
from novikoff.certificates.text import check_together, fraction_of, text_of
from novikoff.errors import CertificateError
from novikoff.regressions.model import Model

__all__ = ["FIELDS", "Field", "check_names_of_fields", "read_fields", "write_fields"]

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
    "model": Field(Model.to_dict, lambda value, _: Model.from_dict(value)),
    "errors": FRACTIONS,
    "wrong_rows": LISTED._replace(optional=True),
    "conflicts": Field(
        lambda value: [conflict_to_json(conflict) for conflict in value],
        lambda value, _: conflicts_of(value),
    ),
    "row_weights": FRACTIONS,
    "tree": Field(tree_to_json, lambda value, _: tree_of(value)),
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
            raise CertificateError(f"the field {name!r} is null: what is not there is left out.")
    for name in sorted(written.keys() - known):
        raise CertificateError(f"the field {name!r} is not one of a certificate's.")
