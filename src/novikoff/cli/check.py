"""`novikoff check`: the verdict, the certificate, the explanation, the next step."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import COULD_NOT, NO, OK, command
from novikoff.cli.deciding import decide, with_label
from novikoff.cli.options import Columns, FileArgument, Layout, Output
from novikoff.cli.reading import read_table
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.data.table import Table
    from novikoff.separability.verdict import Verdict


class Word(StrEnum):
    """The verdicts that can be expected."""

    separable = "separable"
    touching = "touching"
    overlapping = "overlapping"


NEXT = {
    "separable": "novikoff fit learns a separator; novikoff plot separator shows this one.",
    "touching": "drop or merge the columns named above, or penalise; see the explanation.",
    "overlapping": "try --lift degree=2, or novikoff fit --learner pocket for the fewest errors.",
    "undecided": "follow the advice above.",
}


@command
def check(
    file: FileArgument,
    certificate: Annotated[
        Path | None, typer.Option(metavar="PATH", help="Write the proof there, as JSON.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write a page for people there, as one HTML file."),
    ] = None,
    expect: Annotated[
        Word | None,
        typer.Option(
            metavar="VERDICT",
            help="separable, touching or overlapping: exit with status 1 if it is another.",
        ),
    ] = None,
    intercept: Annotated[
        bool,
        typer.Option(
            "--intercept/--no-intercept", metavar="", help="Whether the plane may miss the origin."
        ),
    ] = True,
    exact: Annotated[
        bool,
        typer.Option("--exact", metavar="", help="Insist on exact numbers, whatever they cost."),
    ] = False,
    *,
    columns: Columns,
    layout: Layout,
    output: Output,
) -> int:
    """Decide whether a hyperplane separates the two classes, and prove it either way.

    Exit status: 0 a verdict was proven, 1 it is not the one of --expect, 2 none could be given.
    """
    screen = Screen(output.json, output.quiet)
    table = read_table(file, columns, layout, screen)
    verdict = decide(table, intercept and table.fit_intercept, exact, screen)
    _write(verdict, table, certificate, report, screen)
    _show(verdict, table, certificate, report, screen)
    if verdict.word == "undecided":
        return COULD_NOT
    return OK if expect is None or expect.value == verdict.word else NO


def _write(
    verdict: "Verdict",
    table: "Table",
    certificate: Path | None,
    report: Path | None,
    screen: Screen,
) -> None:
    from novikoff.files import write_text

    if certificate is not None:
        write_text(certificate, with_label(verdict.certificate(), table).to_json())
        screen.say(f"certificate: {certificate} (novikoff verify {certificate} {table.source})")
    if report is not None:
        _write_report(verdict, table, certificate, report)
        screen.say(f"report: {report}")


def _write_report(
    verdict: "Verdict", table: "Table", certificate: Path | None, report: Path
) -> None:
    from novikoff.report.page import page, write_page

    proof = None
    if verdict.word != "undecided":
        proof = with_label(verdict.certificate(), table)
    where = certificate or Path("certificate.json")
    content = page(
        verdict,
        verdict.explain(),
        source=table.source,
        steps=table.notes,
        certificate=proof,
        commands=[f"novikoff verify {where} {table.source}"],
    )
    write_page(report, content)


def _show(
    verdict: "Verdict",
    table: "Table",
    certificate: Path | None,
    report: Path | None,
    screen: Screen,
) -> None:
    explanation = None if verdict.word == "undecided" else verdict.explain()
    screen.show(verdict)
    if explanation is not None:
        screen.show(explanation)
    screen.show(f"next: {NEXT[verdict.word]}")
    document: dict[str, Any] = {
        "file": table.source,
        "label": table.label,
        "notes": list(table.notes),
        **verdict.to_dict(),
        "explanation": None if explanation is None else explanation.to_dict(),
        "certificate": None if certificate is None else str(certificate),
        "report": None if report is None else str(report),
    }
    screen.document(document)
