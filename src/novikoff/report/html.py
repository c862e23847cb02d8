"""The few pieces of HTML that the page is made of; every text goes through `escape` here."""

import base64
from collections.abc import Iterable
from html import escape

from matplotlib.figure import Figure

from novikoff.figures.save import data_uri, encode
from novikoff.report.tables import TextTable, is_number

LARGEST_DRAWING = 300_000  # bytes of SVG; beyond, the same figure as PNG is smaller


def section(heading: str, *parts: str) -> str:
    """A heading and what stands under it; nothing at all where there is nothing to say."""
    body = "\n".join(part for part in parts if part)
    return f"<section>\n<h2>{escape(heading)}</h2>\n{body}\n</section>" if body else ""


def paragraphs(*texts: str) -> str:
    """Plain paragraphs."""
    return "\n".join(f"<p>{escape(text)}</p>" for text in texts if text)


def bullets(texts: Iterable[str]) -> str:
    """A list, an item a text."""
    items = "".join(f"<li>{escape(text)}</li>\n" for text in texts)
    return f"<ul>\n{items}</ul>" if items else ""


def definitions(pairs: Iterable[tuple[str, str]]) -> str:
    """Names and what they are, as a list."""
    items = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>\n" for name, text in pairs)
    return f"<dl>\n{items}</dl>" if items else ""


def table(shown: TextTable | None) -> str:
    """A table that can scroll by itself on a narrow screen."""
    if shown is None or not shown.rows:
        return ""
    numeric = [all(is_number(row[j]) for row in shown.rows) for j in range(len(shown.header))]
    marks = [' class="number"' if n else "" for n in numeric]
    head = "".join(
        f'<th scope="col"{mark}>{escape(name)}</th>'
        for name, mark in zip(shown.header, marks, strict=True)
    )
    body = "\n".join(
        "<tr>"
        + "".join(f"<td{m}>{escape(cell)}</td>" for cell, m in zip(row, marks, strict=True))
        + "</tr>"
        for row in shown.rows
    )
    remark = f'<p class="remark">{escape(shown.remark)}</p>' if shown.remark else ""
    return (
        f'<div class="scroll"><table>\n<caption>{escape(shown.caption)}</caption>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table></div>{remark}"
    )


def image(figure: Figure, caption: str, *, said: bool = False) -> str:
    """A figure inside the page itself: as a drawing, or as a picture where it has many points.

    `said`: the caption stands above it already, and is for those only who cannot see the figure.
    """
    drawing = encode(figure, "svg")
    if len(drawing) <= LARGEST_DRAWING:
        address = "data:image/svg+xml;base64," + base64.b64encode(drawing).decode("ascii")
    else:
        address = data_uri(figure, dpi=150)
    words = escape(caption)
    below = "" if said else f"<figcaption>{words}</figcaption>"
    return f'<figure><img src="{address}" alt="{words}">{below}</figure>'


def commands(lines: Iterable[str]) -> str:
    """Lines to be typed."""
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def details(summary: str, text: str) -> str:
    """A long text, folded away; it unfolds without a script, and prints when open."""
    return f"<details><summary>{escape(summary)}</summary><pre>{escape(text)}</pre></details>"
