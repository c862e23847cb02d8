"""`novikoff verify`: whether a certificate proves what it says about a file."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import NO, OK, command
from novikoff.cli.options import ColumnOptions, FileArgument, LayoutOptions, Output
from novikoff.cli.reading import ClusterOption, connected, is_elsewhere, read_table, scanned
from novikoff.cli.regression import read_parts
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate
    from novikoff.certificates.verify import Verification
    from novikoff.data.table import Table


@command
def verify(
    certificate: Annotated[
        Path,
        typer.Argument(metavar="CERTIFICATE", help="A certificate file, from check or diagnose."),
    ],
    file: FileArgument,
    *,
    cluster: ClusterOption = None,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
) -> int:
    """Check a certificate against the data it speaks of, exactly, without trusting who made it.

    The label and the columns are those of the certificate; give the options that check or diagnose
    was given if it made columns of its own (--categorical, --formula, --lift, --standardise) or
    left out rows (--drop-missing, --weights): it printed them with the certificate.

    Exit status: 0 valid, 1 not valid, 2 it could not be checked.
    """
    from novikoff.certificates.certificate import Certificate
    from novikoff.certificates.fields import NoCertificateError
    from novikoff.certificates.verify import Verification
    from novikoff.certificates.verify import verify as verify_certificate
    from novikoff.errors import CertificateError

    screen = Screen(output.json, output.quiet)
    try:
        claim = Certificate.load(certificate)
    except NoCertificateError:
        raise  # status 2: there is nothing that could be checked
    except CertificateError as error:
        return _answer(screen, certificate, file, Verification(False, str(error)))
    if is_elsewhere(file, cluster, columns):
        with connected(cluster, screen):
            about_model = claim.model is not None
            options = (_options_of_model if about_model else _options_from_certificate)(
                claim, columns
            )
            scan = scanned(file, columns, layout, **options)
            return _answer(screen, certificate, file, verify_certificate(claim, scan))
    if claim.model is not None:
        return _answer(screen, certificate, file, _regression(claim, file, columns, layout))
    table = read_for_certificate(file, columns, layout, screen, claim)
    with screen.working("checking"):
        verification = verify_certificate(claim, table.X, table.y)
    verification = replace(verification, claim=(*verification.claim, *_left_out(table)))
    return _answer(screen, certificate, file, verification)


def read_for_certificate(
    file: str, columns: ColumnOptions, layout: LayoutOptions, screen: Screen, claim: "Certificate"
) -> "Table":
    """The data that is meant: columns by name, or all of them for a certificate without names."""
    from novikoff.errors import DataError
    from novikoff.matrix.problem import default_names

    options = _options_from_certificate(claim, columns)
    try:
        return read_table(file, columns, layout, screen, **options)
    except DataError:
        if options.pop("features", None) != default_names(claim.d) or file == "-":
            raise
        return read_table(file, columns, layout, screen, **options)


def _regression(
    claim: "Certificate", file: str, columns: ColumnOptions, layout: LayoutOptions
) -> "Verification":
    """The check of a certificate about a regression, whose columns it names."""
    from novikoff.certificates.verify import verify as verify_certificate

    assert claim.model is not None
    made = columns.codes_columns or columns.formula or columns.features or columns.drop
    features = None if made else claim.model.features
    taken = read_parts(file, layout, dict(claim.model.columns), columns, features)
    return verify_certificate(claim, taken.X, **taken.parts)


def _options_from_certificate(claim: "Certificate", columns: ColumnOptions) -> dict[str, Any]:
    """What the certificate says about label, classes and columns, where the user says nothing."""
    from novikoff.data.labels import rest

    options: dict[str, Any] = {}
    negative, positive = claim.classes
    if columns.label is None and columns.formula is None and claim.label is not None:
        options["label"] = claim.label
    if columns.positive is None and columns.classes is None:
        options["positive"] = positive
        options["classes"] = None if negative == rest(positive) else claim.classes
    if columns.features is None and columns.drop is None and not columns.makes_columns:
        options["features"] = claim.columns
    return options


def _options_of_model(claim: "Certificate", columns: ColumnOptions) -> dict[str, Any]:
    """What a certificate about a regression says of its columns, for a scan."""
    assert claim.model is not None
    named, options = claim.model.columns, dict[str, Any]()
    if columns.label is None and columns.formula is None and "y" in named:
        options["label"] = named["y"]
    if columns.weights is None and "weights" in named:
        options["weights"] = named["weights"]
    made = columns.codes_columns or columns.formula or columns.features or columns.drop
    if not made:
        options["features"] = claim.model.features
    return options


def _left_out(table: "Table") -> list[str]:
    """The columns and the rows of the file that the claim is not about."""
    lines = [f"columns left out: {', '.join(map(repr, table.left_out)) or 'none'}"]
    if table.rows is not None:
        kept = set(table.rows.tolist())
        rows = [str(row) for row in range(table.file_rows) if row not in kept]
        lines.append(f"rows of the file left out: {', '.join(rows)}")
    return lines


def _answer(screen: Screen, certificate: Path, file: str, verification: "Verification") -> int:
    screen.show(str(verification))
    screen.document(
        {
            "certificate": str(certificate),
            "file": file,
            "valid": verification.valid,
            "reason": verification.reason,
            "claim": list(verification.claim),
        }
    )
    return OK if verification else NO
