"""The columns of a regression on the command line, and how a file is read for one."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from novikoff.cli.options import ColumnOptions, LayoutOptions
from novikoff.cli.reading import layout_of, refuse_code, split_list, words_of
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.regression.table import Taken

Model = Literal[
    "logit", "probit", "cloglog", "log-binomial", "binomial", "poisson", "negative-binomial",
    "multinomial", "ordinal", "adjacent-category", "continuation-ratio", "conditional", "cox",
]  # fmt: skip
Ties = Literal["breslow", "efron", "exact"]


def _column(text: str, metavar: str = "COLUMN") -> Any:
    return typer.Option(metavar=metavar, help=text, rich_help_panel="Columns")


@dataclass(frozen=True)
class RegressionColumns:
    """Which columns mean what to a regression."""

    formula: Annotated[
        str | None, _column('Outcome and columns: "y ~ x1 + C(id1)"; "~ x1" for cox.', "TEXT")
    ] = None
    label: Annotated[str | None, _column("The outcome, without a formula.")] = None
    features: Annotated[str | None, _column("Columns to use; by default all others.", "A,B,…")] = (
        None
    )
    drop: Annotated[str | None, _column("Columns to leave out.", "A,B,…")] = None
    categorical: Annotated[
        str | None,
        _column(
            "Columns to code: 0 or 1 for each value but the first; auto: all of text.", "A,B,…"
        ),
    ] = None
    trials: Annotated[str | None, _column("For binomial: how many trials.")] = None
    strata: Annotated[str | None, _column("For conditional and cox: the stratum.")] = None
    time: Annotated[str | None, _column("For cox: when the row left.")] = None
    event: Annotated[str | None, _column("For cox: 1 with an event, 0 censored.")] = None
    entry: Annotated[str | None, _column("For cox: when the row came under observation.")] = None
    weights: Annotated[str | None, _column("Counts or weights; 0 means absent.")] = None
    offset: Annotated[str | None, _column("An offset, for fitting.")] = None
    exposure: Annotated[str | None, _column("An exposure, for fitting.")] = None
    levels: Annotated[
        str | None, _column("The classes in their order, the base first.", "A,B,…")
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


PARTS = ("trials", "strata", "time", "event", "entry", "weights", "offset", "exposure")


def options_of_regression(parts: RegressionColumns, layout: LayoutOptions) -> list[str]:
    """What `verify` must be told: all that a certificate about a regression does not say."""
    named = [*PARTS, "label", "levels"]
    named += [] if parts.categorical is not None else ["features", "drop"]
    return words_of(parts, named) + words_of(layout)


def read_parts(
    file: str, layout: LayoutOptions, named: dict[str, str], options: dict[str, Any]
) -> "Taken":
    """The columns of a file that a regression is made of; `named` are those of the outcome."""
    from novikoff.data.reading import read_source
    from novikoff.regression.table import Wanted, take_columns

    refuse_code(options.get("formula"))
    wanted = Wanted(
        formula=options.get("formula"),
        features=options.get("features"),
        drop=options.get("drop") or (),
        categorical=options.get("categorical") or (),
        parts=named,
        drop_missing=bool(options.get("drop_missing")),
    )
    return take_columns(read_source(file, layout_of(layout)), wanted)


def outcome_of(
    file: str, layout: LayoutOptions, parts: RegressionColumns, model: Model
) -> dict[str, str]:
    """The column of each part of the outcome; built-in data says itself which its labels are."""
    from novikoff.data.datasets import LABEL
    from novikoff.data.reading import BUILT_IN, read_source
    from novikoff.data.source import list_names

    named = {part: getattr(parts, part) for part in PARTS if getattr(parts, part) is not None}
    if parts.label is not None:
        named["y"] = parts.label
    elif parts.formula is None and file.startswith(BUILT_IN):
        named["y"] = LABEL
    elif parts.formula is None and model != "cox":
        source = read_source(file, layout_of(layout))
        raise OptionError(
            f"{source.name}: which column holds the outcome? (--label, or --formula) "
            f"There are {list_names(source.names)}."
        )
    return named


def column_options(parts: Any) -> dict[str, Any]:
    """The options of `read_parts`, of a command's own."""
    return {
        "formula": parts.formula,
        "features": split_list(parts.features),
        "drop": split_list(parts.drop),
        "categorical": split_list(parts.categorical),
        "drop_missing": parts.drop_missing,
    }


def columns_of_parts(parts: RegressionColumns) -> ColumnOptions:
    """The columns as options of a scan, which brings its outcome and its weights."""
    if parts.label is None and parts.formula is None:
        raise OptionError("which column is the outcome? Give --label, or a --formula.")
    return ColumnOptions(
        label=parts.label,
        features=parts.features,
        drop=parts.drop,
        drop_missing=parts.drop_missing,
        formula=parts.formula,
        weights=parts.weights,
    )
