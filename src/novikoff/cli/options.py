"""The options that commands share, as dataclasses: stated once, expanded into each command."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Annotated, Any, Literal, cast, get_type_hints

import typer

from novikoff.core.options import Format, Order, Tie

FILE_HELP = (
    "CSV, TSV, JSON lines (also .gz, .zst), Parquet, Arrow, Feather, svmlight, .npy, .npz, or a "
    "folder of one kind; - for standard input; dataset:NAME for built-in data."
)


def complete_file(incomplete: str) -> list[str]:
    """Built-in data sets and files, for the shell."""
    from glob import glob

    if incomplete.startswith("dataset:"):
        from novikoff.data.datasets import list_datasets

        return [f"dataset:{dataset.name}" for dataset in list_datasets()]
    return sorted(glob(f"{incomplete}*"))


FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help=FILE_HELP, autocompletion=complete_file)
]


def option(panel: str, text: str, metavar: str = "", *names: str) -> Any:
    """An option in a panel of the help; one without a metavar is a flag."""
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel=panel)


def column(text: str, metavar: str = "COLUMN", *names: str) -> Any:
    """An option about the columns of a file."""
    return option("Columns", text, metavar, *names)


@dataclass(frozen=True)
class CellOptions:
    """Which columns are features, and what becomes of their texts, dates and missing cells."""

    label: Annotated[str | None, column("The column of the labels.")] = None
    features: Annotated[str | None, column("Columns to use; all others are left out.", "A,B,…")] = (
        None
    )
    drop: Annotated[str | None, column("Columns to leave out.", "A,B,…")] = None
    categorical: Annotated[
        str | None,
        column("Columns of categories, coded as 0 and 1; auto: all text columns.", "A,B,…"),
    ] = None
    drop_missing: Annotated[
        bool, column("Leave out rows with missing values.", "", "--drop-missing")
    ] = False
    impute: Annotated[
        str | None,
        column("Fill missing values: mean, median, mode (of the column) or constant:V.", "HOW"),
    ] = None
    missing_indicator: Annotated[
        bool,
        column(
            "With --impute: a column of 0 and 1 for each column with missing values.",
            "",
            "--missing-indicator",
        ),
    ] = False
    dates: Annotated[
        Literal["ordinal", "parts"] | None,
        column(
            "Dates as numbers: ordinal, days since 1970; parts, year, month, ….",
            "HOW",
            "--dates",
            "--date",
        ),
    ] = None

    @property
    def codes_columns(self) -> bool:
        """Whether columns are made of others."""
        return bool(self.categorical or self.missing_indicator or self.dates)


@dataclass(frozen=True)
class ColumnOptions(CellOptions):
    """Which columns mean what."""

    positive: Annotated[
        str | None,
        column("The label to count as +1, against all others.", "VALUE"),
    ] = None
    classes: Annotated[str | None, column("The two labels to keep, if there are more.", "A,B")] = (
        None
    )
    formula: Annotated[
        str | None, column('Label and columns as a formula: "HG ~ NV + C(EH)".', "TEXT")
    ] = None
    weights: Annotated[str | None, column("A column of counts or weights.")] = None
    standardise: Annotated[
        bool,
        column(
            "Give each column mean 0 and deviation 1, which changes both margins.",
            "",
            "--standardise",
        ),
    ] = False
    lift: Annotated[str | None, column("Add all products of up to K columns.", "degree=K")] = None
    float64: Annotated[
        bool,
        column(
            "Round numbers of more digits to float64; otherwise they are an error.", "", "--float64"
        ),
    ] = False

    scan: Annotated[
        bool | None,
        column(
            "Read the file in batches, in little memory; if not given, where it is large.",
            "",
            "--scan/--no-scan",
        ),
    ] = None

    @property
    def makes_columns(self) -> bool:
        """Whether columns are made that a certificate names and no file has."""
        return bool(self.codes_columns or self.formula or self.lift or self.standardise)


LAYOUT, OUTPUT, RUN = "How the file is written", "Output", "The run"


@dataclass(frozen=True)
class LayoutOptions:
    """How the file is written, where its name and first bytes do not say."""

    format: Annotated[
        Format | None,
        option(
            LAYOUT,
            "csv, jsonl, parquet, arrow, svmlight, npy or npz, if the ending does not say.",
            "KIND",
        ),
    ] = None
    delimiter: Annotated[
        str | None, option(LAYOUT, "The character between the fields of a line.", "CHAR")
    ] = None
    header: Annotated[
        bool,
        option(LAYOUT, "Whether the first line has the names.", "", "--header/--no-header"),
    ] = True
    encoding: Annotated[
        str | None, option(LAYOUT, "How a text file is encoded, if not in UTF-8.", "NAME")
    ] = None
    missing: Annotated[
        str | None, option(LAYOUT, "More texts that mean a missing value.", "TEXT,…")
    ] = None
    decimal: Annotated[
        Literal[".", ","], option(LAYOUT, "The decimal mark, if it is not a point.", "CHAR")
    ] = "."


@dataclass(frozen=True)
class Output:
    """What is printed, and where."""

    json: Annotated[
        bool,
        option(OUTPUT, "Print one JSON document on standard output, nothing else.", "", "--json"),
    ] = False
    quiet: Annotated[bool, option(OUTPUT, "No messages, only errors.", "", "--quiet", "-q")] = False
    debug: Annotated[bool, option(OUTPUT, "Show the traceback of an error.", "", "--debug")] = False


@dataclass(frozen=True)
class Writing:
    """What may be written over."""

    force: Annotated[
        bool, option(OUTPUT, "Replace files that novikoff did not write.", "", "--force")
    ] = False


@dataclass(frozen=True)
class PerceptronOptions:
    """How the perceptron runs, where a run is looked at rather than a model made."""

    eta0: Annotated[float, option(RUN, "η, the length of a step.", "NUMBER")] = 1.0
    max_iter: Annotated[int, option(RUN, "How many epochs to run at most.", "N")] = 1000
    order: Annotated[Order, option(RUN, "cyclic, shuffled, random or worst.", "ORDER")] = "cyclic"
    tie: Annotated[Tie, option(RUN, "What a score of 0 means: mistake, +1 or -1.", "RULE")] = (
        "mistake"
    )
    intercept: Annotated[
        bool,
        option(
            RUN, "Whether to learn a bias b beside the weights.", "", "--intercept/--no-intercept"
        ),
    ] = True
    seed: Annotated[int | None, option(RUN, "Seed of the shuffled and the random order.", "N")] = (
        None
    )


def expand(command: Callable[..., Any]) -> tuple[inspect.Signature, dict[str, type]]:
    """A command's signature with each dataclass replaced by its fields, and which those were."""
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, type] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if not is_dataclass(kind):
            keyword = inspect.Parameter.KEYWORD_ONLY
            parameters.append(parameter.replace(annotation=kind, kind=keyword))
            continue
        group = cast("type", kind)
        groups[name] = group
        of_fields = get_type_hints(group, include_extras=True)
        parameters += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=field.default,
                annotation=of_fields[field.name],
            )
            for field in fields(group)
        ]
    return inspect.Signature(parameters), groups
