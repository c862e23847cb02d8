"""One page about a regression: which coefficients are infinite, because of what, and the proof.

The page about the fewest errors: both bounds, the rows to look at, and the proof.

The page about probes: the table, the sentence for each row, and the figures.
"""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from novikoff.figures.fewest import plot_fewest
from novikoff.figures.probes import plot_probe_map, plot_probes
from novikoff.probes.results import Probes
from novikoff.report import html
from novikoff.report.evidence import cells_of, certificate_section
from novikoff.report.page import document
from novikoff.report.tables import TextTable, fraction_text
from novikoff.separability.fewest.result import FewestErrors

if TYPE_CHECKING:
    from novikoff.regression.result import Separation

MOST_WRONG_ROWS = 60
MOST_CONFLICTS = 40
MOST_CELLS = 6


def fewest_page(
    found: FewestErrors,
    *,
    title: str | None = None,
    source: str | None = None,
    steps: Sequence[str] = (),
    commands: Sequence[str] = (),
) -> str:
    """The HTML page about what `novikoff.fewest_errors` found.

    `source`, `steps` and `commands` are as for a verdict's page.
    """
    heading = title or (f"The fewest errors on {source}" if source else "The fewest errors")
    caption = "The rows, the best plane, its errors, and conflicts that forbid fewer."
    if found.d > 2:
        caption += (
            f" A projection: the data have {found.d:,} columns, and the figure shows a plane."
        )
    done = html.bullets(steps) or html.paragraphs("Nothing: every row and column as it was read.")
    kind = "separable" if found.optimal else "undecided"
    body = [
        f"<h1>{escape(heading)}</h1>",
        f'<div class="verdict {kind}"><p class="word">{escape(_word(found))}</p>'
        f"<p>{escape(found.explain())}</p></div>",
        html.section("Evidence", html.definitions(found.facts())),
        html.section("Figure", html.image(plot_fewest(found), caption)),
        html.section(
            "Rows to look at",
            html.paragraphs("The rows that the plane gets wrong: candidates for wrong labels."),
            html.table(_wrong_rows(found)),
        ),
        html.section("Why not fewer", html.table(_conflicts(found))),
        html.section("What was done to the data", done),
        certificate_section(found.certificate(), commands),
    ]
    return document(f"{heading}: {found.errors}", body)


def _word(found: FewestErrors) -> str:
    """The finding in a few words, as the panel has it."""
    return found.title[:1].upper() + found.title[1:]


def _wrong_rows(found: FewestErrors) -> TextTable:
    columns = list(range(min(found.d, MOST_CELLS)))
    chosen = found.wrong_rows[:MOST_WRONG_ROWS]
    values = cells_of(found.problem.X, chosen, columns)
    numbers = found.problem.numbers_of(chosen)
    rows = []
    for at, row in enumerate(chosen.tolist()):
        label = str(found.classes[int(found.problem.y[row] > 0)])
        rows.append((str(numbers[at]), label, *values[at]))
    header = ("row", "class", *(found.names[j] for j in columns))
    return TextTable(
        "Rows that are wrong",
        header,
        rows,
        left_out=max(0, len(found.wrong_rows) - MOST_WRONG_ROWS),
    )


def _conflicts(found: FewestErrors) -> TextTable:
    shared = sorted(found.conflicts, key=lambda conflict: -conflict.share)
    rows = [
        (
            ", ".join(map(str, found.problem.numbers_of(conflict.rows))),
            fraction_text(conflict.share),
        )
        for conflict in shared[:MOST_CONFLICTS]
    ]
    return TextTable(
        "Conflicts: rows that cannot all be right",
        ("rows", "share"),
        rows,
        left_out=max(0, len(shared) - MOST_CONFLICTS),
    )


MOST_PROBES = 500


def probes_page(probes: Probes, *, title: str | None = None, source: str | None = None) -> str:
    """The HTML page about what `novikoff.probe` found."""
    heading = title or (f"Probes of {source}" if source else "Probes")
    rows = list(probes)[:MOST_PROBES]
    cells = [tuple(row) for row in probes.cells()[:MOST_PROBES]]
    table = TextTable("Probes", tuple(probes.heads()), cells, left_out=len(probes) - len(rows))
    separable = sum(row.verdict == "separable" for row in probes)
    alone = sum(
        row.verdict == "separable"
        and not any(control.verdict == "separable" for control in row.controls)
        for row in probes
    )
    summary = (
        f"{separable} of {len(probes)} are separable, {alone} of them while no control is. "
        f"Computed on the {'GPU' if probes.device == 'cuda' else 'CPU'}."
    )
    body = [
        f"<h1>{escape(heading)}</h1>",
        html.paragraphs(summary),
        html.section("Table", html.table(table)),
        html.section("What may be concluded", html.bullets([str(row) for row in rows])),
        html.section(
            "Figures",
            html.image(
                plot_probes(probes),
                "Held-out accuracy; the band is the range of the controls, the dashed curve "
                "Cover's number.",
            ),
            html.image(plot_probe_map(probes), "Selectivity: accuracy less that of the controls."),
        ),
        html.section("Notes", html.bullets(list(probes.notes))),
    ]
    return document(heading, body)


MOST_COLUMNS = 200
MOST_ROWS = 100
COLOURS = {"none": "overlapping", "complete": "separable", "quasi-complete": "touching"}


def regression_page(
    separation: "Separation",
    *,
    source: str | None = None,
    steps: Sequence[str] = (),
    commands: Sequence[str] = (),
) -> str:
    """The HTML page about a separation; the parameters are those of `novikoff.report.page`."""
    words = separation.explain()
    heading = f"Does the estimate exist? {source}" if source else "Does the estimate exist?"
    kind = COLOURS.get(separation.kind, "undecided")
    about = f"{separation.n:,} rows, {len(separation.coefficients):,} coefficients."
    parts = [
        f"<h1>{escape(heading)}</h1>",
        f'<p class="about">{escape(about)}</p>',
        f'<div class="verdict {kind}"><p class="word">{escape(separation.kind)}</p>'
        f"<p>{escape(words.headline)}.</p></div>",
        html.section("Coefficients", html.table(_coefficients(words.table))),
        html.section("Why", html.bullets(words.reasons)),
        html.section("What to do next", html.bullets(words.advice)),
        html.section("Rows responsible", html.table(_rows(separation))),
        html.section("What was done to the data", html.bullets(steps)),
        "" if kind == "undecided" else certificate_section(separation.certificate(), commands),
    ]
    return document(f"{heading}: {separation.kind}", parts)


def _coefficients(lines: list[tuple[str, str]]) -> TextTable:
    left_out = max(0, len(lines) - MOST_COLUMNS)
    header = ("coefficient", "estimate")
    return TextTable("Maximum-likelihood estimates", header, lines[:MOST_COLUMNS], left_out)


def _rows(separation: "Separation") -> TextTable | None:
    """The rows that no finite estimate fits."""
    rows = np.flatnonzero(separation.separated).tolist()
    if not rows:
        return None
    outcome = separation.regression.outcome
    parts = {"y": outcome.y, "trials": outcome.trials, "time": outcome.time, "event": outcome.event}
    there = {name: values for name, values in parts.items() if values is not None}
    lines = [
        (
            str(outcome.number_of(row)),
            *(str(values[row].item()) for values in there.values()),
        )
        for row in rows[:MOST_ROWS]
    ]
    left_out = max(0, len(rows) - MOST_ROWS)
    return TextTable("Separated rows, counted from 0", ("row", *there), lines, left_out)
