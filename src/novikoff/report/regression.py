"""One page about a regression: which coefficients are infinite, because of what, and the proof."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from novikoff.report import html
from novikoff.report.page import document
from novikoff.report.tables import Table

if TYPE_CHECKING:
    from novikoff.separation.separation import Separation

__all__ = ["regression_page"]

MOST_COLUMNS = 200
MOST_ROWS = 100
LARGEST_SHOWN = 200_000  # characters of a certificate that a page can still carry
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
        _proof(separation, commands),
    ]
    return document(f"{heading}: {separation.kind}", parts)


def _coefficients(lines: list[tuple[str, str]]) -> Table:
    left_out = max(0, len(lines) - MOST_COLUMNS)
    header = ("coefficient", "estimate")
    return Table("Maximum-likelihood estimates", header, lines[:MOST_COLUMNS], left_out)


def _rows(separation: "Separation") -> Table | None:
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
    return Table("Separated rows, counted from 0", ("row", *there), lines, left_out)


def _proof(separation: "Separation", commands: Sequence[str]) -> str:
    if separation.kind == "undecided":
        return ""
    certificate = separation.certificate()
    text = certificate.to_json()
    return html.section(
        "Certificate",
        html.paragraphs(
            "The certificate is a small file that proves the answer about the rows of the model. "
            "Checking it takes exact additions and multiplications, and none of the code that "
            "found it."
        ),
        html.commands(commands) if commands else "",
        html.definitions([("rows of the model, SHA-256", certificate.data_sha256)]),
        html.details(f"The certificate ({len(text):,} characters)", text)
        if len(text) <= LARGEST_SHOWN
        else html.paragraphs(f"It has {len(text):,} characters and is kept in its own file."),
    )
