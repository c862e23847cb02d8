"""`novikoff datasets`: what is built in, with size and verdict."""

from pathlib import Path
from typing import Annotated

import typer

from novikoff.cli.command import command
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.options import Output, Writing
from novikoff.cli.screen import Screen


def complete_name() -> list[str]:
    """Names for the shell."""
    from novikoff.data.datasets import list_datasets

    return [dataset.name for dataset in list_datasets()]


@command
def datasets(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="The data set to show or to write.", autocompletion=complete_name
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Write it there, as CSV or Parquet by the ending."),
    ] = None,
    *,
    output: Output,
    writing: Writing,
) -> None:
    """List the built-in data sets, with size and verdict; or write one to a file.

    Wherever a FILE is asked for, dataset:NAME is one of these.
    """
    screen = Screen(output.json, output.quiet)
    refuse_overwrite({"--out": out}, [], writing.force)
    if name is None:
        _list(screen)
    else:
        _show_one(screen, name, out)


def _list(screen: Screen) -> None:
    from dataclasses import asdict

    from rich.table import Table

    from novikoff.data.datasets import list_datasets

    grid = Table("name", "points", "verdict", "what it shows", box=None, header_style="bold")
    for dataset in list_datasets():
        named = f"{dataset.name} ({dataset.family})" if dataset.family else dataset.name
        grid.add_row(named, f"{dataset.n} × {dataset.d}", dataset.verdict, dataset.about)
    screen.show(grid)
    screen.document({"datasets": [asdict(dataset) for dataset in list_datasets()]})


def _show_one(screen: Screen, name: str, out: Path | None) -> None:
    from novikoff.data.datasets import dataset_source
    from novikoff.data.write import write_columns

    source = dataset_source(name)
    if out is not None:
        write_columns([source.table], out, [source.table])
        screen.say(f"written: {out}, {source.table.num_rows} rows, the labels in 'label'.")
    screen.show(f"{name}: {source.table.num_rows} rows of {', '.join(source.names)}")
    screen.document(
        {
            "name": name,
            "rows": source.table.num_rows,
            "columns": source.names,
            "written": None if out is None else str(out),
        }
    )
