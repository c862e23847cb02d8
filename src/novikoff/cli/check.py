"""`novikoff check`: the verdict, the certificate, the explanation, the next step."""

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from novikoff.cli.command import COULD_NOT, NO, OK, command
from novikoff.cli.decision import TIME_LIMIT, TimeLimitOption, decide
from novikoff.cli.files import Documents, PlaneIntercept, shown_command, shown_name
from novikoff.cli.options import ColumnOptions, FileArgument, LayoutOptions, Output, Writing
from novikoff.cli.reading import (
    ClusterOption,
    connected,
    is_elsewhere,
    options_for_verify,
    read_table,
    refuse_options,
    say_notes,
    scanned,
)
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate
    from novikoff.data.scans.columns import Scan
    from novikoff.data.table import Table
    from novikoff.regression.explain import Explanation
    from novikoff.separability.api import Answer

SMALL = 4_000_000  # numbers: explaining more than these takes longer than deciding


# The verdicts that can be expected.
Word = Literal["separable", "touching", "overlapping"]

NEXT = {
    "separable": "novikoff fit learns a separator; novikoff plot separator shows this one.",
    "touching": "drop or merge the columns named above, or penalise; see the explanation.",
    "overlapping": "try --lift degree=2, or novikoff fewest for the fewest errors, proven.",
    "undecided": "follow the advice above.",
}


@command
def check(
    file: FileArgument,
    *,
    documents: Documents,
    expect: Annotated[
        Word | None,
        typer.Option(
            metavar="VERDICT",
            help="separable, touching or overlapping: exit with status 1 if it differs.",
        ),
    ] = None,
    intercept: PlaneIntercept = True,
    explain: Annotated[
        bool | None,
        typer.Option(
            "--explain/--no-explain",
            metavar="",
            help="Explain what it means for a regression. Default: only for small data.",
        ),
    ] = None,
    exact: Annotated[
        bool,
        typer.Option(
            "--exact", metavar="", help="Always work out exact numbers, however long it takes."
        ),
    ] = False,
    time_limit: TimeLimitOption = TIME_LIMIT,
    cluster: ClusterOption = None,
    columns: ColumnOptions,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> int:
    """Decide whether a hyperplane separates the two classes, and prove it either way.

    Exit status: 0 a verdict was proven, 1 it is not the one of --expect, 2 none could be given.
    """
    screen = Screen(output.json, output.quiet)
    documents.refuse_overwrite(file, writing.force)
    whole = documents.report is not None or bool(explain)
    if is_elsewhere(file, cluster, columns, layout, whole=whole):
        refused = {"--report": documents.report, "--explain": explain}
        refuse_options("needs all rows in one memory", refused)
        arguments = [file, *options_for_verify(columns, layout)]
        with connected(cluster, screen):
            scan = scanned(file, columns, layout)
            found = decide(scan, intercept and scan.fit_intercept, exact, screen, time_limit)
            say_notes(scan, screen)
            known = CheckResult(scan, found, None, documents.verify_command(arguments), remote=True)
            if documents.certificate is not None:
                documents.write_certificate(known.certificate(), arguments, screen)
            _show(screen, known, documents)  # which asks for another pass
        return _status(found, expect)
    table = read_table(file, columns, layout, screen)
    verdict = decide(table, intercept and table.fit_intercept, exact, screen, time_limit)
    explanation = _explanation(table, verdict, explain, screen)
    verify_arguments = [file, *options_for_verify(columns, layout)]
    result = CheckResult(table, verdict, explanation, documents.verify_command(verify_arguments))
    if documents.certificate is not None:
        documents.write_certificate(result.certificate(), verify_arguments, screen)
    if documents.report is not None:
        _write_report(result, documents.report)
        screen.say(f"report: {documents.report}")
    _show(screen, result, documents)
    return _status(verdict, expect)


def _status(verdict: "Answer", expect: Word | None) -> int:
    if verdict.word == "undecided":
        return COULD_NOT
    return OK if expect is None or expect == verdict.word else NO


@dataclass(frozen=True)
class CheckResult:
    """What was asked about, the verdict, its explanation, and the command that checks its proof.

    `far`: the rows are in files or on a cluster, and nothing more is asked of all of them.
    """

    table: "Table | Scan"
    verdict: "Answer"
    explanation: "Explanation | None"
    verify_command: str
    remote: bool = False

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why nothing separates, or why that is not known; nothing where something does."""
        from novikoff.regression.why_not import why_not_of

        if self.remote or self.verdict.word == "separable":
            return ()
        return why_not_of(self.verdict).sentences

    def certificate(self) -> "Certificate":
        """The proof, with the name of the column that its labels come from."""
        return replace(self.verdict.certificate(), label=self.table.label)


def _explanation(
    table: "Table", verdict: "Answer", explain: bool | None, screen: Screen
) -> "Explanation | None":
    if explain is None:
        explain = table.n * table.d <= SMALL
        if not explain:
            screen.say("note: the data is large, so it is explained only with --explain.")
    if not explain:
        return None
    with screen.working("explaining"):
        return verdict.explain()


def _write_report(result: CheckResult, report: Path) -> None:
    from novikoff.report.page import page, write_page

    decided = result.verdict.word != "undecided"
    content = page(
        result.verdict,
        result.explanation,
        source=shown_name(result.table.source),
        steps=result.table.notes,
        certificate=result.certificate() if decided else None,
        commands=[shown_command(result.verify_command)],
        reasons=result.reasons if decided else (),
    )
    write_page(report, content)


def _show(screen: Screen, result: CheckResult, documents: Documents) -> None:
    table, verdict, explanation = result.table, result.verdict, result.explanation
    if explanation is not None:
        screen.show(explanation)
    screen.show(verdict)
    screen.show(*result.reasons)
    screen.show(f"next: {NEXT[verdict.word]}")
    screen.document(
        {
            "file": table.source,
            "label": table.label,
            "notes": list(table.notes),
            **verdict.to_dict(),
            "why_not": list(result.reasons),
            "explanation": None if explanation is None else explanation.to_dict(),
            **documents.paths,
        }
    )
