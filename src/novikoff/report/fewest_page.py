"""The page about the fewest errors: both bounds, the rows to look at, and the proof."""

from collections.abc import Sequence
from html import escape

from novikoff.figures.fewest import plot_fewest
from novikoff.report import html
from novikoff.report.evidence import cells_of
from novikoff.report.numbers import fraction_text
from novikoff.report.page import document
from novikoff.report.proof import certificate_section
from novikoff.report.tables import Table
from novikoff.verdicts.fewest import FewestErrors

__all__ = ["fewest_page"]

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


def _wrong_rows(found: FewestErrors) -> Table:
    columns = list(range(min(found.d, MOST_CELLS)))
    chosen = found.wrong_rows[:MOST_WRONG_ROWS]
    values = cells_of(found.problem.X, chosen, columns)
    numbers = found.problem.numbers_of(chosen)
    rows = []
    for at, row in enumerate(chosen.tolist()):
        label = str(found.classes[int(found.problem.y[row] > 0)])
        rows.append((str(numbers[at]), label, *values[at]))
    header = ("row", "class", *(found.names[j] for j in columns))
    return Table(
        "Rows that are wrong",
        header,
        rows,
        left_out=max(0, len(found.wrong_rows) - MOST_WRONG_ROWS),
    )


def _conflicts(found: FewestErrors) -> Table:
    shared = sorted(found.conflicts, key=lambda conflict: -conflict.share)
    rows = [
        (
            ", ".join(map(str, found.problem.numbers_of(conflict.rows))),
            fraction_text(conflict.share),
        )
        for conflict in shared[:MOST_CONFLICTS]
    ]
    return Table(
        "Conflicts: rows that cannot all be right",
        ("rows", "share"),
        rows,
        left_out=max(0, len(shared) - MOST_CONFLICTS),
    )
