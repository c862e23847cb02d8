"""`novikoff diagnose`: whether a regression's estimate exists, and what to do if not."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.command import COULD_NOT, NO, OK, command
from novikoff.cli.documents import Documents, shown_command, shown_name
from novikoff.cli.options import FileArgument, Layout, Output, Writing
from novikoff.cli.reading import split_list
from novikoff.cli.regression import (
    Model,
    Parts,
    Ties,
    column_options,
    options_of_regression,
    outcome_of,
    read_parts,
)
from novikoff.cli.screen import Screen
from novikoff.files import write_text

if TYPE_CHECKING:
    from novikoff.separation.firth import FirthRow
    from novikoff.separation.separation import Separation
    from novikoff.separation.table import Taken


# The answers that can be expected.
Kind = Literal["none", "quasi-complete", "complete"]


@command
def diagnose(
    file: FileArgument,
    *,
    model: Annotated[
        Model,
        typer.Option(
            metavar="MODEL",
            help="logit, probit, cloglog, binomial, poisson, negative-binomial, multinomial, "
            "ordinal, conditional or cox.",
        ),
    ] = "logit",
    ties: Annotated[
        Ties, typer.Option(metavar="RULE", help="For cox: breslow, efron or exact.")
    ] = "breslow",
    documents: Documents,
    expect: Annotated[
        Kind | None,
        typer.Option(
            metavar="KIND",
            help="none, quasi-complete or complete: exit with status 1 if it is another.",
        ),
    ] = None,
    fit: Annotated[
        bool,
        typer.Option("--fit", metavar="", help="Fit what stays finite (needs statsmodels)."),
    ] = False,
    firth: Annotated[
        bool,
        typer.Option("--firth", metavar="", help="Fit with Firth's penalty (needs firthmodels)."),
    ] = False,
    intercept: Annotated[
        bool,
        typer.Option(
            "--intercept/--no-intercept", metavar="", help="Whether to add a constant, if none is."
        ),
    ] = True,
    parts: Parts,
    layout: Layout,
    output: Output,
    writing: Writing,
) -> int:
    """Decide whether the estimate of a regression exists, and which coefficients are infinite.

    Exit status: 0 it was decided, 1 it is not what --expect says, 2 it could not be decided.
    """
    screen = Screen(output.json, output.quiet)
    documents.guard(file, writing.force)
    with screen.working(f"reading {file}"):
        named = outcome_of(file, layout, parts, model)
        taken = read_parts(file, layout, named, column_options(parts))
    for note in taken.notes:
        screen.say(f"note: {note}.")
    with screen.working("deciding"):
        separation = _detect(taken, model, ties, parts, intercept)
    verify_arguments = [file, *options_of_regression(parts, layout)]
    result = Result(separation, taken, file, documents.verify_command(verify_arguments))
    if documents.certificate is not None:
        documents.write_certificate(separation.certificate(), verify_arguments, screen)
    if documents.report is not None:
        _write_report(result, documents.report)
        screen.say(f"report: {documents.report}")
    _show(screen, result, fit, firth, documents)
    if separation.kind == "undecided":
        return COULD_NOT
    return OK if expect is None or expect == separation.kind else NO


@dataclass(frozen=True)
class Result:
    """The answer, the columns it is about, and the command that checks its proof."""

    separation: "Separation"
    taken: "Taken"
    file: str
    verify_command: str

    @property
    def file_rows(self) -> list[int] | None:
        """Where in the file the rows were, if some were left out."""
        return None if self.taken.rows is None else self.taken.rows.tolist()


def _detect(
    taken: "Taken", model: Model, ties: Ties, parts: Parts, intercept: bool
) -> "Separation":
    from novikoff.separation.detect import detect
    from novikoff.separation.inputs import inputs_of, regression_of

    asked = None if intercept else False
    if parts.formula is not None:
        asked = taken.intercept and intercept
    levels: Any = split_list(parts.levels)
    inputs = inputs_of(taken, fit_intercept=asked, levels=levels, ties=ties)
    return detect(regression_of(model, inputs, columns=taken.columns))


def _write_report(result: Result, report: Path) -> None:
    from novikoff.report.regression import regression_page

    page = regression_page(
        result.separation,
        source=shown_name(result.file),
        steps=result.taken.notes,
        file_rows=result.file_rows,
        commands=[shown_command(result.verify_command)],
    )
    write_text(report, page)


def _show(screen: Screen, result: Result, fit: bool, firth: bool, documents: Documents) -> None:
    separation = result.separation
    screen.show(separation.explain(result.file_rows))
    document: dict[str, Any] = {"file": result.file, "notes": list(result.taken.notes)}
    document |= separation.to_dict()
    if fit:
        fitted = separation.limit().fit()
        screen.show("The limiting model, fitted:", str(fitted))
        document["limit"] = {
            "coefficients": fitted.coefficients,
            "standard_errors": fitted.standard_errors,
        }
    if firth:
        table = _penalised(separation)
        screen.show("With Firth's penalty:", *_firth_lines(table))
        document["firth"] = {
            row.name: {"estimate": row.estimate, "interval": [row.lower, row.upper], "p": row.p}
            for row in table
        }
    screen.document(document | documents.paths)


def _penalised(separation: "Separation") -> "list[FirthRow]":
    from novikoff.separation.firth import firth_table

    return firth_table(separation, separation.firth())


def _firth_lines(table: "list[FirthRow]") -> list[str]:
    width = max(len(row.name) for row in table)
    head = f"  {'':<{width}}  {'estimate':>10}  {'95% profile interval':>24}  {'p':>8}"
    return [head] + [
        f"  {row.name:<{width}}  {row.estimate:>10.5g}  {row.lower:>11.5g} .. {row.upper:<9.5g}"
        f"  {row.p:>8.3g}"
        for row in table
    ]
