"""The page about probes: the table, the sentence for each row, and the figures."""

from html import escape

from novikoff.figures.probes import plot_probe_map, plot_probes
from novikoff.probes.results import Probes
from novikoff.report import html
from novikoff.report.page import document
from novikoff.report.tables import Table

__all__ = ["probes_page"]

MOST_PROBES = 500


def probes_page(probes: Probes, *, title: str | None = None, source: str | None = None) -> str:
    """The HTML page about what `novikoff.probe` found."""
    heading = title or (f"Probes of {source}" if source else "Probes")
    rows = list(probes)[:MOST_PROBES]
    cells = [tuple(row) for row in probes.cells()[:MOST_PROBES]]
    table = Table("Probes", tuple(probes.heads()), cells, left_out=len(probes) - len(rows))
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
