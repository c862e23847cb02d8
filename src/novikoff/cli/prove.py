"""`novikoff prove`: a verdict or a certificate as a theorem about the file, for Coq to check."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from novikoff.cli.command import COULD_NOT, OK, command
from novikoff.cli.decision import decide
from novikoff.cli.files import PlaneIntercept, refuse_overwrite
from novikoff.cli.options import ColumnOptions, FileArgument, LayoutOptions, Output, Writing
from novikoff.cli.reading import read_table
from novikoff.cli.screen import Screen
from novikoff.cli.verify import read_for_certificate

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate
    from novikoff.data.table import Table


@command
def prove(
    file: FileArgument,
    *,
    out: Annotated[
        Path, typer.Option(metavar="PATH", help="Where the proof goes: a file for coqc.")
    ],
    certificate: Annotated[
        Path | None,
        typer.Option(
            metavar="PATH", help="Prove what this certificate claims; decide nothing anew."
        ),
    ] = None,
    intercept: PlaneIntercept = True,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", metavar="", help="Always work out exact numbers, however long it takes."
        ),
    ] = False,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> int:
    """Write the verdict as a theorem with its proof, which Coq checks by itself: coqc PATH.

    The file holds the rows that matter, the certificate and the theory it rests on. What it would
    cost to check a large one is said before it is written.

    Exit status: 0 the proof was written, 2 there is none.
    """
    from novikoff.certificates.certificate import Certificate

    screen = Screen(output.json, output.quiet)
    inputs = [file] if certificate is None else [file, str(certificate)]
    refuse_overwrite({"--out": out}, inputs, writing.force)
    if certificate is not None:
        claim = Certificate.load(certificate)
        table = read_for_certificate(file, columns, layout, screen, claim)
        return _write(claim, table, out, screen)
    table = read_table(file, columns, layout, screen)
    verdict = decide(table, intercept and table.fit_intercept, exact, screen)
    screen.show(f"{verdict.word}: {verdict.headline}")
    if verdict.word == "undecided":
        screen.show(verdict)
        return COULD_NOT
    with screen.working("working out exact numbers"):
        claim = verdict.certificate(label=table.label, exact=True)
    return _write(claim, table, out, screen)


def _write(certificate: "Certificate", table: "Table", out: Path, screen: Screen) -> int:
    from novikoff.certificates.coq.write import to_coq

    with screen.working("writing the proof"):
        proof = to_coq(certificate, table.X, table.y, out)
    screen.show(f"proof: {out}, {proof.rows} of {table.n} rows; {proof.cost}.")
    screen.show(f"next: coqc {out} says: Closed under the global context")
    screen.document(
        {
            "file": table.source,
            "label": table.label,
            "kind": certificate.kind,
            "proof": str(out),
            "rows": proof.rows,
            "of_rows": table.n,
            "numbers": proof.cost.numbers,
            "seconds": proof.cost.seconds,
            "gigabytes": proof.cost.gigabytes,
            "data_sha256": certificate.data_sha256,
        }
    )
    return OK
