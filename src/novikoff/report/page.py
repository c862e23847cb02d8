"""One page that stands by itself: the verdict, its evidence, the figures, and how to check it all.

No script, no network, no fonts to fetch: a file to attach to an email, to print, to keep.
"""

import os
from collections.abc import Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files as package_files
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from novikoff.core.files import write_text
from novikoff.figures.verdict import plot_verdict
from novikoff.report import html
from novikoff.report.evidence import (
    coefficients_table,
    columns_table,
    numbers_table,
    proof_section,
    rows_table,
    verdict_sentence,
)
from novikoff.separability.verdicts import Overlapping, Separable, Touching, Undecided, Verdict

if TYPE_CHECKING:
    from novikoff.certificates.certificate import Certificate
    from novikoff.regression.explain import Explanation

# A reader's browser then refuses scripts and requests, whatever a file's names contain.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"


def page(
    verdict: Verdict,
    explanation: "Explanation | None" = None,
    figures: Sequence[tuple[Figure, str]] | None = None,
    *,
    title: str | None = None,
    source: str | None = None,
    steps: Sequence[str] = (),
    file_rows: Sequence[int] | None = None,
    certificate: "Certificate | None" = None,
    commands: Sequence[str] = (),
    reasons: Sequence[str] = (),
) -> str:
    """The HTML page about `verdict`.

    `figures` are pairs of a figure and its caption (by default the verdict's own figure); `source`
    is the file the data came from, `steps` what was done to it before the question was asked, and
    `file_rows` where in the file each row was, if some were dropped. `commands` are the lines that
    check the `certificate` against the file.

    Parameters
    ----------
    verdict : Separable, Touching, Overlapping or Undecided
        What the page is about.
    explanation : Explanation, optional
        What `verdict.explain()` returned.
    figures : sequence of (Figure, str), optional
        Figures with their captions.
    title : str, optional
        The title of the page.
    source : str, optional
        The file that the data came from.
    steps : sequence of str
        What was done to the data before.
    file_rows : sequence of int, optional
        Where in the file each row was.
    certificate : Certificate, optional
        The proof, which the page then holds.
    commands : sequence of str
        The lines that check it.
    reasons : sequence of str
        Why nothing separates: the sentences of `why_not`.

    Returns
    -------
    str
        The page, whole: it asks the network for nothing.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> novikoff.report.page(novikoff.separate(xor.X, xor.y), source="xor.csv")[:15]
    '<!doctype html>'
    """
    if file_rows is not None:
        numbers = np.asarray(file_rows, dtype=np.int64)
        verdict = replace(verdict, problem=replace(verdict.problem, row_numbers=numbers))
    if figures is None:
        figures = [(plot_verdict(verdict), figure_caption(verdict))]
    heading = title or (f"Separability of {source}" if source else "Is it separable?")
    parts = [
        f"<h1>{escape(heading)}</h1>",
        f'<p class="about">{escape(_about(verdict, source))}</p>',
        f'<div class="verdict {verdict.word}"><p class="word">{escape(verdict.word)}</p>'
        f"<p>{escape(verdict_sentence(verdict))}</p></div>",
        html.paragraphs(verdict.advice) if isinstance(verdict, Undecided) else "",
        *_meaning(explanation),
        html.section("Why nothing separates", html.bullets(reasons)),
        html.section(
            "Evidence", html.table(numbers_table(verdict)), html.definitions(_facts(verdict))
        ),
        html.section("Figures", *(html.image(figure, caption) for figure, caption in figures)),
        html.section(
            "Columns responsible",
            html.table(columns_table(verdict)),
        ),
        html.section("Rows responsible", _rows_note(verdict), html.table(rows_table(verdict))),
        html.section("What was done to the data", _steps(steps)),
        proof_section(verdict, certificate, commands),
        f"<footer>{escape(_footer(verdict))}</footer>",
    ]
    return document(f"{heading}: {verdict.word}", parts)


def document(heading: str, parts: Sequence[str]) -> str:
    """A whole page: head, style and policy around its parts."""
    body = "\n".join(part for part in parts if part)
    style = package_files("novikoff.report").joinpath("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="generator" content="novikoff">\n'
        f"<title>{escape(heading)}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def write_page(path: str | os.PathLike[str], content: str) -> None:
    """Write a page, whole or not at all.

    Parameters
    ----------
    path : str or path
        The file.
    content : str
        What `page` returned.

    Examples
    --------
    >>> import novikoff
    >>> xor = novikoff.load_dataset("xor")
    >>> text = novikoff.report.page(novikoff.separate(xor.X, xor.y))
    >>> novikoff.report.write_page("xor.html", text)
    """
    write_text(path, content)


def figure_caption(verdict: Verdict) -> str:
    """What the verdict's own figure shows, in words."""
    if isinstance(verdict, Separable):
        text = "The rows, the separator, its geometric margin as a band, and the support rows."
    elif isinstance(verdict, Touching):
        text = "The rows, the weak separator and the rows that lie on it."
    elif isinstance(verdict, Overlapping):
        text = "The rows, the hulls of the two classes, and a point that lies in both."
        if not verdict.fit_intercept:
            text = "Every row times its label, and their hull, which holds the origin."
    else:
        text = "The rows."
    if verdict.d > 2:
        text += f" A projection: the data have {verdict.d:,} columns, and the figure shows a plane."
    return text


def _about(verdict: Verdict, source: str | None) -> str:
    of = f"{source}: " if source else ""
    columns = "one column" if verdict.d == 1 else f"{verdict.d:,} columns"
    intercept = "with an intercept" if verdict.fit_intercept else "without an intercept"
    numbers = ", decimals as they were written" if verdict.decimals else ""
    return f"{of}{verdict.n:,} rows, {columns}, {intercept}{numbers}."


def _facts(verdict: Verdict) -> list[tuple[str, str]]:
    """What the verdict says of itself, where no table of proven numbers says it better."""
    return [] if isinstance(verdict, Separable | Undecided) else verdict.facts()


def _meaning(explanation: "Explanation | None") -> list[str]:
    if explanation is None:
        return []
    headline = f"{explanation.headline[0].upper()}{explanation.headline[1:]}."
    return [
        html.section(
            "For a logistic regression",
            html.paragraphs(headline),
            html.table(coefficients_table(explanation)),
            html.bullets(explanation.facts()),
        ),
        html.section("What to do next", html.bullets(explanation.advice)),
    ]


def _rows_note(verdict: Verdict) -> str:
    if isinstance(verdict, Separable | Undecided):
        return ""
    return html.paragraphs(
        "The α-weighted means of these rows are the same point for both classes."
        if verdict.fit_intercept
        else "Each row times its label and its α: the sum is exactly 0."
    )


def _steps(steps: Sequence[str]) -> str:
    if not steps:
        return html.paragraphs("Nothing: every row and every column was used as it was read.")
    return html.bullets(steps)


def _numbered(verdict: Verdict) -> str:
    """How the page counts rows: as the file does, of which the certificate may know fewer."""
    if verdict.problem.row_numbers is None:
        return "counted from 0"
    return f"counted from 0 as in the file; the certificate counts the {verdict.n:,} that were used"


def _footer(verdict: Verdict) -> str:
    from importlib.metadata import version

    negative, positive = verdict.classes
    return (
        f"Class −1 is “{negative}”, class +1 is “{positive}”. Rows are {_numbered(verdict)}. "
        f"Made with novikoff {version('novikoff')}."
    )
