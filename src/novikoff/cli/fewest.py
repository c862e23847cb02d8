"""`novikoff fewest`: how close a hyperplane can come, proven at both ends."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import command
from novikoff.cli.files import Documents, PlaneIntercept, shown_command, shown_name
from novikoff.cli.options import ColumnOptions, FileArgument, LayoutOptions, Output, Writing
from novikoff.cli.reading import options_for_verify, read_table
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.data.table import Table
    from novikoff.separability.fewest.result import FewestErrors

MINUTE = 60.0


@command
def fewest(
    file: FileArgument,
    *,
    time_limit: Annotated[
        float,
        typer.Option(metavar="SECONDS", help="How long to search; what was found is then proven."),
    ] = MINUTE,
    documents: Documents,
    alternatives: Annotated[
        bool,
        typer.Option(
            "--alternatives",
            metavar="",
            help="Look for other sets of wrong rows, and prove which rows are wrong in all.",
        ),
    ] = False,
    intercept: PlaneIntercept = True,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> None:
    """Find the fewest errors that any hyperplane makes, and prove that there are no fewer.

    An error is a row that is not strictly on its own side. The rows that the best plane gets wrong
    are candidates for wrong labels. With --weights a row counts its weight.

    If the two bounds do not meet in time, the interval between them is what is claimed.
    """
    screen = Screen(output.json, output.quiet)
    documents.refuse_overwrite(file, writing.force)
    table = read_table(file, columns, layout, screen)
    found = fewest_of(table, intercept and table.fit_intercept, time_limit, screen)
    others = None
    if alternatives:
        with screen.working("looking for other sets of wrong rows"):
            others = found.alternatives().numbered(found.problem)
    verify_arguments = [file, *options_for_verify(columns, layout)]
    if documents.certificate is not None:
        proof = replace(found.certificate(), label=table.label)
        documents.write_certificate(proof, verify_arguments, screen)
    if documents.report is not None:
        from novikoff.report.page import write_page
        from novikoff.report.pages import fewest_page

        verify = documents.verify_command(verify_arguments)
        content = fewest_page(
            found,
            source=shown_name(table.source),
            steps=table.notes,
            commands=[shown_command(verify)],
        )
        write_page(documents.report, content)
        screen.say(f"report: {documents.report}")
    screen.show(found, found.explain())
    if others is not None:
        screen.show(str(others))
    screen.document(_document(table, found, others) | documents.paths)


def fewest_of(
    table: "Table", fit_intercept: bool, time_limit: float, screen: Screen
) -> "FewestErrors":
    """Ask `novikoff.fewest_errors`, and let the answer speak of the classes as the file does."""
    from novikoff.separability.fewest.api import fewest_errors

    found = fewest_errors(
        table.X,
        table.signs,
        fit_intercept=fit_intercept,
        weights=table.weights,
        time_limit=time_limit,
        decimals=table.decimals,
        names=table.names,
        progress=screen.animated,
    )
    return replace(found, problem=table.as_in_file(found.problem))


def _document(table: "Table", found: "FewestErrors", others: Any) -> dict[str, Any]:
    return {
        "file": table.source,
        "label": table.label,
        "notes": list(table.notes),
        **found.to_dict(),
        "explanation": found.explain(),
        "alternatives": None if others is None else others.to_dict(),
    }
