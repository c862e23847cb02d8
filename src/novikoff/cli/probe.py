"""`novikoff probe`: is each concept linearly decodable, and does that mean anything?"""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from novikoff.cli.command import command
from novikoff.cli.files import refuse_overwrite, shown_name
from novikoff.cli.options import LayoutOptions, Output, Writing
from novikoff.cli.reading import layout_of
from novikoff.cli.screen import Screen
from novikoff.core.options import list_names
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.probes.results import Probes


class Drawn(StrEnum):
    """What a figure shows."""

    accuracy = "accuracy"
    auc = "auc"
    margin = "margin"


class Where(StrEnum):
    """Where to compute."""

    auto = "auto"
    cpu = "cpu"
    cuda = "cuda"


@command
def probe(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="Activations: .npy, or .npz whose matrices are the layers."
        ),
    ],
    labels: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Labels: CSV, Parquet or Arrow, a row a sample, a column a concept.",
        ),
    ],
    groups: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="The column of labels that says which rows belong together."
        ),
    ] = None,
    concepts: Annotated[
        str | None,
        typer.Option(metavar="A,B,…", help="The columns to probe; all but the groups by default."),
    ] = None,
    controls: Annotated[
        int, typer.Option(metavar="N", help="Shuffled labellings for each concept.")
    ] = 5,
    test: Annotated[
        float, typer.Option(metavar="SHARE", help="The share of rows, or groups, to hold out.")
    ] = 0.25,
    device: Annotated[Where, typer.Option(metavar="NAME", help="auto, cpu or cuda.")] = Where.auto,
    recheck: Annotated[
        bool,
        typer.Option("--recheck-all", metavar="", help="Repeat every proof of a GPU on the CPU."),
    ] = False,
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="Stop after this time; the rest is undecided."),
    ] = None,
    seed: Annotated[
        int, typer.Option(metavar="N", help="Seed of the split and of the controls.")
    ] = 0,
    report: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write a report there, as one HTML file."),
    ] = None,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Draw accuracies by layer (or concept): PNG, SVG, PDF."),
    ] = None,
    what: Annotated[
        Drawn,
        typer.Option(metavar="NAME", help="What --figure draws: accuracy, auc or margin."),
    ] = Drawn.accuracy,
    heat_map: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Draw concepts by layers as a heat map: PNG, SVG, PDF."),
    ] = None,
    *,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> None:
    """Say of many concepts whether a hyperplane separates them in the activations, with proofs.

    For each concept: the verdict, the geometric margin, the accuracy of an averaged perceptron on
    held-out rows, the same for shuffled labels, and Cover's number, the probability that random
    labels on such points are separable. A sentence says what may be concluded.

    Columns of more than two labels are taken one label against the rest.
    """
    screen = Screen(output.json, output.quiet)
    outputs = {"--report": report, "--figure": figure, "--heat-map": heat_map}
    refuse_overwrite(outputs, [file, labels], writing.force)
    columns, grouped = _labels_of(labels, layout, groups, concepts)
    from novikoff.data.activations import read_activations
    from novikoff.probes.probe import probe as probe_all

    probes = probe_all(
        read_activations(file),
        columns,
        groups=grouped,
        controls=controls,
        test=test,
        device=device.value,
        recheck="all" if recheck else "sample",
        time_limit=time_limit,
        progress=screen.animated,
        random_state=seed,
    )
    _draw(probes, figure, what, heat_map, screen)
    if report is not None:
        from novikoff.report.page import write_page
        from novikoff.report.pages import probes_page

        write_page(report, probes_page(probes, source=shown_name(file)))
        screen.say(f"report: {report}")
    # A table that is cut to eighty columns serves nobody who pipes it on.
    screen.show(probes if screen.out.is_terminal else str(probes), "")
    screen.show(*(str(row) for row in probes))
    for note in probes.notes:
        screen.say(note)
    screen.document(
        {
            "file": file,
            "labels": labels,
            **probes.to_dict(),
            **{name.removeprefix("--"): str(path) for name, path in outputs.items() if path},
        }
    )


def _labels_of(
    file: str, layout: LayoutOptions, groups: str | None, concepts: str | None
) -> tuple[dict[str, Any], Any]:
    """The columns of labels by name, and that of the groups."""
    from novikoff.data.reading import read_source

    table = read_source(file, layout_of(layout)).table
    columns = {name: table[name].to_numpy(zero_copy_only=False) for name in table.column_names}
    wanted = list(columns) if concepts is None else [name.strip() for name in concepts.split(",")]
    for option, names in (("--groups", [groups] * (groups is not None)), ("--concepts", wanted)):
        for name in names:
            if name not in columns:
                known = list_names(list(columns))
                raise OptionError(f"{option} {name}: {file} has no such column; it has {known}.")
    chosen = {name: columns[name] for name in wanted if name != groups}
    return chosen, None if groups is None else columns[groups]


def _draw(
    probes: "Probes", figure: Path | None, what: Drawn, heat_map: Path | None, screen: Screen
) -> None:
    from novikoff import figures

    if figure is not None:
        figures.save(figures.plot_probes(probes, what=what.value), figure)
        screen.say(f"figure: {figure}")
    if heat_map is not None:
        figures.save(figures.plot_probe_map(probes), heat_map)
        screen.say(f"heat map: {heat_map}")
