"""`novikoff diagnose`: whether a regression's estimate exists, and what to do if not."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.command import COULD_NOT, NO, OK, command
from novikoff.cli.decision import TIME_LIMIT, TimeLimitOption
from novikoff.cli.files import Documents, shown_command, shown_name
from novikoff.cli.options import FileArgument, LayoutOptions, Output, Writing
from novikoff.cli.reading import (
    ClusterOption,
    connected,
    is_elsewhere,
    refuse_options,
    say_notes,
    scanned,
    split_list,
)
from novikoff.cli.regression import (
    PARTS,
    Model,
    RegressionColumns,
    Ties,
    columns_of_parts,
    options_of_regression,
    outcome_of,
    read_parts,
)
from novikoff.cli.screen import Screen
from novikoff.core.files import write_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from novikoff.data.scans.columns import Scan
    from novikoff.regression.result import Regression, Separation
    from novikoff.regression.table import Taken


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
            help="none, quasi-complete or complete: exit with status 1 if it differs.",
        ),
    ] = None,
    fit: Annotated[
        bool,
        typer.Option("--fit", metavar="", help="Fit the finite coefficients (needs statsmodels)."),
    ] = False,
    firth: Annotated[
        bool,
        typer.Option("--firth", metavar="", help="Fit with Firth's penalty (needs firthmodels)."),
    ] = False,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", metavar="", help="Always work out exact numbers, however long it takes."
        ),
    ] = False,
    intercept: Annotated[
        bool,
        typer.Option(
            "--intercept/--no-intercept",
            metavar="",
            help="Add a constant, unless the columns have one.",
        ),
    ] = True,
    time_limit: TimeLimitOption = TIME_LIMIT,
    cluster: ClusterOption = None,
    parts: RegressionColumns,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> int:
    """Decide whether the estimate of a regression exists, and which coefficients are infinite.

    Exit status: 0 it was decided, 1 it is not what --expect says, 2 it could not be decided.
    """
    screen = Screen(output.json, output.quiet)
    documents.refuse_overwrite(file, writing.force)
    far = {"--report": documents.report, "--fit": fit, "--firth": firth}
    whole = (*PARTS, "categorical", "impute", "missing_indicator")
    far |= {
        f"--{part.replace('_', '-')}": getattr(parts, part) for part in whole if part != "weights"
    }
    if is_elsewhere(file, cluster, whole=any(value not in (None, False) for value in far.values())):
        refuse_options("needs all rows in one memory", far)
        arguments = [file, *options_of_regression(parts, layout)]
        with connected(cluster, screen):
            rows = scanned(file, columns_of_parts(parts), layout)
            say_notes(rows, screen)
            regression = _remote_regression(rows, model, parts, intercept)
            separation = _detect(regression, exact, time_limit, screen)
            if documents.certificate is not None:
                documents.write_certificate(separation.certificate(), arguments, screen)
            known = DiagnoseResult(
                separation, rows.notes, file, documents.verify_command(arguments)
            )
            _show(screen, known, fit, firth, documents)
        return _status(separation, expect)
    with screen.working(f"reading {file}"):
        named = outcome_of(file, layout, parts, model)
        taken = read_parts(file, layout, named, parts)
    for note in taken.notes:
        screen.say(f"note: {note}.")
    regression = _regression(taken, model, ties, parts, intercept)
    separation = _detect(regression, exact, time_limit, screen)
    verify_arguments = [file, *options_of_regression(parts, layout)]
    command_line = documents.verify_command(verify_arguments)
    result = DiagnoseResult(separation, taken.notes, file, command_line)
    if documents.certificate is not None:
        documents.write_certificate(separation.certificate(), verify_arguments, screen)
    if documents.report is not None:
        _write_report(result, documents.report)
        screen.say(f"report: {documents.report}")
    _show(screen, result, fit, firth, documents)
    return _status(separation, expect)


def _status(separation: "Separation", expect: Kind | None) -> int:
    if separation.kind == "undecided":
        return COULD_NOT
    return OK if expect is None or expect == separation.kind else NO


@dataclass(frozen=True)
class DiagnoseResult:
    """The answer, what was done to the file, and the command that checks the proof."""

    separation: "Separation"
    notes: "Sequence[str]"
    file: str
    verify_command: str


def _detect(
    regression: "Regression", exact: bool, time_limit: float, screen: Screen
) -> "Separation":
    from novikoff.regression.detect import detect

    return detect(
        regression,
        exact=True if exact else "auto",
        time_limit=time_limit,
        progress=screen.animated,
    )


def _regression(
    taken: "Taken", model: Model, ties: Ties, parts: RegressionColumns, intercept: bool
) -> "Regression":
    from novikoff.regression.inputs import inputs_of, regression_of

    asked = None if intercept else False
    if parts.formula is not None:
        asked = taken.intercept and intercept
    levels: Any = split_list(parts.levels)
    inputs = inputs_of(taken, fit_intercept=asked, levels=levels, ties=ties)
    return regression_of(model, inputs, columns=taken.columns)


def _remote_regression(
    rows: "Scan", model: Model, parts: RegressionColumns, intercept: bool
) -> "Regression":
    """The regression on rows that stay in their files, or on a cluster."""
    from novikoff.regression.inputs import Inputs, remote_regression

    asked = None if intercept else False
    if parts.formula is not None:
        asked = rows.fit_intercept and intercept
    inputs = Inputs(
        rows, {"y": None, "weights": None}, fit_intercept=asked, levels=split_list(parts.levels),
        decimals=rows.decimals,
    )  # fmt: skip
    columns = {"y": rows.label} | ({"weights": parts.weights} if parts.weights else {})
    return remote_regression(model, inputs, columns=columns)


def _write_report(result: DiagnoseResult, report: Path) -> None:
    from novikoff.report.pages import regression_page

    page = regression_page(
        result.separation,
        source=shown_name(result.file),
        steps=tuple(result.notes),
        commands=[shown_command(result.verify_command)],
    )
    write_text(report, page)


def _show(
    screen: Screen, result: DiagnoseResult, fit: bool, firth: bool, documents: Documents
) -> None:
    separation = result.separation
    screen.show(separation.explain())
    document: dict[str, Any] = {"file": result.file, "notes": list(result.notes)}
    document |= separation.to_dict()
    if fit:
        fitted = separation.limit().fit()
        screen.show("The limiting model, fitted:", str(fitted))
        document["limit"] = {
            "coefficients": fitted.coefficients,
            "standard_errors": fitted.standard_errors,
            "contrasts": {
                name: {"estimate": estimate, "standard_error": error}
                for name, (estimate, error) in fitted.contrasts.items()
            },
            "information": fitted.information,
        }
    if firth:
        from novikoff.regression.firth import firth_summary, firth_table

        table = firth_table(separation, separation.firth())
        screen.show(str(firth_summary(table)))
        document["firth"] = {
            row.name: {"estimate": row.estimate, "interval": [row.lower, row.upper], "p": row.p}
            for row in table
        }
    screen.document(document | documents.paths)
