"""The columns of a regression on the command line, and how a file is read for one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from novikoff.cli.options import CellOptions, ColumnOptions, LayoutOptions, column
from novikoff.cli.reading import layout_of, refuse_code, split_list, words_of
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.regression.table import Taken

Model = Literal[
    "logit", "probit", "cloglog", "log-binomial", "binomial", "poisson", "negative-binomial",
    "multinomial", "ordinal", "adjacent-category", "continuation-ratio", "conditional", "cox",
]  # fmt: skip
Ties = Literal["breslow", "efron", "exact"]


@dataclass(frozen=True)
class RegressionColumns(CellOptions):
    """Which columns mean what to a regression."""

    formula: Annotated[
        str | None, column('Outcome and columns: "y ~ x1 + C(id1)"; "~ x1" for cox.', "TEXT")
    ] = None
    label: Annotated[str | None, column("The outcome, without a formula.")] = None
    trials: Annotated[str | None, column("For binomial: how many trials.")] = None
    strata: Annotated[str | None, column("For conditional and cox: the stratum.")] = None
    time: Annotated[str | None, column("For cox: the time of the event, or of censoring.")] = None
    event: Annotated[str | None, column("For cox: 1 with an event, 0 censored.")] = None
    entry: Annotated[str | None, column("For cox: the time of entry, if late.")] = None
    weights: Annotated[str | None, column("Counts or weights; 0 means absent.")] = None
    offset: Annotated[str | None, column("An offset, for fitting.")] = None
    exposure: Annotated[str | None, column("An exposure, for fitting.")] = None
    levels: Annotated[
        str | None, column("The classes in their order, the base first.", "A,B,…")
    ] = None


PARTS = ("trials", "strata", "time", "event", "entry", "weights", "offset", "exposure")


def options_of_regression(parts: RegressionColumns, layout: LayoutOptions) -> list[str]:
    """What `verify` must be told: all that a certificate about a regression does not say."""
    named = [*PARTS, "label", "levels"]
    named += [] if parts.codes_columns else ["features", "drop"]
    return words_of(parts, named) + words_of(layout)


def read_parts(
    file: str,
    layout: LayoutOptions,
    named: dict[str, str],
    columns: RegressionColumns | ColumnOptions,
    features: Sequence[str] | None = None,
) -> "Taken":
    """The columns of a file that a regression is made of; `named` are those of the outcome."""
    from novikoff.data.options import ReadOptions
    from novikoff.data.reading import read_source
    from novikoff.regression.table import take_columns

    refuse_code(columns.formula)
    choice = ReadOptions(
        formula=columns.formula,
        features=features or split_list(columns.features),
        drop=split_list(columns.drop) or (),
        categorical=split_list(columns.categorical) or (),
        drop_missing=columns.drop_missing,
        dates=columns.dates,
        impute=columns.impute,
        missing_indicator=columns.missing_indicator,
    )
    return take_columns(read_source(file, layout_of(layout)), choice, named)


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


def columns_of_parts(parts: RegressionColumns) -> ColumnOptions:
    """The columns as options of a scan, which brings its outcome and its weights."""
    if parts.label is None and parts.formula is None:
        raise OptionError("which column is the outcome? Give --label, or a --formula.")
    return ColumnOptions(
        label=parts.label,
        features=parts.features,
        drop=parts.drop,
        drop_missing=parts.drop_missing,
        dates=parts.dates,
        formula=parts.formula,
        weights=parts.weights,
    )
