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


def _column(text: str, metavar: str = "COLUMN") -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel="Columns")


@dataclass(frozen=True)
class ColumnOptions:
    """Which columns mean what."""

    label: Annotated[str | None, _column("The column of the labels.")] = None
    features: Annotated[
        str | None, _column("Columns to use; all others are left out.", "A,B,…")
    ] = None
    drop: Annotated[str | None, _column("Columns to leave out.", "A,B,…")] = None
    positive: Annotated[
        str | None,
        _column("The label that is +1; of more than two, this one against the rest.", "VALUE"),
    ] = None
    classes: Annotated[
        str | None, _column("The two labels to keep, where there are more.", "A,B")
    ] = None
    categorical: Annotated[
        str | None,
        _column("Columns of categories, to code as 0 and 1; auto for all of text.", "A,B,…"),
    ] = None
    drop_missing: Annotated[
        bool,
        typer.Option(
            "--drop-missing",
            metavar="",
            help="Leave out rows with missing values.",
            rich_help_panel="Columns",
        ),
    ] = False
    impute: Annotated[
        str | None,
        _column("Fill missing values: mean, median, mode (of the column) or constant:V.", "HOW"),
    ] = None
    missing_indicator: Annotated[
        bool,
        typer.Option(
            "--missing-indicator",
            metavar="",
            help="With --impute: a column of 0 and 1 for each column with missing values.",
            rich_help_panel="Columns",
        ),
    ] = False
    dates: Annotated[
        Literal["ordinal", "parts"] | None,
        _column("Dates as numbers: ordinal, days since 1970; parts, year, month, ….", "HOW"),
    ] = None
    formula: Annotated[
        str | None, _column('Label and columns as a formula: "HG ~ NV + C(EH)".', "TEXT")
    ] = None
    weights: Annotated[str | None, _column("A column of counts or weights.")] = None
    standardise: Annotated[
        bool,
        typer.Option(
            "--standardise",
            metavar="",
            help="Give each column mean 0 and deviation 1, which changes both margins.",
            rich_help_panel="Columns",
        ),
    ] = False
    lift: Annotated[str | None, _column("Add all products of up to K columns.", "degree=K")] = None
    float64: Annotated[
        bool,
        typer.Option(
            "--float64",
            metavar="",
            help="Round numbers of more digits to float64; otherwise they are an error.",
            rich_help_panel="Columns",
        ),
    ] = False

    scan: Annotated[
        bool | None,
        typer.Option(
            "--scan/--no-scan",
            metavar="",
            help="Read the file in batches, in little memory; if not given, where it is large.",
            rich_help_panel="Columns",
        ),
    ] = None

    @property
    def makes_columns(self) -> bool:
        """Whether columns are made that a certificate names and no file has."""
        coded = self.categorical or self.formula or self.missing_indicator or self.dates
        return bool(coded or self.lift or self.standardise)


def _file_option(text: str, metavar: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel="How the file is written")


@dataclass(frozen=True)
class LayoutOptions:
    """How the file is written, where its name and first bytes do not say."""

    format: Annotated[
        Format | None,
        typer.Option(
            metavar="KIND",
            help="csv, jsonl, parquet, arrow, svmlight, npy or npz, if the ending does not say.",
            rich_help_panel="How the file is written",
        ),
    ] = None
    delimiter: Annotated[
        str | None, _file_option("What stands between the fields of a line.", "CHAR")
    ] = None
    header: Annotated[
        bool,
        typer.Option(
            "--header/--no-header",
            metavar="",
            help="Whether the first line has the names.",
            rich_help_panel="How the file is written",
        ),
    ] = True
    encoding: Annotated[
        str | None, _file_option("How a text file is encoded, if not in UTF-8.", "NAME")
    ] = None
    missing: Annotated[
        str | None, _file_option("More texts that mean a missing value.", "TEXT,…")
    ] = None
    decimal: Annotated[
        Literal[".", ","], _file_option("What stands before decimals, if no point.", "CHAR")
    ] = "."


@dataclass(frozen=True)
class Output:
    """What is printed, and where."""

    json: Annotated[
        bool,
        typer.Option(
            "--json",
            metavar="",
            help="One JSON document on standard output, nothing else there.",
            rich_help_panel="Output",
        ),
    ] = False
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet",
            "-q",
            metavar="",
            help="No messages, only errors.",
            rich_help_panel="Output",
        ),
    ] = False
    debug: Annotated[
        bool,
        typer.Option(
            "--debug",
            metavar="",
            help="Show the traceback of an error.",
            rich_help_panel="Output",
        ),
    ] = False


@dataclass(frozen=True)
class Writing:
    """What may be written over."""

    force: Annotated[
        bool,
        typer.Option(
            "--force",
            metavar="",
            help="Replace files that novikoff did not write.",
            rich_help_panel="Output",
        ),
    ] = False


def _run_option(text: str, metavar: str) -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel="The run")


@dataclass(frozen=True)
class PerceptronOptions:
    """How the perceptron runs, where a run is looked at rather than a model made."""

    eta0: Annotated[float, _run_option("η, the length of a step.", "NUMBER")] = 1.0
    max_iter: Annotated[int, _run_option("How many epochs to run at most.", "N")] = 1000
    order: Annotated[Order, _run_option("cyclic, shuffled, random or worst.", "ORDER")] = "cyclic"
    tie: Annotated[Tie, _run_option("Where a score of 0 falls: mistake, +1 or -1.", "RULE")] = (
        "mistake"
    )
    intercept: Annotated[
        bool,
        typer.Option(
            "--intercept/--no-intercept",
            metavar="",
            help="Whether to learn a bias b beside the weights.",
            rich_help_panel="The run",
        ),
    ] = True
    seed: Annotated[int | None, _run_option("Seed of the shuffled and the random order.", "N")] = (
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
