"""`novikoff predict`: labels and scores for the rows of a file, its own columns kept."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.command import command
from novikoff.cli.files import refuse_overwrite
from novikoff.cli.options import FileArgument, LayoutOptions, Output, Writing
from novikoff.cli.reading import layout_of
from novikoff.cli.screen import Screen

if TYPE_CHECKING:
    from novikoff.estimators.persistence.predict import Predictions

Unknown = Literal["error", "zero"]


@command
def predict(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model file, from novikoff fit --model.")
    ],
    file: FileArgument,
    out: Annotated[
        str,
        typer.Option(metavar="PATH", help="CSV, TSV or Parquet by the ending; - standard output."),
    ] = "-",
    drop_missing: Annotated[
        bool,
        typer.Option(
            "--drop-missing", metavar="", help="Rows with missing values get no prediction."
        ),
    ] = False,
    probabilities: Annotated[
        bool,
        typer.Option(
            "--probabilities",
            metavar="",
            help="Add the probability of each class, by the calibration of the model.",
        ),
    ] = False,
    unknown: Annotated[
        Unknown,
        typer.Option(
            metavar="RULE",
            help="A level that the model has not seen: error, or zero in all its columns.",
        ),
    ] = "error",
    *,
    layout: LayoutOptions,
    output: Output,
    writing: Writing,
) -> None:
    """Give each row of a file its label and score by a trained model; its columns are kept."""
    screen = Screen(output.json, output.quiet)
    refuse_overwrite({"--out": out}, [file, model], writing.force)
    with screen.working(f"reading {file}"):
        from novikoff.data.write import write_columns
        from novikoff.estimators.persistence.predict import predict_file
        from novikoff.estimators.persistence.store import load_model

        made = predict_file(
            load_model(model),
            file,
            layout_of(layout),
            drop_missing=drop_missing,
            unknown=unknown,
            probable=probabilities,
        )
        tables = list(made.tables()) if out == "-" and output.json else None
        if tables is None:
            write_columns(made.tables(), out, made.texts())
    _say(screen, made, out)
    document: dict[str, Any] = {
        "model": str(model),
        "file": made.source,
        "rows": made.n,
        "without_prediction": made.without,
        "predicted": dict(made.counts),
        "errors": made.errors,
    }
    if out == "-":
        rows = [row for table in tables or () for row in table.to_pylist()]
        document["table"] = rows if output.json else None
    else:
        document["written"] = out
    screen.document(document)


def _say(screen: Screen, made: "Predictions", out: str) -> None:
    from novikoff.core.options import with_count

    counts = ", ".join(f"{count} are {name}" for name, count in made.counts.items())
    screen.say(
        f"{with_count(made.n)}: {counts}"
        + (f", {made.without} without an answer" if made.without else "")
        + "."
    )
    if made.errors is not None:
        predicted = made.n - made.without
        screen.say(f"{made.errors} of {predicted} differ from the labels in the file.")
    if out != "-":
        screen.say(f"written: {out}")
