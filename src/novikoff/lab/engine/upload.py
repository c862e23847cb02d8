"""A CSV file from the page: which columns it has, and the points that are made of them.

The text is read by the package's own reader, from memory. No path is ever taken from a request.
"""

import numpy as np
import pyarrow.compute as pc

from novikoff.data.columns import choose
from novikoff.data.delimited import read_delimited
from novikoff.data.features import is_number
from novikoff.data.options import ReadOptions
from novikoff.data.source import InputFile, Source
from novikoff.errors import FileError, LimitError
from novikoff.lab import limits
from novikoff.lab.messages.answers import Column, Columns, PointsAnswer
from novikoff.lab.messages.requests import ChooseColumns, CsvFile, LabelledPoints

NAME = "the file"
MOST_VALUES = 20  # labels that are listed
MOST_COLUMNS = 1000


def columns(request: CsvFile) -> Columns:
    """The columns of the file, and a first guess at which is the label."""
    source = _source(request.csv)
    found = [_column(source, name) for name in source.names]
    label = _likely_label(found)
    features = [column.name for column in found if column.numeric and column.name != label]
    return Columns(
        rows=source.table.num_rows,
        columns=found,
        label=label,
        features=features[: limits.COLUMNS],
    )


def points(request: ChooseColumns) -> PointsAnswer:
    """The points that the chosen columns hold."""
    source = _source(request.csv)
    choice = ReadOptions(
        label=request.label,
        features=request.features,
        positive=request.positive,
        classes=request.classes,
        drop_missing=request.drop_missing,
    )
    table = choose(source, choice)
    if table.n > limits.POINTS:
        raise LimitError(
            f"{table.n:,} rows, and the lab shows {limits.POINTS:,} at most: for more, use "
            "`novikoff check FILE --label COLUMN --report page.html`."
        )
    signs = table.signs
    X = np.asarray(table.X, dtype=np.float64)
    if np.abs(X).max() > limits.LARGEST_NUMBER:
        raise LimitError(
            f"a number is greater than {limits.LARGEST_NUMBER:g}, the most that the lab draws: "
            "rescale that column, or use `novikoff check`."
        )
    made = LabelledPoints(
        X=tuple(map(tuple, X.tolist())),
        y=tuple(signs.tolist()),
        names=tuple(name[: limits.NAME_LENGTH] for name in table.names),
        classes=_class_names(table.classes),
        decimals=table.decimals,
    )
    return PointsAnswer(points=made, notes=list(table.notes))


def _source(text: str) -> Source:
    source = read_delimited(InputFile(NAME, ".csv", None, text.encode("utf-8", "replace"), None))
    if len(source.names) > MOST_COLUMNS:
        raise LimitError(f"{NAME} has {len(source.names):,} columns; the lab takes {MOST_COLUMNS}.")
    if any(name == "" for name in source.names):
        raise FileError(f"{NAME} has a column without a name: give each its own.")
    return source


def _column(source: Source, name: str) -> Column:
    held = source.column(name)
    distinct = pc.unique(held.drop_null())
    return Column(
        name=name,
        numeric=is_number(source.table.schema.field(name).type),
        missing=held.null_count,
        distinct=len(distinct),
        values=sorted(str(value) for value in distinct[: MOST_VALUES + 1].to_pylist()),
    )


def _likely_label(found: list[Column]) -> str:
    """The last column of two values, else of few, else the last one."""
    for most in (2, MOST_VALUES):
        few = [column.name for column in found if 2 <= column.distinct <= most]
        if few:
            return few[-1]
    return found[-1].name


def _class_names(classes: tuple[object, ...]) -> tuple[str, str]:
    first, second = (str(name)[: limits.NAME_LENGTH] or "(empty)" for name in classes)
    return (first, second) if first != second else (f"{first} (−1)", f"{second} (+1)")
