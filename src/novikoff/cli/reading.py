"""From the options of a command to the data it is about."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from novikoff.cli.options import Columns, Layout
from novikoff.cli.screen import Screen
from novikoff.errors import OptionError

if TYPE_CHECKING:
    from novikoff.data.choose import Choice
    from novikoff.data.choose import Layout as FileLayout
    from novikoff.data.table import Table

__all__ = [
    "degree_of",
    "layout_of",
    "options_for_verify",
    "read_table",
    "refuse_code",
    "split_list",
]


def split_list(text: str | None) -> list[str] | None:
    """The parts of `a,b,c`; a name that holds a comma goes into double quotes."""
    if text is None:
        return None
    import csv

    return [part.strip() for part in next(csv.reader([text], skipinitialspace=True), [])]


def degree_of(lift: str | None) -> int:
    """The K of `degree=K`, or 1."""
    if lift is None:
        return 1
    name, _, value = lift.rpartition("=")
    if name not in ("", "degree") or not value.isdigit() or int(value) < 1:
        raise OptionError(f"--lift is written degree=2 (or 3, …); got {lift!r}.")
    return int(value)


def options_for_verify(columns: Columns, layout: Layout) -> list[str]:
    """What `verify` must be told to read the file as it was read: all that no certificate says."""
    made = columns.categorical or columns.formula or columns.lift or columns.standardise
    names = ["categorical", "drop_missing", "formula", "weights", "standardise", "lift",
             "float64"]  # fmt: skip
    given = {name: getattr(columns, name) for name in names + ["features", "drop"] * bool(made)}
    given |= {
        name: getattr(layout, name) for name in ("format", "delimiter", "encoding", "missing")
    }
    words = [] if layout.header else ["--no-header"]
    for name, value in given.items():
        if value is not None and value is not False:
            words.append(f"--{name.replace('_', '-')}")
            words += [] if value is True else [str(value)]
    return words


def layout_of(layout: Layout) -> "FileLayout":
    """How the file is written, as `novikoff.data` takes it."""
    from novikoff.data.choose import Layout as FileLayout

    return FileLayout(
        format=layout.format,
        delimiter=layout.delimiter,
        header=layout.header,
        encoding=layout.encoding,
        missing=split_list(layout.missing) or (),
    )


def refuse_code(formula: str | None) -> None:
    """Raise `OptionError` if a formula would run code."""
    if formula is not None:
        from novikoff.data.formula import refuse_unsafe

        refuse_unsafe(formula)


def choice_of(columns: Columns, layout: Layout) -> "Choice":
    """What the options say about the file and its columns, as the reader takes it."""
    from novikoff.data.choose import Choice

    refuse_code(columns.formula)
    return Choice(
        label=columns.label,
        features=split_list(columns.features),
        drop=split_list(columns.drop) or (),
        positive=columns.positive,
        classes=split_list(columns.classes),
        categorical=split_list(columns.categorical) or (),
        drop_missing=columns.drop_missing,
        formula=columns.formula,
        weights=columns.weights,
        standardise=columns.standardise,
        degree=degree_of(columns.lift),
        float64=columns.float64,
        layout=layout_of(layout),
    )


def read_table(
    file: str, columns: Columns, layout: Layout, screen: Screen, **overrides: Any
) -> "Table":
    """Read the file as the options say, and tell what was done to its columns and rows."""
    with screen.working(f"reading {file}"):
        from novikoff.data.reading import read_chosen

        table = read_chosen(file, replace(choice_of(columns, layout), **overrides))
    for note in table.notes:
        screen.say(f"note: {note}.")
    return table
